from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex
from django.db import migrations


class Migration(migrations.Migration):
    """The index of words without a list of pending rows; none for likeness, which nothing asked for."""

    dependencies: ClassVar = [("chapters", "0003_around")]

    operations: ClassVar = [
        migrations.RemoveIndex("passage", "passage_likeness"),
        migrations.RemoveIndex("passage", "passage_words"),
        migrations.AddIndex("passage", GinIndex(fields=["words"], name="passage_words", fastupdate=False)),
    ]
