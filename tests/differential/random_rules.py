"""Random rules: any combination of the options that the engine plays."""

from __future__ import annotations

import random
from typing import Any

from rummy500_env import NotImplementedRule, Rules, RulesError
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.presets import presets

__all__ = ["playable", "playable_presets", "random_rules"]

CHOICES: dict[str, list[Any]] = {
    "num_decks": [1, 2],
    "hand_size": [3, 5, 10],
    "dealer_rotation": ["winner", "loser"],
    "direction": [-1],
    "discard_take": ["top_only"],
    "dig_use": ["new_meld"],
    "top_discard_free": [True],
    "dig_support": ["hand_only"],
    "dig_layoff_bridge": [False],
    "drawn_discard_ban": ["none", "top_taken", "dug_all", "all_drawn"],
    "stock_draw_count": [2],
    "set_min_len": [2],
    "set_max_size": [3, 5, 8],
    "set_distinct_suits": [True],
    "run_min_len": [2, 4],
    "ace_rank": ["low", "high", "round_the_corner"],
    "layoff_scope": ["own", "none"],
    "must_discard_to_go_out": [True],
    "stock_exhausted": [
        "end_if_all_pass",
        "end_after_turn",
        "discard_only",
        "reshuffle",
        "turn_over",
    ],
    "exhausted_hand_penalty": [False],
    "max_reshuffles": [None, 2],
    "no_progress_limit": [3, None],
    "card_values": ["five_ten_fifteen"],
    "ace_low_value": [5, 15],
    "ace_high_value": [25],
    "ace_set_value": [1],
    "ace_hand_value": [5],
    "four_aces_bonus": [40],
    "scoring_mode": ["winner_takes_hands", "michigan"],
    "michigan_no_winner": ["deduct_own", "lowest_hand_collects"],
    "go_out_bonus": [25],
    "four_at_once_multiplier": [2],
    "going_rummy_multiplier": [2],
    "target_score": [50, None],
    "max_deals": [2],
    "tie_break": ["went_out"],
    "game_bonus": [50],
    "max_turns": [9, 60],
    "max_rounds": [2],
    "num_ranks": [5, 8],
    "num_suits": [2, 3],
    "masters_hand_bonus": [500],
    "boodle_pots": [True],
    "clock_budget": [40, 500],
    "joker_table_value": [0, 20, "represented"],
    "joker_hand_value": [20],
    "joker_may_duplicate": [False],
    "min_naturals": [0, 2],
    "joker_layoff": ["natural_first"],
}
"""Values other than the default; options that are not built stand nowhere."""


def playable(rules: Rules, num_players: int) -> bool:
    """Whether the engine plays the rules with so many."""
    try:
        rules_record(rules, num_players)
    except (RulesError, NotImplementedRule):
        return False
    return True


def playable_presets() -> list[str]:
    """The presets that the engine plays with all the numbers of players they allow."""
    return [
        name
        for name in presets()
        if all(playable(rules, n) for rules in [Rules.preset(name)] for n in rules.player_counts())
    ]


def random_rules(chooser: random.Random) -> tuple[Rules, int]:
    """Return rules that change up to six options, and a number of players for them."""
    while True:
        num_players = chooser.choice((2, 2, 2, 3, 3, 4, 5, 6))
        names = chooser.sample(sorted(CHOICES), chooser.randint(1, 6))
        options = {name: chooser.choice(CHOICES[name]) for name in names}
        if "num_ranks" in options or "num_suits" in options:
            options["hand_size"] = chooser.randint(2, 5)
        if any("joker" in name or name == "min_naturals" for name in names):
            options["num_jokers"] = chooser.randint(1, 4)
            options["joker_role"] = chooser.choice(("wild", "wild", "set_only"))
        try:
            rules = Rules(**options)
        except RulesError:
            continue
        if playable(rules, num_players):
            return rules, num_players
