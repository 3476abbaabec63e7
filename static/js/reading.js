// The chapter page: marks the section you are in, reports the place, sets notes beside their citations.
// Everything here is comfort; without it the page reads the same.
(() => {
  const text = document.querySelector("[data-place]");
  if (!text) return;
  const wide = matchMedia("(min-width: 62rem)");
  const marginal = matchMedia("(min-width: 79rem)");
  const sections = [...text.querySelectorAll("[data-section]")];
  const anchors = [...text.querySelectorAll("[data-section] .prose > [id]:not(h2)")];
  const line = () => Math.min(160, innerHeight / 4);
  const last = (list) => {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle].getBoundingClientRect().top <= line()) low = middle + 1; else high = middle;
    }
    return list[low - 1] || null;
  };

  // The rail: where you are, in the list and in the one-line bar.
  let here = null;
  const mark = () => {
    const rail = document.getElementById("rail");
    if (!rail) return;
    rail.querySelectorAll("[data-for]").forEach((item) => {
      const now = !!here && item.dataset.for === here.dataset.section;
      item.classList.toggle("here", now);
      const link = item.querySelector("a");
      if (now) link.setAttribute("aria-current", "location"); else link.removeAttribute("aria-current");
    });
    const bar = rail.querySelector("[data-bar]");
    const index = sections.indexOf(here);
    if (bar) bar.textContent = index < 0 ? bar.dataset.bar : `Section ${index + 1} of ${sections.length}: ${here.dataset.title}`;
    const fold = rail.querySelector(".fold");
    if (fold && wide.matches && !CSS.supports("selector(::details-content)")) fold.open = true;
  };

  // The place: sent when reading pauses and when the page goes away, only after a real scroll.
  let known = text.hasAttribute("data-known");
  let place = null, sent = null, moved = false, timer = 0;
  const report = () => {
    clearTimeout(timer);
    if (!known || !moved || !place || place === sent) return;
    const section = place.closest("[data-section]");
    const token = document.querySelector("[name=csrfmiddlewaretoken]");
    if (!section || !token) return;
    sent = place;
    const body = new URLSearchParams({
      section: section.dataset.section, anchor: place.id, csrfmiddlewaretoken: token.value,
    });
    fetch(text.dataset.place, { method: "POST", body, keepalive: true }).catch(() => { sent = null; });
  };
  let waiting = false;
  const look = () => {
    waiting = false;
    const section = last(sections);
    if (section !== here) { here = section; mark(); }
    const anchor = last(anchors);
    if (anchor !== place) {
      place = anchor;
      clearTimeout(timer);
      timer = setTimeout(report, 2500);
    }
  };
  addEventListener("scroll", () => {
    moved = true;
    if (!waiting) { waiting = true; requestAnimationFrame(look); }
  }, { passive: true });
  addEventListener("pagehide", report);
  document.addEventListener("visibilitychange", () => { if (document.hidden) report(); });

  // Notes stand beside the line that cites them, pushed down when two would overlap.
  const align = () => {
    document.querySelectorAll(".notes").forEach((notes) => {
      const top = notes.getBoundingClientRect().top;
      let free = 0;
      notes.querySelectorAll("li").forEach((note) => {
        const cite = notes.parentElement.querySelector(`.cite a[href="#${note.dataset.note}"]`);
        if (!cite || !marginal.matches) {
          note.classList.remove("placed");
          note.style.top = "";
          return;
        }
        note.classList.add("placed");
        const y = Math.max(free, cite.getBoundingClientRect().top - top - 4);
        note.style.top = `${y}px`;
        free = y + note.offsetHeight + 12;
      });
    });
  };
  let pending = 0;
  new ResizeObserver(() => { cancelAnimationFrame(pending); pending = requestAnimationFrame(align); }).observe(text);

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    if (link.closest("#rail") && !wide.matches) link.closest(".fold").open = false;
    const cite = link.closest(".cite");
    if (!cite || !marginal.matches) return;
    const scope = cite.closest("[data-section]");
    const note = scope && scope.querySelector(`[data-note="${link.hash.slice(1)}"]`);
    if (!note) return;
    event.preventDefault();
    document.querySelectorAll(".notes .lit").forEach((lit) => lit.classList.remove("lit"));
    note.classList.add("lit");
    note.tabIndex = -1;
    note.focus({ preventScroll: true });
  });

  // After htmx brought the rail or the checkpoints anew: the other places follow.
  document.addEventListener("htmx:afterSettle", () => {
    known = true;
    mark();
    const ticks = document.querySelector("#rail [data-ticks]");
    const checkpoints = document.getElementById("checkpoints");
    if (ticks && checkpoints) ticks.textContent = checkpoints.dataset.ticks;
    document.querySelectorAll("form.done").forEach((form) => {
      const item = document.querySelector(`#rail [data-for="${form.elements.section.value}"]`);
      if (!item) return;
      const read = item.classList.contains("read");
      form.elements.state.value = read ? "unread" : "read";
      form.querySelector("[data-word]").textContent = read ? "Not read after all" : "I have read this";
      form.querySelector(".mark").textContent = read ? "✓ Read" : "";
    });
  });
  look();
})();
