"""Measures of a page as it stands in a browser: each gives what is wrong, a line for each fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async (tags) => {
  const found = await axe.run(document, {runOnly: {type: "tag", values: tags}, resultTypes: ["violations"]});
  return found.violations.map(one => `${one.id}: ${one.help}: ` + one.nodes.slice(0, 3).map(
    node => node.target.join(" ") + " " + node.any.concat(node.all, node.none).map(c => c.message).join("; ")).join(" | "));
}"""
WIDER = """() => {
  const limit = innerWidth;
  if (document.documentElement.scrollWidth <= limit) return [];
  return [...document.querySelectorAll("body *")].filter(one => one.getBoundingClientRect().right > limit + 1)
    .slice(0, 5).map(one => "wider than the window: " + one.outerHTML.slice(0, 120));
}"""
# What Tab should reach, in the order of the document: of a group of radio buttons one, nothing folded or inert.
STOPS = """() => {
  const rows = [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")];
  const groups = new Map();
  const stops = rows.filter(one => {
    if (one.disabled || one.tabIndex < 0 || one.closest("[inert], dialog:not([open])")) return false;
    if (!one.checkVisibility({visibilityProperty: true}) || !one.getClientRects().length) return false;
    if (one.type !== "radio") return true;
    const name = one.form + one.name, first = !groups.has(name);
    if (first || one.checked) groups.set(name, one);
    return true;
  }).filter(one => one.type !== "radio" || groups.get(one.form + one.name) === one);
  window.stops = stops;
  document.activeElement.blur();
  return stops.length;
}"""
# Where the focus is: the number of the stop (-1: elsewhere), and what is wrong with how it shows.
AT = """() => {
  const one = document.activeElement, shown = one.outerHTML.slice(0, 120);
  if (one === document.body) return [null, ""];
  const place = window.stops.indexOf(one);
  const ringed = node => { const s = getComputedStyle(node);
    return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 && !/, 0\\)$/.test(s.outlineColor); };
  const near = [one, one.parentElement, one.parentElement?.parentElement, one.nextElementSibling].filter(Boolean);
  if (!near.some(ringed)) return [place, "no ring: " + shown];
  const box = one.getBoundingClientRect();
  if (box.bottom < 0 || box.top > innerHeight) return [place, "out of sight: " + shown];
  const spots = [[.5, .5], [.1, .2], [.9, .8], [.5, .1], [.5, .9]].map(([x, y]) => document.elementFromPoint(
    box.left + x * box.width, box.top + y * box.height)).filter(Boolean);
  const seen = spots.some(top => one.contains(top) || top.contains(one) || top.closest("label")?.contains(one));
  return [place, seen || !spots.length ? "" : "covered: " + shown];
}"""
MAIN_ACTS = "a.go, button.go, .bar a, .bar button, summary"
SMALL = """(acts) => [...document.querySelectorAll(acts)].filter(one => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility({visibilityProperty: true}) && box.width && (one.matches(".go, .bar *") ? box.height < 43.5 : box.height < 23.5);
  }).map(one => `only ${one.getBoundingClientRect().height} px: ` + one.outerHTML.slice(0, 120))"""
MOVING = """() => [...document.querySelectorAll("*")].flatMap(one => [one, "::before", "::after"].map(part => {
    const style = part === one ? getComputedStyle(one) : getComputedStyle(one, part);
    const long = [...style.transitionDuration.split(","), ...style.animationDuration.split(",")]
      .some(time => parseFloat(time) > 0.001) || style.scrollBehavior === "smooth";
    return long ? "moves: " + one.outerHTML.slice(0, 100) : null;
  })).filter(Boolean).slice(0, 5)"""
# A control that was told from the page by its colour alone has lost it where the system's colours are forced.
FILLED = """() => {
  window.filled = [...document.querySelectorAll("button, input, select, textarea, a.go, .go, kbd, dialog[open]")].filter(one => {
    if (!one.checkVisibility({visibilityProperty: true}) || !one.getClientRects().length) return false;
    if (one.matches("[type=checkbox], [type=radio], [type=hidden], [type=file]")) return false;
    return !/rgba\\(0, 0, 0, 0\\)|transparent/.test(getComputedStyle(one).backgroundColor);
  });
}"""
BORDERLESS = """() => window.filled.filter(one => {
    const s = getComputedStyle(one);
    return !["Top", "Bottom", "Left", "Right"].some(
      side => s[`border${side}Style`] !== "none" && parseFloat(s[`border${side}Width`]) >= 1);
  }).map(one => "no border in forced colours: " + one.outerHTML.slice(0, 120))"""


def by_axe(page: Page) -> list[str]:
    """What axe finds."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE)  # the code itself, not a script element: the page's policy holds on
    return [str(one) for one in page.evaluate(RUN, TAGS)]


def too_wide(page: Page) -> list[str]:
    """What sticks out of the window."""
    return [str(one) for one in page.evaluate(WIDER)]


def too_small(page: Page) -> list[str]:
    """Main acts below 44 px in height, anything that unfolds below 24; axe measures the rest."""
    return [str(one) for one in page.evaluate(SMALL, MAIN_ACTS)]


def by_keyboard(page: Page) -> list[str]:
    """Press Tab from the start to the end of the page: each control is reached, in order, seen, with a ring."""
    wanted = int(page.evaluate(STOPS))
    order, found = [], []
    for _ in range(wanted + 15):  # a box that scrolls is a stop too
        page.keyboard.press("Tab")
        place, fault = page.evaluate(AT)
        if place is None or (place == 0 and order):
            break  # round
        found += [str(fault)] if fault else []
        order += [place] if place >= 0 else []
    if order != list(range(wanted)):
        missed = sorted(set(range(wanted)) - set(order))[:5]
        names = [page.evaluate("n => window.stops[n].outerHTML.slice(0, 120)", one) for one in missed]
        found.append(f"Tab goes {order[:40]}, not 0 to {wanted - 1}: {names}")
    return found


def moving(page: Page) -> list[str]:
    """What moves although less motion is asked for."""
    return [str(one) for one in page.evaluate(MOVING)]


def lost_in_forced_colours(page: Page) -> list[str]:
    """Controls without a border, and a ring that is gone, where the system's colours are forced."""
    page.evaluate(FILLED)
    page.emulate_media(forced_colors="active")
    found: list[Any] = page.evaluate(BORDERLESS)
    page.evaluate(STOPS)
    for _ in range(3):
        page.keyboard.press("Tab")
        fault = page.evaluate(AT)[1]
        found += [f"forced colours: {fault}"] if fault else []
    page.emulate_media(forced_colors="none")
    return [str(one) for one in found]
