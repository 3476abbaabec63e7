"""The embedded server as it is started, killed, found again and refused."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from studyhub import postgres
from studyhub.postgres import Embedded, PostgresProblem, lock, probe

pytestmark = pytest.mark.drill

ROOT = Path(__file__).parents[3]
START = "import sys, pathlib; from studyhub import postgres; print(postgres.ensure_running(pathlib.Path(sys.argv[1])).started)"
PR_SET_CHILD_SUBREAPER = 36


def until(true: Callable[[], object], seconds: float = 30) -> None:
    """Look again and again; fail when it does not come true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)


def keep(data: Path, word: str) -> None:
    with psycopg.connect(postgres.url(data), autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (word text)")
        connection.execute("INSERT INTO kept VALUES (%s)", [word])


def kept(data: Path) -> list[str]:
    with psycopg.connect(postgres.url(data)) as connection:
        return [row[0] for row in connection.execute("SELECT word FROM kept ORDER BY word")]


def backends(data: Path) -> int:
    """How many client connections there are beside our own."""
    with psycopg.connect(postgres.url(data)) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        ).fetchone()
    return int(row[0]) if row else -1


def postmaster(data: Path) -> int:
    return int((Embedded.at(data).cluster / "postmaster.pid").read_text().split()[0])


def kill_all(data: Path) -> int:
    """SIGKILL the server and all its children at once; return the server's process number."""
    number, place = postmaster(data), Embedded.at(data)
    for each in probe.workers(place):
        with suppress(ProcessLookupError):  # a connection that has just ended
            os.kill(each, signal.SIGKILL)
    until(lambda: not probe.workers(place))
    return number


def starter(data: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", START, str(data)], cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ
    )


@pytest.fixture
def zombies_stay() -> Iterator[None]:
    """Orphans become our children, and we do not bury them before the test is over."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    yield
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0)
    for child in psutil.Process().children():
        if child.name() == "postgres" and child.status() == psutil.STATUS_ZOMBIE:
            os.waitpid(child.pid, 0)


def state_of(number: int) -> str:
    return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0]


def test_first_start_makes_a_small_durable_cluster(data: Path) -> None:
    running = postgres.ensure_running(data)
    assert running.started
    assert running.url == postgres.url(data)
    wanted = {
        "listen_addresses": "",
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "data_checksums": "on",
        "jit": "off",
        "max_connections": "80",
        "server_encoding": "UTF8",
    }
    with psycopg.connect(running.url) as connection:
        rows = connection.execute(
            "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(wanted)]
        )
        assert dict(rows.fetchall()) == wanted


def test_only_its_account_may_enter_what_was_made(data: Path) -> None:
    postgres.ensure_running(data)
    place = Embedded.at(data)
    assert [oct(folder.stat().st_mode & 0o777) for folder in (place.home, place.cluster, place.socket)] == [
        "0o700"
    ] * 3


def test_second_call_finds_it_running(data: Path) -> None:
    postgres.ensure_running(data)
    number = postmaster(data)
    assert not postgres.ensure_running(data).started
    assert postmaster(data) == number


def test_stop_and_start_keep_what_was_written(data: Path) -> None:
    postgres.ensure_running(data)
    keep(data, "one")
    postgres.stop(data)
    assert lock.is_free(Embedded.at(data).alive)
    assert postgres.ensure_running(data).started
    assert kept(data) == ["one"]


def test_stop_where_nothing_runs_does_nothing(data: Path) -> None:
    postgres.stop(data)
    assert not data.exists()


def test_killed_server_that_stays_a_zombie_is_not_taken_for_alive(data: Path, zombies_stay: None) -> None:
    postgres.ensure_running(data)
    keep(data, "one")
    number = kill_all(data)
    assert state_of(number) == "Z"
    assert postgres.ensure_running(data).started
    assert state_of(number) == "Z"
    assert kept(data) == ["one"]


def test_server_killed_after_its_starter_ended_is_started_again(data: Path) -> None:
    assert starter(data).wait(60) == 0
    keep(data, "one")
    kill_all(data)
    assert postgres.ensure_running(data).started
    assert kept(data) == ["one"]


def test_process_number_taken_by_a_stranger_is_no_obstacle(data: Path) -> None:
    postgres.ensure_running(data)
    keep(data, "one")
    kill_all(data)
    with subprocess.Popen(["sleep", "600"]) as stranger:
        stale = Embedded.at(data).cluster / "postmaster.pid"
        stale.write_text("\n".join([str(stranger.pid), *stale.read_text().split("\n")[1:]]))
        assert postgres.ensure_running(data).started
        assert stranger.poll() is None
        stranger.kill()
    assert kept(data) == ["one"]


def test_children_that_outlive_a_killed_server_are_ended(data: Path) -> None:
    postgres.ensure_running(data)
    keep(data, "one")
    number = postmaster(data)
    until(lambda: backends(data) == 0)  # ours from above has left
    children = []
    for child in probe.workers(Embedded.at(data)):
        with suppress(ProcessLookupError):  # one that was leaving anyway
            if child != number:
                os.kill(child, signal.SIGSTOP)  # it cannot notice and leave
                children.append(child)
    os.kill(number, signal.SIGKILL)
    assert postgres.ensure_running(data).started
    assert set(children).isdisjoint(probe.workers(Embedded.at(data)))
    assert kept(data) == ["one"]


def test_making_a_cluster_killed_in_the_middle_leaves_nothing(data: Path) -> None:
    running = starter(data)
    home = Embedded.at(data).home
    until(lambda: list(home.glob("cluster.new-*/base")))
    running.kill()
    running.wait()
    subprocess.run(["pkill", "-KILL", "-f", f"initdb.*{home.resolve()}"], check=False)
    assert not Embedded.at(data).cluster.exists()
    assert postgres.ensure_running(data).started
    assert list(home.glob("cluster.new-*")) == []


def test_two_starts_at_once_make_one_server(data: Path) -> None:
    both = [starter(data), starter(data)]
    assert sorted(each.communicate(timeout=90)[0].strip() for each in both) == ["False", "True"]


@pytest.mark.parametrize("name", ['it\'s $HOME "my" 50% Übung', "one, two"])
def test_odd_characters_in_the_path_work(open_folder: Path, name: str) -> None:
    data = open_folder / name
    try:
        assert postgres.ensure_running(data).started
        keep(data, "one")
        assert kept(data) == ["one"]
    finally:
        postgres.stop(data)
        if Embedded.at(data).socket.parent != Embedded.at(data).home:
            Embedded.at(data).socket.rmdir()


def test_long_path_gets_a_short_socket_that_only_its_account_may_enter(open_folder: Path) -> None:
    data = open_folder / ("long-" * 20)
    try:
        assert postgres.ensure_running(data).started
        assert oct(Embedded.at(data).socket.stat().st_mode & 0o777) == "0o700"
        keep(data, "one")
    finally:
        postgres.stop(data)
    Embedded.at(data).socket.rmdir()


def test_short_socket_folder_laid_out_by_a_stranger_is_refused(open_folder: Path) -> None:
    data = open_folder / ("long-" * 20)
    trap = Embedded.at(data).socket
    trap.mkdir(mode=0o755)
    trap.chmod(0o777)
    try:
        with pytest.raises(PostgresProblem) as problem:
            postgres.ensure_running(data)
        assert problem.value.what == f"The folder {trap} is not safe to use."
    finally:
        trap.rmdir()


@pytest.mark.parametrize("folder", ["/proc/studyhub", "/dev/null/studyhub"])
def test_folder_that_cannot_be_written_to_is_named_with_a_remedy(folder: str) -> None:
    with pytest.raises(PostgresProblem) as problem:
        postgres.ensure_running(Path(folder))
    assert problem.value.what == f"The data folder {folder} cannot be written to."
    assert "STUDYHUB_DATA=" in problem.value.mend


def test_cluster_of_another_version_is_refused_unharmed(data: Path) -> None:
    postgres.ensure_running(data)
    postgres.stop(data)
    version = Embedded.at(data).cluster / "PG_VERSION"
    version.write_text("17\n")
    with pytest.raises(PostgresProblem) as problem:
        postgres.ensure_running(data)
    assert problem.value.why == "It was made by Postgres 17, and this StudyHub brings 18."
    version.write_text("18\n")
    assert postgres.ensure_running(data).started


def test_settings_that_lose_answers_are_refused_and_nothing_is_left_running(data: Path) -> None:
    postgres.ensure_running(data)
    postgres.stop(data)
    own = Embedded.at(data).cluster / "local.conf"
    own.write_text("fsync = off\n")
    for _ in range(2):
        with pytest.raises(PostgresProblem) as problem:
            postgres.ensure_running(data)
        assert problem.value.why == "Switched off: fsync."
        assert lock.is_free(Embedded.at(data).alive)
    own.write_text("work_mem = 8MB\n")
    assert postgres.ensure_running(data).started


def test_faulty_settings_are_told_from_the_log(data: Path) -> None:
    postgres.ensure_running(data)
    postgres.stop(data)
    (Embedded.at(data).cluster / "local.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(PostgresProblem) as problem:
        postgres.ensure_running(data)
    assert problem.value.what == "The database did not start."
    assert "contains errors" in problem.value.why
    (Embedded.at(data).cluster / "local.conf").write_text("")


def test_server_that_hangs_is_named(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    postgres.ensure_running(data)
    number = postmaster(data)
    monkeypatch.setattr("studyhub.postgres.server.ANSWER", 1)
    monkeypatch.setattr("studyhub.postgres.probe.PATIENCE", 2)
    os.kill(number, signal.SIGSTOP)
    try:
        with pytest.raises(PostgresProblem) as problem:
            postgres.ensure_running(data)
        assert problem.value.mend == f"Stop it (kill {number}) and start again."
    finally:
        os.kill(number, signal.SIGCONT)
