"""What a learner keeps while reading."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from chapters.models import Checkpoint, CheckpointMark, ObjectiveEvidence, Place, Section, SectionRead
from studyhub.accounts.actions import CHANGED, note_change


@transaction.atomic(savepoint=False)
def keep_place(*, learner_id: int, section: Section, anchor: str, at: datetime) -> None:
    """Remember where the learner is in the section's chapter; the last word wins."""
    Place.objects.update_or_create(
        learner_id=learner_id,
        chapter_id=section.chapter_id,
        defaults={"section": section, "anchor": anchor, "at": at},
    )
    note_change(learner_id=learner_id)


@transaction.atomic(savepoint=False)
def mark_section(*, learner_id: int, section: Section, read: bool, at: datetime) -> None:
    """Take the learner's word that this section, in its present wording, is read or is not."""
    if not read:
        SectionRead.objects.of(learner_id).filter(section=section).delete()
        note_change(learner_id=learner_id)
        return
    SectionRead.objects.update_or_create(
        learner_id=learner_id,
        section=section,
        defaults={"fingerprint": section.fingerprint, "paragraphs": section.paragraphs, "at": at},
    )
    keep_place(learner_id=learner_id, section=section, anchor=section.slug, at=at)


@transaction.atomic(savepoint=False)
def mark_checkpoint(*, learner_id: int, checkpoint: Checkpoint, ticked: bool, at: datetime) -> None:
    """Tick or clear a checkpoint; the earlier marks stay as its history, and saying the same again adds nothing.

    The checkpoint's marks of this learner are judged under an advisory lock, so two tabs make one mark.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [learner_id % 2**31, checkpoint.pk % 2**31])
    newest = (
        CheckpointMark.objects.of(learner_id).filter(checkpoint=checkpoint).order_by("-at", "-pk").first()
    )
    if (newest is not None and newest.ticked) != ticked:
        CheckpointMark.objects.create(learner_id=learner_id, checkpoint=checkpoint, ticked=ticked, at=at)
        note_change(learner_id=learner_id)


# Adds to a learner's evidence, from a table ``given`` (objective, answered, rightly). Whoever writes an answer in the
# same statement puts this into it.
EVIDENCE = """
INSERT INTO chapters_objectiveevidence (learner_id, objective_id, answered, "right", last_at)
SELECT %(learner)s, objective, answered, rightly, %(at)s FROM given
ORDER BY objective
ON CONFLICT (learner_id, objective_id) DO UPDATE
SET answered = chapters_objectiveevidence.answered + excluded.answered,
    "right" = chapters_objectiveevidence."right" + excluded."right",
    last_at = GREATEST(chapters_objectiveevidence.last_at, excluded.last_at)
"""
# Moves how many first answers were right when marks change later, from a table ``moved`` (learner, objective, rightly).
MOVE_EVIDENCE = """
UPDATE chapters_objectiveevidence AS evidence
SET "right" = GREATEST(0, LEAST(evidence.answered, evidence."right" + moved.rightly))
FROM moved WHERE evidence.learner_id = moved.learner AND evidence.objective_id = moved.objective
"""
MANY = f"""
WITH changed AS ({CHANGED}), given AS (
    SELECT * FROM unnest(%(objectives)s::bigint[], %(answered)s::int[], %(rightly)s::int[])
        AS one(objective, answered, rightly)
)
{EVIDENCE}"""  # noqa: S608 our own text


@transaction.atomic(savepoint=False)
def record_many(*, learner_id: int, counts: Mapping[int, tuple[int, int]], at: datetime) -> None:
    """Add (answered, right) to each objective's evidence of this learner (one statement)."""
    if counts:
        values: dict[str, Any] = {
            "learner": learner_id,
            "at": at,
            "objectives": list(counts),
            "answered": [pair[0] for pair in counts.values()],
            "rightly": [pair[1] for pair in counts.values()],
        }
        with connection.cursor() as cursor:
            cursor.execute(MANY, values)


@transaction.atomic(savepoint=False)
def merge_reading(guest_id: int, into_id: int) -> None:
    """Give a guest's reading state to an account: the newer place and reading win, marks and evidence add up."""
    for model, same in ((Place, "chapter_id"), (SectionRead, "section_id")):
        kept = {getattr(row, same): row for row in model.objects.of(into_id).select_for_update()}
        for row in model.objects.of(guest_id):
            other = kept.get(getattr(row, same))
            if other is None or other.at < row.at:
                if other is not None:
                    other.delete()
                row.learner_id = into_id
                row.save(update_fields=["learner"])
    CheckpointMark.objects.of(guest_id).update(learner_id=into_id)
    for found in ObjectiveEvidence.objects.of(guest_id):
        counts = {found.objective_id: (found.answered, found.right)}
        record_many(learner_id=into_id, counts=counts, at=found.last_at)
    ObjectiveEvidence.objects.of(guest_id).delete()
    note_change(learner_id=into_id)
