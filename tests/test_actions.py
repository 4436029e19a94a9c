"""The action layout: sizes, texts, codes, ids."""

from __future__ import annotations

import pickle
import re
from collections import Counter

import numpy as np
import pytest

from rummy500_env import ActionSpace, Game, Move, Rules, RulesError, UnknownNameError
from rummy500_env.actions import HIGH, LOW, MAX_ACTIONS, ON_SET, Kind, action_space
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.presets import presets
from rummy500_env.view_record import EFFECTS, FLAGS

FACES = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]

PINNED = {
    ("rummy500", 2): (635, "55a769bde65eea2a"),
    ("rummy500", 5): (1077, "2beb15ebaad39784"),
}
"""Sizes and ids that checkpoints carry."""

LAYOUTS = {
    "standard": (Rules(), 2),
    "two decks": (Rules(), 5),
    "corner": (Rules(ace_rank="round_the_corner"), 2),
    "two decks, corner": (Rules(ace_rank="round_the_corner"), 5),
    "distinct suits": (Rules(set_distinct_suits=True), 5),
    "wild": (Rules(num_jokers=2, joker_role="wild"), 2),
    "two decks, wild": (Rules(num_jokers=4, joker_role="wild"), 5),
    "set-only": (Rules(num_jokers=4, joker_role="set_only"), 2),
    "short": (Rules(num_ranks=5, num_suits=2, hand_size=3), 2),
    "short corner": (Rules(num_ranks=6, hand_size=3, ace_rank="round_the_corner"), 2),
    "calls": (Rules(call_rum="card_only"), 2),
    "dealer's joker": (Rules.preset("dealers_joker"), 2),
    "melds of two": (Rules(set_min_len=2, run_min_len=2), 2),
}

CORE_BLOCKS = {
    "draw": 1,
    "dig": 52,
    "set": 65,
    "run": 308,
    "layoff_set": 52,
    "layoff_low": 52,
    "layoff_high": 52,
    "discard": 52,
    "pass": 1,
}


@pytest.mark.parametrize(("preset", "num_players"), PINNED)
def test_standard_layouts_are_pinned(preset, num_players):
    space = ActionSpace(Rules.preset(preset), num_players)
    assert (space.n, space.id) == PINNED[preset, num_players]


@pytest.mark.parametrize(
    ("layout", "size"),
    [("standard", 635), ("two decks", 1077), ("corner", 899), ("two decks, corner", 1341)],
)
def test_sizes(layout, size):
    space = ActionSpace(*LAYOUTS[layout])
    assert space.n == len(space) == len(space.texts()) == len(space.codes) == size


def test_no_layout_of_a_preset_is_larger_than_that_of_two_decks_and_corner_runs():
    for name in presets():
        rules = Rules.preset(name)
        for num_players in rules.player_counts():
            assert ActionSpace(rules, num_players).n <= 1341


def test_blocks_of_the_standard_layout():
    blocks = ActionSpace(Rules(), 2).blocks
    assert {name: block.size for name, block in blocks.items()} == CORE_BLOCKS


@pytest.mark.parametrize("layout", LAYOUTS)
def test_blocks_follow_each_other(layout):
    space = ActionSpace(*LAYOUTS[layout])
    offset = 0
    for name, block in space.blocks.items():
        assert (block.name, block.offset) == (name, offset)
        assert block.size > 0
        offset += block.size
    assert offset == space.n


@pytest.mark.parametrize("layout", LAYOUTS)
def test_texts_are_unique_and_lead_back(layout):
    space = ActionSpace(*LAYOUTS[layout])
    texts = [space.to_text(action) for action in range(space.n)]
    assert len(set(texts)) == space.n
    assert tuple(texts) == space.texts()
    assert [space.from_text(text) for text in texts] == list(range(space.n))


def read_code(space: ActionSpace, rules: Rules, action: int) -> str:
    """Write the text of an action anew from its code."""
    kind, a, b, c = space.codes[action].tolist()
    ranks = "A23456789TJQK"
    match Kind(kind):
        case Kind.DRAW:
            return "draw"
        case Kind.PASS:
            return "pass"
        case Kind.DIG:
            return f"dig {[*FACES, '**'][a]}{f'#{b + 1}' if b else ''}"
        case Kind.DISCARD:
            return f"discard {[*FACES, '**'][a]}"
        case Kind.SET:
            cards = [
                ranks[a] + suit for k, suit in enumerate("cdhs") for _ in range(b >> 2 * k & 3)
            ]
            assert len(cards) == c
            return f"meld {' '.join(cards)}"
        case Kind.RUN:
            low, high = (ranks[position % rules.num_ranks] for position in (b, b + c - 1))
            return f"meld {low}{'cdhs'[a]}-{high}{'cdhs'[a]}"
        case Kind.GROUP:
            return f"meld{' **' * c}"
        case Kind.LAYOFF:
            place = {ON_SET: "set", LOW: "low", HIGH: "high"}[b]
            joker = "**=" if c and a != 52 else ""
            return f"layoff {joker}{[*FACES, '**'][a]} {place}"
        case Kind.CALL:
            return "call"
        case Kind.NOMINATE:
            return f"nominate {EFFECTS[a]}"
        case Kind.BLOCK:
            return "block"
        case Kind.PREFIX:
            return FLAGS[a.bit_length() - 1]
    raise AssertionError(kind)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_codes_agree_with_texts(layout):
    rules, num_players = LAYOUTS[layout]
    space = ActionSpace(rules, num_players)
    for action in range(space.n):
        text = space.to_text(action)
        if "+" in text:  # a run that a short deck lacks
            assert rules.num_ranks < 13
            continue
        assert read_code(space, rules, action) == text


def test_runs_are_all_runs_of_three_to_thirteen_cards():
    space = ActionSpace(Rules(), 2)
    runs = [text for text in space.texts() if re.fullmatch(r"meld \w\w-\w\w", text)]
    assert len(runs) == 4 * sum(15 - length for length in range(3, 14)) == 308
    assert {"meld Ac-3c", "meld Qs-As", "meld Ad-Kd", "meld 2h-Ah"} <= set(runs)
    corner = ActionSpace(Rules(ace_rank="round_the_corner"), 2)
    runs = [text for text in corner.texts() if re.fullmatch(r"meld \w\w-\w\w", text)]
    assert len(runs) == 4 * 13 * 11 == 572
    assert {"meld Kc-2c", "meld 3s-2s", "meld Qs-3s"} <= set(runs)


def test_sets_are_all_suits_of_three_and_four_cards():
    def sets(layout: str) -> list[Counter[str]]:
        texts = ActionSpace(*LAYOUTS[layout]).texts()
        return [Counter(text.split()[1:]) for text in texts if text.count(" ") > 2]

    assert len([cards for cards in sets("standard") if "**" not in cards]) == 65
    two = sets("two decks")
    assert max(max(cards.values()) for cards in two) == 2
    assert {cards.total() for cards in two} == {3, 4}
    assert len({frozenset(cards.items()) for cards in two}) == len(two) == 13 * 35
    assert len(sets("distinct suits")) == 65


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("  discard   9d ", "discard 9d"),
        ("meld 7h 7c 7d", "meld 7c 7d 7h"),
        ("meld  7s  7h 7d 7c", "meld 7c 7d 7h 7s"),
        ("dig\t8h", "dig 8h"),
    ],
)
def test_blanks_and_the_order_of_a_set_are_free(text, meant):
    space = ActionSpace(Rules(), 2)
    assert space.from_text(text) == space.from_text(meant)


def test_unknown_texts_are_refused_with_a_hint():
    space = ActionSpace(Rules(), 2)
    with pytest.raises(UnknownNameError, match="discard 9d"):
        space.from_text("diskard 9d")
    for text in ("", "meld 7c 7d 8h", "meld Ks-2s", "dig 8h#2", "layoff **=8h high", "call"):
        with pytest.raises(UnknownNameError):
            space.from_text(text)
    for action in (-1, space.n, 10**6):
        with pytest.raises(IndexError):
            space.to_text(action)


def test_ids_say_whether_layouts_are_equal():
    spaces = [ActionSpace(*layout) for layout in LAYOUTS.values()]
    assert len({space.id for space in spaces}) == len(spaces)
    assert ActionSpace(Rules(), 2) == ActionSpace(Rules(target_score=300), 4)
    assert ActionSpace(Rules(), 2) != ActionSpace(Rules(), 5)
    assert ActionSpace(Rules(), 2) != "rummy500"
    assert len({ActionSpace(Rules(), 2), ActionSpace(Rules(), 3)}) == 1
    assert action_space(Rules(), 2) is action_space(Rules(), 2)


def test_codes_cannot_be_written():
    space = ActionSpace(Rules(), 2)
    with pytest.raises(ValueError, match="read-only"):
        space.codes[0, 0] = 1
    assert space.codes.dtype == np.int16


def test_moves_are_texts_that_know_their_action():
    move = Move("discard 9d", 600)
    assert move == "discard 9d"
    assert move.index == 600
    assert hash(move) == hash("discard 9d")
    again = pickle.loads(pickle.dumps(move))
    assert (again, again.index) == (move, 600)


def test_the_engine_plays_by_the_layout():
    """The record that kernels read holds the same codes and offsets."""
    for rules, num_players in LAYOUTS.values():
        space = ActionSpace(rules, num_players)
        record = rules_record(rules, num_players)
        assert int(record["num_actions"][0]) == space.n
        assert np.array_equal(record["codes"][0, : space.n], space.codes)
        for name, block in space.blocks.items():
            assert int(record[f"at_{name}"][0]) == block.offset


LARGE = [
    Rules(
        num_decks=2, num_jokers=4, joker_role="wild", ace_rank="round_the_corner",
        call_rum="card_only", hand_size=5,
    ),
    Rules(
        num_decks=1, num_jokers=4, joker_role="nominated", dealers_joker=True,
        ace_rank="round_the_corner", set_min_len=2, run_min_len=2, call_rum="card_only",
        hand_size=5,
    ),
]  # fmt: skip


@pytest.mark.parametrize("rules", LARGE, ids=["two decks", "melds of two"])
def test_the_largest_layouts_fit_the_arrays(rules):
    assert ActionSpace(rules, 2).n <= MAX_ACTIONS
    assert Game(rules, 2, seed=0).legal_moves()


def test_two_decks_in_melds_of_two_have_no_room_on_a_table():
    rules = Rules(num_decks=2, set_min_len=2, hand_size=5)
    with pytest.raises(RulesError, match=r"104 cards in melds of 2 .* could be 52 melds"):
        Game(rules, 2, seed=0)
