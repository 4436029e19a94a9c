"""The options of the rules, second half: the end of a round, scoring, the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from rummy500_env.options_play import PlayOptions
from rummy500_env.rule_options import option

__all__ = ["RuleOptions"]

MAX_CARD_VALUE = 50
"""Highest value of one card: four times as much still fits a byte."""
MAX_BONUS = 10_000
MAX_COUNT = 1_000_000

_ending = partial(option, "ending")
_scoring = partial(option, "scoring")
_game = partial(option, "game")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RuleOptions(PlayOptions):
    """All options: those of play, how rounds end, how they score and how a game ends."""

    # --- ending --------------------------------------------------------------------------------
    must_discard_to_go_out: bool = field(
        default=False,
        metadata=_ending(
            """Whether a player can go out only by discarding his last card. Plays that would
            leave nothing to discard are then illegal.""",
            "True: Wikipedia, 500 rum (Boathouse) and, as house rules, Rummy 500 rules "
            "(Portuguese), End of a round 1, and The Spruce, rummy rules, Going out (note)",
        ),
    )
    floating: bool = field(
        default=False,
        metadata=_ending(
            """With must_discard_to_go_out: a player may lay his last card, has then no hand and
            draws again on his next turn; he goes out by discarding.""",
            "pages quoting pagat.com",
        ),
    )
    stock_exhausted: Literal[
        "end_if_no_take",
        "end_if_all_pass",
        "end_after_turn",
        "discard_only",
        "reshuffle",
        "turn_over",
    ] = field(
        default="end_if_no_take",
        metadata=_ending(
            """An empty stock ends the round when the player to draw takes no discard; when all
            take none in succession; or at the end of the turn that emptied it. discard_only:
            players go on without drawing until one is out. reshuffle, turn_over: the discards
            below the top one become the stock, shuffled or merely turned over.""",
            "end_if_no_take: Rummy 500 rules (Portuguese), End of a round 2; end_if_all_pass, "
            "discard_only, reshuffle: Wikipedia, 500 rum (scoring; Boathouse); end_after_turn: an "
            "online platform's Rummy 500 help page; reshuffle: The Spruce, rummy rules, Setup; "
            "turn_over: pagat.com, Rummy",
        ),
    )
    exhausted_hand_penalty: bool = field(
        default=True,
        metadata=_ending(
            """Whether cards left in hand count against their holders in a round in which nobody
            went out.""",
            "True: Rummy 500 rules (Portuguese), End of a round 2, and Wikipedia, 500 rum "
            "(Boathouse); False: Wikipedia, 500 rum (scoring)",
        ),
    )
    max_reshuffles: int | None = field(
        default=1,
        metadata=_ending(
            """How often in a round an empty stock is refilled; after that it ends the round as
            under end_if_no_take. None: without limit.""",
            "our choice",
            low=0,
            high=1000,
        ),
    )
    no_progress_limit: int | Literal["auto"] | None = field(
        default="auto",
        metadata=_ending(
            """Turns in succession that take the top discard freely and lay nothing, after which
            the round is cut off. "auto": 20 for each player. None: without limit.""",
            "our choice",
            low=1,
            high=MAX_COUNT,
        ),
    )

    # --- scoring -------------------------------------------------------------------------------
    card_values: Literal["pip", "five_ten_fifteen"] = field(
        default="pip",
        metadata=_scoring(
            """Points of 2 to 9, on the table and in hand: their pips, or 5 each. Ten to king are
            10 in both; aces have options of their own.""",
            "pip: an online platform's Rummy 500 help page, Scoring; Rummy 500 rules "
            "(Portuguese), Scoring; pagat.com, 500 Rum; 5: Wikipedia, 500 rum (scoring)",
        ),
    )
    ace_low_value: int = field(
        default=1,
        metadata=_scoring(
            """Points of an ace laid below the two of a run. Decided when it is laid.""",
            "1: an online platform's Rummy 500 help page, Scoring; Rummy 500 rules (Portuguese), "
            "Scoring; pagat.com, 500 Rum; 5: Wikipedia, 500 rum (scoring)",
            low=0,
            high=MAX_CARD_VALUE,
        ),
    )
    ace_high_value: int = field(
        default=15,
        metadata=_scoring(
            """Points of an ace laid above the king of a run.""",
            "Wikipedia, 500 rum (scoring); Rummy 500 rules (Portuguese), Scoring",
            low=0,
            high=MAX_CARD_VALUE,
        ),
    )
    ace_set_value: int = field(
        default=15,
        metadata=_scoring(
            """Points of an ace in a set.""",
            "Rummy 500 rules (Portuguese), Scoring; 5 would be Wikipedia, 500 rum, to the letter",
            low=0,
            high=MAX_CARD_VALUE,
        ),
    )
    ace_hand_value: int = field(
        default=15,
        metadata=_scoring(
            """Points that an ace left in hand costs, whatever it could have formed.""",
            "other public rules; 1: The Spruce, rummy rules, Scoring",
            low=0,
            high=MAX_CARD_VALUE,
        ),
    )
    four_aces_bonus: int = field(
        default=0,
        metadata=_scoring(
            """Extra points of a player who alone has laid an ace of each suit in the round; paid
            once.""",
            "Wikipedia, 500 rum (point variants for aces), the amount after other public lists",
            low=0,
            high=MAX_BONUS,
        ),
    )
    scoring_mode: Literal["meld_minus_hand", "michigan", "winner_takes_hands"] = field(
        default="meld_minus_hand",
        metadata=_scoring(
            """What a round scores. meld_minus_hand: cards laid less cards held. michigan: cards
            laid, and the one who went out gets the value of all other hands. winner_takes_hands:
            he gets those hands and nobody gets anything else.""",
            "Wikipedia, 500 rum (scoring; Michigan); Rummy 500 rules (Portuguese), Scoring; "
            "winner_takes_hands: The Spruce, rummy rules, Scoring",
        ),
    )
    michigan_no_winner: Literal["melds_only", "deduct_own", "lowest_hand_collects"] = field(
        default="melds_only",
        metadata=_scoring(
            """michigan when nobody went out: cards laid only; less cards held, as usual; or the
            lowest hand collects what each other hand has more (ties share, rounded down).""",
            "our choice: the list in Wikipedia, 500 rum (Michigan) is lost",
        ),
    )
    go_out_bonus: int = field(
        default=0,
        metadata=_scoring(
            """Points for going out, to the player or the side.""",
            "0: Wikipedia, 500 rum (end of the round) and Rummy 500 rules (Portuguese), Scoring; "
            "25: Wikipedia, 500 rum (Persian)",
            low=0,
            high=MAX_BONUS,
        ),
    )
    boot_bonus: int = field(
        default=0,
        metadata=_scoring(
            """Points for going out on one's first turn without drawing (skip_first_draw).""",
            "25: Rummy 500 rules (Portuguese), Variations (booting)",
            low=0,
            high=MAX_BONUS,
        ),
    )
    four_at_once_multiplier: Literal[1, 2] = field(
        default=1,
        metadata=_scoring(
            """By how much a set of four laid in one go scores. A fourth card laid off later
            changes nothing.""",
            "2: Wikipedia, 500 rum (Persian)",
        ),
    )
    going_rummy_multiplier: Literal[1, 2] = field(
        default=1,
        metadata=_scoring(
            """By how much the winner's gain counts if he goes out without having laid anything
            earlier in the round (with winner_takes_hands).""",
            "2: The Spruce, rummy rules, Going rummy",
        ),
    )
    masters_hand_bonus: int = field(
        default=0,
        metadata=_scoring(
            """Points for laying a run of seven or more cards in one go and discarding the last
            card in the same turn, on top of the round's score.""",
            "500: Wikipedia, 500 rum (the master's hand); timing and adding: our choice",
            low=0,
            high=MAX_BONUS,
        ),
    )
    boodle_pots: bool = field(
        default=False,
        metadata=_scoring(
            """Whether chips are paid into four pots each round, which go to the first to lay
            A♥, K♣, Q♦ or J♠. Chips are counted apart from points.""",
            "Rummy 500 rules (Portuguese), Variations (Michigan Rummy 500); the cards and stakes "
            "after Bicycle, Michigan",
        ),
    )

    # --- game ----------------------------------------------------------------------------------
    target_score: int | None = field(
        default=500,
        metadata=_game(
            """The game ends after a round in which a total has reached this. None: it does not
            end by points.""",
            "500: all sources but The Spruce; 100 and 200: an online platform's Rummy 500 help "
            "page; 250: Wikipedia, 500 rum (the dealer's joker); 300, 600, 750: Rummy 500 rules "
            "(Portuguese); 150: The Spruce, rummy rules",
            low=1,
            high=MAX_COUNT,
        ),
    )
    max_deals: int | None = field(
        default=None,
        metadata=_game(
            """The game ends after this many rounds; the highest total wins, equal ones share.
            None: it does not end so.""",
            "2: Wikipedia, 500 rum (Persian); a number agreed on: The Spruce, rummy rules, "
            "Winning; sharing: our choice",
            low=1,
            high=MAX_COUNT,
        ),
    )
    tie_break: Literal["highest", "went_out"] = field(
        default="highest",
        metadata=_game(
            """Who wins when several have reached the target: the highest total, or the one who
            went out if he is among them. Equal highest totals play on. Sides always go by the
            highest.""",
            "highest: Rummy 500 rules (Portuguese), Winning, pagat.com and Bicycle, 500 Rum; "
            "went_out: Wikipedia, 500 rum (scoring)",
        ),
    )
    game_bonus: int = field(
        default=0,
        metadata=_game(
            """Points for winning the game, once; none when it is drawn.""",
            "50: Wikipedia, 500 rum (Persian)",
            low=0,
            high=MAX_BONUS,
        ),
    )
    max_turns: int | Literal["auto"] | None = field(
        default="auto",
        metadata=_game(
            """Turns of a round after which it is cut off and scored as if the stock had run out.
            "auto": 5000 where the stock can be refilled, else none. None: without limit.""",
            "our choice",
            low=1,
            high=MAX_COUNT,
        ),
    )
    max_rounds: int | None = field(
        default=1000,
        metadata=_game(
            """Rounds after which a game is broken off without a winner. None: without limit.""",
            "our choice",
            low=1,
            high=MAX_COUNT,
        ),
    )
    clock_budget: int | None = field(
        default=None,
        metadata=_game(
            """Actions that each player has for the whole game, in place of a clock. Whoever has
            none left loses whatever the score. None: no clock.""",
            "an online platform's Rummy 500 help page, End of the game (a time limit)",
            low=1,
            high=MAX_COUNT,
        ),
    )
