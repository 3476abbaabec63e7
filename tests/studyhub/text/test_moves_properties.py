"""What holds of marked words for any edit: random texts and edits from seeded generators."""

import random
from itertools import pairwise

import pytest

from studyhub.text.letters import characters, units
from studyhub.text.moves import moved
from studyhub.text.plain import names

WORDS = sorted(
    names(
        "memory bandwidth bounds decode while prefill saturates compute units kernels fuse attention layers cache "
        "quantized weights tokens batch latency throughput scheduler prompt speculative drafting sampling précis 模型 "
        "re\u0301sume\u0301 naïve 👩\u200d💻 🙂 שלום עולם a of is x² 4·8 a&b n≤2"
    )
)
PLAIN = [word for word in WORDS if word.isascii() and word.isalpha() and len(word) >= 4]
LETTERS = "bcdfghklmnprst"


def spans(words):
    """The first and last characters of words put together with blanks."""
    found, at = [], 0
    for word in words:
        found.append((at, at + len(word)))
        at += len(word) + 1
    return found


def choose(lot, count):
    first = lot.randrange(count)
    return first, lot.randrange(first, count)


def follow(old, new, marked):
    """The words of ``new`` from place to place, as ``moved`` finds those of ``old``."""
    a, b = spans(old)[marked[0]][0], spans(old)[marked[1]][1]
    found = moved({"p": " ".join(old)}, {"p": " ".join(new), "q": "Another paragraph."}, "p", a, b)
    return found and (found.anchor, found.start, found.end)


def misspelt(lot, word):
    """One slip in a long word: a letter left out, doubled, changed, or two in each other's place."""
    at = lot.randrange(1, len(word) - 2)
    return lot.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + lot.choice(LETTERS) + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        ]
    )


def test_nothing_changed_moves_nothing():
    for seed in range(60):
        lot = random.Random(seed)
        text = " ".join(lot.choices(WORDS, k=lot.randrange(1, 40)))
        start = lot.randrange(len(text))
        end = lot.randrange(start, len(text)) + 1
        found = moved({"p": text}, {"p": text}, "p", start, end)
        assert (found and (found.start, found.end)) == ((start, end) if text[start:end].strip() else None)


def test_typos_one_after_the_other_move_a_mark_with_its_words_there_and_back():
    for seed in range(120):
        lot = random.Random(seed)
        first = lot.sample(WORDS, k=24)
        marked = choose(lot, 24)
        long = [n for n, word in enumerate(first) if word.isascii() and word.isalpha() and len(word) >= 6]
        texts = [first]
        for n in lot.sample(long, k=min(5, len(long))):
            texts.append([*texts[-1][:n], misspelt(lot, first[n]), *texts[-1][n + 1 :]])
        for old, new in pairwise([*texts, *reversed(texts)]):
            wanted = ("p", spans(new)[marked[0]][0], spans(new)[marked[1]][1])
            assert follow(old, new, marked) == wanted
        assert follow(first, texts[-1], marked) == (
            "p",
            spans(texts[-1])[marked[0]][0],
            spans(texts[-1])[marked[1]][1],
        )


def test_mark_reaches_from_the_first_to_the_last_word_that_is_left():
    for seed in range(120):
        lot = random.Random(seed)
        old = [f"{word}{n}" for n, word in enumerate(lot.choices(PLAIN, k=30))]  # each word once
        marked = choose(lot, 30)
        left = [n for n in range(30) if lot.random() > lot.choice([0.1, 0.4])]
        new, place = [], {}
        for n in left:
            new += ["žžž"] * lot.choice([0, 0, 0, 2])  # like no other word
            place[n] = len(new)
            new.append(old[n])
        mine = [n for n in range(marked[0], marked[1] + 1) if n in place]
        kept = len(mine) / (marked[1] - marked[0] + 1)
        found = follow(old, new, marked)
        if kept < 0.5:
            assert found is None
        else:
            assert found == ("p", spans(new)[place[mine[0]]][0], spans(new)[place[mine[-1]]][1])


def test_any_edit_leaves_whole_letters_within_one_paragraph():
    for seed in range(120):
        lot = random.Random(seed)
        old = {f"p{n}": " ".join(lot.choices(WORDS, k=lot.randrange(1, 25))) for n in range(4)}
        words = " ".join(old.values()).split()
        for _ in range(lot.randrange(12)):
            at = lot.randrange(len(words))
            words[at : at + lot.randrange(3)] = lot.choices(WORDS, k=lot.randrange(3))
        cuts = sorted(lot.choices(range(len(words) + 1), k=3))
        new = {f"p{n}": " ".join(words[a:b]) for n, (a, b) in enumerate(pairwise([0, *cuts, len(words)]))}
        for anchor, text in old.items():
            start = lot.randrange(len(text))
            found = moved(old, new, anchor, start, lot.randrange(start, len(text)) + 1)
            if found is None:
                continue
            now = new[found.anchor]
            assert 0 <= found.start < found.end <= len(now)
            assert 0.5 <= found.kept <= 1.0
            assert characters(now, units(now, found.start)) == found.start
            words_now = now[found.start : found.end]
            assert words_now == words_now.strip() or now == text


@pytest.mark.parametrize(
    ("old", "new", "marked", "wanted"),
    [
        ("The gpu is big.", "The GPU is big.", "gpu", "GPU"),
        ("The KV cache is big.", "The KV-cache is big.", "KV cache", "KV-cache"),
        ("The KV-cache is big.", "The KV cache is big.", "KV-cache", "KV cache"),
        ("You can not do it.", "You cannot do it.", "can not", "cannot"),
        ("One database is big.", "One data base is big.", "database", "data base"),
        ("It holds keys and more.", "It holds keys, and more.", "keys", "keys"),
        ("Le cafe\u0301s est la.", "Le cafe\u0301 est la.", "cafe\u0301s", "cafe\u0301"),
        ("Le café est la.", "Le cafe\u0301 est la.", "café", "cafe\u0301"),
        ("Good 👩‍💻 work hre.", "So good 👩‍💻 work here.", "👩‍💻 work hre", "👩‍💻 work here"),
        ("模型读取全部权重每个令牌。", "模型会读取全部权重每个令牌。", "权重每个", "权重每个"),
        ("שלום עולם טוב מאוד", "שלום, עולם טוב מאוד", "עולם טוב", "עולם טוב"),
        ("Take n·4 bits, taht is all.", "Take n·4 bits, that is all.", "n·4 bits, taht", "n·4 bits, that"),
        (
            "if a < b && c:\n    prnt(a)",
            "if a < b && c:\n    print(a)",
            "b && c:\n    prnt",
            "b && c:\n    print",
        ),
        ("The cahce holds.", "The cache holds.", "c", "c"),
        ("The cahxce holds.", "The cahce holds.", "x", None),
        ("Memory of the cache is small.", "Memory of the heap was huge.", "cache is small", None),
    ],
)
def test_words_signs_and_letters_of_many_kinds(old, new, marked, wanted):
    at = old.index(marked)
    found = moved({"here": old}, {"here": new}, "here", at, at + len(marked))
    assert (found and new[found.start : found.end]) == wanted


def test_same_words_elsewhere_in_a_new_paragraph_are_not_taken_for_the_marked_ones():
    old = {"s-p1": "The batch size of the cache bounds all users.", "s-p2": "A second one stays."}
    new = {
        "s-p1": "Prompts queue until an engine has room again, and its batch size of the day says for how long.",
        "s-p2": "A second one stays.",
    }
    at = old["s-p1"].index("size of the")
    assert moved(old, new, "s-p1", at, at + len("size of the")) is None


def test_long_texts_without_blanks_take_no_time():
    old = "ab" * 20_000
    new = old[:9_000] + "zz" + old[9_000:]
    found = moved({"p": old}, {"p": new}, "p", 100, 200)
    assert (found.start, found.end) == (100, 200)
