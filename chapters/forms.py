"""Input to clean values for reading."""

from __future__ import annotations

from typing import Any

from django import forms

from chapters.models import Checkpoint, Section


class SectionForm(forms.Form):
    """Names a section of one chapter."""

    section = forms.SlugField(max_length=120)
    anchor = forms.SlugField(max_length=120, required=False)
    state = forms.ChoiceField(choices=[("read", "read"), ("unread", "unread")], required=False)

    def __init__(self, data: Any, *, course: str, chapter: str) -> None:
        super().__init__(data)
        self.sections = Section.objects.filter(
            chapter__course__slug=course,
            chapter__slug=chapter,
            chapter__retired_at__isnull=True,
            retired_at__isnull=True,
        ).defer("html")

    def clean_section(self) -> Section:
        """The section with this slug."""
        found = self.sections.filter(slug=self.cleaned_data["section"]).first()
        if found is None:
            raise forms.ValidationError(
                "This chapter has no such section. Reload the page: it may have changed."
            )
        return found


class CheckpointForm(forms.Form):
    """Names a checkpoint of one chapter and what to make of it."""

    checkpoint = forms.SlugField(max_length=120)
    state = forms.ChoiceField(choices=[("ticked", "ticked"), ("cleared", "cleared")])

    def __init__(self, data: Any, *, course: str, chapter: str) -> None:
        super().__init__(data)
        self.checkpoints = Checkpoint.objects.filter(
            chapter__course__slug=course,
            chapter__slug=chapter,
            chapter__retired_at__isnull=True,
            retired_at__isnull=True,
        )

    def clean_checkpoint(self) -> Checkpoint:
        """The checkpoint with this slug."""
        found = self.checkpoints.filter(slug=self.cleaned_data["checkpoint"]).first()
        if found is None:
            raise forms.ValidationError(
                "This chapter has no such checkpoint. Reload the page: it may have changed."
            )
        return found
