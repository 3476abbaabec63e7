"""Input about a person to clean values."""

from __future__ import annotations

from django import forms

from studyhub.accounts.models import AuditEvent
from studyhub.accounts.queries import AuditFilter
from studyhub.rhythm.calendar import known_zones

MOST = 2**63 - 1  # number of a row


class SettingsForm(forms.Form):
    """The shown name and the time zone."""

    name = forms.CharField(
        max_length=120,
        required=False,
        help_text="How pages address you. You may leave it empty.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    time_zone = forms.CharField(max_length=64, widget=forms.Select)

    def clean_time_zone(self) -> str:
        """A known IANA name."""
        name: str = self.cleaned_data["time_zone"]
        if name not in known_zones():
            raise forms.ValidationError(
                "No time zone is called “%(name)s”. Nothing was changed: choose one from the list, "
                "for example Europe/Berlin.",
                params={"name": name},
            )
        return name


class LeaveForm(forms.Form):
    """The word that confirms that everything is to be deleted."""

    WORD = "delete"
    word = forms.CharField(required=False, max_length=40)

    def clean_word(self) -> str:
        """The word, whatever its capitals."""
        word: str = self.cleaned_data["word"].strip().lower()
        if word != self.WORD:
            raise forms.ValidationError("Type the word delete to confirm. Nothing was deleted.")
        return word


class AuditForm(forms.Form):
    """Which rows of the audit log are asked for."""

    act = forms.ChoiceField(required=False, choices=[("", "Any act"), *AuditEvent.Act.choices])
    person = forms.IntegerField(required=False, min_value=1, max_value=MOST)
    kind = forms.ChoiceField(required=False, choices=[("", "Anything"), *AuditEvent.Kind.choices])
    thing = forms.IntegerField(required=False, min_value=1, max_value=MOST)
    before = forms.IntegerField(required=False, min_value=1, max_value=MOST)

    def asked(self) -> AuditFilter:
        """The filter; only of a form that is valid."""
        return AuditFilter(**self.cleaned_data)
