// Whatever scrolls sideways inside itself can be reached by keyboard.
(() => {
  const reach = () => document.querySelectorAll('math[display="block"], pre, figure').forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  });
  reach();
  addEventListener("resize", reach);
  document.addEventListener("htmx:afterSettle", reach);
})();
