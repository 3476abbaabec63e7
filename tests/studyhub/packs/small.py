"""A small pack on disk, with a question of every kind; everything that must stay closed holds a token."""

from __future__ import annotations

from pathlib import Path

COURSE = """---
kind: course
id: tiny
title: Tiny course
exam: Tiny exam
licence: CC BY 4.0
notice: Nothing is meant by this.
language: en
sources:
  book: "An author: A book, 2024, https://example.org/book"
misconceptions:
  wide: "{belief} wider numbers are faster"
---

About the tiny course.

## Domains

- Weighing {{#weighing, 60%}}
- Choosing {{#choosing, 40%}}
"""

CHAPTER = """---
kind: chapter
id: scales
number: 1
title: Scales
domain: weighing
minutes: 15
---

You learn to weigh.

## Objectives

- Weigh what is asked. {#weigh}
- Read a scale. {#scale}

## Bytes on a scale {#bytes}
objectives: weigh
minutes: 4

A weight of two bytes weighs two bytes. [@book] {#two-bytes}

Half of it weighs one.

## Reading the scale {#reading}
objectives: scale

The needle tells. {#needle}

## Mini-lab: Weigh an apple {#apple}
minutes: 10
objectives: weigh

Put it on. {#apple-on}

## Study rhythm {#rhythm}

Two evenings.

## Checkpoint

- [ ] I can weigh. {#can-weigh, objectives: weigh}
- [ ] I can read. {#can-read, objectives: scale}

## Resources

- [A book](https://example.org/book) {read, Press, 30 min, checked 2026-11}
"""

QUIZ = """---
kind: quiz
id: first
title: First quiz
chapter: scales
---

Three kinds of questions.

## Which weight has two bytes on this scale? {{#one}}
objectives: weigh
difficulty: 2
facet: method
source: book
read: scales#two-bytes

The given table.

- [x] A number of sixteen bits
  > {token:one:right} It has two bytes. It stops holding for packed ones.
- [ ] A number of eight bits {{mis: wide}}
  > {token:one:wrong} It has one byte. It would be right with half the weight.
- [ ] A word of the language
  > {token:one:word} A word has several. It would be right for short ones.

> {token:one:in-short} Count the bits.

## Which two of these weigh less than an apple does? {{#two}}
type: multiple
score: partial
objectives: weigh, scale
difficulty: 3
facet: trade-off
source: book
read: scales#needle

- [x] Feather of a small bird {{60%}}
  > {token:two:feather} It floats. It stops holding for an ostrich.
- [x] Grain of rice from the field {{40%}}
  > {token:two:rice} It is small. It stops holding for a sack.
- [ ] Anvil of the blacksmith {{read: scales#apple-on}}
  > {token:two:anvil} It is iron. It would be right for a toy.

## How many bytes do seven weights of sixteen bits take? {{#three}}
type: number
unit: bytes
objectives: scale
difficulty: 2
facet: failure
source: book
read: scales#two-bytes

- [=] {accepted} ± 0.5
  > {token:three:accepted} Two bytes each. It stops holding for packed ones.
- [!] {expected} {{mis: wide}}
  > {token:three:mistake} That counts bits. It would be right for a question about bits.
"""

ACCEPTED, EXPECTED = "7391.25", "8642.75"  # numbers that stand nowhere else
BELIEF = "tokenbeliefq7f"


def canaries() -> dict[str, str]:
    """Every text that is key before the answer, by the question it belongs to and its name."""
    names = [part.split("}")[0] for part in QUIZ.split("{token:")[1:]]
    return {name: "canary" + name.replace(":", "").replace("-", "") + "x7q" for name in names}


def secrets_of(question: str) -> set[str]:
    """What must not be seen of one question before its answer."""
    told = {word for name, word in canaries().items() if name.startswith(f"{question}:")}
    more = {"one": {BELIEF}, "three": {BELIEF, ACCEPTED, EXPECTED}}
    return told | more.get(question, set())


def write(folder: Path) -> Path:
    """Write the pack into ``folder``."""
    quiz = QUIZ
    for name, word in canaries().items():
        quiz = quiz.replace(f"{{token:{name}}}", word)
    quiz = quiz.replace("{accepted}", ACCEPTED).replace("{expected}", EXPECTED)
    files = {
        "course.md": COURSE.replace("{belief}", BELIEF),
        "chapters/scales.md": CHAPTER,
        "quizzes/first.quiz.md": quiz,
    }
    for name, words in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words.replace("{{", "{").replace("}}", "}"))
    return folder


def edit(folder: Path, name: str, old: str, new: str) -> None:
    """Replace a text that stands once in a file of the pack."""
    path = folder / name
    words = path.read_text()
    assert words.count(old) == 1, (old, words.count(old))
    path.write_text(words.replace(old, new))


CHAPTER_FILE, QUIZ_FILE = "chapters/scales.md", "quizzes/first.quiz.md"
