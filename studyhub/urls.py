"""Every door of the house. Imports no model."""

from django.urls import include, path

handler400 = "studyhub.web.views.bad_request"
handler403 = "studyhub.web.views.forbidden"
handler404 = "studyhub.web.views.not_found"
handler500 = "studyhub.web.views.server_error"

urlpatterns = [
    path("", include("studyhub.desk.urls")),
    path("", include("studyhub.web.urls")),
    path("", include("quizzes.urls")),
    path("", include("chapters.urls")),
    path("media/", include("studyhub.packs.urls")),
    path("", include("studyhub.accounts.urls")),
]
