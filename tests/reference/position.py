"""Positions and views as plain dictionaries of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tests.reference.cards import JOKER, RANKS, holds, in_order, sorted_text, split, text_of
from tests.reference.digs import banned_of_drawn, banned_of_dug
from tests.reference.melds import Laid, Meld, Place, table_value
from tests.reference.options import Options
from tests.reference.state import State, Turn, Window, on_table, whole_pack


def empty_state(num_players: int) -> State:
    """A table before anything is dealt."""
    count = num_players
    return State(
        num_players=count,
        hands=[[] for _ in range(count)],
        pile=[],
        thrown_by=[],
        stock=[],
        melds=[],
        seat=0,
        phase="draw",
        scores=[0] * count,
        dealer=0,
        round_number=1,
        known=[Counter() for _ in range(count)],
        discards=[[] for _ in range(count)],
        passed=[set() for _ in range(count)],
        opened=[False] * count,
        laid_before=[False] * count,
        turns_taken=[0] * count,
        chips=[0] * count,
    )


# Writing.


def write(state: State, options: Options) -> dict[str, Any]:
    """The whole position, hidden cards included."""
    return {
        **public_part(state, options),
        "hands": [text_of(hand) for hand in state.hands],
        "stock": text_of(state.stock),
        "drawn": {"stock": text_of(state.turn.drawn), "dug": text_of(state.turn.dug)},
        "turn": write_turn(state.turn),
    }


def public_part(state: State, options: Options) -> dict[str, Any]:
    """What everybody knows, less the cards of the turn."""
    public: dict[str, Any] = {
        "num_players": state.num_players,
        "discard_pile": text_of(state.pile),
        "discarded_by": list(state.thrown_by),
        "melds": [write_meld(meld, options) for meld in state.melds],
        "seat": -1 if state.phase == "over" else state.seat,
        "phase": state.phase,
        "must_use": state.turn.must_use,
        "scores": list(state.scores),
        "dealer": state.dealer,
        "round_number": state.round_number,
        "table_points": state.points(),
        "known": [sorted_text(known) for known in state.known],
        "discards": [text_of(thrown) for thrown in state.discards],
        "passed": [text_of(in_order(faces)) for faces in state.passed],
        "opened": list(state.opened),
        "laid_before": list(state.laid_before),
        "turns_taken": list(state.turns_taken),
        "counters": {
            "turns": state.turns,
            "no_progress": state.no_progress,
            "reshuffles": state.reshuffles,
            "passes_in_a_row": state.passes_in_a_row,
        },
    }
    if state.window is not None:
        public["window"] = {
            "kind": state.window.kind,
            "opener": state.window.opener,
            "waiting": list(state.window.waiting),
            "stage": state.window.stage,
        }
    if state.clocks is not None:
        public["clocks"] = list(state.clocks)
    if options.boodle_pots:
        public["chips"], public["pots"] = list(state.chips), dict(state.pots)
    if options.dealers_joker:
        public["dealers_joker"] = {"effect": state.effect, "state": state.own_joker}
    return public


def write_meld(meld: Meld, options: Options) -> dict[str, Any]:
    """A meld on the table; its owner and doubling only where they matter."""
    written: dict[str, Any] = {
        "cards": text_of(card.place.text for card in meld.laid),
        "laid_by": [card.seat for card in meld.laid],
        "values": [card.value for card in meld.laid],
    }
    if options.layoff_scope in ("own", "team") or options.layoff_requires_own_meld:
        written["owner"] = meld.owner
    if options.dealers_joker:
        written["doubled"] = meld.doubled
    return written


def write_turn(turn: Turn) -> dict[str, Any]:
    """What the other keys do not say about the turn in progress."""
    return {
        "banned": sorted_text(turn.banned),
        "support": None if turn.support is None else sorted_text(turn.support),
        "by_call": turn.by_call,
        "free_take": turn.free_take,
        "laid": turn.laid,
        "points": turn.points,
        "melds_laid": turn.melds_laid,
        "long_run": turn.long_run,
        "booting": turn.booting,
        "prefix": list(turn.prefix),
    }


def view(state: State, seat: int, options: Options) -> dict[str, Any]:
    """What a seat may know (rules 9.3, 9.14, edge 65).

    `unseen` are all cards that it cannot locate: not in its hand, the pile, on the table, out of
    play, nor publicly known to be in another hand.
    """
    hand = [] if state.phase == "nominate" else state.hands[seat]
    located = Counter(hand) + Counter(state.pile) + on_table(state) + state.out_of_play
    for other, known in enumerate(state.known):
        if other != seat:
            located += known
    drawn = state.turn.drawn if seat == state.seat else []
    return {
        **public_part(state, options),
        "hand": text_of(hand),
        "hand_sizes": [len(cards) for cards in state.hands],
        "stock_size": len(state.stock),
        "unseen": sorted_text(whole_pack(options) - located),
        "drawn": {"stock": text_of(drawn), "dug": text_of(state.turn.dug)},
    }


# Reading.


def read(
    given: Mapping[str, Any], options: Options, shuffle: Callable[[int, int, int], list[int]]
) -> State:
    """The state that a position describes; everything but the hands may be missing."""
    hands = [split(text) for text in given["hands"]]
    count = len(hands)
    state = empty_state(count)
    state.hands = [in_order(hand) for hand in hands]
    state.pile = split(given.get("discard_pile", ""))
    state.thrown_by = list(given.get("discarded_by", [None] * len(state.pile)))
    state.melds = [read_meld(entry, options) for entry in given.get("melds", [])]
    state.seat = given.get("seat", 0)
    state.phase = given.get("phase", "draw")
    state.scores = list(given.get("scores", [0] * count))
    state.dealer = given.get("dealer", (state.seat - options.direction) % count)
    state.round_number = given.get("round_number", 1)
    read_lists(state, given)
    read_counters(state, given.get("counters", {}))
    read_extras(state, given, options)
    read_stock(state, given, options, shuffle)
    state.turn = read_turn(state, given, options)
    return state


def read_lists(state: State, given: Mapping[str, Any]) -> None:
    """What is remembered by seat."""
    count = state.num_players
    none = [""] * count
    layers = {card.seat for meld in state.melds for card in meld.laid}
    has_laid = [seat in layers for seat in range(count)]
    state.known = [Counter(split(text)) for text in given.get("known", none)]
    state.discards = [in_order(split(text)) for text in given.get("discards", none)]
    state.passed = [set(split(text)) for text in given.get("passed", none)]
    state.opened = list(given.get("opened", has_laid))
    state.laid_before = list(given.get("laid_before", has_laid))
    state.turns_taken = list(given.get("turns_taken", [0] * count))


def read_counters(state: State, counters: Mapping[str, int]) -> None:
    """The counters of the round."""
    state.turns = counters.get("turns", 0)
    state.no_progress = counters.get("no_progress", 0)
    state.reshuffles = counters.get("reshuffles", 0)
    state.passes_in_a_row = counters.get("passes_in_a_row", 0)


def read_extras(state: State, given: Mapping[str, Any], options: Options) -> None:
    """What only some variants need."""
    count = state.num_players
    if "window" in given and given["window"] is not None:
        window = given["window"]
        state.window = Window(
            window["kind"], window["opener"], list(window["waiting"]), window.get("stage", "ask")
        )
    if options.clock_budget is not None:
        state.clocks = list(given.get("clocks", [options.clock_budget] * count))
    if options.boodle_pots:
        state.chips = list(given.get("chips", [0] * count))
        state.pots = dict(given.get("pots", {"Ah": 0, "Kc": 0, "Qd": 0, "Js": 0}))
    if options.dealers_joker:
        joker = given.get("dealers_joker", {"effect": "wild", "state": "free"})
        state.effect, state.own_joker = joker["effect"], joker["state"]


def read_stock(
    state: State,
    given: Mapping[str, Any],
    options: Options,
    shuffle: Callable[[int, int, int], list[int]],
) -> None:
    """The stock: as given, the cards named nowhere being out of play; else all those cards."""
    named = Counter(state.pile) + on_table(state)
    for hand in state.hands:
        named += Counter(hand)
    if given.get("stock") is not None:
        state.stock = split(given["stock"])
        named += Counter(state.stock)
    everything = whole_pack(options)
    if not holds(everything, named):
        raise ValueError(f"cards too many: {sorted_text(named - everything)}")
    left = in_order((everything - named).elements())
    if given.get("stock") is not None:
        state.out_of_play = Counter(left)
    else:
        order = shuffle(state.round_number - 1, -1, len(left))
        state.stock = [left[index] for index in order][::-1]


def read_turn(state: State, given: Mapping[str, Any], options: Options) -> Turn:
    """The turn in progress; what is not given follows as well as it can from the rest."""
    drawn = given.get("drawn", {})
    must_use = given.get("must_use")
    turn = Turn(must_use=must_use, drawn=split(drawn.get("stock", "")))
    turn.dug = split(drawn.get("dug", must_use or ""))
    hand = Counter(state.hands[state.seat])
    top_alone = len(turn.dug) == 1
    banned = banned_of_dug(turn.dug, top_alone, options) + banned_of_drawn(turn.drawn, options)
    turn.banned = banned & hand
    if must_use is not None and options.dig_support == "hand_only":
        turn.support = hand - Counter(turn.dug)
    turn.free_take = options.top_discard_free and top_alone and must_use is None
    turn.laid = bool(turn.dug) and must_use is None and not turn.free_take
    more = given.get("turn")
    if more is not None:
        turn.banned = Counter(split(more["banned"]))
        turn.support = None if more["support"] is None else Counter(split(more["support"]))
        turn.by_call, turn.free_take = more["by_call"], more["free_take"]
        turn.laid, turn.points, turn.melds_laid = more["laid"], more["points"], more["melds_laid"]
        turn.long_run, turn.booting = more["long_run"], more["booting"]
        turn.prefix = tuple(more["prefix"])
    return turn


def read_place(text: str) -> Place:
    """A place of a meld: "7h", "**=7h" or "**"."""
    if text == JOKER:
        return Place(JOKER, joker=True)
    joker = text.startswith(f"{JOKER}=")
    face = text.removeprefix(f"{JOKER}=")
    split(face)
    return Place(face, joker)


def read_meld(given: Mapping[str, Any], options: Options) -> Meld:
    """A meld: jokers only, one rank (a set), or a run from low to high."""
    places = tuple(read_place(text) for text in given["cards"].split())
    ranks = {place.face[0] for place in places}
    start = 0
    if len(ranks) > 1:
        kind, start = "run", RANKS.index(places[0].face[0]) + 1
    else:
        kind = "jokers" if places[0].face == JOKER else "set"
    doubled = bool(given.get("doubled", False))
    seats = given.get("laid_by", [0] * len(places))
    values = given.get("values")
    if values is None:  # as if laid at once, without any multiplier
        values = [
            table_value(place, kind, index > 0, options) for index, place in enumerate(places)
        ]
    laid = tuple(
        Laid(place, seat, value) for place, seat, value in zip(places, seats, values, strict=True)
    )
    return Meld(kind, laid, given.get("owner", founder(list(seats))), start, doubled)


def founder(seats: list[int]) -> int:
    """Who founded a meld whose owner is not told: the first with three cards side by side."""
    for index in range(len(seats) - 2):
        if seats[index] == seats[index + 1] == seats[index + 2]:
            return seats[index]
    return seats[0]
