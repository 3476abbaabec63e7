// The question page: keys, focus after a swap, and answers that survive a lost connection.
// Without it every button is still a button of a form.
(() => {
  const question = () => document.getElementById("question");
  if (!question()) return;
  const form = () => document.getElementById("answer");
  const say = (words) => { const live = document.getElementById("say"); if (live) live.textContent = words; };
  const isAnswer = (event) => !!event.detail.elt && event.detail.elt.id === "answer";

  // Through any swap of the same question stay: what is chosen and not yet checked, the open map, and,
  // when only the flag changed, every open reason and the focus.
  const fields = () => [...(form()?.elements || [])].filter((one) => one.name === "choice" && /text|select/.test(one.type));
  let held = null;
  let was = null; // where the focus was when the request began: a button that is off meanwhile loses it
  const stops = () => [...question().querySelectorAll("a, button, input, summary")];
  const folds = () => [...question().querySelectorAll("details")];
  const hold = (path) => {
    const now = form(), at = document.activeElement;
    held = question() && {
      place: question().dataset.place,
      flag: path.endsWith("/flag/"),
      open: folds().map((fold) => fold.open),
      focus: stops().indexOf(at === document.body ? was : at),
      form: now && {
        choice: [...now.querySelectorAll("[name=choice]:checked")].map((box) => box.value),
        typed: fields().map((one) => [one.id, one.value]),
        certainty: now.querySelector("[name=certainty]:checked")?.value,
      },
    };
  };
  // Items to order: each has the place it was given, or none. They stand by their places, the others behind them.
  const place = (row) => Number(row.querySelector("select").value.slice(1));
  const set = (row, to) => { row.querySelector("select").value = to ? `#${to}` : ""; };
  const arrange = () => {
    const list = question()?.querySelector(".ordering");
    const rows = list ? [...list.children].sort((one, other) => (place(one) || 99) - (place(other) || 99)) : [];
    const free = rows.findIndex((row, index) => place(row) !== index + 1) + 1;
    rows.forEach((row, index) => {
      list.append(row);
      row.dataset.at = place(row);
      row.classList.toggle("placed", place(row) > 0);
      row.dataset.digit = row.querySelector("kbd").textContent = index + 1;
      row.querySelector("i").textContent = free;
    });
  };
  addEventListener("pageshow", arrange);
  // The button of an item that stands for it: digits lead there, and not into its list, where digits are places.
  const lead = (row) => row.querySelector(".placed [data-move=up], :not(.placed) > .moves > [data-move=next]");
  const past = []; // of each placing the item and the places before it
  // Whoever has that place, and those up to the nearest free one, make room. No item gets a place that had none.
  const put = (row, to) => {
    const rows = [...row.parentNode.children], rest = rows.filter((one) => one !== row), was = Number(row.dataset.at);
    const free = rows.map((one, index) => index + 1).filter((spot) => !rest.some((one) => place(one) === spot));
    const gap = free.includes(to) ? to : was || free.find((spot) => spot > to) || free.at(-1);
    if (to) rest.forEach((one) => {
      const spot = place(one);
      if (spot >= to && spot < gap) set(one, spot + 1);
      else if (spot > gap && spot <= to) set(one, spot - 1);
    });
    if (to !== was) past.push([row.querySelector("select").id, rows.map((one) => [one.querySelector("select").id, one.dataset.at])]);
    set(row, to);
    arrange();
    say(to ? `Place ${to} of ${rows.length}` : "Not placed");
  };
  // The last placing alone; of places that came with the page the last one.
  const unplace = () => {
    const last = [...document.querySelectorAll(".ordering .placed select")].at(-1);
    const [id, places] = past.pop() || (last ? [last.id, [[last.id, 0]]] : []);
    if (!id) return false;
    const rowOf = (one) => document.getElementById(one).closest("li"), row = rowOf(id);
    places.forEach(([one, at]) => set(rowOf(one), Number(at)));
    arrange();
    lead(row).focus();
    const words = row.querySelector("button .away").textContent, now = place(row);
    say(`Taken back${words} (now ${now ? `at place ${now}` : "not placed"})`);
    return true;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-move]");
    if (!button) return;
    const row = button.closest("li"), { move } = button.dataset, last = row.parentNode.children.length;
    if (move === "next") put(row, Number(button.querySelector("i").textContent));
    else put(row, Math.min(last, Math.max(1, place(row) + (move === "up" ? -1 : 1))));
    (move === "next" ? lead(row.parentNode.querySelector("li:not(.placed)") || row) : button).focus();
  });
  document.addEventListener("change", (event) => {
    const row = event.target.closest(".ordering li");
    if (!row) return;
    put(row, place(row));
    event.target.focus();
  });
  const restore = () => {
    if (!held?.form || !form() || question().dataset.place !== held.place) past.length = 0;
    if (!held) return;
    if (question().dataset.place !== held.place) { scrollTo(0, 0); return; }
    folds().forEach((fold, index) => { if (held.flag || !index) fold.open = held.open[index]; });
    const now = form();
    if (now && held.form) {
      now.querySelectorAll("input[name=choice]").forEach((box) => {
        if (box.type === "radio" || box.type === "checkbox") box.checked = held.form.choice.includes(box.value);
      });
      held.form.typed.forEach(([id, value]) => { const one = document.getElementById(id); if (one && value) one.value = value; });
      arrange();
      now.querySelectorAll("[name=certainty]").forEach((box) => { box.checked = box.value === held.form.certainty; });
    }
    if (held.flag) stops()[held.focus]?.focus({ preventScroll: true });
  };

  // Not saved yet: the form is kept as it is and sent again with the same key.
  const waits = [1, 2, 4, 8, 16, 30];
  let tries = 0, timer = 0, unsaved = false, renewed = false;
  const settle = () => { clearTimeout(timer); tries = 0; unsaved = renewed = false; };
  const tell = (words, lock) => {
    const now = form();
    if (!now) return;
    const line = now.querySelector(".unsaved");
    line.hidden = !words;
    line.querySelector("span").textContent = words;
    question().querySelectorAll("fieldset, [role=group]").forEach((part) => { part.inert = lock; });
  };
  const again = () => { clearTimeout(timer); const now = form(); if (now) now.requestSubmit(); };
  // The same request once more; the flag after the answer needs its button, which says on or off.
  const repeat = (part) => {
    if (!part || part.id === "answer") again();
    else if (part.isConnected) (part.querySelector("button") || part).click();
  };
  // After signing in elsewhere the page's token is old: take the new one, then send again.
  const renew = async (part) => {
    const options = { cache: "no-store", signal: AbortSignal.timeout(15000) };
    const text = await fetch(location.href, options).then((answer) => answer.text()).catch(() => "");
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const token = fresh.querySelector("[name=csrfmiddlewaretoken]")?.value;
    if (token) {
      document.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((field) => { field.value = token; });
      document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
    }
    repeat(part);
  };
  // What went wrong with Next, Skip, the flag or another try: a line at the buttons, there until the next press.
  const trouble = (words, link = "") => {
    document.getElementById("trouble")?.remove();
    if (words) question()?.querySelector(".row.next")?.insertAdjacentHTML("beforebegin", `<p class="unsaved" id="trouble" role="alert">${words}${link}</p>`);
  };
  const explain = (code) => {
    const later = " Nothing is lost. Try it again in a moment.";
    if (!code) trouble("No connection to the server." + later);
    else if (code === 403 || code === 404) trouble("You are signed out here. Sign in, then try it again.", ' <a href="/accounts/login/" target="_blank">Sign in in a new tab</a>');
    else if (code === 429 || code > 501) trouble("The server is busy." + later);
    else if (code > 499) trouble(`The server failed (${code}).` + later);
    else trouble(`The server refused this (${code}). Reload the page, then try it again.`);
  };
  const failed = (event) => {
    const answer = isAnswer(event), late = event.type === "htmx:timeout";
    const code = late ? 504 : event.detail.xhr?.status || 0;
    if (answer) unsaved = true;
    // Once htmx has let go of the buttons: the focus back, and on with an answer that had to stand aside.
    setTimeout(() => {
      if (document.activeElement === document.body) was?.focus({ preventScroll: true });
      if (!answer && tries) again();
    });
    if (code === 403 && !renewed) {
      renewed = true;
      renew(event.detail.elt);
      return;
    }
    renewed = false;
    if (!answer) { explain(code); return; }
    if (code === 403 || code === 404) {
      tell("Not saved yet: you are signed out here. Your choice stays on this page.", false);
      form().querySelector("[data-sign-in]").hidden = false;
      return;
    }
    if (code >= 400 && code < 500 && code !== 429) {
      tell(`Not saved: the server refused this answer (${code}). Your choice is still here. Reload the page, then check again.`, false);
      return;
    }
    const wait = waits[Math.min(tries++, waits.length - 1)];
    tell(`Not saved yet. Your answer is kept on this page and sent again in ${wait} s.`, true);
    timer = setTimeout(again, wait * 1000);
  };
  ["sendError", "timeout", "responseError"].forEach((name) => document.addEventListener(`htmx:${name}`, failed));
  addEventListener("online", () => { if (unsaved && tries) again(); });
  addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
  document.addEventListener("htmx:beforeRequest", (event) => {
    was = document.activeElement;
    if (isAnswer(event)) unsaved = true; else trouble("");
  });

  document.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.shouldSwap) hold(event.detail.pathInfo.requestPath); });
  // At once after the swap: whoever chooses while it settles must not be overruled.
  document.addEventListener("htmx:afterSwap", (event) => { if (event.target.closest?.("#question")) restore(); });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!event.target.closest?.("#question")) return;
    const due = tries; // an answer that waits for the line, while the flag got through
    settle();
    const now = question();
    if (held?.flag) {
      say(now.querySelector("#flag")?.value === "off" ? "Flagged" : "Flag taken off");
      if (due) again();
    } else {
      const spot = now.querySelector("#verdict, #error, #notice");
      say(spot ? spot.textContent.replace(/\s+/g, " ").trim() : "");
      const old = held?.form && held.place === now.dataset.place && form();
      const field = now.querySelector("[aria-invalid]");
      const row = field?.closest(".ordering li");
      if (row) lead(row).focus(); else if (field) { field.focus(); field.select?.(); } else if (spot) spot.focus();
      else if (!old) now.querySelector(".stem").focus({ preventScroll: true });
    }
    held = null;
    document.title = now.dataset.title || document.title;
  });

  // The keys.
  const press = (selector) => {
    const target = question()?.querySelector(selector);
    if (target) target.click();
    return !!target;
  };
  let opened = null; // the reason that a digit opened: there Enter goes on, and Space closes it
  const choose = (index) => {
    const row = question()?.querySelectorAll(".opt")[index];
    const box = row ? lead(row) || row.querySelector("select, input:not([type=hidden]), summary") : document.getElementById(`part-${index + 1}`);
    if (!box) return false;
    if (box.matches(".opt input, details:not([open]) > summary")) box.click();
    box.focus();
    opened = box.matches("button") ? null : box;
    return true;
  };
  document.addEventListener("focusout", () => { opened = null; });
  // Digits typed anywhere on a number question go into its field.
  const type = (key) => {
    const field = form()?.querySelector("#typed");
    if (!field || field.matches(".words") || !/^[-+.\d\u2212]$/.test(key)) return false;
    field.focus();
    return true;
  };
  const digit = (key) => {
    const rows = [...question().querySelectorAll(".opt")];
    return rows.length ? rows.findIndex((row) => row.dataset.digit === key) : key - 1;
  };
  const takeBack = () => {
    if (unplace()) return true;
    const boxes = form()?.querySelectorAll("input:checked") || [];
    boxes.forEach((box) => { box.checked = false; });
    const given = fields().filter((one) => one.value);
    given.forEach((one) => { one.value = ""; });
    const any = boxes.length + given.length > 0;
    if (any) say("Taken back");
    return any;
  };
  const acts = {
    Enter: () => { const now = form(); if (now) now.requestSubmit(); else return press("[data-next]"); return true; },
    u: takeBack,
    f: () => press("[data-flag]"),
    s: () => press("[data-skip]"),
    t: () => { fields()[0]?.focus(); return fields().length > 0; },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (document.querySelector("dialog[open]") || !question()) return;
    const target = event.target;
    // Enter checks from a list too, unless it hangs open or the browser cannot tell.
    const shut = event.key === "Enter" && target.matches("select") && CSS.supports("selector(:open)") && !target.matches(":open");
    if (!shut && target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "Enter" && target !== opened && target.closest("a, button, summary")) return;
    if (type(key)) return;
    const index = /^[1-9]$/.test(key) ? digit(key) : /^[a-e]$/.test(key) ? digit(String(key.charCodeAt(0) - 96)) : -1;
    if (index >= 0 ? choose(index) : acts[key] && acts[key]()) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-again]")) renew(form());
  });
})();
