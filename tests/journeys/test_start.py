"""From an empty folder to an open page, and what happens when things are killed or in the way."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from studyhub import postgres
from studyhub.postgres import Embedded, lock, probe
from tests.journeys.house import ROOT, TAKEN_OUT, House, free_port

pytestmark = pytest.mark.drill

CHAPTER = "/c/llm-inference/model-optimization/"


@pytest.fixture(scope="module")
def site() -> Iterator[House]:
    """One data folder for all tests here; each leaves the site stopped or starts it itself."""
    folder = Path(tempfile.mkdtemp(prefix="studyhub-start-"))
    folder.chmod(0o755)  # the database's own account must get through
    house = House(folder / "data", free_port())
    yield house
    house.stop()
    postgres.stop(house.data)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def started(site: House) -> House:
    """The site, serving."""
    if not site.ready():
        site.start()
    return site


def until(true: Callable[[], object], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)


def main_process(site: House) -> psutil.Process:
    process = site._process
    assert process is not None
    return psutil.Process(process.pid)


def get(site: House, path: str) -> str:
    with urllib.request.urlopen(site.url + path, timeout=30) as answer:
        return str(answer.read().decode())


def postmaster(site: House) -> int:
    return int((Embedded.at(site.data).cluster / "postmaster.pid").read_text().split()[0])


def kept(site: House) -> list[str]:
    with psycopg.connect(postgres.url(site.data)) as connection:
        return [row[0] for row in connection.execute("SELECT word FROM kept ORDER BY word")]


def keep(site: House, word: str) -> None:
    with psycopg.connect(postgres.url(site.data), autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (word text)")
        connection.execute("INSERT INTO kept VALUES (%s)", [word])


def serve(**settings: str) -> subprocess.CompletedProcess[str]:
    """``manage.py serve`` where it should refuse to start."""
    kept_names = {name: value for name, value in os.environ.items() if name not in TAKEN_OUT}
    return subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env=kept_names | settings,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


def test_first_start_shows_the_chapter_and_says_what_to_try(started: House) -> None:
    assert "<h1" in get(started, CHAPTER)
    until(lambda: "Stop with Ctrl-C." in started.said())
    assert f"StudyHub is ready: {started.url}/" in started.said()
    assert "Loading the course." in started.said()


def test_sigterm_stops_web_and_database(started: House) -> None:
    started.stop()
    assert main_gone(started)
    assert lock.is_free(Embedded.at(started.data).alive)
    assert started.said().endswith("StudyHub has stopped.\n")


def main_gone(site: House) -> bool:
    assert site._process is not None
    return site._process.returncode == 0


def test_second_start_prepares_nothing_again(started: House) -> None:
    started.stop()
    before = len(started.said())
    started.start()
    until(lambda: started.said().count("Stop with Ctrl-C.") > 1)
    again = started.said()[before:]
    assert "Starting the database." in again
    assert [word for word in ("Preparing", "Loading", "Gathering") if word in again] == []


def test_emptied_tables_are_filled_again(started: House) -> None:
    started.stop()
    assert started.manage("flush", "--no-input").returncode == 1  # the audit log is not emptied like that
    with psycopg.connect(postgres.url(started.data), autocommit=True) as connection:
        connection.execute("ALTER TABLE accounts_auditevent DISABLE TRIGGER audit_not_emptied")
    assert started.manage("flush", "--no-input").returncode == 0
    started.start()
    assert "<h1" in get(started, CHAPTER)


def test_ctrl_c_lets_the_running_request_finish(started: House) -> None:
    answers: list[str] = []
    with psycopg.connect(postgres.url(started.data)) as connection:
        connection.execute("LOCK TABLE django_migrations IN ACCESS EXCLUSIVE MODE")
        asking = threading.Thread(target=lambda: answers.append(get(started, "/readyz")))
        asking.start()
        until(lambda: waiting(started) > 0)
        workers = main_process(started).children()
        os.killpg(main_process(started).pid, signal.SIGINT)  # as a terminal does it: to every process
        until(lambda: any(gone(each) for each in workers))  # the idle one has heard; the other one waits
        assert answers == []
    asking.join(20)
    assert answers == ["ready\n"]
    assert started._process is not None
    assert started._process.wait(8) == 0
    assert lock.is_free(Embedded.at(started.data).alive)


def gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def waiting(site: House) -> int:
    with psycopg.connect(postgres.url(site.data)) as connection:
        row = connection.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
    return int(row[0]) if row else 0


def test_killed_worker_is_replaced(started: House) -> None:
    workers = main_process(started).children()
    assert len(workers) == 2
    workers[0].kill()
    until(lambda: len([each for each in main_process(started).children() if not gone(each)]) == 2)
    until(started.ready)


def test_killed_web_leaves_the_database_and_is_started_beside_it(started: House) -> None:
    keep(started, "web")
    number = postmaster(started)
    started.kill()
    assert postmaster(started) == number
    started.start()
    assert postmaster(started) == number
    assert "web" in kept(started)


def kill_postgres(site: House) -> None:
    for number in probe.workers(Embedded.at(site.data)):
        with suppress(ProcessLookupError):  # a connection that has just ended
            os.kill(number, signal.SIGKILL)
    until(lambda: lock.is_free(Embedded.at(site.data).alive))


def test_killed_database_is_recovered_at_the_next_start(started: House) -> None:
    keep(started, "database")
    kill_postgres(started)
    assert not started.ready()
    started.stop()
    started.start()
    assert "database" in kept(started)
    assert "<h1" in get(started, CHAPTER)


def test_everything_killed_is_recovered_at_the_next_start(started: House) -> None:
    keep(started, "both")
    main = main_process(started)
    for each in [*main.children(), main]:
        each.kill()
    kill_postgres(started)
    assert started._process is not None
    started._process.wait()
    started.start()
    assert "both" in kept(started)
    assert "<h1" in get(started, CHAPTER)


def test_second_site_on_one_folder_is_told_where_the_first_is(started: House) -> None:
    done = serve(STUDYHUB_DATA=str(started.data), PORT=str(free_port()))
    assert done.returncode == 1
    assert f"StudyHub is running on the data folder {started.data} already: {started.url}/" in done.stderr
    assert started.ready()


def test_port_in_use_is_named_with_a_way_out(site: House) -> None:
    with socket.socket() as taken, tempfile.TemporaryDirectory() as folder:
        taken.bind(("127.0.0.1", free_port()))
        taken.listen()
        port = taken.getsockname()[1]
        done = serve(STUDYHUB_DATA=folder, PORT=str(port))
        assert done.returncode == 1
        assert (
            f"Port {port} is in use by another program.\nChoose another one: PORT={port + 1} make run"
            in done.stderr
        )
        assert not (Path(folder) / "postgres").exists()


def test_folder_that_cannot_be_written_to_is_named_with_a_way_out() -> None:
    done = serve(STUDYHUB_DATA="/proc/studyhub", PORT=str(free_port()))
    assert done.returncode == 1
    assert "The data folder /proc/studyhub cannot be written to" in done.stderr
    assert "STUDYHUB_DATA=/path/to/folder make run" in done.stderr
    assert "Traceback" not in done.stderr


def test_absent_server_of_ones_own_is_told() -> None:
    with tempfile.TemporaryDirectory() as folder:
        done = serve(
            STUDYHUB_DATA=folder,
            PORT=str(free_port()),
            DATABASE_URL="postgresql://nobody@127.0.0.1:1/studyhub",
        )
    assert done.returncode == 1
    assert "The database does not answer" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["check"], ["makemigrations", "--check", "--dry-run"], ["help"]])
def test_commands_that_need_no_database_start_none(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder) / "data", free_port())
        assert house.manage(*words).returncode == 0
        assert not (house.data / "postgres").exists()
