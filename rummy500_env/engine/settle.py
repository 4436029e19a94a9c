"""The end of a round and of the game: scores, winners, the next deal."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.cards import JOKER
from rummy500_env.engine.bits import FACES, ZERO, lowest, popcount
from rummy500_env.engine.deal import deal_round, next_seat
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.melds import value_in_hand
from rummy500_env.engine.rules_record import option_code
from rummy500_env.engine.state import CLOCK, CUT_OFF, MAX_ROUNDS, OVER

__all__ = [
    "clear_round",
    "clear_turn",
    "close",
    "end_by_clock",
    "end_round",
    "hand_penalty",
    "one_side",
]

EVEN_SEATS, ODD_SEATS = 0b01010101, 0b10101010
ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39

WINNER_TAKES_HANDS = option_code("scoring_mode", "winner_takes_hands")
MICHIGAN = option_code("scoring_mode", "michigan")
DEDUCT_OWN = option_code("michigan_no_winner", "deduct_own")
LOWEST_COLLECTS = option_code("michigan_no_winner", "lowest_hand_collects")
SCOPE_ROUND = option_code("first_meld_scope", "round")
SCOPE_ON_BOARD = option_code("first_meld_scope", "on_board")
WENT_OUT = option_code("tie_break", "went_out")
DEAL_LEFT = option_code("dealer_rotation", "left")
DEAL_WINNER = option_code("dealer_rotation", "winner")


@kernel
def hand_penalty(st: Any, r: Any, seat: Any) -> Any:
    """Return the value of the cards left in a hand."""
    total = np.int64(0)
    for copy in range(2):
        total += value_in_hand(r, np.int64(st.hands[seat, copy]) & FACES)
    return total + popcount(np.int64(st.hands[seat, 0]) >> JOKER) * np.int64(r.hand_values[JOKER])


@kernel
def end_round(st: Any, r: Any, how: Any, goer: Any) -> None:
    """Score the round, then deal the next one or end the game. ``goer`` is -1 for nobody."""
    st.how = how
    st.went_out = goer + 1
    st.round_turns = st.turns
    if goer >= 0:
        st.outs[goer] += 1
    _score_round(st, r, goer)
    for seat in range(np.int64(r.num_players)):
        st.scores[seat] += st.round_scores[seat]
        st.table_points[seat] = 0
    st.round_index += 1
    if st.single_round:
        if st.truncated == 0:
            st.winners = _best(st, r)
        close(st, r)
        return
    st.winners = _winners(st, r, goer)
    if st.winners != 0:
        if r.game_bonus != 0 and one_side(r, np.int64(st.winners)):
            for seat in range(np.int64(r.num_players)):
                if np.int64(st.winners) >> seat & 1:
                    st.scores[seat] += r.game_bonus
        close(st, r)
    elif 0 <= r.max_rounds <= st.round_index:
        st.truncated = MAX_ROUNDS
        close(st, r)
    elif not _clock_ran_out(st, r):
        st.dealer = _next_dealer(st, r, goer)
        clear_round(st, r)
        deal_round(st, r)


@kernel
def _score_round(st: Any, r: Any, goer: Any) -> None:
    hands = np.int64(0)
    for seat in range(np.int64(r.num_players)):
        penalty = hand_penalty(st, r, seat)
        hands += penalty
        if r.scoring_mode == WINNER_TAKES_HANDS:
            st.round_scores[seat] = 0
            continue
        if not _costs_hands(r, goer):
            penalty = np.int64(0)
        st.round_scores[seat] = st.table_points[seat] - penalty
        st.hand_penalties[seat] += penalty
    if goer >= 0:
        if r.scoring_mode == WINNER_TAKES_HANDS:
            st.round_scores[goer] = hands
        elif r.scoring_mode == MICHIGAN:
            st.round_scores[goer] += hands
        if r.going_rummy_multiplier > 1 and not st.laid_before[goer]:
            st.round_scores[goer] *= r.going_rummy_multiplier
        st.round_scores[goer] += r.go_out_bonus + st.out_bonus
        st.out_bonus = 0
    elif r.scoring_mode == MICHIGAN and r.michigan_no_winner == LOWEST_COLLECTS:
        _collect_lowest(st, r, hands)
    if r.four_aces_bonus != 0:
        for seat in range(np.int64(r.num_players)):
            if st.table_cards[seat, 0] & ACES == ACES:
                st.round_scores[seat] += r.four_aces_bonus
    if r.num_sides < r.num_players:
        _score_sides(st)
    if r.first_meld_min > 0 and r.first_meld_scope == SCOPE_ON_BOARD:
        _score_on_board(st, r)


@kernel
def _score_sides(st: Any) -> None:
    """Give both seats of a side what they scored together; seats 0 and 2 play 1 and 3."""
    for seat in range(2):
        both = st.round_scores[seat] + st.round_scores[seat + 2]
        st.round_scores[seat] = both
        st.round_scores[seat + 2] = both


@kernel
def _score_on_board(st: Any, r: Any) -> None:
    """Score nothing for a seat that has yet to score the minimum in one round."""
    for seat in range(np.int64(r.num_players)):
        if st.round_scores[seat] >= r.first_meld_min:
            st.opened[seat] = 1
            st.opened_game[seat] = 1
        if st.opened[seat] == 0:
            st.round_scores[seat] = 0


@kernel
def _costs_hands(r: Any, goer: Any) -> Any:
    """Return whether cards left in hand cost points."""
    if r.scoring_mode == MICHIGAN:
        return goer < 0 and r.michigan_no_winner == DEDUCT_OWN
    return goer >= 0 or r.exhausted_hand_penalty != 0


@kernel
def _collect_lowest(st: Any, r: Any, hands: Any) -> None:
    """Pay what the other hands hold above the lowest one to those that hold it.

    Nobody does so when the turn cap has cut the round off.
    """
    progress = r.no_progress_limit < 0 or st.no_progress < r.no_progress_limit
    if st.how == CUT_OFF and progress:
        return
    lowest_hand = hand_penalty(st, r, ZERO)
    for seat in range(1, np.int64(r.num_players)):
        lowest_hand = min(lowest_hand, hand_penalty(st, r, np.int64(seat)))
    sharers = np.int64(0)
    for seat in range(np.int64(r.num_players)):
        if hand_penalty(st, r, np.int64(seat)) == lowest_hand:
            sharers += 1
    share = (hands - np.int64(r.num_players) * lowest_hand) // sharers
    for seat in range(np.int64(r.num_players)):
        if hand_penalty(st, r, np.int64(seat)) == lowest_hand:
            st.round_scores[seat] += share


@kernel
def _best(st: Any, r: Any) -> Any:
    """Return the seats with the highest total, as bits."""
    best = np.int64(st.scores[0])
    for seat in range(1, np.int64(r.num_players)):
        best = max(best, np.int64(st.scores[seat]))
    seats = np.int64(0)
    for seat in range(np.int64(r.num_players)):
        if st.scores[seat] == best:
            seats |= np.int64(1) << seat
    return seats


@kernel
def one_side(r: Any, seats: Any) -> Any:
    """Return whether some seats, as bits, are one seat, or one side of two."""
    if r.num_sides < r.num_players:
        return seats & EVEN_SEATS == 0 or seats & ODD_SEATS == 0
    return popcount(seats) == 1


@kernel
def _winners(st: Any, r: Any, goer: Any) -> Any:
    """Return the winners of the game as bits; 0 when it goes on."""
    best = _best(st, r)
    if 0 <= r.target_score <= st.scores[lowest(best)]:
        goer_wins = r.tie_break == WENT_OUT and r.num_sides == r.num_players
        if goer_wins and goer >= 0 and st.scores[goer] >= r.target_score:
            return np.int64(1) << np.int64(goer)
        if one_side(r, best):
            return best
    return best if 0 <= r.max_deals <= st.round_index else np.int64(0)


@kernel
def _next_dealer(st: Any, r: Any, goer: Any) -> Any:
    left = next_seat(r, np.int64(st.dealer))
    if r.dealer_rotation == DEAL_LEFT or goer < 0:
        return left
    sign = 1 if r.dealer_rotation == DEAL_WINNER else -1
    best = np.int64(st.round_scores[left])
    dealer = left
    seat = left
    for _ in range(np.int64(r.num_players)):
        score = np.int64(st.round_scores[seat])
        if sign * score > sign * best or (score == best and seat == goer):
            best = score
            dealer = seat
        seat = next_seat(r, seat)
    return dealer


@kernel
def clear_turn(st: Any) -> None:
    """Zero all that belongs to one turn."""
    for copy in range(2):
        st.dug[copy] = 0
        st.laid[copy] = 0
        st.drawn[copy] = 0
        st.banned[copy] = 0
    st.opening_points = 0
    st.must_use = 0
    st.top_taken = 0
    st.free_take = 0
    st.long_run = 0
    st.turn_flags = 0


@kernel
def end_by_clock(st: Any, r: Any, seat: Any) -> None:
    """End the game of a seat whose clock has run out: it is last, the others rank by total.

    A round that its last action has not finished is not scored.
    """
    if st.how == 0:
        st.how = CLOCK
        st.went_out = 0
        st.round_turns = st.turns
        st.round_index += 1
        for other in range(np.int64(r.num_players)):
            st.round_scores[other] = 0
            st.table_points[other] = 0
    best = np.int64(-(1 << 40))
    for other in range(np.int64(r.num_players)):
        if other != seat:
            best = max(best, np.int64(st.scores[other]))
    winners = np.int64(0)
    for other in range(np.int64(r.num_players)):
        if other != seat and st.scores[other] == best:
            winners |= np.int64(1) << other
    st.winners = winners
    clear_turn(st)
    st.window_by = 0
    st.window_pending = 0
    close(st, r)


@kernel
def close(st: Any, r: Any) -> None:
    """End the game; the table stays as it lies. Chips left in the pots are shared."""
    if r.boodle_pots:
        _share_pots(st, r)
    st.phase = OVER
    st.seat = -1


@kernel
def _share_pots(st: Any, r: Any) -> None:
    """Share out the pots equally; a winner, else a leader, takes what cannot be shared."""
    total = np.int64(0)
    for pot in range(4):
        total += st.pots[pot]
        st.pots[pot] = 0
    share = total // np.int64(r.num_players)
    for seat in range(np.int64(r.num_players)):
        st.chips[seat] += share
    lucky = np.int64(st.winners) if st.winners else _best(st, r)
    st.chips[lowest(lucky)] += total - share * np.int64(r.num_players)


@kernel
def _clock_ran_out(st: Any, r: Any) -> Any:
    for seat in range(np.int64(r.num_players)):
        if st.clocks[seat] == 0:
            return r.clock_budget > 0
    return False


@kernel
def clear_round(st: Any, r: Any) -> None:
    """Zero all that belongs to one round; who has opened may last longer."""
    if r.first_meld_min == 0 or r.first_meld_scope == SCOPE_ROUND:
        for seat in range(8):
            st.opened[seat] = 0
    for seat in range(8):
        st.known[seat, 0] = 0
        st.known[seat, 1] = 0
        st.discards[seat, 0] = 0
        st.discards[seat, 1] = 0
        st.hands[seat, 0] = 0
        st.hands[seat, 1] = 0
        st.passed[seat] = 0
        st.turns_taken[seat] = 0
        st.hand_size[seat] = 0
        st.laid_before[seat] = 0
        st.table_cards[seat, 0] = 0
        st.table_cards[seat, 1] = 0
        st.unseen_refilled[seat] = 0
        st.refilled_drawn[seat, 0] = 0
        st.refilled_drawn[seat, 1] = 0
    for place in range(3):
        st.accepted[place] = 0
    for entry in range(108):
        st.table_meld[entry] = 0
        st.table_kind[entry] = 0
        st.table_by[entry] = 0
    for copy in range(2):
        st.refilled[copy] = 0
        st.pile_cards[copy] = 0
    for k in range(np.int64(st.pile_size)):
        st.pile[k] = 0
        st.pile_by[k] = 0
    for k in range(np.int64(st.stock_size)):
        st.stock[k] = 0
        st.open_stock[k] = 0
    for meld in range(np.int64(st.num_melds)):
        st.meld_jokers[meld] = 0
        st.meld_kind[meld] = 0
        st.meld_line[meld] = 0
        st.meld_start[meld] = 0
        st.meld_owner[meld] = 0
        st.meld_doubled[meld] = 0
        for place in range(np.int64(st.meld_size[meld])):
            st.meld_faces[meld, place] = 0
            st.meld_values[meld, place] = 0
            st.meld_by[meld, place] = 0
        st.meld_size[meld] = 0
    st.pile_size = 0
    st.turns = 0
    st.no_progress = 0
    st.num_melds = 0
    st.reshuffles = 0
    st.passes = 0
    st.stock_open = 0
    st.joker_effect = 0
    st.joker_state = 0
    st.out_bonus = 0
