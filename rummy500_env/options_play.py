"""The options of the rules, first half: setup, draw, melds and layoffs, jokers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

from rummy500_env.rule_options import Pair, Steps, Subset, option

__all__ = ["PlayOptions"]

HAND_SIZE: Final = Steps("number of players", 2, 8, 1, 53)
NUM_JOKERS: Final = Steps("number of decks", 1, 2, 0, 4)

_setup = partial(option, "setup")
_draw = partial(option, "draw")
_melds = partial(option, "melds")
_jokers = partial(option, "jokers")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PlayOptions:
    """What is dealt, and what may be drawn, melded and laid off."""

    # --- setup ---------------------------------------------------------------------------------
    players: tuple[int, int] = field(
        default=(2, 8),
        metadata=_setup(
            """Smallest and largest number of players. The number at one table is given to the
            game, which refuses it when it lies outside or when the cards do not suffice.""",
            "Wikipedia, 500 rum (introduction); Rummy 500 rules (Portuguese), Players",
            kind=Pair(2, 8),
        ),
    )
    num_decks: Literal[1, 2, "auto"] = field(
        default="auto",
        metadata=_setup(
            """Decks shuffled together. "auto" is one for up to four players, two from five.""",
            "Wikipedia, 500 rum (cards); Rummy 500 rules (Portuguese), Players and Deck",
        ),
    )
    num_jokers: int | Mapping[int, int] | tuple[tuple[int, int], ...] = field(
        default=0,
        metadata=_setup(
            """Jokers in the whole pack: a number, or a map by the number of decks such as
            {1: 2, 2: 4}. A joker turned up as the first discard stays there.""",
            "Wikipedia, 500 rum (cards); Rummy 500 rules (Portuguese), Deck; pagat.com, 500 Rum",
            kind=NUM_JOKERS,
        ),
    )
    hand_size: int | Mapping[int, int] | tuple[tuple[int, int], ...] = field(
        default=((2, 13), (3, 7)),
        metadata=_setup(
            """Cards dealt to each player: a number, or a map by the number of players in which
            each entry holds up to the next, such as {2: 13, 3: 7}.""",
            "Wikipedia, 500 rum (deal); Rummy 500 rules (Portuguese), Preparation 2; 13 for all: "
            "an online platform's Rummy 500 help page; 10, 7 or 6: The Spruce, rummy rules",
            kind=HAND_SIZE,
        ),
    )
    first_dealer: Literal["random"] = field(
        default="random",
        metadata=_setup(
            """Who deals first. Drawn from the game's seed: as likely as drawing for the lowest
            card makes it.""",
            "Wikipedia, 500 rum (deal); Rummy 500 rules (Portuguese), Preparation 1",
        ),
    )
    dealer_rotation: Literal["left", "winner", "loser"] = field(
        default="left",
        metadata=_setup(
            """Who deals next: the player to the left, or the one with the best or the worst
            score of the round (tied: the one who went out, else the nearest to the left; nobody
            went out: the left).""",
            "Wikipedia, 500 rum (deal; winner: variant of the first discard); Rummy 500 rules "
            "(Portuguese), Players; pagat.com, Rummy",
        ),
    )
    direction: Literal[1, -1] = field(
        default=1,
        metadata=_setup(
            """1 for clockwise, -1 for the other way round. It turns the order of play and the
            passing of the deal together (our choice: the source speaks of the deal).""",
            "Wikipedia, 500 rum (deal; -1: the dealer's joker)",
        ),
    )
    start_discard: Literal["stock_top", "player_choice"] = field(
        default="stock_top",
        metadata=_setup(
            """How the discard pile begins: with the top card of the stock, or with a card that
            the player after the dealer, who was dealt one more, chooses from his hand.""",
            "Wikipedia, 500 rum (deal, and its variant); Rummy 500 rules (Portuguese), "
            "Preparation 4",
        ),
    )
    opening_discard_is_turn: bool = field(
        default=True,
        metadata=_setup(
            """With start_discard="player_choice": whether that first discard is the whole first
            turn of its player; if not, a normal turn of the same player follows.""",
            "our choice, the source is silent",
        ),
    )
    teams: Literal["none", "two_by_two"] = field(
        default="none",
        metadata=_setup(
            """Everyone for himself, or four players in two sides, partners facing each other
            (seats 0 and 2 against 1 and 3), whose points are counted together.""",
            "Wikipedia, 500 rum (partnership); Rummy 500 rules (Portuguese), Variations",
        ),
    )
    num_ranks: int = field(
        default=13,
        metadata=_setup(
            """Ranks in use, from the ace up, for tiny decks. The highest takes the king's place,
            with the high ace above it.""",
            "our choice, for study; 13 everywhere else",
            low=3,
            high=13,
        ),
    )
    num_suits: int = field(
        default=4,
        metadata=_setup(
            """Suits in use, in the order clubs, diamonds, hearts, spades, for tiny decks.""",
            "our choice, for study; 4 everywhere else",
            low=1,
            high=4,
        ),
    )

    # --- draw ----------------------------------------------------------------------------------
    discard_take: Literal["any_depth", "top_only"] = field(
        default="any_depth",
        metadata=_draw(
            """Which discards may be taken: any, together with all that lie above it, or only the
            top one.""",
            "Wikipedia, 500 rum (taking a discard); an online platform's Rummy 500 help page, "
            "Drawing; Rummy 500 rules (Portuguese), Turn 1; top_only: The Spruce, rummy rules",
        ),
    )
    dig_use: Literal["meld_or_layoff", "new_meld"] = field(
        default="meld_or_layoff",
        metadata=_draw(
            """What must be done at once with the card dug for: put it into a new meld or lay it
            off, or put it into a new meld and nothing else.""",
            "an online platform's Rummy 500 help page, Drawing; Rummy 500 rules (Portuguese), "
            "Turn 1; Bicycle, 500 Rum; new_meld: Wikipedia, 500 rum (end of the round)",
        ),
    )
    top_discard_free: bool = field(
        default=False,
        metadata=_draw(
            """Whether the top discard alone may be taken into the hand without using it.""",
            "Wikipedia, 500 rum (second variant of taking); pagat.com, 500 Rum; The Spruce, "
            "rummy rules",
        ),
    )
    dig_support: Literal["hand_and_dug", "hand_only"] = field(
        default="hand_and_dug",
        metadata=_draw(
            """Which cards may help to place the card dug for: those of the hand and the others
            dug with it, or only those held before.""",
            "other public engines; hand_only: Wikipedia, 500 rum (cards dug are left aside), "
            "read strictly",
        ),
    )
    dig_layoff_bridge: bool = field(
        default=True,
        metadata=_draw(
            """Whether the card dug for may be laid off on a run after the cards between, laid
            off first, have closed the gap.""",
            "Wikipedia, 500 rum (first variant of taking, a pair of cards); HowStuffWorks, rummy",
        ),
    )
    drawn_discard_ban: Literal["auto", "none", "top_taken", "dug_all", "all_drawn"] = field(
        default="auto",
        metadata=_draw(
            """Cards that may not be discarded in the turn that drew them: none, the single top
            discard taken, all dug cards, or all drawn cards. "auto" is top_taken where the top
            discard may be taken freely, else none.""",
            "The Spruce, rummy rules, How to play (note); pagat.com, 500 Rum; all_drawn: an "
            "online platform's Rummy 500 help page, Discarding",
        ),
    )
    stock_draw_count: Literal[1, 2] = field(
        default=1,
        metadata=_draw(
            """Cards drawn from the stock in one turn; one if only one is left.""",
            "two: Wikipedia, 500 rum (Boathouse Rum in software)",
        ),
    )
    skip_first_draw: bool = field(
        default=False,
        metadata=_draw(
            """Whether a player whose dealt hand can be played out completely may do so on his
            first turn without drawing.""",
            "Rummy 500 rules (Portuguese), Variations (booting)",
        ),
    )

    # --- melds and layoffs ---------------------------------------------------------------------
    set_min_len: int = field(
        default=3,
        metadata=_melds(
            """Fewest cards of a new set; 2 is for tiny decks.""",
            "all sources; 2 and 4: our choice, for study",
            low=2,
            high=4,
        ),
    )
    set_max_size: int = field(
        default=4,
        metadata=_melds(
            """Most cards of a set on the table. A new set has at most four, more are laid
            off.""",
            "all sources; more than 4 (two decks) or fewer: our choice, for study",
            low=2,
            high=8,
        ),
    )
    set_distinct_suits: bool = field(
        default=False,
        metadata=_melds(
            """Whether the cards of a set must differ in suit. It matters with two decks or
            jokers.""",
            "Rummy 500 rules (Portuguese), Deck (suits do not matter in sets); True: pagat.com, "
            "500 Rum",
        ),
    )
    run_min_len: int = field(
        default=3,
        metadata=_melds(
            """Fewest cards of a new run. Single cards may be laid off on any run.""",
            "all sources; four: Wikipedia, 500 rum (variant of runs); 2: our choice, for study",
            low=2,
            high=4,
        ),
    )
    ace_rank: Literal["low", "high", "high_or_low", "round_the_corner"] = field(
        default="high_or_low",
        metadata=_melds(
            """Where aces stand in runs: below the two, above the king, either, or in the middle
            of runs that go round the corner (Q K A 2).""",
            "Wikipedia, 500 rum (aces); Rummy 500 rules (Portuguese), Deck; low: The Spruce, "
            "rummy rules; high: gamerules.com, Persian Rummy",
        ),
    )
    first_meld_min: int = field(
        default=0,
        metadata=_melds(
            """Points that the new melds of one turn must reach before a player has opened;
            layoffs are barred until then.""",
            "30: Wikipedia, 500 rum (scoring, the first 30 points)",
            low=0,
            high=1000,
        ),
    )
    first_meld_scope: Literal["round", "game", "on_board"] = field(
        default="round",
        metadata=_melds(
            """When first_meld_min holds: in each round anew; until the first opening of the
            game; or not for melding at all, but a round's score below it is written as 0 until
            one reaches it.""",
            "our choice for Wikipedia, 500 rum (the first score); on_board: other public rules",
        ),
    )
    layoff_scope: Literal["any", "own", "team", "none"] = field(
        default="any",
        metadata=_melds(
            """On whose melds cards may be laid off: anybody's, one's own, one's side's, or
            none.""",
            "Wikipedia, 500 rum (laying off); an online platform's Rummy 500 help page, Adding; "
            "Rummy 500 rules (Portuguese), Turn 3; The Spruce, rummy rules, Laying off; team: "
            "Wikipedia, 500 rum (partnership); own and none: house rules",
        ),
    )
    out_of_turn_play: Literal["none", "layoff", "meld_and_layoff"] = field(
        default="none",
        metadata=_melds(
            """What the others may lay, each in turn, after every discard. A hand emptied so has
            gone out.""",
            "Wikipedia, 500 rum (variant: laying in other players' turns); asking in the order "
            "of seats: our choice",
        ),
    )
    call_rum: Literal["none", "card_only", "pile_and_turn"] = field(
        default="none",
        metadata=_melds(
            """Whether a discard that fits a meld on the table may be called. card_only: the
            caller lays that card and play goes on. pile_and_turn: the caller takes the pile from
            the deepest card needed and plays out a turn.""",
            "card_only: Wikipedia, 500 rum (calling rum); pile_and_turn: pagat.com, 500 Rum, "
            "details our choice",
        ),
    )
    final_layoff: Literal["none", "any_meld"] = field(
        default="none",
        metadata=_melds(
            """Whether, after a player has gone out, the others may each in turn lay off what
            fits the melds on the table.""",
            "Wikipedia, 500 rum (Michigan)",
        ),
    )

    # --- jokers --------------------------------------------------------------------------------
    joker_role: Literal["none", "wild", "set_only", "nominated"] = field(
        default="none",
        metadata=_jokers(
            """What jokers are: nothing (there are none), cards that stand for any other, cards
            that form sets of jokers only, or what the dealer names before each round.""",
            "wild: Wikipedia, 500 rum (jokers) and Rummy 500 rules (Portuguese), Variations; "
            "set_only: Wikipedia, 500 rum (Persian); nominated: Wikipedia, 500 rum (the dealer's "
            "joker)",
        ),
    )
    joker_table_value: int | Literal["represented"] = field(
        default=15,
        metadata=_jokers(
            """Points of a joker on the table: a number, or those of the card it stands for.""",
            "15: Wikipedia, 500 rum (scoring) and pagat.com, 500 Rum; 20: Persian rummy in both; "
            "0: Wikipedia, 500 rum (the dealer's joker)",
            low=0,
            high=50,
        ),
    )
    joker_hand_value: int = field(
        default=15,
        metadata=_jokers(
            """Points that a joker left in the hand costs.""",
            "as joker_table_value",
            low=0,
            high=50,
        ),
    )
    joker_may_duplicate: bool = field(
        default=True,
        metadata=_jokers(
            """Whether a joker may stand for a card that lies on the table already.""",
            "Wikipedia, 500 rum (jokers)",
        ),
    )
    min_naturals: Literal[0, 1, 2] = field(
        default=1,
        metadata=_jokers(
            """Fewest cards of a new meld that are no jokers.""",
            "our choice, the sources are silent",
        ),
    )
    joker_layoff: Literal["free", "natural_first"] = field(
        default="free",
        metadata=_jokers(
            """natural_first: a joker may not be laid off as a card that the player holds and
            could lay off there himself.""",
            "natural_first: Rummy 500 rules (Portuguese), Variations (Persian), our reading",
        ),
    )
    dealers_joker: bool = field(
        default=False,
        metadata=_jokers(
            """Whether one joker lies face up beside the dealer, for his use alone unless another
            player's joker blocks it.""",
            "Wikipedia, 500 rum (the dealer's joker)",
        ),
    )
    dealers_joker_effects: tuple[str, ...] = field(
        default=("wild", "double"),
        metadata=_jokers(
            """The effects among which the dealer names one for all jokers of the round: wild
            (stands for any card) or double (laid over a new meld, which scores twice).""",
            "Wikipedia, 500 rum (the dealer's joker); the list itself after other public rules",
            kind=Subset(("wild", "double")),
        ),
    )
