"""What `Rules` refuses: values, contradictions, and tables that cannot be dealt."""

import pickle

import numpy as np
import pytest

from rummy500_env.errors import RulesError, Rummy500Error
from rummy500_env.rule_checks import CHECKS
from rummy500_env.rules import Rules

OPTIONS = {option.name: option for option in Rules.options()}


# --- values --------------------------------------------------------------------------------------

BROKEN = [
    ("players", (1, 4)), ("players", (2, 9)), ("players", (5, 3)), ("players", 4),
    ("players", "28"), ("players", (2, 3, 4)), ("players", (True, 4)),
    ("num_decks", 3), ("num_decks", "two"), ("num_decks", True), ("num_decks", None),
    ("num_jokers", 5), ("num_jokers", -1), ("num_jokers", {3: 1}), ("num_jokers", {1: 5}),
    ("num_jokers", {}), ("num_jokers", {"x": 1}), ("num_jokers", {1.0: 1}), ("num_jokers", [1, 2]),
    ("num_jokers", ((1, 2), (1, 3))), ("num_jokers", False),
    ("hand_size", 0), ("hand_size", "7"), ("hand_size", {1: 7}), ("hand_size", {2: True}),
    ("hand_size", 7.0), ("hand_size", float("nan")), ("hand_size", None),
    ("first_dealer", "lowest"), ("dealer_rotation", "right"), ("direction", 0),
    ("direction", True), ("direction", 1.0), ("start_discard", None),
    ("opening_discard_is_turn", 1), ("teams", "three"), ("num_ranks", 14), ("num_ranks", 2),
    ("num_suits", 0), ("num_suits", 5), ("dig_use", ""), ("top_discard_free", "yes"),
    ("top_discard_free", 0), ("top_discard_free", None), ("stock_draw_count", 3),
    ("set_min_len", 1), ("set_max_size", 9), ("run_min_len", 5), ("run_min_len", 1),
    ("ace_rank", "both"), ("first_meld_min", -1), ("first_meld_min", 30.5),
    ("joker_table_value", "natural"), ("joker_table_value", 51), ("joker_hand_value", -15),
    ("joker_hand_value", "represented"), ("min_naturals", 3), ("dealers_joker_effects", ()),
    ("dealers_joker_effects", "wild"), ("dealers_joker_effects", ("wild", "wild")),
    ("dealers_joker_effects", ("wild", "triple")), ("stock_exhausted", "end"),
    ("max_reshuffles", -1), ("max_reshuffles", "auto"), ("no_progress_limit", 0),
    ("ace_low_value", 51), ("ace_hand_value", -1), ("ace_set_value", float("inf")),
    ("go_out_bonus", -1), ("four_at_once_multiplier", 3), ("masters_hand_bonus", 10_001),
    ("boodle_pots", "no"), ("target_score", 0), ("target_score", True), ("target_score", 2**31),
    ("target_score", "500"), ("max_deals", 0), ("game_bonus", None), ("max_turns", 0),
    ("max_turns", "none"), ("max_rounds", 0), ("clock_budget", 0), ("clock_budget", 1.5),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), BROKEN)
def test_values_that_are_not_allowed_are_refused_by_name(name, value):
    with pytest.raises(RulesError, match=f"{name}=.* is not allowed: use ") as caught:
        Rules(**{name: value})
    assert len(caught.value.problems) == 1
    assert OPTIONS[name].allowed in str(caught.value)


def test_numpy_values_become_plain():
    rules = Rules.from_dict(
        {
            "target_score": np.int64(300),
            "num_decks": np.int8(1),
            "floating": np.False_,
            "card_values": np.str_("pip"),
        }
    )
    assert rules == Rules(target_score=300, num_decks=1)
    assert type(rules.target_score) is int
    assert type(rules.floating) is bool
    assert type(rules.card_values) is str
    with pytest.raises(RulesError):
        Rules.from_dict({"target_score": np.True_})


@pytest.mark.parametrize(
    ("name", "near"),
    [("hand_sizes", "hand_size"), ("Target_Score", "target_score"), ("jokers", "num_jokers")],
)
def test_unknown_options_are_refused_with_a_hint(name, near):
    for make in (lambda o: Rules(**o), Rules.from_dict, lambda o: Rules().replace(**o)):
        with pytest.raises(RulesError, match=f"no option '{name}'; did you mean .*{near}"):
            make({name: 1})


def test_options_that_no_source_has_do_not_exist():
    for name in ("max_melds_per_turn", "layoff_requires_own_meld"):
        with pytest.raises(RulesError, match=f"no option '{name}'"):
            Rules.from_dict({name: 1})


def test_positions_are_not_options():
    with pytest.raises(TypeError):
        Rules(500)  # type: ignore[misc]


@pytest.mark.parametrize("given", [None, "rummy500", [("target_score", 300)], 5])
def test_from_dict_takes_a_mapping(given):
    with pytest.raises(RulesError, match="a mapping of options"):
        Rules.from_dict(given)


def test_all_problems_are_listed_at_once():
    with pytest.raises(RulesError) as caught:
        Rules(
            target_score=None,
            num_jokers=7,  # so nothing is said about jokers without a role
            floating=True,
            call_rum="card_only",
            layoff_scope="none",
        )
    problems = caught.value.problems
    assert len(problems) == 4
    assert all(problem in str(caught.value) for problem in problems)
    assert problems[0].startswith("num_jokers=7 is not allowed")
    assert pickle.loads(pickle.dumps(caught.value)).problems == problems
    assert isinstance(caught.value, (Rummy500Error, ValueError))


# --- combinations --------------------------------------------------------------------------------

TEAMS = {"teams": "two_by_two", "players": (4, 4)}
GAMBIT = {"dealers_joker": True, "joker_role": "nominated", "num_jokers": 2}
FLOAT = {"floating": True, "must_discard_to_go_out": True}

CONTRADICTIONS = [
    ({"target_score": None}, "target_score max_deals"),
    ({"max_deals": 20, "max_rounds": 10}, "max_rounds max_deals"),
    ({"players": (4, 4), "hand_size": 13}, "players hand_size num_decks"),
    ({"players": (8, 8), "hand_size": 13}, "players hand_size num_decks"),
    ({"players": (2, 3), "hand_size": {4: 7}}, "players hand_size"),
    ({"players": (2, 4), "num_jokers": {2: 4}, "joker_role": "wild"}, "players num_jokers"),
    ({"num_ranks": 3, "num_suits": 2, "hand_size": 3}, "players hand_size"),
    ({**TEAMS, "players": (2, 3)}, "teams players"),
    ({**TEAMS, "players": (5, 8)}, "teams players"),
    ({**TEAMS, "scoring_mode": "michigan"}, "teams scoring_mode"),
    ({**TEAMS, "scoring_mode": "winner_takes_hands"}, "teams scoring_mode"),
    ({**TEAMS, "boodle_pots": True}, "teams boodle_pots"),
    ({**TEAMS, "dealer_rotation": "winner"}, "teams dealer_rotation"),
    ({**TEAMS, "dealer_rotation": "loser"}, "teams dealer_rotation"),
    ({**TEAMS, "clock_budget": 100}, "teams clock_budget"),
    ({"layoff_scope": "team"}, "layoff_scope teams"),
    ({"num_jokers": 2}, "num_jokers joker_role"),
    ({"num_jokers": {1: 0, 2: 4}}, "num_jokers joker_role"),
    ({"joker_role": "set_only", "num_jokers": 2}, "joker_role num_jokers"),
    ({"joker_role": "set_only", "num_jokers": {1: 2, 2: 4}}, "joker_role num_jokers"),
    (
        {"joker_role": "set_only", "num_jokers": 4, "joker_table_value": "represented"},
        "joker_role joker_table_value",
    ),
    ({"dealers_joker": True, "joker_role": "wild", "num_jokers": 2}, "dealers_joker joker_role"),
    ({"joker_role": "nominated", "num_jokers": 2}, "dealers_joker joker_role"),
    ({**GAMBIT, "num_jokers": 1}, "dealers_joker num_jokers"),
    ({**GAMBIT, "num_decks": 2}, "dealers_joker num_decks"),
    ({**GAMBIT, "players": (5, 6)}, "dealers_joker num_decks players"),
    ({**GAMBIT, "start_discard": "player_choice"}, "dealers_joker start_discard"),
    ({"set_max_size": 2}, "set_min_len set_max_size"),
    ({"set_min_len": 4, "set_max_size": 3}, "set_min_len set_max_size"),
    ({"set_distinct_suits": True, "set_max_size": 5}, "set_distinct_suits set_max_size"),
    (
        {"set_distinct_suits": True, "num_suits": 3, "hand_size": 5},
        "set_distinct_suits set_max_size num_suits",
    ),
    ({"run_min_len": 4, "num_ranks": 3, "hand_size": 2}, "run_min_len num_ranks"),
    ({"skip_first_draw": True, "start_discard": "player_choice"}, "skip_first_draw start_discard"),
    ({"skip_first_draw": True, "first_meld_min": 30}, "skip_first_draw first_meld_min"),
    ({"layoff_scope": "none", "call_rum": "card_only"}, "layoff_scope call_rum"),
    ({"layoff_scope": "none", "call_rum": "pile_and_turn"}, "layoff_scope call_rum"),
    ({"layoff_scope": "none", "final_layoff": "any_meld"}, "layoff_scope final_layoff"),
    ({"layoff_scope": "none", "out_of_turn_play": "layoff"}, "layoff_scope out_of_turn_play"),
    ({"call_rum": "card_only", "out_of_turn_play": "layoff"}, "call_rum out_of_turn_play"),
    (
        {"call_rum": "pile_and_turn", "out_of_turn_play": "meld_and_layoff"},
        "call_rum out_of_turn_play",
    ),
    ({"call_rum": "pile_and_turn", "discard_take": "top_only"}, "call_rum discard_take"),
    ({"floating": True}, "floating must_discard_to_go_out"),
    ({**FLOAT, "stock_exhausted": "discard_only"}, "floating stock_exhausted"),
    ({**FLOAT, "out_of_turn_play": "layoff"}, "floating out_of_turn_play"),
    ({**FLOAT, "final_layoff": "any_meld"}, "floating final_layoff"),
    ({**FLOAT, "scoring_mode": "winner_takes_hands"}, "floating scoring_mode"),
    (
        {"top_discard_free": True, "no_progress_limit": None},
        "top_discard_free no_progress_limit max_turns",
    ),
    ({"stock_exhausted": "reshuffle", "max_turns": None}, "stock_exhausted max_turns"),
    ({"stock_exhausted": "turn_over", "max_turns": None}, "stock_exhausted max_turns"),
    (
        {"michigan_no_winner": "deduct_own", "exhausted_hand_penalty": False},
        "michigan_no_winner exhausted_hand_penalty",
    ),
    ({"going_rummy_multiplier": 2}, "going_rummy_multiplier scoring_mode"),
    ({"four_aces_bonus": 40, "num_suits": 3, "hand_size": 5}, "four_aces_bonus num_suits"),
    ({"masters_hand_bonus": 500, "num_ranks": 6, "hand_size": 5}, "masters_hand_bonus num_ranks"),
    ({"boodle_pots": True, "num_suits": 3, "hand_size": 5}, "boodle_pots num_suits"),
    ({"boodle_pots": True, "num_ranks": 12, "hand_size": 5}, "boodle_pots num_ranks"),
]


@pytest.mark.parametrize(("changes", "named"), CONTRADICTIONS)
def test_contradictions_are_refused_and_name_their_options(changes, named):
    with pytest.raises(RulesError) as caught:
        Rules(**changes)
    assert len(caught.value.problems) == 1, caught.value.problems
    problem = caught.value.problems[0]
    assert all(f"{name}=" in problem for name in named.split()), problem


def test_every_check_has_a_contradiction_above():
    def refused_by(changes):
        with pytest.raises(RulesError) as caught:
            Rules(**changes)
        return {check for check in CHECKS if caught.value.problems[0].endswith(check.reason)}

    assert set().union(*(refused_by(changes) for changes, _ in CONTRADICTIONS)) == set(CHECKS)
    assert all(name in OPTIONS for check in CHECKS for name in check.options)


@pytest.mark.parametrize(
    "changes",
    [
        TEAMS,
        {"teams": "two_by_two"},
        {**TEAMS, "tie_break": "went_out"},
        {**TEAMS, "layoff_scope": "team"},
        GAMBIT,
        {**FLOAT, "call_rum": "card_only"},
        {"joker_role": "wild"},
        {"joker_role": "wild", "num_jokers": 4, "joker_table_value": "represented"},
        {"layoff_scope": "none", "out_of_turn_play": "meld_and_layoff"},
        {"top_discard_free": True},
        {"top_discard_free": True, "no_progress_limit": None, "max_turns": 500},
        {"stock_exhausted": "reshuffle", "max_reshuffles": None},
        {"stock_exhausted": "reshuffle", "max_reshuffles": 0, "max_turns": None},
        {"target_score": None, "max_deals": 4},
        {"max_deals": 10, "max_rounds": 10},
        {"scoring_mode": "winner_takes_hands", "going_rummy_multiplier": 2},
        {"set_distinct_suits": True, "set_max_size": 2, "set_min_len": 2, "num_suits": 2,
         "num_ranks": 6, "hand_size": 3},
    ],
)  # fmt: skip
def test_neighbours_of_contradictions_are_allowed(changes):
    assert Rules(**changes).player_counts()


# --- tables --------------------------------------------------------------------------------------


def test_thirteen_cards_for_four_do_not_fit_one_deck():
    rules = Rules(hand_size=13)
    assert rules.player_counts() == (2, 3, 5, 6, 7)
    with pytest.raises(RulesError, match=r"53 of the 52 cards .* at most 12 each"):
        rules.check(4)
    with pytest.raises(RulesError, match="8 players with 13 cards"):
        rules.check(8)
    Rules(hand_size=13, num_decks=2).check(4)


def test_a_table_keeps_a_stock():
    Rules(players=(2, 2), hand_size=25).check(2)
    with pytest.raises(RulesError):
        Rules(players=(2, 2), hand_size=26)
    with pytest.raises(RulesError):  # the extra card of the player who chooses
        Rules(players=(2, 2), hand_size=25, start_discard="player_choice")
    Rules(players=(2, 2), hand_size=24, start_discard="player_choice").check(2)
    with pytest.raises(RulesError):  # one of the two jokers is not dealt
        Rules(players=(2, 2), hand_size=26, **GAMBIT)
    Rules(players=(2, 2), hand_size=26, joker_role="wild", num_jokers=2).check(2)


def test_tables_outside_the_allowed_size_are_refused():
    rules = Rules(players=(3, 5))
    for number in (1, 2, 6, 9, 0, -3):
        with pytest.raises(RulesError, match="for 3 to 5 players"):
            rules.check(number)
    for number in (3.0, "3", True, None):
        with pytest.raises(RulesError, match="a whole number is needed"):
            rules.check(number)  # type: ignore[arg-type]
    rules.check(np.int64(3))  # type: ignore[arg-type]


def test_teams_and_the_dealers_joker_limit_the_table():
    assert Rules(teams="two_by_two").player_counts() == (4,)
    with pytest.raises(RulesError, match="needs 4 players"):
        Rules(teams="two_by_two").check(3)
    assert Rules(**GAMBIT).player_counts() == (2, 3, 4)
    with pytest.raises(RulesError, match="dealers_joker=True needs one deck"):
        Rules(**GAMBIT).check(5)
    assert Rules(**GAMBIT, num_decks=1).player_counts() == (2, 3, 4, 5, 6, 7)
    assert Rules(**GAMBIT).pack_size(3) == 53


def test_tiny_decks():
    rules = Rules(players=(2, 2), num_ranks=6, num_suits=2, hand_size=3, set_min_len=2)
    assert rules.pack_size(2) == 12
    rules.check(2)
