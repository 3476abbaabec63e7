"""Packs that mean harm: refused with the line, or shown as harmless text that runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.conftest import NewContext
from tests.journeys.house import House, opened_house
from tests.journeys.ledger import Ledger
from tests.journeys.visitor import Faults, check, opened, start_quiz

COURSE = """---
kind: course
id: {slug}
title: {title}
exam: A test of patience
licence: CC BY 4.0
notice: Not affiliated with anybody.
language: en
sources:
  s1: "Nobody: {words}, 2026, https://example.org/"
misconceptions:
  m1: "{words}"
---

Introduction {vector}

## Domains

- Only one {{#only, 100%}}
"""
CHAPTER = """---
kind: chapter
id: trap
number: 1
title: {title}
domain: only
minutes: 5
{more}---

Purpose {vector}

## Objectives

- Do no harm {vector} {{#harm}}

## Section {vector} {{#first}}
objectives: harm

A first paragraph [@s1]. {{#here}}

{body}

## Checkpoint

- [ ] I can read {vector} {{#cp, objectives: harm}}

## Resources

- [A page](https://example.org/) {{read, Nobody, 5 min, checked 2026-11}}
"""
QUIZ = """---
kind: quiz
id: trap-quiz
title: {title}
chapter: trap
---

Introduction {vector}

## Which one holds {vector}? {{#q1}}
objectives: harm
difficulty: 1
read: trap#here

- [x] This one holds {vector}
  > It holds because of {vector} and under no other condition.
- [ ] That one does {vector} {{mis: m1}}
  > It fails because of {vector}; it would hold elsewhere.

> For all: {vector}
"""
VECTORS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="&#106;ava&#10;script:alert(1)">x</a>',
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<form action="https://127.0.0.1/steal"><input name=password><button>Log in</button></form>',
    '<meta http-equiv="refresh" content="0;url=https://127.0.0.1/">',
    '<base href="https://127.0.0.1/">',
    '<div style="position:fixed;inset:0" hx-get="/" hx-trigger="load">Session expired</div>',
    "<details open ontoggle=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    '<link rel=stylesheet href="https://127.0.0.1/x.css">',
    '<button formaction="javascript:alert(1)">b</button>',
    '<math href="javascript:alert(1)"><mi>x</mi></math>',
    "[x](javascript:alert(1))",
    "[x](data:text/html,alert(1))",
    "<javascript:alert(1)>",
    "`<script>alert(1)</script>`",
    r"$\href{javascript:alert(1)}{x}$",
)
EVIL = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 10"><title>t</title><desc>d</desc>'
    '<script>alert(1)</script><a href="javascript:alert(1)"><rect onload="alert(1)" width="9" height="9"/></a>'
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>'
    '<rect class="b" width="40" height="9"/></svg>'
)
HOOK = """
for (const name of ["alert", "confirm", "prompt", "print"]) window[name] = () => console.error(`ran ${name}`);
"""


def write_pack(
    folder: Path, *, slug: str = "trap-course", vector: str = "plainly", more: str = "", body: str = ""
) -> Path:
    """A small pack that is sound but for what is put in."""
    words = vector.replace("\\", "").replace('"', "'") if "\n" not in vector else "words"
    plain = words.replace(": ", " ")
    title = f"Trap {words}".replace(":", "").replace("#", "")
    texts = {
        "course.md": COURSE.format(slug=slug, title=f'"{title}"', vector=vector, words=plain),
        "chapters/trap.md": CHAPTER.format(title=f'"{title}"', vector=vector, more=more, body=body),
        "quizzes/trap.quiz.md": QUIZ.format(title=f'"{title}"', vector=vector),
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def fort() -> Iterator[House]:
    """A site of its own: what is loaded here must not show in the other journeys."""
    with opened_house(House, "hostile") as site:
        yield site


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefghi", "bcdefghij", strict=True)
)
REFUSED = {
    "alias bomb": (BOMB, "", "chapters/trap.md:1: E004"),
    "key twice": ("title: again\n", "", "chapters/trap.md:8:"),
    "tag": ("needs: !!python/object/apply:os.system [id]\n", "", "chapters/trap.md:8:"),
    "path upwards": ("", '![p](../../../../../etc/passwd "x")', "chapters/trap.md:21:"),
    "file address": ("", '![q](file:///etc/passwd "x")', "chapters/trap.md:21:"),
    "foreign picture": ("", '![r](//127.0.0.1/x.png "x")', "chapters/trap.md:21:"),
    "picture that is a link": ("", '![t](../media/link.png "x")', "media/link.png:1:"),
}


@pytest.mark.parametrize(("more", "body", "where"), REFUSED.values(), ids=REFUSED.keys())
def test_hostile_pack_is_refused_by_line_and_changes_nothing(
    house: House, ledger: Ledger, tmp_path: Path, more: str, body: str, where: str
) -> None:
    pack = write_pack(tmp_path / "pack", slug="refused", more=more, body=body)
    (pack / "media").mkdir()
    if "link.png" in body:
        (pack / "media" / "link.png").symlink_to("/etc/passwd")
    done = house.manage("load_pack", str(pack))
    assert done.returncode != 0
    assert where in done.stderr, done.stderr
    assert "root:" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert ledger.rows("SELECT 1 FROM chapters_course WHERE slug = 'refused'") == []


def wary(context: BrowserContext) -> Page:
    """A page whose alert and its like report themselves."""
    context.add_init_script(HOOK)
    return opened(context)


def provoke(page: Page) -> None:
    """Fire at every element what scripts in attributes wait for, and click what looks like a link to script."""
    page.evaluate(
        """() => {
          for (const one of document.querySelectorAll("main *"))
            for (const name of ["error", "load", "focus", "toggle", "begin", "mouseover"])
              one.dispatchEvent(new Event(name));
          for (const one of document.querySelectorAll("main a, main button[formaction]"))
            if (/^(?!https?:|\\/|#|\\?q=)/.test(one.getAttribute("href") ?? "#")) one.click();
        }"""
    )


def foreign_parts(page: Page) -> list[str]:
    """Elements and attributes in the text that no author can bring."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll("main *")].filter(one =>
              one.matches("script, iframe, object, embed, foreignObject, base, meta, link, style, noscript, animate, mglyph") ||
              one.hasAttribute("style") && !one.matches(".notes li") ||  // the script sets notes beside their lines
              [...one.attributes].some(a => /^on/.test(a.name) || a.name === "srcdoc" ||
                /^\\s*(javascript|data):/i.test(a.value) && /^(href|src|action|formaction|xlink:href)$/.test(a.name)) ||
              one.matches("form:not([action^='/'], [method=dialog]), [formaction]:not([formaction^='/'])")
            ).map(one => one.outerHTML.slice(0, 160))"""
        )
    )


def test_pack_full_of_scripts_is_text_and_runs_nothing(
    fort: House, tmp_path: Path, new_context: NewContext
) -> None:
    body = "\n\n".join((*VECTORS, '![A drawing that would act](../media/evil.svg "As drawn")'))
    pack = write_pack(tmp_path / "pack", vector=VECTORS[1], body=body)
    (pack / "media").mkdir()
    (pack / "media" / "evil.svg").write_text(EVIL)
    done = fort.manage("load_pack", str(pack))
    assert done.returncode == 0, done.stderr
    prey = wary(new_context(base_url=fort.url))
    watch = Faults()
    watch.of(prey)
    for address in ("/c/trap-course/", "/c/trap-course/about/", "/c/trap-course/trap/", "/", "/progress/"):
        prey.goto(address)
        expect(prey.get_by_role("heading", level=1).first).to_be_visible()
        provoke(prey)
        assert foreign_parts(prey) == [], address
    prey.goto("/c/trap-course/trap/")
    expect(prey.locator("[data-section=first] svg rect.b")).to_be_visible()
    text = prey.locator("[data-section=first]").inner_text()
    for vector in VECTORS[:9]:
        assert vector.split("&")[0][:12] in text, vector  # kept, as text
    attempt = start_quiz(prey, "/c/trap-course/quizzes/trap-quiz/")
    provoke(prey)
    assert foreign_parts(prey) == []
    prey.locator("#answer .opt input").first.click()
    check(prey)
    for reason in prey.locator(".opt:has(details:not([open])) summary").all():
        reason.click()
    provoke(prey)
    assert foreign_parts(prey) == []
    prey.locator("form[action$='/finish/'] button").last.click()
    prey.wait_for_url(f"**/attempts/{attempt}/review/")
    provoke(prey)
    assert foreign_parts(prey) == []
    assert watch == []


def test_watch_would_notice_a_script(context: BrowserContext) -> None:
    prey = wary(context)
    watch = Faults()
    watch.of(prey)
    prey.goto("/")
    prey.evaluate(
        """() => { document.querySelector("main").insertAdjacentHTML("beforeend", "<img src='/icon' onerror='alert(1)'>");
          alert(1); }"""
    )
    assert len(foreign_parts(prey)) == 1
    assert any("ran alert" in one for one in watch)
    assert any("Content Security Policy" in one or "policy violation" in one for one in watch)
