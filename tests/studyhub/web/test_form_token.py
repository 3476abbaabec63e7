"""Masked form tokens: Django reads them, no two are alike, every sign is drawn alike often."""

from collections import Counter

from django.middleware.csrf import CSRF_ALLOWED_CHARS, _does_token_match, _unmask_cipher_token

from studyhub.web.form_token import masked

SECRET = "aZ09bY18cX27dW36eV45fU54gT63hS72"


def test_django_finds_the_secret_in_a_masked_token():
    tokens = {masked(SECRET) for _ in range(200)}
    assert len(tokens) == 200
    assert {_unmask_cipher_token(one) for one in tokens} == {SECRET}
    assert all(_does_token_match(one, SECRET) for one in tokens)
    assert not _does_token_match(masked(SECRET[::-1]), SECRET)


def test_no_sign_of_a_mask_is_favoured():
    seen = Counter("".join(masked(SECRET)[:32] for _ in range(4000)))
    assert set(seen) == set(CSRF_ALLOWED_CHARS)
    expected = 4000 * 32 / len(CSRF_ALLOWED_CHARS)
    chi_square = sum((count - expected) ** 2 / expected for count in seen.values())
    assert chi_square < 130  # 61 degrees of freedom: passed by all but one in a million fair draws
