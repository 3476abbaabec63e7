"""Input to clean values for reading."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from django import forms

from chapters.models import Chapter, Checkpoint, Section
from studyhub.text.letters import characters, found_again, letters


def find_chapter(course: str, chapter: str, *, retired: bool = False) -> None:
    """Raise Chapter.DoesNotExist when there is none of this name; a retired one counts only where it is asked for."""
    found = Chapter.objects.filter(course__slug=course, slug=chapter)
    if not (found if retired else found.filter(retired_at__isnull=True)).exists():
        raise Chapter.DoesNotExist


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


LONGEST_NOTE, LONGEST_MARK = 10_000, 2_000  # characters


class NoteForm(SectionForm):
    """A note on a section of one chapter. A section that left the course keeps its note, so it may be named too."""

    text = forms.CharField(required=False)
    seen = forms.CharField(required=False, max_length=40)  # the moment of the note that the page showed
    page = forms.ChoiceField(
        choices=[("notes", "notes")], required=False
    )  # where it was written, if not there

    def __init__(self, data: Any, *, course: str, chapter: str) -> None:
        super().__init__(data, course=course, chapter=chapter)
        self.sections = Section.objects.filter(chapter__course__slug=course, chapter__slug=chapter)

    def clean_seen(self) -> datetime | None:
        """The moment; None for none, and for what is no moment."""
        with suppress(ValueError):
            return datetime.fromisoformat(self.cleaned_data["seen"])
        return None

    def clean_text(self) -> str:
        """The note as it was typed, with plain line ends; refused when it is too long."""
        text: str = self.cleaned_data["text"].replace("\r\n", "\n").replace("\r", "\n")
        if len(text) > LONGEST_NOTE:
            raise forms.ValidationError(
                f"A note holds at most {LONGEST_NOTE:,} characters, and this one has {len(text):,}. "
                "The note kept before is as it was. Shorten this one, then keep it."
            )
        return text


class MarkForm(SectionForm):
    """Words of a paragraph, and where they begin in it: in UTF-16 units as they come, in characters once clean."""

    anchor = forms.SlugField(max_length=120)
    start = forms.IntegerField(min_value=0, max_value=1_000_000)
    quote = forms.CharField(
        max_length=LONGEST_MARK,
        strip=False,
        error_messages={"max_length": "A mark holds at most %(limit_value)d characters. Mark less at once."},
    )

    def clean_quote(self) -> str:
        """The words with plain line ends."""
        words: str = self.cleaned_data["quote"]
        return words.replace("\r\n", "\n")

    def clean(self) -> dict[str, Any]:
        """As they came, if the paragraph holds the words."""
        given = self.cleaned_data
        if {"section", "anchor", "start", "quote"} <= set(given):
            text = letters(given["section"].html).get(given["anchor"], "")
            given["start"] = characters(text, given["start"])
            if found_again(text, given["start"], given["quote"]) is None:
                raise forms.ValidationError(
                    "These words are not in this paragraph, so they were not marked. Reload the page: "
                    "the text may have changed."
                )
        return given


class UnmarkForm(forms.Form):
    """Names a mark."""

    mark = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    page = forms.ChoiceField(choices=[("notes", "notes")], required=False)


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
