"""A quiz of typed words, a match, an order and a cloze for the small pack; what must stay closed holds a token."""

from __future__ import annotations

from pathlib import Path

from tests.studyhub.packs import small

KINDS = ("short", "match", "order", "cloze")
QUESTIONS = KINDS  # the ids of the questions are the names of their kinds

QUIZ = """---
kind: quiz
id: forms
title: Other questions
chapter: scales
---

## What is put on a scale to read it? {{#short}}
objectives: weigh
read: scales#needle

- [=] {token:short:accepted}
  > {token:short:why} It is what weighs.
- [!] {token:short:mistake} {{mis: wide}}
  > {token:short:lesson} It is what is weighed with.

> {token:short:in-short} Put it on.

## Match each thing to its weight in bytes. {{#match}}
score: partial
objectives: weigh
read: scales#needle

| Thing | Bytes |
|---|---|
| Half | one |
| Whole | two |
| | nine |

- Half {{mis: wide}}
  > {token:match:half} Eight bits.
- Whole {{read: scales#two-bytes}}
  > {token:match:whole} Sixteen bits.

## Order what is done with a scale. {{#order}}
type: order
score: partial
objectives: scale
read: scales#needle

1. Set it to zero
   > {token:order:zero} Else it lies.
2. Put the apple on {{mis: wide}}
   > {token:order:put} It has to weigh.
3. Read the needle
   > {token:order:read} It tells.

## Fill in what a {{{{c1::{token:cloze:first}::a part}}}} tells. {{#cloze}}
score: partial
objectives: scale
read: scales#needle

It tells the {{{{c2::{token:cloze:second}|{token:cloze:other}}}}} of a thing.

- c1 {{mis: wide}}
  > {token:cloze:why} It moves.
- c2
  > {token:cloze:what} That is asked.

> {token:cloze:in-short} Look.
"""


def canaries() -> dict[str, str]:
    """Every text that is key before the answer, by the question it belongs to and its name."""
    names = [part.split("}")[0] for part in QUIZ.split("{token:")[1:]]
    return {name: "canary" + name.replace(":", "").replace("-", "") + "x7q" for name in names}


def secrets_of(question: str) -> set[str]:
    """What must not be seen of one question before its answer."""
    return {word for name, word in canaries().items() if name.startswith(f"{question}:")} | {small.BELIEF}


def write(folder: Path) -> Path:
    """Write the small pack with this quiz into ``folder``."""
    small.write(folder)
    quiz = QUIZ
    for name, word in canaries().items():
        quiz = quiz.replace(f"{{token:{name}}}", word)
    (folder / "quizzes/forms.quiz.md").write_text(quiz.replace("{{", "{").replace("}}", "}"))
    return folder
