"""Pictures of tables: all that is seen is in them, and nothing else."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

import rummy500_env as r5
from rummy500_env.events import Event
from rummy500_env.pictures import size_of
from rummy500_env.presets import presets
from rummy500_env.view import PlayerView
from tests.support.games import middle_game, playing
from tests.support.worlds import other_world

SVG = "{http://www.w3.org/2000/svg}"


def groups(svg: str, kind: str) -> list[ET.Element]:
    return [one for one in ET.fromstring(svg).iter(f"{SVG}g") if one.get("class") == kind]


def faces(svg: str) -> Counter[str]:
    """The cards that lie face up."""
    return Counter(one.get("data-card") for one in groups(svg, "card"))  # type: ignore[arg-type]


def on_table(view: PlayerView) -> list[str]:
    """The cards that everybody sees."""
    dealers = ["**"] * (view.dealers_joker is not None)
    return [*view.discard_pile, *(card for meld in view.melds for card in meld.cards), *dealers]


def words(svg: str) -> str:
    return "\n".join(one.text or "" for one in ET.fromstring(svg).iter(f"{SVG}text"))


@pytest.mark.parametrize("name", presets())
def test_what_a_seat_sees_is_in_the_picture_and_nothing_else(name):
    rules = r5.Rules.preset(name)
    num_players = rules.player_counts()[-1]
    game = middle_game(num_players, 1, rules=rules, min_moves=12)
    for seat in {game.current_seat, 0}:
        view = game.view(seat)
        svg = view.svg()
        known = [
            card for other in range(num_players) if other != seat for card in view.known(other)
        ]
        assert faces(svg) == Counter([*on_table(view), *view.hand, *known])
        hidden = sum(view.hand_sizes) - len(view.hand) - len(known)
        assert len(groups(svg, "back")) == hidden + (view.stock_size > 0)
    hands = " ".join(game.position()["hands"]).split()
    assert faces(game.svg()) == Counter([*on_table(game.view(0)), *hands])
    assert len(groups(game.svg(), "back")) == (game.view(0).stock_size > 0)


@pytest.mark.parametrize(
    ("name", "num_players"),
    [("rummy500", 2), ("rummy500_pagat", 6), ("dealers_joker", 3), ("boathouse_rule_reshuffle", 3)],
)
def test_hidden_cards_leave_the_picture_as_it_is(name, num_players):
    chooser = random.Random(name)
    rules, changed = r5.Rules.preset(name), 0
    for seed in range(4):
        game = middle_game(num_players, seed, rules=rules, min_moves=10 * seed)
        seat = chooser.randrange(num_players)
        pair = other_world(game, seat, chooser)
        if pair is not None:
            one, other = pair
            assert one.view(seat).svg() == other.view(seat).svg()
            changed += one.svg() != other.svg()
    assert changed


def test_before_anybody_has_looked_all_hands_lie_face_down():
    game = r5.Game("dealers_joker", 3, seed=5)
    view = game.view(0)
    assert view.phase == "nominate"
    assert faces(view.svg()) == Counter(on_table(view))
    assert len(groups(view.svg(), "back")) == sum(view.hand_sizes) + 1


@pytest.mark.nojit
def test_what_others_laid_off_or_threw_bears_the_number_of_their_seat():
    melds = [{"cards": "5h 6h 7h 8h", "laid_by": [1, 1, 1, 0]}]
    game = r5.Game.from_position(
        {
            "hands": ["2c 3d", "Ks Kd"],
            "discard_pile": "9c 2d",
            "discarded_by": [None, 1],
            "melds": melds,
        }
    )
    tagged = {
        one.get("data-card"): "".join(one.itertext())[-1]
        for one in groups(game.svg(), "card")
        if len(one.findall(f"{SVG}rect")) > 1
    }
    assert tagged == {"8h": "0", "2d": "1"}
    owner = next(s for s in groups(game.svg(), "seat") if s.get("data-seat") == "1")
    assert len(owner.findall(f"{SVG}g[@class='meld']")) == 1


@pytest.mark.nojit
def test_who_is_to_do_what_is_said():
    game = r5.Game.from_position(
        {
            "hands": ["7c 8c Kh 2s", "3c 4d Jh 5s"],
            "discard_pile": "9c 2d",
            "discarded_by": [None, 1],
            "scores": [120, -5],
            "dealer": 1,
        }
    )
    names = ["you", "learned"]
    said = words(game.view(0).svg(names))
    for part in ("you to move: draw or dig", "learned discarded 2♦", "120", "-5", "stock 42"):
        assert part in said
    assert "4 cards · dealer" in said
    game.play("dig 9c")
    assert "you to move: use 9♣" in words(game.svg(names))
    assert "you: dig 9♣" in words(game.svg(names))
    assert "you dug 9♣ 2♦" in words(game.view(1).svg(names))
    told = words(game.view(1).svg(names, Event(0, "dig 9c", ())))
    assert "you: dig 9♣" in told
    marked = [one.get("data-card") for one in groups(game.svg(), "card") if "#e08a00" in _raw(one)]
    assert marked == ["9c"]
    game.play("meld 7c-9c")
    marked = [one.get("data-card") for one in groups(game.svg(), "card") if "#e08a00" in _raw(one)]
    assert marked == ["7c", "8c", "9c"]


def _raw(one: ET.Element) -> str:
    return ET.tostring(one, encoding="unicode")


def test_the_end_says_who_has_won():
    game = r5.Game(num_players=3, seed=3, episode="round")
    for _ in playing(game, random.Random(3)):
        pass
    said = words(game.svg(["a", "b", "c"]))
    assert f"game over, won by {'abc'[game.winners[0]]}" in said
    assert said.count("winner") == len(game.winners)


@pytest.mark.nojit
def test_names_are_escaped_and_cut_to_their_room():
    game = r5.Game.from_position({"hands": ["2c", "3d"], "discard_pile": "9c"})
    names = ['<b>&"\x00', "x" * 300]
    said = words(game.svg(names))
    assert '<b>&"\ufffd' in said
    assert "x" * 20 in said
    assert "x" * 150 not in said
    assert "…" in said


@pytest.mark.nojit
def test_as_many_names_as_seats_are_needed():
    game = r5.Game.from_position({"hands": ["2c", "3d"], "discard_pile": "9c"})
    with pytest.raises(ValueError, match="3 names for 2 seats"):
        game.svg(["a", "b", "c"])


def boxes(svg: str) -> list[tuple[str, float, float, float, float]]:
    """Kind, left, top, right, bottom of each card."""
    found = []
    for kind in ("card", "back", "place"):
        for one in groups(svg, kind):
            x, y, scale = map(float, re.findall(r"-?\d+\.?\d*", one.get("transform", "")))
            found.append((kind, x, y, x + 70 * scale, y + 100 * scale))
    return found


DECK = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
CROWDED = {
    "a pile of all cards": {
        "hands": ["Ac", "Ac", "2c", "2c"],
        "discard_pile": " ".join([*DECK[2:], *DECK[2:]]),
    },
    "hands of fifty": {
        "hands": [" ".join(DECK[:50]), " ".join(DECK[:49]), "Ks", "Ks"],
        "discard_pile": "Qs",
    },
    "all on the table": {
        "hands": ["Ks", "Ks", "Qs", "Qs"],
        "discard_pile": "Js",
        "melds": [
            {"cards": " ".join(r + s for s in "cdh"), "laid_by": [k, k, 3]}
            for r in "23456789TJQK"
            for k in (1, 2)
        ],
    },
}


@pytest.mark.parametrize("name", CROWDED)
def test_however_many_cards_there_are_they_have_room(name):
    rules = {"num_decks": 2, "players": [2, 8]}
    game = r5.Game.from_position({"rules": rules, "num_players": 4, **CROWDED[name]})
    svg = game.svg()
    width, height = size_of(4)
    assert len(boxes(svg)) > 60
    for _, left, top, right, bottom in boxes(svg):
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
    for seat in groups(svg, "seat"):
        frame = seat.find(f"{SVG}rect")
        assert frame is not None
        x, y, w, h = (float(frame.get(key, "")) for key in ("x", "y", "width", "height"))
        for _, left, top, right, bottom in boxes(_raw(seat)):
            assert x <= left < right <= x + w
            assert y <= top < bottom <= y + h


@pytest.mark.parametrize("num_players", range(2, 9))
def test_all_pictures_of_a_table_are_of_one_size(num_players):
    game = r5.Game(num_players=num_players, seed=num_players)
    sizes = set()
    for _ in playing(game, random.Random(1), 30):
        root = ET.fromstring(game.svg())
        sizes.add((root.get("width"), root.get("height")))
    assert sizes == {tuple(map(str, size_of(num_players)))}


def test_notebooks_show_the_picture():
    game = r5.Game(seed=1)
    assert game._repr_svg_() == game.svg()
    assert game.view(1)._repr_svg_() == game.view(1).svg()


def test_the_example_of_the_page_is_what_is_drawn():
    """Made anew by `python -m docs.draw_pictures`."""
    from docs import draw_pictures

    assert draw_pictures.PICTURE.read_text(encoding="utf-8") == draw_pictures.picture()


def test_the_page_says_how_large_pictures_are():
    page = (Path(__file__).parents[1] / "docs" / "pictures.md").read_text(encoding="utf-8")
    sizes = [size_of(n) for n in range(2, 9)]
    assert sizes == [(1000, 562), *[(1000, 644)] * 3, *[(1000, 886)] * 3]
    assert "1000 by 562 for two, 644 for three to\nfive, 886 for more" in page
