"""Addresses of quizzes and attempts."""

from django.urls import path

from quizzes import views

urlpatterns = [
    path("c/<slug:course>/history/", views.history.course, name="course_history"),
    path("c/<slug:course>/mistakes/", views.practising.mistakes, name="mistakes"),
    path("c/<slug:course>/mistakes/start/", views.practising.practise, name="practise"),
    path("c/<slug:course>/quizzes/mistakes/", views.practising.mistakes_quiz, name="mistakes_quiz"),
    path("c/<slug:course>/quizzes/<slug:quiz>/", views.quiz, name="quiz"),
    path("c/<slug:course>/quizzes/<slug:quiz>/print/", views.printing.quiz_print, name="quiz_print"),
    path("c/<slug:course>/quizzes/<slug:quiz>/start/", views.start, name="start"),
    path(
        "c/<slug:course>/quizzes/<slug:quiz>/<slug:question>/history/",
        views.history.question,
        name="question_history",
    ),
    path("attempts/<uuid:attempt_id>/", views.attempt, name="attempt"),
    path("attempts/<uuid:attempt_id>/flag/", views.flag, name="flag"),
    path("attempts/<uuid:attempt_id>/skip/", views.skip, name="skip"),
    path("attempts/<uuid:attempt_id>/finish/", views.finish, name="finish"),
    path("attempts/<uuid:attempt_id>/review/", views.review, name="review"),
    path("attempts/<uuid:attempt_id>/report/", views.disputes.report, name="report"),
    path("attempts/<uuid:attempt_id>/history/", views.history.of_attempt, name="question_past"),
    path("reports/", views.disputes.reports, name="reports"),
    path("reports/seen/", views.disputes.reports_seen, name="reports_seen"),
    path("news/seen/", views.disputes.news_seen, name="news_seen"),
    path("authors/reports/", views.disputes.inbox, name="inbox"),
    path("authors/reports/<int:report_id>/", views.disputes.inbox_report, name="inbox_report"),
    path("authors/corrections/", views.corrections.correction_list, name="corrections"),
    path("authors/corrections/<int:correction_id>/", views.corrections.correction, name="correction"),
    path("authors/corrections/<int:correction_id>/apply/", views.corrections.correct, name="correct"),
    path("c/<slug:course>/cards/", views.cards.card_list, name="cards"),
    path("c/<slug:course>/cards/<slug:card>/", views.cards.card, name="card"),
    path("c/<slug:course>/cards/<slug:card>/words/", views.cards.words, name="card_words"),
    path("c/<slug:course>/cards/<slug:card>/compare/", views.cards.compare, name="card_compare"),
    path("c/<slug:course>/cards/<slug:card>/rate/", views.cards.rate, name="card_rate"),
    path("c/<slug:course>/cards/<slug:card>/undo/", views.cards.undo, name="card_undo"),
]
