"""The delivery door: check a pack, load a pack."""

from studyhub.packs.actions.load import LoadReport, PackRefused, check_pack, load_pack

__all__ = ["LoadReport", "PackRefused", "check_pack", "load_pack"]
