"""The specification page of the environment, made of the declarations it describes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rummy500_env.actions import ActionSpace
from rummy500_env.observations import ObservationSpace
from rummy500_env.rules import Rules

__all__ = ["action_table", "more_blocks", "observation_table", "specification"]

_PAGE = """# Rummy 500

| Creation           | `rummy500_env.env()` or `pettingzoo.make("aec", "rummy500-v0")` |
|--------------------|-----------------------------------------------|
| Actions            | Discrete                                      |
| Parallel API       | No                                            |
| Manual Control     | No                                            |
| Agents             | `player_0` … `player_7`, 2 to 8               |
| Action Shape       | (1,)                                          |
| Action Values      | Discrete({actions}) for two players           |
| Observation Shape  | ({size},) for two players                     |
| Observation Values | about [-1, 1]                                 |

A round: every player draws, lays melds and layoffs, and discards, until one has no card left or
the stock runs out. Cards on the table count for whoever laid them, cards in hand against their
holder; the first to reach the target over the rounds wins. Any card of the discard pile may be
dug, with all above it, if it is used at once. A turn is several actions of the same agent.

### Phases

| phase          | to move                                   | moves                              |
|----------------|-------------------------------------------|------------------------------------|
| `draw`         | whose turn it is                          | `draw`, `dig`; `pass`: nothing     |
| `obliged`      | the same, with a dug card to place        | what places it, or bridges to it   |
| `play`         | the same                                  | `meld`, `layoff`, then `discard`   |
| `nominate`     | the dealer, before anybody sees a hand    | `nominate`: what jokers do         |
| `opening`      | who begins the discard pile               | `discard`                          |
| `call`         | others, for a discard that fits the table | `call`, `pass`; then place or dig  |
| `window`       | others with cards, after each discard     | `meld`, `layoff`, then `pass`      |
| `final_layoff` | others with cards, when one is out        | `layoff`, then `pass`              |
| `over`         | nobody                                    |                                    |

The standard game has only those of a turn. Out of turn seats are asked one after the other, and
by what is public, so that being asked shows nothing. With the dealer's joker `block`, `own` and
`double` are moves too: `own` and `double` go before the move that they are said for.

### Observation

`{{"observation": float32 vector, "action_mask": int8 vector}}`, of the agent asked for, whoever is
to move. Blocks of the vector for two players:

{observation_table}

Other rules have more blocks, before `rules`:

{more_observations}

### Actions

One `Discrete(n)`, the same for every seat and phase. The mask is exact and never empty; it is zero
for agents that are not to move. Illegal actions raise `IllegalActionError` and change nothing.
Blocks for two players (`ActionSpace(rules, num_players)` gives the text of each action):

{action_table}

Other rules have more of them:

{more_actions}

### Rewards

| `reward`     | paid                                                                            |
|--------------|---------------------------------------------------------------------------------|
| `score`      | at a round's end: (own points - mean of the others') / 100                       |
| `points`     | the same difference as it arises; over a round it sums to `score`                |
| `own_points` | at a round's end: own points / 100; not zero-sum                                 |
| `win`        | at the game's end: (n w - 1) / (n - 1), w the winner's share: +1 and -1 for two  |

### Episodes

`episode="game"` plays rounds to the target, `"round"` a single one. `max_turns`, `max_rounds` and
`max_decisions` truncate all agents at once; `info["truncated_by"]` says which.

### Version history

* v0: first version.
"""

_OTHERS: Final[tuple[tuple[str, Any, dict[str, Any]], ...]] = (
    ("num_decks", 2, {}),
    ("joker_role", "wild", {"num_jokers": 2}),
    ("joker_role", "set_only", {"num_jokers": 4}),
    ("joker_role", "nominated", {"num_jokers": 2, "dealers_joker": True}),
    ("stock_exhausted", "reshuffle", {}),
    ("stock_exhausted", "turn_over", {}),
    ("four_at_once_multiplier", 2, {}),
    ("layoff_scope", "own", {}),
    ("layoff_scope", "team", {"teams": "two_by_two"}),
    ("ace_rank", "round_the_corner", {}),
    ("boodle_pots", True, {}),
    ("clock_budget", 1000, {}),
    ("first_meld_min", 30, {}),
    ("skip_first_draw", True, {}),
    ("call_rum", "card_only", {}),
    ("call_rum", "pile_and_turn", {}),
    ("out_of_turn_play", "layoff", {}),
    ("out_of_turn_play", "meld_and_layoff", {}),
    ("final_layoff", "any_meld", {}),
)
"""Values of options that bring blocks of their own, with what they need beside them."""


def specification() -> str:
    """Return the page."""
    rules = Rules()
    actions, observations = ActionSpace(rules, 2), ObservationSpace(rules, 2)
    return _PAGE.format(
        actions=actions.n,
        size=observations.size,
        observation_table=observation_table(observations),
        action_table=action_table(actions),
        more_observations=more_blocks(
            "meaning", ObservationSpace, lambda space, name: space.blocks[name].doc
        ),
        more_actions=more_blocks(
            "example", ActionSpace, lambda space, name: f"`{_example(space, name)}`"
        ),
    )


def action_table(space: ActionSpace) -> str:
    """Return the blocks of an action space as a Markdown table."""
    rows = ["| first | size | block | example |", "|---:|---:|---|---|"]
    for block in space.blocks.values():
        example = _example(space, block.name)
        rows.append(f"| {block.offset} | {block.size} | `{block.name}` | `{example}` |")
    return "\n".join(rows)


def _example(space: ActionSpace, name: str) -> str:
    block = space.blocks[name]
    return space.to_text(block.offset + block.size // 2)


def observation_table(space: ObservationSpace) -> str:
    """Return the blocks of an observation as a Markdown table."""
    rows = ["| first | size | block | meaning | scale |", "|---:|---:|---|---|---|"]
    for block in space.blocks.values():
        scales = ", ".join(f"{scale:.3g}" for scale in dict.fromkeys(block.scale))
        rows.append(f"| {block.offset} | {block.size} | `{block.name}` | {block.doc} | {scales} |")
    return "\n".join(rows)


def more_blocks(column: str, space: type[Any], told: Callable[[Any, str], str]) -> str:
    """Return the blocks that the standard game lacks, each with the options that bring it.

    Args:
        column: What the table says of a block.
        space: Makes the spaces of actions or observations.
        told: Gives what is said of a block of a space.
    """
    standard = space(Rules(), 2).blocks
    said: dict[str, str] = {}
    options: dict[str, list[str]] = {}
    for name, value, along in _OTHERS:
        here = space(Rules(**{name: value, **along}), 2)
        for block in [name for name in here.blocks if name not in standard]:
            said.setdefault(block, told(here, block))
            options.setdefault(block, []).append(f"`{name}={value!r}`")
    rows = [f"| block | {column} | with |", "|---|---|---|"]
    rows += [f"| `{block}` | {said[block]} | {', '.join(options[block])} |" for block in said]
    return "\n".join(rows)
