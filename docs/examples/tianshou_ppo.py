"""PPO of Tianshou 2 with action masks, 16 tables in one process."""

import argparse
import copy

import gymnasium
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn

from agents import ObservingAgent
from experiments.evaluation import LearningCurve, evaluate

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--budget", choices=["ci", "long"], default="ci")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
rollout, num_rollouts = 4000, {"ci": 6, "long": 500}[args.budget]


class Critic(nn.Module):
    def __init__(self, size, num_outputs=1):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, num_outputs))

    def forward(self, seen):
        return self.layers(torch.as_tensor(seen["observation"]))


class Actor(Critic):
    def forward(self, seen, state=None, info=None):
        illegal = torch.as_tensor(seen["action_mask"]) == 0
        return super().forward(seen).masked_fill(illegal, -1e9), state

    @torch.no_grad()
    def best(self, x, mask):  # how it plays when it is measured: the likeliest legal action
        return self({"observation": x, "action_mask": mask})[0].argmax(-1)


class NoInfo(gymnasium.Wrapper):  # Tianshou keeps infos, and takes a None in them for a fault
    def step(self, action):
        return *super().step(action)[:4], {}


def make_table():
    return NoInfo(gymnasium.make("Rummy500-v0", opponents="random", reward="points"))


torch.manual_seed(args.seed)
torch.set_num_threads(1)  # more are no faster with a network this small
tables = DummyVectorEnv([make_table] * 16)
tables.seed(args.seed)
seen, action_space = make_table().reset()[0], make_table().action_space
size = len(seen["observation"])
actor, optimizer = Actor(size, action_space.n), AdamOptimizerFactory(lr=1e-3)
policy = DiscreteActorPolicy(actor=actor, action_space=action_space)
ppo = PPO(policy=policy, critic=Critic(size), optim=optimizer, ent_coef=0.01, max_grad_norm=0.5)
untrained = ObservingAgent("untrained", copy.deepcopy(actor).best)
trained = ObservingAgent("tianshou_ppo", actor.best)
settings = OnPolicyTrainerParams(
    training_collector=Collector(ppo, tables, VectorReplayBuffer(rollout, 16)),
    max_epochs=num_rollouts,
    epoch_num_steps=rollout,
    collection_step_num_env_steps=rollout,
    update_step_num_repetitions=4,
    batch_size=1024,
    training_fn=lambda _, steps: print(curve.measure(steps), flush=True),  # before each rollout
    show_progress=False,
)
curve = LearningCurve(trained)
ppo.run_training(settings)
final = evaluate(trained, [untrained, "random", "greedy"])
print(final.round(1).to_string(index=False))
print(final.assign(seed=args.seed).to_json(orient="records"))
