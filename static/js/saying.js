// A card's front: says when the words could not be kept, and sends the last of them when the page is left.
(() => {
  const form = document.querySelector("form.say");
  if (!form) return;
  const words = form.elements.words;
  let kept = words.value, sent = kept;
  form.addEventListener("htmx:beforeRequest", () => { sent = words.value; });
  form.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.successful) kept = sent; });
  ["sendError", "timeout", "responseError"].forEach((name) => form.addEventListener(`htmx:${name}`, ({ detail }) => {
    if (detail.xhr?.status === 422) return;
    document.getElementById("kept").textContent = "Not kept yet. Your words stay on this page: type on, or press Compare, to send them again.";
  }));
  addEventListener("online", () => { if (words.value !== kept) words.dispatchEvent(new Event("input", { bubbles: true })); });
  let left = false; // by a button, which sends the words itself
  form.addEventListener("submit", () => { left = true; });
  addEventListener("pageshow", () => { left = false; });
  addEventListener("pagehide", () => { if (words.value !== kept && !left) navigator.sendBeacon(form.action, new FormData(form)); });
})();
