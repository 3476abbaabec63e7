// The keys on the pages of interview cards, and how many points are rated. Without it every key has its button.
(() => {
  const card = document.querySelector("main.card");
  if (!card) return;
  const words = document.getElementById("words");
  const count = document.getElementById("count");
  const rates = count?.closest("form");
  const points = () => [...(rates?.querySelectorAll("fieldset.point") || [])];
  const open = (point) => !point.matches("[data-stands]") && !point.querySelector(":checked");
  const tell = () => {
    if (!count) return;
    const left = points().filter(open).length, of = card.querySelectorAll(".point").length;
    const rest = left > 1 ? `; the other ${left} stay open` : "; the other one stays open";
    const told = left ? `${of - left} of ${of} rated${left < of ? rest : ""}` : `All ${of} rated`;
    if (count.textContent !== told) count.textContent = told;
  };
  addEventListener("pageshow", tell);
  card.addEventListener("change", tell);

  const press = (selector) => {
    const target = card.querySelector(selector);
    if (target) target.click();
    return !!target;
  };
  // The point that has the focus, else the first open one; then on to the next open one, at the end to the button.
  const rate = (digit) => {
    const all = points(), here = all.indexOf(document.activeElement.closest("fieldset.point"));
    const at = here < 0 ? all.findIndex(open) : here;
    if (at < 0) return false;
    all[at].querySelectorAll("input").forEach((box, index) => { box.checked = index === digit - 1; });
    tell();
    const next = all.slice(at + 1).find(open), to = next || rates.querySelector("button.go");
    (next?.querySelector("input") || to).focus({ preventScroll: true });
    to.scrollIntoView({ block: "nearest" });
    return true;
  };
  const enter = () => {
    if (words) return press(".say [formaction]");
    if (rates && (!document.getElementById("outcome") || rates.querySelector(":checked"))) return press(".back-of button.go");
    return press("[rel=next], [data-on]");
  };
  const acts = {
    Enter: enter,
    a: () => press("[data-again]"),
    n: () => press("[rel=next], [data-on]"),
    p: () => press("[rel=prev]"),
    t: () => { words?.focus(); return !!words; },
    u: () => press("[data-undo]"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.isComposing || event.repeat) return;
    const target = event.target, held = event.ctrlKey || event.metaKey;
    const typing = target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
    if (held ? event.key !== "Enter" || !words : typing) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "Enter" && !held && target.closest("a, button, summary")) return;
    if (/^[0-3]$/.test(key) ? rate(Number(key)) : acts[key] && acts[key]()) event.preventDefault();
  });
})();
