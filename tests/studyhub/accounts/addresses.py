"""The project's addresses and one that keeps something, as a chapter or a quiz does."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.urls import include, path
from django.utils import timezone

from studyhub.accounts.browser import keep_learner


@login_not_required
def keep(request):
    if request.method == "POST":
        keep_learner(request, timezone.now())
    learner = request.learner
    return HttpResponse(f"{learner.pk if learner else None} {timezone.get_current_timezone_name()}")


@login_not_required
def bare(request):
    return HttpResponse("bare")


urlpatterns = [
    path("test/keep/", keep),
    path("test/bare/", bare),
    path("", include("studyhub.urls")),
]
