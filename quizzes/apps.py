"""Storey 4: questions, attempts, responses."""

from django.apps import AppConfig


class QuizzesConfig(AppConfig):
    """App label ``quizzes``."""

    name = "quizzes"

    def ready(self) -> None:
        """Register what happens to attempts when a guest becomes an account, what people take along, and what the
        menu of authors shows.
        """
        from quizzes.actions import merge_attempts, merge_cards, merge_reports
        from studyhub.accounts.merging import MERGERS

        for mover in (merge_attempts, merge_cards, merge_reports):
            if mover not in MERGERS:
                MERGERS.append(mover)

        from quizzes.queries.awaiting import awaiting
        from studyhub.accounts.browser import MENU

        if awaiting not in MENU:
            MENU.append(awaiting)

        from quizzes.exports import NOT_OWN, OWN
        from studyhub.accounts.exporting import NOT_TAKEN, take_along

        take_along(*OWN)
        NOT_TAKEN.update(NOT_OWN)

        from quizzes.actions import erase_answers, erase_reasons, erase_reports, hold_attempts
        from quizzes.exports import NOBODYS as OF_NOBODY
        from quizzes.exports import STAYS
        from studyhub.accounts.erasing import ERASERS, HOLDERS, KEPT, NOBODYS

        HOLDERS.extend(one for one in (hold_attempts,) if one not in HOLDERS)
        erasers = (erase_answers, erase_reports, erase_reasons)
        ERASERS.extend(one for one in erasers if one not in ERASERS)
        KEPT.update(STAYS)
        NOBODYS.update(OF_NOBODY)

        from quizzes.queries.agreements import OWN as AGREE
        from studyhub.web.diagnosis import AGREEMENTS

        AGREEMENTS.extend(one for one in AGREE if one not in AGREEMENTS)
