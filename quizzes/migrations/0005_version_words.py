from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import migrations, models
from django.db.models import F, Func, Value

SIGNS = "<>&“”„‘’«»–—…·×÷−→≤≥±≈°•"


class Migration(migrations.Migration):
    """Signs beside a word of a stem are no part of it, as in chapters; an index without a list of pending rows."""

    dependencies: ClassVar = [("quizzes", "0004_around")]

    operations: ClassVar = [
        migrations.RemoveIndex("questionversion", "version_words"),
        migrations.RemoveField("questionversion", "words"),
        migrations.AddField(
            "questionversion",
            "words",
            models.GeneratedField(
                expression=SearchVector(
                    Func(
                        F("stem_text"),
                        Value(SIGNS),
                        Value(" " * len(SIGNS)),
                        function="translate",
                        output_field=models.TextField(),
                    ),
                    config="english",
                ),
                output_field=SearchVectorField(),
                db_persist=True,
            ),
        ),
        migrations.AddIndex(
            "questionversion", GinIndex(fields=["words"], name="version_words", fastupdate=False)
        ),
    ]
