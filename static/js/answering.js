// The question page: keys, focus after a swap, and answers that survive a lost connection.
// Without it every button is still a button of a form.
(() => {
  const question = () => document.getElementById("question");
  if (!question()) return;
  const form = () => document.getElementById("answer");
  const say = (words) => { const live = document.getElementById("say"); if (live) live.textContent = words; };
  const isAnswer = (event) => !!event.detail.elt && event.detail.elt.id === "answer";

  // What is chosen and not yet checked stays through any swap of the same question.
  let held = null;
  const hold = () => {
    const now = form();
    held = now && {
      place: now.dataset.place,
      choice: [...now.querySelectorAll("[name=choice]:checked")].map((box) => box.value),
      typed: now.querySelector("input[name=choice]:not([type=radio], [type=checkbox])")?.value,
      certainty: now.querySelector("[name=certainty]:checked")?.value,
    };
  };
  const restore = () => {
    const now = form();
    if (!now || !held || now.dataset.place !== held.place) return;
    now.querySelectorAll("[name=choice]").forEach((box) => {
      if (box.type === "radio" || box.type === "checkbox") box.checked = held.choice.includes(box.value);
      else if (held.typed) box.value = held.typed;
    });
    now.querySelectorAll("[name=certainty]").forEach((box) => { box.checked = box.value === held.certainty; });
  };

  // Not saved yet: the form is kept as it is and sent again with the same key.
  const waits = [1, 2, 4, 8, 16, 30];
  let tries = 0, timer = 0, unsaved = false;
  const settle = () => { clearTimeout(timer); tries = 0; unsaved = false; };
  const tell = (words, lock) => {
    const now = form();
    if (!now) return;
    const line = now.querySelector(".unsaved");
    line.hidden = !words;
    line.querySelector("span").textContent = words;
    now.querySelectorAll("fieldset").forEach((part) => { part.inert = lock; });
  };
  const again = () => { clearTimeout(timer); const now = form(); if (now) now.requestSubmit(); };
  // After signing in elsewhere the page's token is old: take the new one, then send again.
  const renew = async () => {
    const answer = await fetch(location.href).catch(() => null);
    if (!answer || !answer.ok) { again(); return; }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const token = fresh.querySelector("[name=csrfmiddlewaretoken]")?.value;
    if (token) {
      document.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((field) => { field.value = token; });
      document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
    }
    again();
  };
  const failed = (event) => {
    if (!isAnswer(event)) {
      say("That did not reach the server. Nothing is lost; try it again.");
      return;
    }
    const code = event.detail.xhr ? event.detail.xhr.status : 0;
    unsaved = true;
    if (code === 403 || code === 404) {
      tell("Not saved yet: you are signed out here. Your choice stays on this page.", false);
      const way = form().querySelector("[data-sign-in]");
      way.hidden = false;
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
  document.addEventListener("htmx:beforeRequest", (event) => { if (isAnswer(event)) unsaved = true; });

  document.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.shouldSwap) hold(); });
  // At once after the swap: whoever chooses while it settles must not be overruled.
  document.addEventListener("htmx:afterSwap", (event) => { if (event.target.closest?.("#question")) restore(); });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!event.target.closest?.("#question")) return;
    settle();
    const now = question();
    const spot = now.querySelector("#verdict, #error, #notice");
    say(spot ? spot.textContent.replace(/\s+/g, " ").trim() : "");
    const old = held && held.place === now.dataset.place && form();
    const field = now.querySelector("#typed[aria-invalid]");
    if (field) { field.focus(); field.select(); } else if (spot) spot.focus();
    else if (!old) now.querySelector(".stem").focus({ preventScroll: true });
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
    const box = row?.querySelector("input, summary");
    if (!box) return false;
    box.click();
    box.focus();
    opened = box;
    return true;
  };
  document.addEventListener("focusout", () => { opened = null; });
  // Digits typed anywhere on a number question go into its field.
  const type = (key) => {
    const field = form()?.querySelector("#typed");
    if (!field || !/^[-+.\d\u2212]$/.test(key)) return false;
    field.focus();
    return true;
  };
  const digit = (key) => [...question().querySelectorAll(".opt")].findIndex((row) => row.dataset.digit === key);
  const takeBack = () => {
    const boxes = form()?.querySelectorAll("input:checked") || [];
    boxes.forEach((box) => { box.checked = false; });
    return boxes.length > 0;
  };
  const acts = {
    Enter: () => { const now = form(); if (now) now.requestSubmit(); else return press("[data-next]"); return true; },
    u: takeBack,
    f: () => press("[data-flag]"),
    s: () => press("[data-skip]"),
    "?": () => { document.getElementById("keys")?.showModal(); return true; },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (document.querySelector("dialog[open]") || !question()) return;
    const target = event.target;
    if (target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "Enter" && target !== opened && target.closest("a, button, summary")) return;
    if (type(key)) return;
    const index = /^[1-9]$/.test(key) ? digit(key) : /^[a-e]$/.test(key) ? digit(String(key.charCodeAt(0) - 96)) : -1;
    if (index >= 0 ? choose(index) : acts[key] && acts[key]()) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]")) document.getElementById("keys")?.showModal();
    if (event.target.closest("[data-again]")) renew();
  });
})();
