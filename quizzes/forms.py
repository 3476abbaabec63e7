"""Input to clean values for answering."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from quizzes.actions import Submission

MOST_CHOICES = 64
LONGEST_CHOICE = 200  # characters


class PositionForm(forms.Form):
    """Names a question of an attempt by its position."""

    q = forms.IntegerField(min_value=1, max_value=100_000)
    state = forms.ChoiceField(choices=[("on", "on"), ("off", "off")], required=False)


class AnswerForm(forms.Form):
    """An answer as the browser sent it; whether it can be marked is for the question's kind to say."""

    q = forms.IntegerField(min_value=1, max_value=100_000)
    key = forms.UUIDField()
    certainty = forms.TypedChoiceField(
        choices=[("1", ""), ("2", ""), ("3", "")], coerce=int, empty_value=None, required=False
    )
    again = forms.BooleanField(required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.raw: Sequence[str] = data.getlist("choice")

    def clean(self) -> dict[str, Any]:
        """Refuse what no form of ours can send."""
        cleaned = super().clean() or {}
        if len(self.raw) > MOST_CHOICES or any(
            len(one) > LONGEST_CHOICE or "\x00" in one for one in self.raw
        ):
            raise forms.ValidationError("The answer cannot be read. Choose or type it again.")
        return cleaned

    @property
    def submission(self) -> Submission:
        """The clean values, for the action."""
        key: uuid.UUID = self.cleaned_data["key"]
        return Submission(
            position=self.cleaned_data["q"],
            raw=tuple(self.raw),
            certainty=self.cleaned_data["certainty"],
            key=key,
            again=self.cleaned_data["again"],
        )
