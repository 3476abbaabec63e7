"""Pack formats: text files into drafts. Pure: no database, no Django, nothing is rendered."""

from studyhub.packs.formats.folder import read_pack
from studyhub.packs.formats.numbers import read_number
from studyhub.packs.formats.prose import find_links, resolve
from studyhub.packs.formats.quiz import read_quiz

__all__ = ["find_links", "read_number", "read_pack", "read_quiz", "resolve"]
