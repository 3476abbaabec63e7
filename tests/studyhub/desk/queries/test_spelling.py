"""Did you mean: on the shipped course, what must be mended and what must stay."""

from dataclasses import replace
from datetime import timedelta

import pytest

from quizzes.actions import start_attempt
from studyhub.desk.queries.search import search_page
from studyhub.desk.queries.spelling import Meant, meant_by, words_of
from tests.conftest import COURSE
from tests.quizzes.goods import AT, chapter_goods, question, section, shelve_course, shelve_quiz
from tests.quizzes.play import counted, send

pytestmark = pytest.mark.django_db

MENDED = {
    "quantizaton": "quantization",
    "quantisation": "quantization",
    "kuantization": "quantization",
    "qauntization": "quantization",
    "cahce": "cache",
    "chache": "cache",
    "kv cahce": "kv cache",
    '"kv cahce"': '"kv cache"',
    "kv-cahce": "kv-cache",
    "calibraton": "calibration",
    "attenton": "attention",
    "atention heads": "attention heads",
    "specualtive deocding": "speculative decoding",
    "througput": "throughput",
    "latnecy": "latency",
    "lantency": "latency",
    "perplexty": "perplexity",
    "inferense": "inference",
    "pagedatention": "pagedattention",
    "flashatention": "flashattention",
    "granularty": "granularity",
    "pruining": "pruning",
    "sparsty": "sparsity",
    "bandwith": "bandwidth",
    "arithemtic intensity": "arithmetic intensity",
    "kernal": "kernel",
    "memroy": "memory",
    "activaton outliars": "activation outliers",
    "smoothqaunt": "smoothquant",
    "hoper": "hopper",
    "tensor paralelism": "tensor parallelism",
}
# Right, rare, of other fields, with other digits, in another form, or nothing at all.
KEPT = (
    "operation", "float8", "float16", "fp9", "int9", "bf17", "nvfp44", "mxfp6", "marlin", "patch", "radio", "transaction",
    "transition", "comprehension", "interaction", "integration", "collection", "provision",
    "generation operation", "banana", "grammar", "gguf", "qlora", "moe", "llms", "exit", "math", "zzzqqq",
    "operation quantization", "float8 cache", "float8 operation", "tokenisation", "predicate", "machinery",
)  # fmt: skip
FULL = ("quantize", "quantizing", "caches", "option", "lora", "sglang", "python", "cost model", "quantization -foobar",
        "tensorrt llm", "blackwel", "decod", "distilation", "translator", "competition", "warn", "file")  # fmt: skip


@pytest.mark.parametrize("typed", MENDED)
def test_slip_is_mended_and_then_found_in_full(course, typed):
    page = search_page(COURSE, typed, 1, None)
    assert (page.shown_for, page.some_words, page.total > 0) == (MENDED[typed], False, True)


@pytest.mark.parametrize("typed", KEPT)
def test_word_that_may_be_right_stays(course, typed):
    assert search_page(COURSE, typed, 1, None).shown_for == typed


@pytest.mark.parametrize("typed", FULL)
def test_question_that_is_answered_in_full_stays(course, typed):
    page = search_page(COURSE, typed, 1, None)
    assert (page.shown_for, page.some_words, page.total > 0) == (typed, False, True)


def test_no_word_of_the_course_is_ever_changed(course):
    words = words_of(course.pk, course.release_id)
    assert len(words) > 1000
    assert {word for word in words if meant_by(word, course.pk, course.release_id, None).text} == set()


@pytest.fixture
def small(db):
    words = section("here", "Quantization of a KV cache, quantization again. A walrus.")
    words_of.cache_clear()
    return shelve_course(chapter=replace(chapter_goods(), sections=(words,)))[0]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("quantizaton", Meant("quantization", lost=True)),
        ("Quantizaton of caches", Meant("quantization of caches")),
        ('"kv cahce" -quantization', Meant('"kv cache" -quantization')),
        ("quantizaton -cahce", Meant("quantization -cahce")),
        ("cahce wlarus", Meant("cache walrus", lost=True)),
        ("cahce elephant", Meant("cache elephant", lost=True)),
        ("quantize", Meant()),
        ("banana", Meant(lost=True)),
        ("the", Meant()),
        ("4.5 %", Meant()),
        ("' OR 1=1 --", Meant()),
    ],
)
def test_only_what_nobody_finds_is_mended(small, text, meant):
    assert meant_by(text, small.pk, small.release_id, None) == meant


def test_mended_question_needs_results_in_full(small):
    """Else its own words count, and the likelier ones only where it has none."""
    shelve_course(chapter=replace(chapter_goods(), sections=(
        section("here", "A walrus."), section("there", "A cache of turnips."))), at=AT + timedelta(days=1))  # fmt: skip
    pages = [
        search_page("small-course", text, 1, None)
        for text in ("walrus cahce", "wlarus cahce", "wlarus banana")
    ]
    assert [(one.shown_for, one.some_words) for one in pages] == [
        ("walrus cahce", True),
        ("walrus cache", True),
        ("walrus banana", True),
    ]


def test_page_after_the_last_is_not_taken_for_a_slip(small):
    page = search_page("small-course", "walrus cache", 9, None)
    assert (page.shown_for, page.some_words, page.results) == ("walrus cache", False, ())


def walruses(*questions):
    """A quiz with these questions, in a course with a walrus."""
    quiz = shelve_quiz(*questions)
    chapter = replace(chapter_goods(), sections=(section("here", "A walrus and a cache."),))
    course, _ = shelve_course(chapter=chapter, at=AT + timedelta(days=2))
    words_of.cache_clear()
    return quiz, course


def test_word_of_a_question_is_known_to_who_answered_it_and_suggested_to_nobody(learner):
    quiz, course = walruses(question("one", stem_text="Which walruz carries an ocarina?"))

    def meant(text):
        return [meant_by(text, course.pk, course.release_id, one).text for one in (None, learner.pk)]

    assert meant("walruz") == ["walrus", "walrus"]
    send(start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT), 1)
    assert meant("walruz") == ["walrus", ""]
    assert meant("ocarinaa") == ["", ""]


@pytest.mark.parametrize("answered", [1, 3])
@pytest.mark.parametrize(("text", "most"), [("wlarus", 1), ("wlarus cahce banana", 1), ("4.5", 0)])
def test_one_query_once_the_words_are_known(learner, text, most, answered):
    quiz, course = walruses(*(question(f"q{n}", stem_text=f"Walruz {n}?") for n in range(answered)))
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    for position in range(1, answered + 1):
        send(attempt, position)
    words_of(course.pk, course.release_id)
    _, asked = counted(lambda: meant_by(text, course.pk, course.release_id, learner.pk))
    assert len(asked) == most
