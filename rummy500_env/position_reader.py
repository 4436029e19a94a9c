"""Reading a position, part by part, with a word on each fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rummy500_env.cards import JOKER, text
from rummy500_env.engine.chance import chance_word, fold, permute
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE
from rummy500_env.engine.tables import refresh_table
from rummy500_env.errors import PositionError
from rummy500_env.position_melds import LaidMeld, read_meld
from rummy500_env.position_values import (
    is_within,
    read_cards,
    read_list,
    read_mapping,
    read_whole,
    words_of,
)
from rummy500_env.rules import Rules
from rummy500_env.view_reading import deck_counts
from rummy500_env.view_record import (
    EFFECTS,
    FLAGS,
    JOKER_STATES,
    MAX_MELDS,
    MELD_KINDS,
    PHASES,
)

__all__ = ["BOODLE", "COUNTERS", "MARKS", "PositionReader"]

BOODLE = ("Ah", "Kc", "Qd", "Js")
WINDOW_KEYS = ("opener", "waiting", "bonus")
COUNTERS = {
    "turns": "turns",
    "no_progress": "no_progress",
    "reshuffles": "reshuffles",
    "passes_in_a_row": "passes",
}
MARKS = ("opened", "laid_before")
FLAG_PHASES = {
    "claim": ("call",),
    "called": ("obliged",),
    "booting": ("play",),
    "own": ("obliged", "play"),
    "double": ("obliged", "play"),
}
CLAIM = 1 << FLAGS.index("claim")


class PositionReader:
    """Fills a record from a position, one part after the other."""

    def __init__(
        self, position: Mapping[str, Any], rules: Rules, num_players: int, hands: list[list[int]]
    ) -> None:
        self.position, self.rules, self.n, self.hands = position, rules, num_players, hands
        self.rules_record = rules_record(rules, num_players)
        self.record = allocate(1, STATE)
        self.left = deck_counts(rules, num_players).astype(np.int64)
        self.record["num_players"] = num_players
        self._turn_order()
        self._purses()
        self._hands()
        self._pile()
        self._melds()
        self._dealers_joker()
        self._stock()
        self._sets()
        self._refill()
        self._turn()
        self._window()
        self._check()
        if not self._has_moves():
            face = int(self.record["must_use"][0]) - 1
            if face >= 0:
                raise PositionError(f"must_use: {text(face)} cannot be placed: no move is legal")
            raise PositionError("the seat to move has no legal move in this position")

    def _get(self, key: str, default: Any) -> Any:
        value = self.position.get(key)
        return default if value is None else value

    def _row(self, key: str, low: int, high: int) -> list[int]:
        values = read_list(self._get(key, [0] * self.n), key, self.n)
        return [read_whole(int(v) if isinstance(v, bool) else v, key, low, high) for v in values]

    def _refuse(self, keys: tuple[str, ...], without: bool, why: str) -> None:
        """Refuse what rules without it cannot have."""
        for key in keys:
            if without and self.position.get(key) is not None:
                raise PositionError(f"{key}: these rules {why}")

    def _use(self, faces: list[int], where: str) -> None:
        """Take cards out of the deck; none may be there once too often."""
        for face in faces:
            self.left[face] -= 1
            if self.left[face] < 0:
                total = deck_counts(self.rules, self.n)[face]
                raise PositionError(
                    f"{text(face)} in {where} is once too often: the deck holds {total} of it"
                )

    def _turn_order(self) -> None:
        record, n = self.record, self.n
        record["dealer"] = read_whole(self._get("dealer", n - 1), "dealer", 0, n - 1)
        record["round_index"] = (
            read_whole(self._get("round_number", 1), "round_number", 1, 10**6) - 1
        )
        record["seed"] = read_whole(self._get("seed", 0), "seed", 0, 2**64 - 1)
        word = int(chance_word(record["seed"][0], record["round_index"][0].astype(np.int64)))
        record["chance"] = read_whole(self._get("chance", word), "chance", 0, 2**64 - 1)
        record["scores"][0, :n] = self._row("scores", -(10**6), 10**6)
        record["turns_taken"][0, :n] = self._row("turns_taken", 0, 10**6)
        record["single_round"] = bool(self._get("single_round", False))
        counters = read_mapping(self._get("counters", {}), "counters", COUNTERS)
        for key, field in COUNTERS.items():
            highest = 255 if field in ("reshuffles", "passes") else 10**6
            record[field] = read_whole(counters.get(key, 0), key, 0, highest)

    def _purses(self) -> None:
        """Read chips and pots as they stand after the deal's payments, and clocks."""
        record, rules, n = self.record, self.rules, self.n
        self._refuse(("chips", "pots"), not rules.boodle_pots, "have no pots (boodle_pots=False)")
        self._refuse(("clocks",), rules.clock_budget is None, "have none (clock_budget=None)")
        record["chips"][0, :n] = self._row("chips", -(10**6), 10**6)
        pots = read_mapping(self._get("pots", {}), "pots", BOODLE)
        for number, card in enumerate(BOODLE):
            record["pots"][0, number] = read_whole(pots.get(card, 0), "pots", 0, 10**6)
        if rules.clock_budget is not None:
            given = self.position.get("clocks")
            full = [rules.clock_budget] * n
            record["clocks"][0, :n] = self._row("clocks", 1, 10**9) if given is not None else full

    def _hands(self) -> None:
        for seat, hand in enumerate(self.hands):
            self._use(hand, f"the hand of seat {seat}")
            self.record["hands"][0, seat] = words_of(hand)
            self.record["hand_size"][0, seat] = len(hand)

    def _pile(self) -> None:
        pile = read_cards(self._get("discard_pile", ""), "discard_pile")
        self._use(pile, "the discard pile")
        thrown = read_list(self._get("discarded_by", [None] * len(pile)), "discarded_by", len(pile))
        seats = [
            0 if s is None else read_whole(s, "discarded_by", 0, self.n - 1) + 1 for s in thrown
        ]
        self.record["pile"][0, : len(pile)] = pile
        self.record["pile_by"][0, : len(pile)] = seats
        self.record["pile_size"] = len(pile)
        self.record["pile_cards"][0] = words_of(pile)

    def _melds(self) -> None:
        melds = read_list(self._get("melds", []), "melds", None)
        if len(melds) > MAX_MELDS:
            raise PositionError(f"{len(melds)} melds; at most {MAX_MELDS} fit a table")
        laid: list[list[int]] = [[] for _ in range(self.n)]
        for number, given in enumerate(melds):
            meld = read_meld(given, number, self.rules, self.n)
            self._place(number, meld)
            self._use(meld.cards, f"meld {number}")
            for face, seat, value in zip(meld.cards, meld.by, meld.values, strict=True):
                laid[seat].append(face)
                self.record["table_points"][0, seat] += value
        self.record["num_melds"] = len(melds)
        for seat, faces in enumerate(laid):
            self.record["table_cards"][0, seat] = words_of(faces)
        for mark in MARKS:
            marks = self._row(mark, 0, 1) if mark in self.position else [bool(f) for f in laid]
            self.record[mark][0, : self.n] = marks
        self.record["opened_game"] = self.record["opened"]
        if "opened_game" in self.position:
            self.record["opened_game"][0, : self.n] = self._row("opened_game", 0, 1)

    def _place(self, number: int, meld: LaidMeld) -> None:
        """Put a meld on the table."""
        record, size = self.record, len(meld.faces)
        record["meld_kind"][0, number] = {v: k for k, v in MELD_KINDS.items()}[meld.kind]
        record["meld_line"][0, number] = meld.line
        record["meld_start"][0, number] = meld.start
        record["meld_size"][0, number] = size
        record["meld_owner"][0, number] = meld.owner
        record["meld_doubled"][0, number] = 2 * meld.doubled + meld.at_once
        record["meld_jokers"][0, number] = sum(1 << k for k in range(size) if meld.jokers[k])
        record["meld_faces"][0, number, :size] = meld.faces
        record["meld_by"][0, number, :size] = meld.by
        record["meld_values"][0, number, :size] = meld.values

    def _dealers_joker(self) -> None:
        """Read the dealer's joker, and take the jokers that lie in no meld out of the deck."""
        record, melds = self.record, self.record["meld_doubled"][0]
        self.jokers_apart = int((melds & 2).astype(bool).sum())
        without = not self.rules.dealers_joker
        self._refuse(("dealers_joker",), without, "have none (dealers_joker=False)")
        if without:
            return
        given = self._get("dealers_joker", {})
        joker = read_mapping(given, "dealers_joker", ("effect", "state"))
        nominating = self._get("phase", "draw") == "nominate"
        effects = [None] if nominating else list(self.rules.dealers_joker_effects)
        effect, state = joker.get("effect", effects[0]), joker.get("state", "free")
        if effect not in effects or state not in JOKER_STATES[1:] or state is None:
            raise PositionError(
                f"dealers_joker: effect {effect!r} and state {state!r}; allowed here are "
                f"{' or '.join(map(repr, effects))} and {', '.join(map(repr, JOKER_STATES[1:]))}"
            )
        record["joker_effect"] = EFFECTS.index(effect)
        record["joker_state"] = JOKER_STATES.index(state)
        self.jokers_apart += {"free": 1, "blocked": 2}.get(state, 0)
        self._use([JOKER] * self.jokers_apart, "melds and beside the dealer")

    def _stock(self) -> None:
        record = self.record
        given = self.position.get("stock")
        if given is None:
            stock = np.array(np.flatnonzero(self.left).repeat(self.left[self.left > 0]), np.uint8)
            word = np.uint64(fold(record["chance"][0], np.int64(0)))
            permute(word, stock, np.int64(len(stock)))
            self.left[:] = 0
            faces = stock.tolist()
        else:
            faces = read_cards(given, "stock")
            self._use(faces, "the stock")
        record["stock"][0, : len(faces)] = faces
        record["stock_size"] = len(faces)
        gone = np.flatnonzero(self.left).repeat(self.left[self.left > 0]).tolist()
        record["out_of_play"][0] = words_of(gone + [JOKER] * self.jokers_apart)

    def _sets(self) -> None:
        for key in ("known", "discards", "passed"):
            rows = read_list(self._get(key, [""] * self.n), key, self.n)
            for seat, row in enumerate(rows):
                faces = read_cards(row, key)
                words = words_of(faces)
                if key == "known" and not is_within(faces, self.hands[seat]):
                    raise PositionError(f"known: seat {seat} does not hold all of {row!r}")
                self.record[key][0, seat] = words[0] if key == "passed" else words

    def _refill(self) -> None:
        """Read what is known of a refilled stock."""
        record = self.record
        without = self.rules.stock_exhausted not in ("reshuffle", "turn_over")
        keys = ("stock_open", "stock_known", "drawn_of_it")
        self._refuse(keys, without, "never refill the stock (stock_exhausted)")
        if self._get("stock_open", False):
            size = int(record["stock_size"][0])
            record["stock_open"] = size > 0
            record["open_stock"][0, :size] = record["stock"][0, :size]
        known = read_cards(self._get("stock_known", ""), "stock_known")
        if not known:
            return
        rows = read_list(self._get("drawn_of_it", [""] * self.n), "drawn_of_it", self.n)
        drawn = [read_cards(row, "drawn_of_it") for row in rows]
        stock = record["stock"][0, : int(record["stock_size"][0])].tolist()
        if sorted(known) != sorted(stock + [face for row in drawn for face in row]):
            raise PositionError("stock_known: it is the stock and what was drawn of it, no more")
        record["refilled"][0] = words_of(known)
        for seat, row in enumerate(drawn):
            if not is_within(row, self.hands[seat]):
                raise PositionError(f"drawn_of_it: seat {seat} does not hold all of its cards")
            record["refilled_drawn"][0, seat] = words_of(row)
            record["unseen_refilled"][0, seat] = len(row)

    def _turn(self) -> None:
        record = self.record
        phase, dealer = self._get("phase", "draw"), int(record["dealer"][0])
        first = dealer if phase == "nominate" else 0
        seat = read_whole(self._get("seat", first), "seat", 0, self.n - 1)
        phases = self._phases()
        if phase not in phases:
            allowed = ", ".join(phases)
            raise PositionError(f"phase {phase!r} is not one that these rules have: {allowed}")
        if phase == "nominate" and seat != dealer:
            raise PositionError(f"in phase 'nominate' the dealer moves, seat {dealer}")
        record["seat"] = seat
        record["phase"] = PHASES.index(phase)
        drawn = read_mapping(self._get("drawn", {}), "drawn", ("stock", "dug"))
        record["drawn"][0] = words_of(read_cards(drawn.get("stock", ""), "drawn"))
        turn_keys = ("banned", "laid", "free_take", "top_taken", "long_run", "points", "flags")
        turn = read_mapping(self._get("turn", {}), "turn", turn_keys)
        record["banned"][0] = words_of(read_cards(turn.get("banned", ""), "banned"))
        record["laid"][0] = words_of(read_cards(turn.get("laid", ""), "laid"))
        record["free_take"] = bool(turn.get("free_take", False))
        record["long_run"] = bool(turn.get("long_run", False))
        self._bound(phase, seat, turn)
        must_use = self.position.get("must_use")
        dug = read_cards(drawn.get("dug", must_use or ""), "drawn")
        record["dug"][0] = words_of(dug)
        if turn.get("top_taken", False) and len(dug) == 1:
            record["top_taken"] = dug[0] + 1
        if (phase == "obliged") != (must_use is not None):
            raise PositionError("'must_use' goes with phase 'obliged', and that phase with it")
        if must_use is not None:
            face = read_cards(must_use, "must_use")
            if len(face) != 1 or face[0] not in self.hands[seat]:
                raise PositionError(f"must_use {must_use!r} is no card of seat {seat}'s hand")
            record["must_use"] = face[0] + 1
        if phase not in ("obliged", "play"):
            early = ("drawn", "dug", "banned", "free_take")
            early += ("laid", "long_run") if phase not in ("window", "final_layoff") else ()
            for name in early:
                if record[name].any():
                    raise PositionError(f"{name}: a seat has none of it yet in phase {phase!r}")

    def _bound(self, phase: str, seat: int, turn: Mapping[str, Any]) -> None:
        """Read what binds a seat in its turn: an opening begun, a call, booting, prefixes."""
        record, rules = self.record, self.rules
        points = read_whole(turn.get("points", 0), "points", 0, 10**6)
        least = int(self.rules_record["opening"][0])
        opened = bool(record["opened"][0, seat])
        if points and (phase not in ("play", "window") or not (opened or points < least)):
            raise PositionError(
                f"points: {points} begin no opening: it takes {least}, and is begun with less, "
                "in phase 'play' or 'window'"
            )
        flags = read_list(turn.get("flags", []), "flags", None)
        possible = {
            "claim": rules.call_rum != "none",
            "called": rules.call_rum == "pile_and_turn",
            "booting": rules.skip_first_draw,
            "own": rules.dealers_joker,
            "double": rules.dealers_joker,
        }
        for flag in flags:
            if flag not in FLAGS:
                raise PositionError(f"flags: {flag!r} is none of {', '.join(FLAGS)}")
            if not possible[flag] or phase not in FLAG_PHASES[flag]:
                raise PositionError(f"flags: {flag!r} has no meaning in phase {phase!r} here")
        record["opening_points"] = points
        record["turn_flags"] = sum({1 << FLAGS.index(flag) for flag in flags})

    def _phases(self) -> list[str]:
        """The phases that a position of these rules can be in."""
        rules = self.rules
        phases = ["draw", "obliged", "play"]
        phases += ["nominate"] * rules.dealers_joker
        phases += ["opening"] * (rules.start_discard == "player_choice")
        phases += ["call"] * (rules.call_rum != "none")
        phases += ["window"] * (rules.out_of_turn_play != "none")
        return phases + ["final_layoff"] * (rules.final_layoff != "none")

    def _window(self) -> None:
        """Read the window that the seat to move is asked in."""
        record, n, step = self.record, self.n, self.rules.direction
        phase, seat = PHASES[int(record["phase"][0])], int(record["seat"][0])
        given = self.position.get("window")
        if phase not in ("call", "window", "final_layoff"):
            if given is not None:
                raise PositionError(f"window: there is none in phase {phase!r}")
            return
        window = read_mapping({} if given is None else given, "window", WINDOW_KEYS)
        size = int(record["pile_size"][0])
        thrower = int(record["pile_by"][0, size - 1]) if size else 0
        last = thrower - 1 if thrower and phase != "final_layoff" else (seat - step) % n
        opener = read_whole(window.get("opener", last), "opener", 0, n - 1)
        if opener == seat:
            raise PositionError(f"window: seat {seat} opened it and is not asked itself")
        later = [(seat + step * k) % n for k in range(1, (step * (opener - seat)) % n)]
        waiting = read_list(window.get("waiting", later), "waiting", None)
        if any(other not in later for other in waiting):
            raise PositionError(f"window: waiting {waiting}; allowed after seat {seat}: {later}")
        record["window_by"] = opener + 1
        record["window_pending"] = sum(1 << other for other in set(waiting))
        record["out_bonus"] = read_whole(window.get("bonus", 0), "bonus", 0, 10**6)
        if phase != "final_layoff" and record["out_bonus"][0]:
            raise PositionError(f"bonus: nobody has gone out in phase {phase!r}")

    def _check(self) -> None:
        """Refuse moments that play does not lead to, and that would not go on as it does."""
        record = self.record
        seat, phase = int(record["seat"][0]), PHASES[int(record["phase"][0])]
        if phase == "play" and not self.hands[seat]:
            raise PositionError(f"seat {seat} is to play but holds no card")
        if phase in ("window", "final_layoff") and not self.hands[seat]:
            raise PositionError(f"seat {seat} holds no card and is not asked")
        if phase != "call":
            return
        opened = record["opened"][0, seat] or not self.rules_record["opening"][0]
        flags = record["turn_flags"].copy()
        record["turn_flags"] = CLAIM
        possible = opened and record["pile_size"][0] and self._has_moves()
        record["turn_flags"] = flags
        if not possible:
            raise PositionError(f"phase 'call': seat {seat} can call no discard")

    def _has_moves(self) -> bool:
        """Work out what follows from the rest, and whether the seat to move has a legal move."""
        refresh_table(self.record, 0, self.rules_record)
        return bool(self.record["legal"].any())
