"""Writing lints: what a pack says, judged. Pure functions over drafts; no file is read, no Django."""

from __future__ import annotations

from studyhub.packs.draft import Fault, PackDraft
from studyhub.packs.formats.report import in_order
from studyhub.packs.lints.balance import Balance, balance, lint_balance
from studyhub.packs.lints.cards import lint_cards
from studyhub.packs.lints.chapters import lint_chapters
from studyhub.packs.lints.coverage import Coverage, coverage, lint_coverage
from studyhub.packs.lints.forms import lint_forms
from studyhub.packs.lints.options import lint_options
from studyhub.packs.lints.stems import lint_stems

FAILS = ("E", "W214")  # starts of the codes that make a check fail without --strict


def lint_pack(pack: PackDraft) -> list[Fault]:
    """Every W4xx of the pack, by path and line. Loads nothing and changes nothing."""
    faults = [
        *lint_balance(balance(pack)),
        *lint_options(pack),
        *lint_forms(pack),
        *lint_stems(pack),
        *lint_chapters(pack),
        *lint_coverage(pack),
        *lint_cards(pack),
    ]
    return in_order(faults)


def fails(fault: Fault, *, strict: bool = False) -> bool:
    """True when this fault makes a check fail: errors and W214; with ``strict`` every fault."""
    return strict or fault.code.startswith(FAILS)


__all__ = ["FAILS", "Balance", "Coverage", "balance", "coverage", "fails", "lint_pack"]
