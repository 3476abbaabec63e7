// Whatever scrolls sideways inside itself can be reached by keyboard.
(() => {
  const reach = () => document.querySelectorAll('math[display="block"], pre, figure').forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  });
  reach();
  addEventListener("resize", reach);
  document.addEventListener("htmx:afterSettle", reach);
})();
// The key / goes to the search field, or to the page that has it.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select") || document.querySelector("dialog[open]")) return;
  const field = document.getElementById("q"), link = document.querySelector("[data-search]");
  if (!field && !link) return;
  event.preventDefault();
  if (field) { field.focus(); field.select(); } else link.click();
});
