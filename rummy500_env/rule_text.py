"""The rules in plain words, derived from the options: what a table would be told."""

from __future__ import annotations

from collections.abc import Iterator

from rummy500_env.rules import Rules

__all__ = ["card_value_rows", "deal_rows", "summary"]


def summary(rules: Rules) -> dict[str, list[str]]:
    """How the game is played, as lists of sentences under headings."""
    parts = {
        "Setup": _setup(rules),
        "Drawing": _drawing(rules),
        "Melds and layoffs": _melds(rules),
        "Jokers": _jokers(rules),
        "End of a round": _ending(rules),
        "Score of a round": _scoring(rules),
        "End of the game": _game(rules),
    }
    return {heading: found for heading, part in parts.items() if (found := list(part))}


def deal_rows(rules: Rules) -> list[tuple[int, int, int, int, int]]:
    """For each number of players: players, decks, jokers, cards each, cards in the stock."""
    rows: list[tuple[int, int, int, int, int]] = []
    for n in rules.player_counts():
        each = rules.hand(n)
        stock = rules.pack_size(n) - n * each - 1
        rows.append((n, rules.decks(n), rules.jokers(n), each, stock))
    return rows


def card_value_rows(rules: Rules) -> list[tuple[str, str, str]]:
    """Cards, their points on the table and in hand; "-" where they have none."""
    low = "pips" if rules.card_values == "pip" else "5"
    rows = [("2 to 9", low, low), ("T J Q K", "10", "10")]
    if rules.ace_rank != "high":
        rows.append(("ace below the two of a run", str(rules.ace_low_value), "-"))
    if rules.ace_rank != "low":
        rows.append(("ace above the king of a run", str(rules.ace_high_value), "-"))
    rows.append(("ace in a set", str(rules.ace_set_value), "-"))
    rows.append(("ace in hand", "-", str(rules.ace_hand_value)))
    if _has_jokers(rules):
        table = rules.joker_table_value
        shown = "as the card it stands for" if table == "represented" else str(table)
        rows.append(("joker", shown, str(rules.joker_hand_value)))
    if rules.scoring_mode == "winner_takes_hands":  # cards laid score nothing
        return [(card, "-", in_hand) for card, _, in_hand in rows if in_hand != "-"]
    return rows


def _has_jokers(rules: Rules) -> bool:
    return any(jokers > 0 for _, _, jokers, _, _ in deal_rows(rules))


def _setup(rules: Rules) -> Iterator[str]:
    if rules.num_ranks < 13 or rules.num_suits < 4:
        yield (
            f"The deck has {rules.num_ranks} ranks from the ace up and {rules.num_suits} suit(s); "
            "the highest rank takes the king's place."
        )
    if rules.teams == "two_by_two":
        yield "Two sides of two, partners facing each other; a side's points are counted together."
    way = "clockwise" if rules.direction == 1 else "counter-clockwise"
    yield (
        f"The first dealer is drawn. Cards are dealt and turns are taken {way}, beginning with the "
        "player after the dealer."
    )
    if rules.start_discard == "stock_top":
        yield "The top card of the stock begins the discard pile, which stays open and in order."
    else:
        turn = (
            "that is his turn" if rules.opening_discard_is_turn else "he then takes a turn as usual"
        )
        yield (
            "The player after the dealer is dealt one card more and begins the discard pile with "
            f"a card of his hand; {turn}. The pile stays open and in order."
        )
    yield {
        "left": "The deal passes to the next player.",
        "winner": "The best score of a round deals the next.",
        "loser": "The worst score of a round deals the next.",
    }[rules.dealer_rotation]


def _drawing(rules: Rules) -> Iterator[str]:
    count = "the top card" if rules.stock_draw_count == 1 else "the two top cards"
    use = (
        "put into a new meld" if rules.dig_use == "new_meld" else "put into a new meld or laid off"
    )
    if rules.discard_take == "any_depth":
        yield (
            f"A turn begins by drawing {count} of the stock or by digging: taking a discard "
            f"together with all that lie above it. The card dug for must be {use} at once."
        )
        if rules.dig_support == "hand_only":
            yield "Only cards held before may help to place it."
        else:
            yield "The other cards dug may help to place it and otherwise join the hand."
        if rules.dig_use == "meld_or_layoff" and rules.dig_layoff_bridge:
            yield "It may be laid off on a run after cards that close the gap have been."
    else:
        free = "" if rules.top_discard_free else f", which must be {use} at once"
        yield f"A turn begins by drawing {count} of the stock or the top discard{free}."
    if rules.top_discard_free and rules.discard_take == "any_depth":
        yield "The top discard alone may also be taken into the hand without using it."
    ban = {
        "none": "",
        "top_taken": "A top discard taken alone may not be discarded in the same turn.",
        "dug_all": "Cards dug may not be discarded in the same turn.",
        "all_drawn": "No card drawn in a turn may be discarded in it.",
    }[rules.resolved_ban]
    if ban:
        yield ban
    if rules.skip_first_draw:
        yield (
            "On his first turn a player who can play out his whole hand may do so without drawing."
        )


def _melds(rules: Rules) -> Iterator[str]:
    yield "After drawing a player may meld and lay off as he likes, then discards one card."
    suits = ", all of different suits" if rules.set_distinct_suits else ""
    most = min(4, rules.set_max_size)
    sizes = f"{rules.set_min_len} to {most}" if rules.set_min_len < most else f"{most}"
    larger = f"; a set grows to at most {rules.set_max_size}" if rules.set_max_size != most else ""
    yield f"A set is {sizes} cards of one rank{suits}{larger}."
    aces = {
        "low": "Aces stand below the two only",
        "high": "Aces stand above the king only",
        "high_or_low": "Aces stand below the two or above the king, not both at once",
        "round_the_corner": "Aces stand below the two, above the king, or between the two",
    }[rules.ace_rank]
    yield f"A run is {rules.run_min_len} or more cards of one suit in sequence. {aces}."
    yield {
        "any": "Single cards may be laid off on anybody's melds; they score for who lays them.",
        "own": "Single cards may be laid off on one's own melds only.",
        "team": "Single cards may be laid off on the melds of one's own side only.",
        "none": "Nothing may be laid off.",
    }[rules.layoff_scope]
    if rules.first_meld_min and rules.first_meld_scope != "on_board":
        when = "in each round" if rules.first_meld_scope == "round" else "in the game"
        yield (
            f"The first melds of a player {when} must come to {rules.first_meld_min} points in "
            "one turn; until then he may lay nothing off."
        )
    elif rules.first_meld_min:
        yield (
            f"Until a player has once scored {rules.first_meld_min} in a round, rounds below "
            "that count 0."
        )
    if rules.out_of_turn_play != "none":
        what = "lay off" if rules.out_of_turn_play == "layoff" else "meld and lay off"
        yield f"After each discard the other players may, each in turn, {what}."
    if rules.call_rum == "card_only":
        yield (
            "A discard that fits a meld may be called by another player, who lays it; then play "
            "goes on as usual."
        )
    elif rules.call_rum == "pile_and_turn":
        yield (
            "A discard that fits may be called by another player, who takes the pile from the "
            "deepest card needed, lays what he called for and plays out a turn; play goes on at "
            "his left."
        )


def _jokers(rules: Rules) -> Iterator[str]:
    if not _has_jokers(rules):
        return
    if rules.joker_role == "set_only":
        yield "Jokers form sets of three or four jokers and nothing else."
        return
    if rules.dealers_joker:
        effects = " or ".join(rules.dealers_joker_effects)
        yield (
            "One joker lies face up beside the dealer and is his to use in his turns. Before "
            f"anybody looks at a hand he says what jokers are in this round: {effects}."
        )
        if "double" in rules.dealers_joker_effects:
            yield "Double: laid over a new meld, a joker makes it count twice."
        yield (
            "Another player may in his turn put a joker of his own on the dealer's, which is then "
            "out of play for the round."
        )
    again = "even" if rules.joker_may_duplicate else "but not"
    yield (
        f"A wild joker stands for any card its player names, {again} one that is on the table "
        f"already; a new meld needs at least {rules.min_naturals} other card(s)."
    )
    if rules.joker_layoff == "natural_first":
        yield "A joker may not be laid off as a card that its player could lay off himself."


def _ending(rules: Rules) -> Iterator[str]:
    if rules.must_discard_to_go_out:
        yield "A round ends when a player discards his last card; he can go out in no other way."
    else:
        yield "A round ends as soon as a player has laid or discarded his last card."
    if rules.floating:
        yield "A player who has laid his last card without discarding plays on from an empty hand."
    yield {
        "end_if_no_take": "With an empty stock the first player who takes no discard ends it.",
        "end_if_all_pass": "With an empty stock it ends when all players in a row take no discard.",
        "end_after_turn": "It also ends with the turn that has emptied the stock.",
        "discard_only": "With an empty stock play goes on without drawing until a player is out.",
        "reshuffle": "An empty stock is made anew: the discards below the top one, shuffled.",
        "turn_over": "An empty stock is made anew: the discards below the top one, turned over.",
    }[rules.stock_exhausted]
    if rules.stock_exhausted in ("reshuffle", "turn_over") and rules.max_reshuffles is not None:
        yield f"That is done at most {rules.max_reshuffles} time(s) in a round."
    if rules.top_discard_free and rules.no_progress_limit is not None:
        each = rules.no_progress_limit == "auto"
        turns = "20 turns for each player" if each else f"{rules.no_progress_limit} turns"
        yield f"After {turns} of free takes with nothing laid it is cut off."
    if rules.resolved_max_turns is not None:
        yield f"It is cut off after {rules.resolved_max_turns} turns."
    if rules.final_layoff == "any_meld":
        yield "After a player has gone out the others may, each in turn, lay off what fits."


def _scoring(rules: Rules) -> Iterator[str]:
    yield {
        "meld_minus_hand": "Each scores the cards he has laid less those left in his hand.",
        "michigan": "Each scores the cards he has laid; who went out also gets all other hands.",
        "winner_takes_hands": "Who went out scores the value of all other hands; others nothing.",
    }[rules.scoring_mode]
    if rules.scoring_mode == "michigan":
        yield {
            "melds_only": "If nobody went out, hands count for nobody.",
            "deduct_own": "If nobody went out, each loses the value of his own hand.",
            "lowest_hand_collects": (
                "If nobody went out, the lowest hand collects what each other hand has more."
            ),
        }[rules.michigan_no_winner]
    elif rules.scoring_mode == "meld_minus_hand" and not rules.exhausted_hand_penalty:
        yield "If nobody went out, hands do not count."
    bonuses = (
        (rules.go_out_bonus, "for going out"),
        (rules.boot_bonus, "for going out on the first turn without drawing"),
        (rules.four_aces_bonus, "for being the only one to lay aces, all four of them"),
        (
            rules.masters_hand_bonus,
            "for laying a run of seven or more and discarding the last card in the same turn",
        ),
    )
    for points, what in bonuses:
        if points:
            yield f"{points} points {what}."
    if rules.four_at_once_multiplier > 1:
        yield "A set of four laid at once counts twice."
    if rules.going_rummy_multiplier > 1:
        yield "The gain counts twice if the winner had laid nothing earlier in the round."
    if rules.boodle_pots:
        yield (
            "Before each deal every player pays a chip into each of four pots, the dealer two. "
            "The first to lay A♥, K♣, Q♦ or J♠ takes its pot."
        )


def _game(rules: Rules) -> Iterator[str]:
    if rules.target_score is not None:
        who = "side" if rules.teams != "none" else "player"
        yield f"The game ends after a round in which a {who} has reached {rules.target_score}."
        if rules.tie_break == "went_out" and rules.teams == "none":
            yield (
                "If several have, the one among them who went out wins, else the highest total; "
                "equal highest totals play on."
            )
        else:
            yield "The highest total wins; equal highest totals play on."
    if rules.max_deals is not None:
        yield (
            f"The game ends after {rules.max_deals} rounds; the highest total wins, equal ones "
            "share."
        )
    if rules.game_bonus:
        yield f"The winner adds {rules.game_bonus} points."
    if rules.clock_budget is not None:
        yield f"Each player has {rules.clock_budget} actions in the game; with none left he loses."
