// Chapter and lab: paints the words that the lists "Your marks" name, and offers to mark what is selected (key m).
(() => {
  const text = document.querySelector("[data-mark]");
  if (!text) return;
  const nodes = (box) => {
    const found = [], walker = document.createTreeWalker(box, 4, (node) => node.parentElement.closest(".cite, .pilcrow") ? 2 : 1);
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  };
  const paint = () => {
    text.querySelectorAll("mark.own").forEach((mark) => mark.replaceWith(...mark.childNodes));
    text.querySelectorAll("[data-anchor]").forEach(({ dataset }) => {
      const box = document.getElementById(dataset.anchor);
      let at = 0;
      if (box) nodes(box).forEach((node) => {
        const from = Math.max(0, dataset.start - at), to = Math.min(node.length, dataset.end - at);
        at += node.length;
        if (from >= to || !node.data.trim() || !(node.parentElement instanceof HTMLElement)) return;
        const part = node.splitText(from), mark = document.createElement("mark");
        part.splitText(to - from);
        mark.className = "own";
        part.replaceWith(mark);
        mark.append(part);
      });
    });
  };
  paint();

  const picked = () => {
    const selection = getSelection();
    if (selection.isCollapsed) return null;
    const range = selection.getRangeAt(0), first = range.startContainer;
    const box = (first.closest ? first : first.parentElement).closest("[data-section] .prose [id]:not(h2)");
    if (!box) return null;
    let at = 0, start = -1, quote = "";
    nodes(box).forEach((node) => {
      if (range.intersectsNode(node)) {
        const from = node === first ? range.startOffset : 0;
        if (start < 0) start = at + from;
        quote += node.data.slice(from, node === range.endContainer ? range.endOffset : node.length);
      }
      at += node.length;
    });
    start += quote.search(/\S|$/);
    quote = quote.trim();
    return quote && { box, range, quote, start };
  };
  const mark = () => {
    const found = picked();
    if (!found) return;
    const { box, start, quote } = found, part = box.closest("[data-section]"), { section } = part.dataset;
    if (!part.querySelector(".marks")) part.insertAdjacentHTML("beforeend", `<p class="own marks" id="marks-${section}">`);
    const target = part.querySelector(".marks");
    getSelection().removeAllRanges();
    const values = { section, anchor: box.id, start, quote };
    htmx.ajax("POST", text.dataset.mark, { source: target, target, swap: "outerHTML", values });
  };
  text.insertAdjacentHTML("beforeend", '<button class="go marker" title="Mark the selected words" aria-keyshortcuts="m" hidden>Mark</button>');
  const button = text.lastChild;
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", mark);
  let timer = 0;
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const found = picked();
      button.hidden = !found;
      if (!found) return;
      const area = found.range.getBoundingClientRect();
      button.style.top = `${area.bottom + scrollY + 8}px`;
      button.style.left = `${Math.min(area.left, innerWidth - 96)}px`;
    }, 200);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "m" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches("input, textarea")) mark();
  });

  document.addEventListener("htmx:afterSettle", ({ target }) => {
    if (!target.matches(".marks")) return;
    paint();
    if (document.activeElement === document.body) (target.querySelector("summary") || target).focus({ preventScroll: true });
  });
  ["sendError", "timeout", "responseError"].forEach((name) => document.addEventListener(`htmx:${name}`, ({ detail }) => {
    const line = detail.target?.matches("output, .marks") && (detail.target.querySelector("summary") || detail.target);
    if (line) line.textContent = "Not kept. Nothing on this page is lost: try it again.";
  }));
})();
