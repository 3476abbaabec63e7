// Sets the remembered colour theme before the first paint, and turns it with the button in the bar.
(() => {
  const root = document.documentElement;
  const order = ["auto", "light", "dark"];
  const words = { auto: "as the system has it", light: "light", dark: "dark" };
  const read = () => { try { return localStorage.getItem("theme") || "auto"; } catch { return "auto"; } };
  const show = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const button = document.querySelector(".theme");
    if (button) button.title = `Colours: ${words[theme]}`;
  };
  let theme = read();
  show(theme);
  document.addEventListener("DOMContentLoaded", () => show(theme));
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".theme")) return;
    theme = order[(order.indexOf(theme) + 1) % 3];
    try { localStorage.setItem("theme", theme); } catch { /* this page only */ }
    show(theme);
  });
})();
