"""The environments' names in the registries of other libraries."""

from __future__ import annotations

try:
    from pettingzoo.env_registry import registration
except ImportError:
    registration = None

__all__ = ["AEC_ID", "register_environments"]

AEC_ID = "rummy500-v0"


def register_environments() -> None:
    """Make the environment known to ``pettingzoo.make("aec", "rummy500-v0")``.

    PettingZoo has a registry from 1.27 on; with an older one there is nothing to do.
    """
    if registration is not None and AEC_ID not in registration.aec_registry:
        registration.register("aec", AEC_ID, "rummy500_env.envs.aec:env")
