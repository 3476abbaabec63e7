"""Under root the server runs as somebody else, who may be shut out of places; an ordinary user keeps all at home."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from studyhub import postgres
from studyhub.postgres import Embedded, PostgresProblem, account, programs

pytestmark = [pytest.mark.drill, pytest.mark.usefixtures("as_root")]

ROOT = Path(__file__).parents[3]
SCRIPT = (
    "import sys, pathlib; from studyhub import postgres; data = pathlib.Path(sys.argv[1]);"
    "print(postgres.ensure_running(data).url); import psycopg;"
    "print(psycopg.connect(postgres.url(data)).execute('select 1').fetchone()[0]); postgres.stop(data)"
)


@pytest.fixture
def closed_folder() -> Iterator[Path]:
    """A folder like /root: nobody but root may pass."""
    folder = Path(tempfile.mkdtemp(prefix="studyhub-closed-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def shut_out(closed_folder: Path) -> Iterator[Path]:
    """A data folder the database's account cannot reach, and what was made for it elsewhere is removed."""
    data = closed_folder / "data"
    yield data
    postgres.stop(data)
    if Embedded.at(data).home.is_symlink():
        shutil.rmtree(Embedded.at(data).home.resolve())


def owner(path: Path) -> str:
    return pwd.getpwuid(path.stat().st_uid).pw_name


def test_server_of_root_belongs_to_an_unprivileged_account(data: Path) -> None:
    postgres.ensure_running(data)
    assert owner(Embedded.at(data).cluster) in account.UNPRIVILEGED
    assert owner(data) == "root"


def test_unreachable_data_folder_keeps_its_mode_and_says_where_the_database_is(shut_out: Path) -> None:
    running = postgres.ensure_running(shut_out)
    home = Embedded.at(shut_out).home.resolve()
    assert oct(shut_out.parent.stat().st_mode & 0o777) == "0o700"
    assert home.parent == Path("/var/lib/studyhub")
    assert str(home) in running.note
    assert str(home) in (shut_out / "postgres-location").read_text()
    assert running.url == postgres.url(shut_out)


def test_database_kept_elsewhere_is_found_again(shut_out: Path) -> None:
    first = postgres.ensure_running(shut_out)
    with psycopg.connect(first.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    postgres.stop(shut_out)
    with psycopg.connect(postgres.ensure_running(shut_out).url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchone() == (7,)


def test_database_kept_elsewhere_and_lost_is_told(shut_out: Path) -> None:
    postgres.ensure_running(shut_out)
    postgres.stop(shut_out)
    home = Embedded.at(shut_out).home
    home.resolve().rename(shut_out / "moved")
    with pytest.raises(PostgresProblem) as problem:
        postgres.ensure_running(shut_out)
    assert problem.value.what == f"The database of {shut_out} is missing."
    (shut_out / "moved").rename(home.readlink())


@pytest.fixture
def closed_programs(closed_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's programs are installed where only root can read them, as in an environment below /root."""
    package = programs.installed().parents[1]
    for tree in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(tree, closed_folder / tree.name, ignore=programs.SERVER_ONLY)
    monkeypatch.setattr(programs, "installed", lambda: closed_folder / package.name / "pginstall" / "bin")


def copies(data: Path) -> list[int]:
    return [copy.stat().st_mtime_ns for copy in Embedded.at(data).home.glob("programs-*")]


def test_programs_the_account_cannot_read_are_copied_once(
    data: Path, closed_folder: Path, closed_programs: None
) -> None:
    postgres.ensure_running(data)
    made = copies(data)
    postgres.stop(data)
    assert postgres.ensure_running(data).started
    assert len(made) == 1
    assert copies(data) == made
    assert oct(closed_folder.stat().st_mode & 0o777) == "0o700"


def test_neither_folder_nor_programs_within_reach_works_too(shut_out: Path, closed_programs: None) -> None:
    with psycopg.connect(postgres.ensure_running(shut_out).url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert len(copies(shut_out)) == 1


@pytest.fixture
def nobodys_python() -> str:
    """A Python that an ordinary user can run, with the driver and the server's programs."""
    for python in (sys.executable, "/usr/bin/python3"):
        if (
            as_nobody(
                [python, "-c", "import sys, psycopg; sys.exit(sys.version_info < (3, 11))"], "/"
            ).returncode
            == 0
        ):
            return python
    pytest.skip("no Python here that an ordinary user could run")


def as_nobody(command: list[str], home: str) -> subprocess.CompletedProcess[str]:
    packages = Path(psycopg.__file__).parents[1]
    user = pwd.getpwnam("nobody")
    try:
        return subprocess.run(
            command,
            cwd="/",
            env={
                "PATH": os.defpath,
                "PYTHONPATH": f"{ROOT}:{packages}",
                "HOME": home,
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    except PermissionError as error:
        return subprocess.CompletedProcess(command, 126, "", str(error))


def test_ordinary_user_keeps_everything_in_the_data_folder(open_folder: Path, nobodys_python: str) -> None:
    os.chown(open_folder, pwd.getpwnam("nobody").pw_uid, -1)
    data = open_folder / "data"
    done = as_nobody([nobodys_python, "-c", SCRIPT, str(data)], str(open_folder))
    assert (done.stdout, done.stderr) == (f"{postgres.url(data)}\n1\n", "")
    assert not Embedded.at(data).home.is_symlink()
    assert owner(Embedded.at(data).cluster) == owner(data) == "nobody"


def test_ordinary_user_is_told_when_the_database_is_of_somebody_else(data: Path, nobodys_python: str) -> None:
    postgres.ensure_running(data)
    postgres.stop(data)
    data.chmod(0o777)
    done = as_nobody([nobodys_python, "-c", SCRIPT, str(data)], "/")
    assert f"The database in {Embedded.at(data).home} belongs to another account." in done.stderr


def test_root_carries_on_a_database_of_an_ordinary_user(open_folder: Path, nobodys_python: str) -> None:
    os.chown(open_folder, pwd.getpwnam("nobody").pw_uid, -1)
    data = open_folder / "data"
    assert as_nobody([nobodys_python, "-c", SCRIPT, str(data)], str(open_folder)).returncode == 0
    try:
        assert postgres.ensure_running(data).started
        assert owner(Embedded.at(data).cluster / "postmaster.pid") == "nobody"
    finally:
        postgres.stop(data)
    done = as_nobody([nobodys_python, "-c", SCRIPT, str(data)], str(open_folder))
    assert done.stderr == ""
