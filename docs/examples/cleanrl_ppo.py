"""PPO in one file, as CleanRL writes it: torch, action masks, 64 tables in one process."""

import argparse
import copy

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

from agents import ObservingAgent
from experiments.evaluation import LearningCurve, evaluate

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--budget", choices=["ci", "long"], default="ci")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
rollout, num_rollouts = 4096, {"ci": 10, "long": 1000}[args.budget]
num_tables, epochs, batches = 64, 4, 4
learning_rate, gamma, gae_lambda, clip, entropy_weight = 1e-3, 0.99, 0.95, 0.2, 0.01


class Network(nn.Module):
    def __init__(self, size, num_actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.actor, self.critic = nn.Linear(128, num_actions), nn.Linear(128, 1)

    def forward(self, x, mask):
        hidden = self.body(x)
        logits = self.actor(hidden).masked_fill(mask == 0, -1e9)
        return Categorical(logits=logits), self.critic(hidden).squeeze(-1)

    @torch.no_grad()
    def best(self, x, mask):  # how it plays when it is measured: the likeliest legal action
        return self(torch.from_numpy(x), torch.from_numpy(mask))[0].logits.argmax(-1)


torch.manual_seed(args.seed)
torch.set_num_threads(1)  # more are no faster with a network this small
envs = gymnasium.make_vec("Rummy500-v0", num_envs=num_tables, opponents="random", reward="points")
seen, _ = envs.reset(seed=args.seed)
net = Network(seen["observation"].shape[1], envs.single_action_space.n)
optimizer = torch.optim.Adam(net.parameters(), learning_rate, eps=1e-5)
untrained = ObservingAgent("untrained", copy.deepcopy(net).best)
trained = ObservingAgent("cleanrl_ppo", net.best)
curve = LearningCurve(trained)
for k in range(1, num_rollouts + 1):
    played, advantages = [], []
    for _ in range(rollout // num_tables):
        x, mask = torch.tensor(seen["observation"]), torch.tensor(seen["action_mask"])  # copies
        with torch.no_grad():
            chances, value = net(x, mask)
        action = chances.sample()
        seen, reward, terminated, truncated, _ = envs.step(action.numpy())
        paid, goes_on = torch.tensor(reward).float(), torch.tensor(~(terminated | truncated))
        played.append((x, mask, action, chances.log_prob(action), value, paid, goes_on))
    with torch.no_grad():
        ahead, next_value = 0, net(torch.tensor(seen["observation"]), mask)[1]
    for *_, value, paid, goes_on in reversed(played):
        ahead = paid - value + gamma * goes_on * (next_value + gae_lambda * ahead)
        advantages, next_value = [ahead, *advantages], value
    x, mask, action, log_prob, value, _, _ = map(torch.cat, zip(*played, strict=True))
    advantage = torch.cat(advantages)
    for i in (i for _ in range(epochs) for i in torch.randperm(len(x)).chunk(batches)):
        chances, new_value = net(x[i], mask[i])
        ratio = (chances.log_prob(action[i]) - log_prob[i]).exp()
        gain = (advantage[i] - advantage[i].mean()) / (advantage[i].std() + 1e-8)
        loss = -torch.min(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()
        loss += 0.5 * (new_value - value[i] - advantage[i]).pow(2).mean()
        loss -= entropy_weight * chances.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
    print(curve.measure(k * rollout), flush=True)
final = evaluate(trained, [untrained, "random", "greedy"])
print(final.round(1).to_string(index=False))
print(final.assign(seed=args.seed).to_json(orient="records"))
