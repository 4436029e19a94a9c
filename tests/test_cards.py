"""Faces and their texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy500_env import cards
from rummy500_env.cards import face, format_cards, parse_cards, text
from rummy500_env.errors import CardError, Rummy500Error


@pytest.mark.parametrize(
    ("word", "number"),
    [("Ac", 0), ("Kc", 12), ("Ad", 13), ("Td", 22), ("8h", 33), ("As", 39), ("Ks", 51), ("**", 52)],
)
def test_faces_by_hand(word, number):
    assert face(word) == number
    assert text(number) == word


def test_every_face_has_its_own_text():
    texts = [text(number) for number in range(cards.JOKER + 1)]
    assert len(set(texts)) == cards.NUM_FACES + 1
    assert [face(word) for word in texts] == list(range(cards.JOKER + 1))


def test_rank_and_suit():
    assert cards.RANKS[cards.rank_of(face("Td"))] == "T"
    assert cards.SUITS[cards.suit_of(face("Td"))] == "d"
    for broken in (cards.JOKER, -1, 53):
        with pytest.raises(CardError):
            cards.rank_of(broken)
        with pytest.raises(CardError):
            cards.suit_of(broken)


@given(st.lists(st.integers(0, cards.JOKER), max_size=30))
def test_lists_round_trip(faces):
    assert parse_cards(format_cards(faces)) == faces
    assert parse_cards(format_cards(faces, sort=True)) == sorted(faces)


def test_empty_list_is_empty_text():
    assert format_cards([]) == ""
    assert parse_cards("") == parse_cards("   ") == []


def test_numpy_numbers_are_faces():
    assert text(np.uint8(51)) == "Ks"  # pyright: ignore[reportArgumentType]
    assert format_cards(np.array([0, 52])) == "Ac **"


@pytest.mark.parametrize(
    ("word", "hint"), [("10h", "'Th'"), ("qs", "'Qs'"), ("QS", "'Qs'"), (" 7c", "'7c'")]
)
def test_near_misses_are_named(word, hint):
    with pytest.raises(CardError, match=f"did you mean {hint}"):
        face(word)


@pytest.mark.parametrize("word", ["", "7", "7x", "Zc", "7c 8c", "*", 7, None, ["7c"]])
def test_other_texts_are_refused(word):
    with pytest.raises(CardError, match="is no card"):
        face(word)


@pytest.mark.parametrize("number", [-1, 53, True, 1.0, "Ac", None])
def test_numbers_that_are_no_faces_are_refused(number):
    with pytest.raises(CardError, match="is no face"):
        text(number)


def test_a_list_is_one_text():
    with pytest.raises(CardError, match="not list"):
        parse_cards(["7c", "8c"])  # type: ignore[arg-type]
    with pytest.raises(CardError, match="'9x' is no card"):
        parse_cards("7c 9x")


def test_card_errors_are_value_errors():
    assert issubclass(CardError, Rummy500Error)
    assert issubclass(CardError, ValueError)
