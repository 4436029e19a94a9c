"""The specification page of the environment, made of the declarations it describes."""

from __future__ import annotations

from rummy500_env.actions import ActionSpace
from rummy500_env.observations import ObservationSpace
from rummy500_env.rules import Rules

__all__ = ["action_table", "observation_table", "specification"]

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

### Observation

`{{"observation": float32 vector, "action_mask": int8 vector}}`, of the agent asked for, whoever is
to move. Blocks of the vector for two players:

{observation_table}

### Actions

One `Discrete(n)`, the same for every seat and phase. The mask is exact and never empty; it is zero
for agents that are not to move. Illegal actions raise `IllegalActionError` and change nothing.
Blocks for two players (`ActionSpace(rules, num_players)` gives the text of each action):

{action_table}

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


def specification() -> str:
    """Return the page."""
    rules = Rules()
    actions, observations = ActionSpace(rules, 2), ObservationSpace(rules, 2)
    return _PAGE.format(
        actions=actions.n,
        size=observations.size,
        observation_table=observation_table(observations),
        action_table=action_table(actions),
    )


def action_table(space: ActionSpace) -> str:
    """Return the blocks of an action space as a Markdown table."""
    rows = ["| first | size | block | example |", "|---:|---:|---|---|"]
    for block in space.blocks.values():
        example = space.to_text(block.offset + block.size // 2)
        rows.append(f"| {block.offset} | {block.size} | `{block.name}` | `{example}` |")
    return "\n".join(rows)


def observation_table(space: ObservationSpace) -> str:
    """Return the blocks of an observation as a Markdown table."""
    rows = ["| first | size | block | meaning | scale |", "|---:|---:|---|---|---|"]
    for block in space.blocks.values():
        scales = ", ".join(f"{scale:.3g}" for scale in dict.fromkeys(block.scale))
        rows.append(f"| {block.offset} | {block.size} | `{block.name}` | {block.doc} | {scales} |")
    return "\n".join(rows)
