import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chapters.models import Course
from quizzes.actions import apply_correction, start_attempt
from quizzes.models import Correction, Quiz
from studyhub.accounts.auditing import Actor
from tests.conftest import NOON, PACK
from tests.quizzes.play import send
from tests.studyhub.packs import small
from tests.studyhub.packs.small import QUIZ_FILE, edit
from tests.studyhub.web.ledger import changed_tables, table_prints

CARDS = PACK / "cards" / "model-optimization.cards.md"
CARD = re.compile(r"^## ", re.MULTILINE)


@pytest.fixture
def folder(tmp_path):
    return small.write(tmp_path / "tiny")


def told(command, *args, fails=False):
    out, err = StringIO(), StringIO()
    if fails:
        with pytest.raises((SystemExit, CommandError)) as left:
            call_command(command, *args, stdout=out, stderr=err)
        return out.getvalue(), err.getvalue(), left.value
    call_command(command, *args, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue(), None


def test_check_of_a_sound_pack_counts_and_needs_no_database(folder):
    out, _, _ = told("check_pack", str(folder))
    assert (
        out.splitlines()[-1]
        == "1 chapters, 1 quizzes, 3 questions, 0 cards: 0 faults that fail the check, 0 warnings."
    )
    assert f"{QUIZ_FILE}: right option longest in " in out


def test_check_of_a_faulty_pack_fails_and_names_file_line_code_and_mend(folder):
    edit(folder, QUIZ_FILE, "read: scales#needle", "read: scales#nowhere")
    out, _, left = told("check_pack", str(folder), fails=True)
    line = (folder / QUIZ_FILE).read_text().split("\n").index("read: scales#nowhere") + 1
    assert left.code == 1
    first, mend = out.splitlines()[:2]
    assert first.startswith(f"{QUIZ_FILE}:{line}: E")
    assert mend.startswith("    ")


def test_check_fails_for_a_question_that_would_stay_a_draft(folder):
    words = (folder / QUIZ_FILE).read_text()
    reason = words[words.index("  > " + small.canaries()["one:word"]) :].split("\n")[0]
    edit(folder, QUIZ_FILE, reason + "\n", "")
    out, _, left = told("check_pack", str(folder), fails=True)
    assert left.code == 1
    assert ": W214 " in out


def test_check_of_the_shipped_pack_passes():
    out, _, _ = told("check_pack", "--strict", str(PACK))
    last = out.splitlines()[-1]
    assert ": 0 faults that fail the check, 0 warnings." in last
    assert re.search(r"(\d+) cards", last)[1] == str(sum(1 for _ in CARD.finditer(CARDS.read_text())))


@pytest.mark.parametrize("command", ["check_pack", "load_pack"])
@pytest.mark.django_db
def test_no_folder_is_said(command, tmp_path):
    _, _, left = told(command, str(tmp_path / "nothing"), fails=True)
    assert str(left) == f"{tmp_path / 'nothing'} is not a folder. Name the folder that holds course.md."


@pytest.mark.django_db
def test_load_tells_what_it_did_and_then_that_nothing_is_to_do(folder):
    out, _, _ = told("load_pack", str(folder))
    assert "question: 3 added" in out.splitlines()
    assert out.splitlines()[-1] == "tiny: release 1 is loaded."
    out, _, _ = told("load_pack", str(folder))
    assert out == "tiny: release 1 is loaded already, nothing to do.\n"


@pytest.mark.django_db
def test_load_that_changes_a_key_says_how_many_corrections_wait_and_where(folder, learner, settings):
    settings.SITE_URL = "https://study.example.org"
    told("load_pack", str(folder))
    quiz = Quiz.objects.get(course__slug="tiny")
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=NOON)
    for position in (1, 2, 3):
        send(attempt, position)
    edit(folder, QUIZ_FILE, "± 0.5", "± 0.7")
    out, _, _ = told("load_pack", str(folder))
    line = out.splitlines()[-2]
    assert line == (
        "1 corrected key waits to be looked at (first#three); no mark moves before an author applies it: "
        "https://study.example.org/authors/corrections/"
    )
    out, _, _ = told("load_pack", str(folder))
    assert out.splitlines()[-1] == line
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(learner.pk), at=NOON)
    out, _, _ = told("load_pack", str(folder))
    assert out.splitlines() == ["tiny: release 2 is loaded already, nothing to do."]


@pytest.mark.django_db
def test_load_of_a_faulty_pack_lists_the_faults_and_changes_nothing(folder):
    edit(folder, QUIZ_FILE, "read: scales#needle", "read: scales#nowhere")
    before = table_prints(leave_out=())
    _, err, left = told("load_pack", str(folder), fails=True)
    assert str(left) == f"{folder} was not loaded: 1 faults. Nothing was changed."
    assert f"{QUIZ_FILE}:" in err
    assert changed_tables(before, leave_out=()) == []
    assert not Course.objects.filter(slug="tiny").exists()
