"""Every page of the site: where it is, and who sees most of it. An address is a page or says why it is none."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from tests.conftest import CHAPTER, COURSE, QUIZ
from tests.studyhub.web.addresses import patterns

# The seat that sees most of a page comes first in the tests of every run; the others follow in the long ones.
PAGES = {
    "home": "guest", "progress": "owner", "course": "owner", "search": "visitor", "course_history": "author",
    "mistakes": "owner", "quiz": "owner", "quiz_print": "visitor", "question_history": "author", "attempt": "owner",
    "review": "author", "report": "owner", "reports": "owner", "inbox": "author", "inbox_report": "author",
    "corrections": "admin", "correction": "author", "cards": "owner", "card": "owner", "about": "visitor",
    "notes": "owner", "chapter": "owner", "chapter_history": "author", "lab": "owner", "settings": "owner",
    "leave": "guest", "left": "visitor", "audit": "admin", "account_login": "visitor", "account_logout": "owner",
    "account_inactive": "visitor", "account_signup": "guest", "account_reauthenticate": "owner",
    "account_email": "owner", "account_email_verification_sent": "visitor", "account_change_password": "owner",
    "account_reset_password": "visitor", "account_confirm_email": "owner",
    "account_reset_password_from_key_done": "visitor", "account_reset_password_from_key": "visitor",
    "account_reset_password_done": "visitor", "mfa_index": "learner", "mfa_reauthenticate": "learner",
    "mfa_activate_totp": "owner", "mfa_deactivate_totp": "learner", "mfa_view_recovery_codes": "learner",
    "mfa_generate_recovery_codes": "learner", "mfa_list_webauthn": "learner", "mfa_add_webauthn": "learner",
    "mfa_reauthenticate_webauthn": "learner", "mfa_remove_webauthn": "learner", "mfa_edit_webauthn": "learner",
    "usersessions_list": "owner",
}  # fmt: skip
POSTED = "only a form leads there"
NOT_PAGES = {
    **dict.fromkeys(
        ("practise", "start", "flag", "skip", "finish", "reports_seen", "news_seen", "correct", "card_words",
         "card_compare", "card_rate", "card_undo", "unmark", "mark", "note", "place", "read", "tick", "export",
         "end_session"),
        POSTED,
    ),
    "account_set_password": "everybody has a password",
    **dict.fromkeys(("healthz", "readyz", "metrics"), "for machines"),
    **dict.fromkeys(("picture", "audit_csv", "mfa_download_recovery_codes"), "a file"),
    "mistakes_quiz": "leads on", "question_past": "leads on",
    "mfa_login_webauthn": "asked by a script",
    "mfa_authenticate": "only between password and second step: reached by hand in test_every_page.py",
    **dict.fromkeys(
        ("account_confirm_login_code", "account_request_reauthentication_code",
         "account_confirm_reauthentication_code"),
        "codes by letter are switched off",
    ),
}  # fmt: skip
# The same addresses in other states: (seat, name, what follows the address).
STATES = {
    "home of nobody yet": ("visitor", "home", ""),
    "home of an account": ("owner", "home", ""),
    "home with the longest name": ("admin", "home", ""),
    "progress of nobody yet": ("visitor", "progress", ""),
    "course for nobody yet": ("visitor", "course", ""),
    "search with a slip": ("visitor", "search", "?q=kv+cahce"),
    "search for nothing": ("visitor", "search", "?q=xyzzyx"),
    "search for much": ("owner", "search", "?q=quantization"),
    "practice of nobody yet": ("visitor", "mistakes", ""),
    "question that waits": ("owner", "attempt", "?q=3"),
    "number answered": ("owner", "attempt", "?q={number}"),
    "cards of nobody yet": ("visitor", "cards", ""),
    "card of nobody yet": ("visitor", "card", ""),
    "notes of nobody yet": ("visitor", "notes", ""),
    "reports of nobody yet": ("visitor", "reports", ""),
    "chapter for nobody yet": ("visitor", "chapter", ""),
    "whole review": ("admin", "review", ""),
    "chapter from a question": ("owner", "chapter", "?back=/progress/#decode-floor"),
    "lab from a page": ("visitor", "lab", "?back=/progress/"),
    "settings of a guest": ("guest", "settings", ""),
    "second steps of nobody yet": ("owner", "mfa_index", ""),
    "keys of nobody yet": ("owner", "mfa_list_webauthn", ""),
    "audit without a line": ("admin", "audit", "?act=guests-swept"),
    "sign-in that leads on": ("visitor", "account_login", "?next=/settings/"),
    "link that has gone": ("visitor", "account_reset_password_from_key", "gone"),
    "letter that has gone": ("owner", "account_confirm_email", "gone"),
    "nothing there": ("owner", "picture", ""),
}
QUERIES = {"search": "?q=kv+cache", "attempt": "?q=1", "report": "?q=1"}


def names() -> set[str]:
    """Every address of the site by its name."""
    return {name for name, _ in patterns()}


def address(name: str, seat: str, seats: dict[str, Any], more: str = "") -> str:
    """Where a page is for somebody; an attempt is one's own where there is one."""
    wanted = dict(patterns())[name]
    known: dict[str, Any] = {
        "course": COURSE, "chapter": CHAPTER, "quiz": QUIZ, "name": "nothing.svg",
        "attempt_id": seats["attempts"].get(seat, seats["attempts"]["owner"]), **seats,
    }  # fmt: skip
    if name == "account_confirm_email":
        known["key"] = "gone" if more == "gone" else seats["confirm"]
    if name == "account_reset_password_from_key":
        known["key"] = "gone" if more == "gone" else seats["reset"]
    path = reverse(name, kwargs={key: known[key] for key in wanted})
    return path + ("" if more == "gone" else more.format(**seats) or QUERIES.get(name, ""))


def every() -> dict[str, tuple[str, str, str]]:
    """(seat, name, what follows the address) of every page and state."""
    return {name: (seat, name, "") for name, seat in PAGES.items()} | STATES


def quick() -> list[str]:
    """The pages and states that every run looks at: of the longest pages one each."""
    return [
        what for what, (_, name, _) in every().items() if what == name or name not in {"chapter", "review"}
    ]
