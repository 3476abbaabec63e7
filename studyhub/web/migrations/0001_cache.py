"""The table of the database cache, in which limits on sign-in are counted over all processes."""

from django.db import migrations


class Migration(migrations.Migration):
    """Same columns as ``manage.py createcachetable`` makes."""

    initial = True
    dependencies: list[tuple[str, str]] = []
    operations = [
        migrations.RunSQL(
            """
            CREATE TABLE web_cache (
                cache_key varchar(255) NOT NULL PRIMARY KEY,
                value text NOT NULL,
                expires timestamp with time zone NOT NULL
            );
            CREATE INDEX web_cache_expires ON web_cache (expires);
            """,
            "DROP TABLE web_cache",
        )
    ]
