"""A person's own page, the audit log, and under /accounts/ the pages of allauth: sign-up, sign-in and the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from allauth.urls import urlpatterns as allauth_pages
from django.urls import URLPattern, URLResolver, include, path

from studyhub.accounts import views
from studyhub.accounts.adapters import watched

# Pages of allauth that write addresses and second factors themselves; passwords go through the adapter.
CHANGE_WAYS_IN = frozenset(
    {
        "account_email",
        "mfa_activate_totp",
        "mfa_deactivate_totp",
        "mfa_generate_recovery_codes",
        "mfa_add_webauthn",
        "mfa_remove_webauthn",
    }
)


def audited(pages: Sequence[URLPattern | URLResolver]) -> Iterator[URLPattern | URLResolver]:
    """Yield the same pages; those in CHANGE_WAYS_IN leave a row in the audit log for what they change."""
    for one in pages:
        if isinstance(one, URLResolver):
            inner = list(audited(one.url_patterns))
            yield URLResolver(one.pattern, inner, one.default_kwargs, one.app_name, one.namespace)
        elif one.name in CHANGE_WAYS_IN:
            yield URLPattern(one.pattern, watched(one.callback), one.default_args, one.name)
        else:
            yield one


urlpatterns = [
    path("settings/", views.settings_page, name="settings"),
    path("settings/export/", views.export, name="export"),
    path("settings/delete/", views.leave, name="leave"),
    path("settings/deleted/", views.left, name="left"),
    path("settings/sessions/<int:session_id>/end/", views.end_session, name="end_session"),
    path("audit/", views.audit, name="audit"),
    path("audit/events.csv", views.audit_csv, name="audit_csv"),
    path("accounts/", include(list(audited(allauth_pages)))),
]
