"""The score of a round, and whether it ends the game."""

from __future__ import annotations

from tests.reference.melds import hand_value
from tests.reference.options import Options
from tests.reference.state import State


def hand_values(state: State, options: Options) -> list[int]:
    """The deadwood of each seat (rules 2.5)."""
    return [sum(hand_value(card, options) for card in hand) for hand in state.hands]


def round_scores(state: State, how: str, options: Options) -> list[int]:
    """The score of the round for every seat; with teams the side's (rules 2.5, 9.16)."""
    own = base_scores(state, how, options)
    if state.goer is not None and is_rummy(state, state.goer):
        own[state.goer] *= options.going_rummy_multiplier
    for seat, bonus in enumerate(bonuses(state, options)):
        own[seat] += bonus
    sides = [options.side(seat) for seat in range(state.num_players)]
    scores = [
        sum(points for points, other in zip(own, sides, strict=True) if other == side)
        for side in sides
    ]
    if options.first_meld_min > 0 and options.first_meld_scope == "on_board":
        scores = on_board(state, scores, options)
    return scores


def on_board(state: State, scores: list[int], options: Options) -> list[int]:
    """Rules 4 `first_meld_scope` on_board: less than the minimum is 0 until once reached.

    `opened` says who is on board (rules 5.4, the on-board example).
    """
    for seat, score in enumerate(scores):
        state.opened[seat] = state.opened[seat] or score >= options.first_meld_min
    return [score if on else 0 for score, on in zip(scores, state.opened, strict=True)]


def base_scores(state: State, how: str, options: Options) -> list[int]:
    """Points of melds and hands, before anything is multiplied or added."""
    table, hands = state.points(), hand_values(state, options)
    goer = state.goer
    if options.scoring_mode == "winner_takes_hands":
        # Rules 5.3: the goer scores all other hands; if nobody went out, nobody scores.
        return [sum(hands) if seat == goer else 0 for seat in range(state.num_players)]
    if options.scoring_mode == "michigan":
        return michigan(state, how, table, hands, options)
    if goer is None and not options.exhausted_hand_penalty:  # edge 22
        return table
    return [points - deadwood for points, deadwood in zip(table, hands, strict=True)]


def michigan(
    state: State, how: str, table: list[int], hands: list[int], options: Options
) -> list[int]:
    """Hands go to the goer; without one it depends (rules L4, 5.4)."""
    if state.goer is not None:
        scores = list(table)
        scores[state.goer] += sum(hands)
        return scores
    if options.michigan_no_winner == "deduct_own":
        return [points - deadwood for points, deadwood in zip(table, hands, strict=True)]
    # Rules 9.8: nobody takes hands when the turn cap cuts the round off.
    if options.michigan_no_winner == "lowest_hand_collects" and how != "cut_off_by_turns":
        lowest = min(hands)
        lucky = [seat for seat, deadwood in enumerate(hands) if deadwood == lowest]
        share = sum(deadwood - lowest for deadwood in hands) // len(lucky)
        return [points + share * (seat in lucky) for seat, points in enumerate(table)]
    return list(table)


def is_rummy(state: State, goer: int) -> bool:
    """Whether the goer had laid nothing in an earlier turn (rules 4, edge 60)."""
    return not state.laid_before[goer]


def bonuses(state: State, options: Options) -> list[int]:
    """What is added once to a seat's score, whatever the scoring mode (CHOICE)."""
    added = [0] * state.num_players
    goer = state.goer
    if goer is not None:
        added[goer] += options.go_out_bonus
        if state.goers_turn.booting:  # rules 4 `boot_bonus`: out on the first turn with no draw
            added[goer] += options.boot_bonus
        if masters_hand(state):
            added[goer] += options.masters_hand_bonus
    for seat in range(state.num_players):
        if has_four_aces(state, seat):
            added[seat] += options.four_aces_bonus
    return added


def masters_hand(state: State) -> bool:
    """Rules 4 `masters_hand_bonus`: a run of 7 or more in one action, out by discard that turn."""
    return state.goers_turn.long_run and state.goers_turn.out_by_discard


def has_four_aces(state: State, seat: int) -> bool:
    """Whether the seat alone has laid the aces of all four suits (rules 4, 9.9; no jokers)."""
    aces = {
        card.place.face
        for meld in state.melds
        for card in meld.laid
        if card.seat == seat and not card.place.joker and card.place.face[0] == "A"
    }
    return len(aces) == 4


def game_winners(state: State, options: Options) -> list[int]:
    """The winners if the game is over after a round that has been settled, else nobody.

    Rules 2.6 and edges 47-49; 4 `tie_break` went_out (ignored with teams), `max_deals` (a tie is
    shared). `state.goer` is who went out.
    """
    scores = state.scores
    best = max(scores)
    leaders = [seat for seat, score in enumerate(scores) if score == best]
    one_side = len({options.side(seat) for seat in leaders}) == 1
    if options.target_score is not None and best >= options.target_score:
        goer = state.goer
        went_out_wins = options.tie_break == "went_out" and options.teams == "none"
        if went_out_wins and goer is not None and scores[goer] >= options.target_score:
            return [goer]
        if one_side:
            return leaders
    if options.max_deals is not None and state.round_number >= options.max_deals:
        return leaders
    return []


def next_dealer(state: State, scores: list[int], options: Options) -> int:
    """Who deals next (rules 2.1, 9.17, edge 64).

    Winner (loser) deals: best (lowest) round score; tied: the goer, else the nearest to the left
    of the dealer; nobody out: the deal passes left.
    """
    count = state.num_players
    left = [(state.dealer + options.direction * step) % count for step in range(1, count + 1)]
    if options.dealer_rotation == "left" or state.goer is None:
        return left[0]
    wanted = max(scores) if options.dealer_rotation == "winner" else min(scores)
    tied = [seat for seat in left if scores[seat] == wanted]
    return state.goer if state.goer in tied else tied[0]
