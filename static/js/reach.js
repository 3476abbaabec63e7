// Whatever scrolls sideways inside itself can be reached by keyboard.
(() => {
  const reach = () => document.querySelectorAll('math[display="block"], pre, figure').forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  });
  reach();
  addEventListener("resize", reach);
  document.addEventListener("htmx:afterSettle", reach);
})();
// The key / goes to the search field, or to the page that has it; ? lists the keys: those that the page lists itself,
// else those that its parts name.
(() => {
  const list = () => {
    const own = document.getElementById("keys"), box = own || document.createElement("dialog");
    if (!own) {
      box.ariaLabel = "Keys";
      box.innerHTML = '<h2>Keys</h2><ul class="list"><li><kbd>?</kbd> this list</ul><form method="dialog"><button class="go">Close</button></form>';
      document.querySelectorAll(".keys > .script:has(kbd), [aria-keyshortcuts]").forEach((part) => {
        const line = document.createElement("li"), key = part.getAttribute("aria-keyshortcuts");
        line.innerHTML = key ? `<kbd>${key}</kbd> ` : part.innerHTML;
        if (key) line.append(part.title || part.textContent);
        box.children[1].lastChild.before(line);
      });
      document.body.append(box);
      box.addEventListener("close", () => box.remove());
    }
    box.showModal();
  };
  document.addEventListener("click", (event) => { if (event.target.closest("[data-keys]")) list(); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    if (event.key === "?") list();
    if (event.key !== "/") return;
    const field = document.getElementById("q"), link = document.querySelector("[data-search]");
    if (!field && !link) return;
    event.preventDefault();
    if (field) { field.focus(); field.select(); } else link.click();
  });
})();
