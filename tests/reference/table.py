"""The table: deals, plays moves, settles rounds, ends the game."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from tests.reference import position as positions
from tests.reference.cards import in_order, pack
from tests.reference.options import Options, resolve
from tests.reference.scoring import game_winners, next_dealer, round_scores
from tests.reference.state import BOODLE, Turn, next_seat
from tests.reference.turn import Moves, close_turn, turn_moves
from tests.reference.windows import (
    ask_next,
    close_seat,
    window_after_discard,
    window_after_out,
    window_moves,
)

Shuffle = Callable[[int, int, int], list[int]]


def unshuffled(_round_index: int, _refill: int, num_cards: int) -> list[int]:
    """Leave the cards in the order of faces."""
    return list(range(num_cards))


class Table:
    """A game of Rummy 500 under any options, move by move."""

    def __init__(
        self,
        options: Mapping[str, Any],
        num_players: int,
        shuffle: Shuffle,
        first_dealer: int,
        single_round: bool = False,
    ) -> None:
        self.options: Options = resolve(options, num_players)
        self.single_round = single_round
        self._shuffle: Shuffle = shuffle
        self._moves: Moves | None = None
        pots: dict[str, int] = dict.fromkeys(BOODLE, 0) if self.options.boodle_pots else {}
        budget = self.options.clock_budget
        self.state = positions.empty_state(num_players)
        self.state.pots = pots
        self.state.chips = [0] * num_players
        self.state.clocks = None if budget is None else [budget] * num_players
        self.state.dealer = first_dealer
        self._deal(1)

    @classmethod
    def from_position(cls, position: Mapping[str, Any], shuffle: Shuffle | None = None) -> Table:
        """The table that a position describes; a draw with an empty stock refills it first."""
        table = cls.__new__(cls)
        num_players = int(position.get("num_players", len(position["hands"])))
        table.options = resolve(position.get("rules", {}), num_players)
        table.single_round = bool(position.get("single_round", False))
        table._shuffle = shuffle or unshuffled
        table._moves = None
        table.state = positions.read(position, table.options, table._shuffle)
        if table.state.phase == "draw":
            table._refill()
        return table

    # What everybody asks.

    @property
    def current_seat(self) -> int:
        """The seat to move, -1 when the game is over."""
        return -1 if self.is_over else self.state.seat

    @property
    def phase(self) -> str:
        """The phase of the game."""
        return self.state.phase

    @property
    def scores(self) -> list[int]:
        """The totals by seat."""
        return list(self.state.scores)

    @property
    def round_number(self) -> int:
        """The number of the round, from 1."""
        return self.state.round_number

    @property
    def dealer(self) -> int:
        """The dealer of the round."""
        return self.state.dealer

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.phase == "over"

    @property
    def winners(self) -> list[int]:
        """The seats that have won, once the game is over."""
        return list(self.state.winners)

    @property
    def truncated_by(self) -> str | None:
        """The cap that cut the game off, if one did (rules 9.8)."""
        return self.state.truncated_by

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """The rounds that are finished: scores, who went out, how it ended."""
        return copy.deepcopy(self.state.rounds)

    @property
    def chips(self) -> list[int]:
        """The chips of each seat (rules 5.2)."""
        return list(self.state.chips)

    def position(self) -> dict[str, Any]:
        """Everything, hidden cards included."""
        return positions.write(self.state, self.options)

    def view(self, seat: int) -> dict[str, Any]:
        """What a seat may know."""
        return positions.view(self.state, seat, self.options)

    def copy(self) -> Table:
        """An independent table in the same position."""
        twin = Table.__new__(Table)
        twin.options, twin.single_round = self.options, self.single_round
        twin._shuffle, twin._moves = self._shuffle, None
        twin.state = copy.deepcopy(self.state)
        return twin

    # Moves.

    def _all_moves(self) -> Moves:
        if self._moves is None:
            state = self.state
            if state.phase == "over":
                self._moves = {}
            elif state.window is not None:
                self._moves = window_moves(state, self.options)
            else:
                self._moves = turn_moves(state, self.options)
        return self._moves

    def legal_moves(self) -> list[str]:
        """All moves of the seat to move, as sorted texts."""
        return sorted(self._all_moves())

    def play(self, text: str) -> None:
        """Play a move; an illegal one raises and changes nothing."""
        doing = self._all_moves().get(text)
        if doing is None:
            raise ValueError(f"illegal move: {text!r}")
        self._moves = None
        seat = self.state.seat
        outcome = doing()
        if self.state.clocks is not None:
            self.state.clocks[seat] -= 1
        self._go_on(seat, outcome)
        self._check_clock(seat)

    def _go_on(self, seat: int, outcome: str) -> None:
        """What follows a move: the same turn, a window, the next turn, the end of the round."""
        state = self.state
        if outcome == "out":
            self._out(seat)
        elif outcome == "exhausted":
            self._settle("exhausted")
        elif outcome == "thrown":
            close_turn(state, seat)
            state.window = window_after_discard(state, seat, self.options)
            self._ask_or_go_on(seat)
        elif outcome == "turn_over":
            close_turn(state, seat)
            self._after_turn(seat)
        elif outcome == "seat_done":
            close_seat(state)
            assert state.window is not None
            self._ask_or_go_on(state.window.opener)
        elif outcome == "window_over":
            assert state.window is not None
            opener, state.window = state.window.opener, None
            self._after_turn(opener)
        elif outcome == "draws_now":
            self._begin_turn(seat)
        elif outcome == "draws_first":
            self._begin_turn(next_seat(state, state.dealer, self.options))
        elif state.phase == "final_layoff" and not state.hands[seat]:
            self._go_on(seat, "seat_done")  # nothing left to lay: CHOICE the seat is done at once

    def _ask_or_go_on(self, opener: int) -> None:
        state = self.state
        if state.window is not None and ask_next(state, self.options):
            return
        kind = None if state.window is None else state.window.kind
        state.window = None
        if kind == "final_layoff":
            self._settle("out")
        else:
            self._after_turn(opener)

    def _after_turn(self, seat: int) -> None:
        """Between two turns: the ends of a round that are not an out, then the next turn.

        Rules 9.4: windows come before the test for an exhausted stock. Several ends at once: the
        rules come before the turn cap (CHOICE).
        """
        state, options = self.state, self.options
        limit = options.no_progress_limit
        if state.passes_in_a_row >= state.num_players or (
            options.stock_exhausted == "end_after_turn" and not state.stock
        ):
            self._settle("exhausted")
        elif limit is not None and state.no_progress >= limit:
            self._settle("cut_off")
        elif options.max_turns is not None and state.turns >= options.max_turns:
            self._settle("cut_off", by_turns=True)
        else:
            self._begin_turn(next_seat(state, seat, options))

    def _begin_turn(self, seat: int) -> None:
        state = self.state
        state.seat, state.phase, state.turn = seat, "draw", Turn()
        self._refill()

    def _refill(self) -> None:
        """Rules 9.10: at the start of a DRAW phase with an empty stock, before any choice.

        The upcard stays; a pile of one is nothing to shuffle (edge 23). Rules 9.8: turning the
        pile over counts to `max_reshuffles` too.
        """
        state, options = self.state, self.options
        if options.stock_exhausted not in ("reshuffle", "turn_over") or state.stock:
            return
        if options.max_reshuffles is not None and state.reshuffles >= options.max_reshuffles:
            return
        if len(state.pile) < 2:
            return
        below = state.pile[:-1]
        state.pile, state.thrown_by = state.pile[-1:], state.thrown_by[-1:]
        if options.stock_exhausted == "turn_over":  # the bottom card is drawn first
            state.stock = below[::-1]
        else:
            listed = in_order(below)
            order = self._shuffle(state.round_number - 1, state.reshuffles, len(listed))
            state.stock = [listed[index] for index in order][::-1]
        state.reshuffles += 1

    # Rounds.

    def _deal(self, round_number: int) -> None:
        """Deal a round (rules 2.1, 9.17): seat s gets cards s*h and on, then the upcard."""
        options, old = self.options, self.state
        count, size = old.num_players, options.hand_size
        jokers = options.num_jokers - options.dealers_joker  # rules 5.1 line 1
        listed = pack(options.num_ranks, options.num_suits, options.num_decks, jokers)
        order = self._shuffle(round_number - 1, -1, len(listed))
        dealt = [listed[index] for index in order]
        state = positions.empty_state(count)
        state.hands = [in_order(dealt[seat * size : (seat + 1) * size]) for seat in range(count)]
        rest = dealt[count * size :]
        state.round_number, state.dealer = round_number, old.dealer
        state.scores, state.rounds = old.scores, old.rounds
        state.clocks, state.chips, state.pots = old.clocks, old.chips, old.pots
        if options.first_meld_min > 0 and options.first_meld_scope != "round":
            state.opened = old.opened
        self.state = state
        self._pay_pots()
        first = next_seat(state, state.dealer, options)
        if options.start_discard == "player_choice":
            state.hands[first] = in_order([*state.hands[first], rest[0]])
        else:
            state.pile, state.thrown_by = [rest[0]], [None]
        state.stock = rest[1:][::-1]
        if options.dealers_joker:
            state.own_joker = "free"
            state.seat, state.phase = state.dealer, "nominate"
        elif options.start_discard == "player_choice":
            state.seat, state.phase = first, "opening"
        else:
            self._begin_turn(first)

    def _pay_pots(self) -> None:
        """Rules 5.2: before each deal every player pays 1 chip to each pot, the dealer 2."""
        state = self.state
        for card in state.pots:
            for seat in range(state.num_players):
                chips = 2 if seat == state.dealer else 1
                state.chips[seat] -= chips
                state.pots[card] += chips

    def _out(self, seat: int) -> None:
        """Someone went out: the round ends, after final layoffs if any (rules 2.4, 9.4).

        The turn counts as taken; going out in a window is no turn (CHOICE).
        """
        state = self.state
        if state.window is None:
            state.turns += 1
            state.turns_taken[seat] += 1
        state.goer, state.goers_turn = seat, state.turn
        state.window = window_after_out(state, seat, self.options)
        state.turn = Turn()
        if state.window is None:
            self._settle("out")
        else:
            self._ask_or_go_on(seat)

    def _settle(self, how: str, by_turns: bool = False) -> None:
        """Score the round; then the game is over or the next round is dealt (rules 2.5, 2.6)."""
        state, options = self.state, self.options
        scores = round_scores(state, "cut_off_by_turns" if by_turns else how, options)
        for seat, score in enumerate(scores):
            state.scores[seat] += score
        state.rounds.append({"scores": scores, "went_out": state.goer, "how": how})
        state.settled = True
        if self.single_round:
            if by_turns:
                state.truncated_by = "max_turns"
            best = max(scores)
            winners = [seat for seat, score in enumerate(scores) if score == best]
            self._end([] if by_turns else winners)
            return
        winners = game_winners(state, options)
        if winners:
            if len({options.side(seat) for seat in winners}) == 1:  # no bonus for a draw
                for seat in winners:
                    state.scores[seat] += options.game_bonus
            self._end(winners)
        elif options.max_rounds is not None and state.round_number >= options.max_rounds:
            state.truncated_by = "max_rounds"
            self._end([])
        elif state.clocks is not None and 0 in state.clocks:
            return  # the clock ends the game before another deal
        else:
            state.dealer = next_dealer(state, scores, options)
            self._deal(state.round_number + 1)

    def _check_clock(self, seat: int) -> None:
        """Rules 9.18: at 0 the game ends at once, unscored; that seat is last (edge 62).

        A round or game that the last action finished stays finished (CHOICE).
        """
        state = self.state
        if self.is_over or state.clocks is None or state.clocks[seat] > 0:
            return
        if not state.settled:
            unscored = [0] * state.num_players
            state.rounds.append({"scores": unscored, "went_out": None, "how": "clock"})
        others = [score for other, score in enumerate(state.scores) if other != seat]
        best = max(others)
        self._end([o for o, score in enumerate(state.scores) if o != seat and score == best])

    def _end(self, winners: list[int]) -> None:
        """The game is over; leftover pots are shared (rules 5.2, 9.18).

        The total of all pots is split; the lowest of the winners takes the remainder, without
        winners the lowest of the seats with the best total (CHOICE).
        """
        state = self.state
        state.winners, state.phase, state.turn, state.window = winners, "over", Turn(), None
        share, remainder = divmod(sum(state.pots.values()), state.num_players)
        lucky = winners[0] if winners else state.scores.index(max(state.scores))
        for seat in range(state.num_players):
            state.chips[seat] += share + (remainder if seat == lucky else 0)
        state.pots = dict.fromkeys(state.pots, 0)
