"""A game that a seat gives up or is made to: a rule of contests, and none of the game."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummy500_env.engine.jit import kernel
from rummy500_env.engine.matches import note_end
from rummy500_env.engine.settle import close, hand_penalty
from rummy500_env.engine.state import FORFEIT

__all__ = ["forfeit_game"]


@kernel
def forfeit_game(
    states: Any, rules: Any, i: Any, seat: Any, points: Any, ends: Any, num_ends: Any
) -> None:
    """End a game that a seat forfeits: its side loses it, whatever the scores.

    The round is scored so that giving up does not pay: that side's cards on the table count
    nothing, those in its hands are subtracted, and ``points`` more; the others score what they have
    laid, and their hands cost them nothing.

    Args:
        states: Array of tables.
        rules: The rules' array of one record.
        i: The table; its game is not over.
        seat: The seat.
        points: What it costs.
        ends: See :func:`~rummy500_env.engine.matches.play_policy`; there is room for a row.
        num_ends: Rows in use.
    """
    st, r = states[i], rules[0]
    n, sides = np.int64(r.num_players), np.int64(r.num_sides)
    lost = np.int64(seat) % sides
    for side in range(sides):
        score = np.int64(0)
        for other in range(side, n, sides):
            if side == lost:
                penalty = hand_penalty(st, r, np.int64(other))
                st.hand_penalties[other] += penalty
                score -= penalty
            else:
                score += st.table_points[other]
        for other in range(side, n, sides):
            st.round_scores[other] = score - points if side == lost else score
    st.winners = 0
    best = np.int64(-(1 << 40))
    for other in range(n):
        st.scores[other] += st.round_scores[other]
        st.table_points[other] = 0
        if other % sides != lost:
            best = max(best, np.int64(st.scores[other]))
    for other in range(n):
        if other % sides != lost and st.scores[other] == best:
            st.winners = np.int64(st.winners) | np.int64(1) << other
    st.how = FORFEIT
    st.went_out = 0
    st.round_turns = st.turns
    st.round_index += 1
    close(st, r)
    note_end(st, r, i, ends, num_ends)
