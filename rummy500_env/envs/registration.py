"""The environments' names in the registries of other libraries."""

from __future__ import annotations

import gymnasium

try:
    from pettingzoo.env_registry import registration
except ImportError:
    registration = None

__all__ = ["AEC_ID", "GYMNASIUM_ID", "register_environments"]

AEC_ID = "rummy500-v0"
GYMNASIUM_ID = "Rummy500-v0"


def register_environments() -> None:
    """Make the environments known by name; they are imported when they are made.

    ``gymnasium.make("Rummy500-v0")`` and ``gymnasium.make_vec`` make one for learners,
    ``pettingzoo.make("aec", "rummy500-v0")`` the one for all seats: PettingZoo has a registry from
    1.27 on, and with an older one there is nothing to do.
    """
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="rummy500_env.envs.single:Rummy500Single",
            vector_entry_point="rummy500_env.envs.vector:Rummy500Vector",
        )
    if registration is not None and AEC_ID not in registration.aec_registry:
        registration.register("aec", AEC_ID, "rummy500_env.envs.aec:env")
