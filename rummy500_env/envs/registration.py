"""The environments' names in the registries of other libraries."""

from __future__ import annotations

__all__ = ["AEC_ID", "register_environments"]

AEC_ID = "rummy500-v0"


def register_environments() -> None:
    """Make the environment known to ``pettingzoo.make("aec", "rummy500-v0")``.

    PettingZoo has a registry from 1.27 on; with an older one there is nothing to do.
    """
    try:
        from pettingzoo.env_registry.registration import aec_registry, register
    except ImportError:
        return
    if AEC_ID not in aec_registry:
        register("aec", AEC_ID, "rummy500_env.envs.aec:env")
