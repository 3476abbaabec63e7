"""Storey 2: people, cohorts and memberships."""

from __future__ import annotations

import unicodedata
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower, Now

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase


def settled(password: str) -> str:
    """The password in one form (NFKC), whichever way its signs were typed on this keyboard (NIST SP 800-63B, 3.1.1.2).

    Nothing is cut off or left out: spaces and signs of every script stay.
    """
    return unicodedata.normalize("NFKC", password)


class UserQuerySet(models.QuerySet["User"]):
    """Words for people."""

    def guests(self) -> Self:
        """Guests: learners bound to a browser, without an address."""
        return self.filter(guest=True)

    def by_email(self, email: str) -> Self:
        """The account with this address, whatever its capitals."""
        return self.filter(email=email.strip().lower())


class People(BaseUserManager["User"]):
    """Makes accounts for commands and tests; the site makes them through ``accounts.actions``."""

    def get_queryset(self) -> UserQuerySet:
        """Rows with the vocabulary of UserQuerySet."""
        return UserQuerySet(self.model, using=self._db)

    def guests(self) -> UserQuerySet:
        """See UserQuerySet.guests."""
        return self.get_queryset().guests()

    def by_email(self, email: str) -> UserQuerySet:
        """See UserQuerySet.by_email."""
        return self.get_queryset().by_email(email)

    def create_user(self, email: str, password: str | None = None, **extra: object) -> User:
        """An account with an address; the address is kept in small letters."""
        user = self.model(email=email.strip().lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractBaseUser):
    """A learner: a guest bound to a browser, or an account with an address."""

    email = models.EmailField(null=True, blank=True, unique=True)
    name = models.CharField(max_length=120, blank=True, db_default="")
    time_zone = models.CharField(max_length=64, default="UTC", db_default="UTC")
    guest = models.BooleanField(default=False, db_default=False)
    is_active = models.BooleanField(default=True, db_default=True)
    is_author = models.BooleanField(default=False, db_default=False)
    is_admin = models.BooleanField(default=False, db_default=False)
    joined_at = models.DateTimeField(db_default=Now())
    seen_on = models.DateField(
        null=True, blank=True
    )  # the last UTC day anything was kept; written once a day

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    born_of = models.CharField(
        max_length=64, blank=True, db_default=""
    )  # of a guest: digest of its first form token
    changes = models.BigIntegerField(
        default=0, db_default=0
    )  # counts what was kept: pages made before are old

    objects: ClassVar[People] = People()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(guest=True, email__isnull=True) | Q(guest=False, email__isnull=False),
                name="user_guest_or_address",
            ),
            models.CheckConstraint(
                condition=Q(email=Lower("email")) | Q(email__isnull=True), name="user_email_lower"
            ),
            models.CheckConstraint(
                condition=Q(guest=False) | Q(is_author=False, is_admin=False), name="user_guest_has_no_role"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["born_of"], name="user_born_of", condition=~Q(born_of="")),
            models.Index(fields=["seen_on"], name="user_idle_guest", condition=Q(guest=True)),
        ]

    def __str__(self) -> str:
        return self.email or f"guest {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """As always, but never set the count of changes back: only ``accounts.actions.note_change`` moves it."""
        if not self._state.adding and kwargs.get("update_fields") is None and not args:
            fields = (field for field in self._meta.concrete_fields if not field.primary_key)
            kwargs["update_fields"] = [field.attname for field in fields if field.name != "changes"]
        super().save(*args, **kwargs)

    def set_password(self, raw_password: str | None) -> None:
        """Keep the hash of the settled password; None means that none works."""
        super().set_password(None if raw_password is None else settled(raw_password))

    def check_password(self, raw_password: str | None) -> bool:
        """Whether this is the password, typed on whatever keyboard."""
        return super().check_password(None if raw_password is None else settled(raw_password))

    @property
    def is_guest(self) -> bool:
        """Whether this learner has no account yet."""
        return self.guest

    @property
    def appearance(self) -> tuple[object, ...]:
        """Everything about this learner that a page may show: a page kept under it is right as long as it is equal."""
        roles = self.is_author, self.is_admin
        return self.pk, self.changes, self.name, self.email, self.guest, self.time_zone, roles

    @property
    def zone(self) -> ZoneInfo:
        """The learner's time zone; days and moments are shown in it."""
        return ZoneInfo(self.time_zone)


class Session(AbstractBaseSession):
    """A browser's session, and the person its values name, so that both are read at once.

    The person is no foreign key in the database: a guest may be merged away while its browser's last request runs.
    """

    person = models.ForeignKey(
        User, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """The store that reads and writes these rows."""
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store


class Cohort(models.Model):
    """People who study one course together. The course is named by its slug: courses live a storey higher."""

    course = models.SlugField(max_length=80)
    title = models.CharField(max_length=200)
    time_zone = models.CharField(max_length=64, default="UTC", db_default="UTC")
    created_at = models.DateTimeField(db_default=Now())
    archived_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.title


class Membership(models.Model):
    """One person's part in one cohort."""

    class Role(models.TextChoices):
        """What a member may do; assistants read only."""

        LEARNER = "learner"
        ASSISTANT = "assistant"
        INSTRUCTOR = "instructor"

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.LEARNER)
    joined_at = models.DateTimeField(db_default=Now())
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["cohort", "user"], condition=Q(left_at__isnull=True), name="membership_once"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["learner", "assistant", "instructor"]), name="membership_role"
            ),
            models.CheckConstraint(
                condition=Q(left_at__isnull=True) | Q(left_at__gte=F("joined_at")),
                name="membership_left_after_joined",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.cohort_id} as {self.role}"


class AuditEvent(models.Model):
    """Who did what to data of others, to roles, keys and ways of signing in. Rows are added and never touched again.

    Triggers of the database refuse UPDATE, DELETE and TRUNCATE. Nothing here says what a person is called or wrote:
    people and things go by their numbers, which are no foreign keys, so that they can go while this stays.
    """

    class Act(models.TextChoices):
        """What was done. Not known to the table: a new act needs no migration."""

        ROLE_GIVEN = "role-given", "Role given"
        ROLE_TAKEN = "role-taken", "Role taken back"
        REPORT_DECIDED = "report-decided", "Report decided"
        CORRECTION_APPLIED = "correction-applied", "Correction applied"
        CORRECTION_UNDONE = "correction-undone", "Correction undone"
        CORRECTION_SET_ASIDE = "correction-set-aside", "Correction set aside"
        CORRECTION_TAKEN_UP = "correction-taken-up", "Correction taken up again"
        PACK_LOADED = "pack-loaded", "Course pack loaded"
        GUESTS_SWEPT = "guests-swept", "Idle guests removed"
        PASSWORD_CHANGED = "password-changed", "Password changed"
        ADDRESSES_CHANGED = "addresses-changed", "E-mail addresses changed"
        FACTORS_CHANGED = "factors-changed", "Second factors changed"

    class Kind(models.TextChoices):
        """What it was done to."""

        PERSON = "person", "Person"
        REPORT = "report", "Report"
        CORRECTION = "correction", "Correction"
        COURSE = "course", "Course"
        SITE = "site", "Site"

    at = models.DateTimeField()
    actor_id = models.BigIntegerField(
        null=True, blank=True
    )  # number of a person; null: a command on the server
    act = models.CharField(max_length=40)
    object_kind = models.CharField(max_length=20)
    object_id = models.BigIntegerField(null=True, blank=True)  # null: the site
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    ip = models.GenericIPAddressField(null=True, blank=True)
    request_id = models.CharField(max_length=64, blank=True, db_default="")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(actor_id__isnull=False) | Q(ip__isnull=True, request_id=""),
                name="audit_command_has_no_browser",
            ),
            models.CheckConstraint(condition=~Q(act="") & ~Q(object_kind=""), name="audit_act_and_object"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["actor_id", "-id"], name="audit_actor"),
            models.Index(fields=["object_kind", "object_id", "-id"], name="audit_object"),
        ]
