"""The claim checker: a BERT cross-encoder over (passage window, claim) with a sentence head and a word head.

Every token also carries flags that say whether it, alone or with a neighbour, stands on the other side of the pair: a
name or a number that is copied needs no learning. The word head says for every token of the claim how likely it is to
be wrong; its largest and mean values feed the sentence head, so that one wrong number in a long claim is not averaged
away.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from claim_generate import Example
from tokenizers import Encoding, Tokenizer
from torch import Tensor, nn
from transformers import BertModel

LABELS = ("supported", "contradicted", "unsupported")
MAX_TOKENS = 256
SEPARATOR = 102
START = 101
MATCHES = 4


class ClaimChecker(nn.Module):  # type: ignore[misc, unused-ignore]
    """Maps ids, mask and segment ids to `logits` (batch x 3) and `token_logits` (batch x tokens, > 0: wrong)."""

    def __init__(self, encoder: Any, width: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.match = nn.Linear(MATCHES, width, bias=False)
        nn.init.normal_(self.match.weight, std=0.05)
        self.word_head = nn.Linear(width + MATCHES, 1)
        self.pool = nn.Linear(3 * width, width)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(width + 2 + MATCHES, len(LABELS))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return the class logits and the wrong-word logits; the latter are -10 outside the claim."""
        kind = self.match.weight.dtype
        inside = attention_mask.to(kind) * (input_ids != SEPARATOR).to(kind) * (input_ids != START).to(kind)
        claim = inside * token_type_ids.to(kind)
        flags = matches(input_ids, inside - claim, claim)
        hidden = self.encoder(
            inputs_embeds=self.encoder.embeddings.word_embeddings(input_ids) + self.match(flags),
            attention_mask=attention_mask,
            token_type_ids=token_type_ids,
        ).last_hidden_state
        count = claim.sum(1, keepdim=True).clamp(min=1.0)
        spread = claim.unsqueeze(-1)
        mean = (hidden * spread).sum(1) / count
        peak = (hidden * spread - 30.0 * (1.0 - spread)).max(1).values
        words = self.word_head(torch.cat((hidden, flags), dim=2)).squeeze(-1) * claim - 10.0 * (1.0 - claim)
        wrong = torch.stack((words.max(1).values, (torch.sigmoid(words) * claim).sum(1) / count.squeeze(1)), dim=1)
        shared = (flags * spread).sum(1) / count
        pooled = torch.nn.functional.gelu(self.pool(torch.cat((hidden[:, 0], mean, peak), dim=1)))
        logits = self.head(torch.cat((self.dropout(pooled), wrong, shared), dim=1))
        return logits, words


def matches(input_ids: Tensor, passage: Tensor, claim: Tensor) -> Tensor:
    """Return flags (batch x tokens x 4) that tell which tokens stand on the other side too.

    For a claim token: the same token is in the passage; also with its left neighbour; also with its right neighbour.
    For a passage token: the same token is in the claim.
    """
    same = (input_ids.unsqueeze(2) == input_ids.unsqueeze(1)).to(claim.dtype)
    same = same * claim.unsqueeze(2) * passage.unsqueeze(1)
    pairs = same * nn.functional.pad(same[:, :-1, :-1], (1, 0, 1, 0))
    left = pairs.max(2).values
    right = nn.functional.pad(left[:, 1:], (0, 1))
    return torch.stack((same.max(2).values, left, right, same.max(1).values), dim=2)


def from_backbone(source: Path) -> ClaimChecker:
    """Return a checker with the encoder of a BERT directory and fresh heads; its embeddings stay as they are.

    One pass over the examples needs no dropout in the encoder, and eager attention is the faster one without it.
    """
    encoder = BertModel.from_pretrained(
        source,
        add_pooling_layer=False,
        attn_implementation="eager",
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    encoder.embeddings.requires_grad_(False)
    return ClaimChecker(encoder, encoder.config.hidden_size)


def load(source: Path, weights: Path, eager: bool = False) -> ClaimChecker:
    """Return a trained checker: architecture from the backbone directory, weights from a state file."""
    from transformers import BertConfig

    config = BertConfig.from_pretrained(source)
    if eager:
        config._attn_implementation = "eager"
    model = ClaimChecker(BertModel(config, add_pooling_layer=False), config.hidden_size)
    model.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    model.eval()
    return model


def load_tokenizer(path: Path) -> Tokenizer:
    """Return a tokenizer that pads to the longest pair and cuts the longer side of a pair at `MAX_TOKENS`."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    return tokenizer


def encode(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> tuple[list[Encoding], tuple[Tensor, ...]]:
    """Return the encodings of (passage, claim) pairs and the three input tensors; claims are cut at 120 words."""
    encodings = tokenizer.encode_batch([(passage or " ", " ".join(claim.split()[:120])) for passage, claim in pairs])
    columns = ([e.ids for e in encodings], [e.attention_mask for e in encodings], [e.type_ids for e in encodings])
    return encodings, tuple(torch.tensor(column) for column in columns)


def word_targets(examples: Sequence[Example], encodings: Sequence[Encoding]) -> Tensor:
    """Return per token 1 (wrong), 0 (right) or -1 (outside the claim, or unknown)."""
    width = len(encodings[0].ids)
    targets = torch.full((len(examples), width), -1.0)
    for row, (example, encoding) in enumerate(zip(examples, encodings, strict=True)):
        if example.wrong is None:
            continue
        owner: list[int] = []
        for number, word in enumerate(example.claim.split()[:120]):
            owner.extend([number] * (len(word) + 1))
        for place, (segment, (start, end)) in enumerate(zip(encoding.type_ids, encoding.offsets, strict=True)):
            if segment == 1 and end > start and start < len(owner):
                targets[row, place] = float(example.wrong[owner[start]])
    return targets


def loss(logits: Tensor, words: Tensor, labels: Tensor, targets: Tensor, word_weight: float) -> Tensor:
    """Return cross-entropy over the classes (label 3 means class 1 or 2) plus the weighted word loss."""
    logs = torch.log_softmax(logits.float(), dim=1)
    either = torch.logsumexp(logs[:, 1:], dim=1)
    chosen = logs.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1)
    sentence = -torch.where(labels == 3, either, chosen).mean()
    known = targets >= 0
    if not bool(known.any()):
        return sentence
    weight = torch.tensor(3.0)
    word = nn.functional.binary_cross_entropy_with_logits(words.float()[known], targets[known], pos_weight=weight)
    return sentence + word_weight * word


@torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
def predict(model: ClaimChecker, tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]], size: int = 32) -> Tensor:
    """Return the class logits of every pair, in order."""
    model.eval()
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + len(pairs[i][1]))
    result = torch.zeros(len(pairs), len(LABELS))
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        _, inputs = encode(tokenizer, [pairs[i] for i in chosen])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits, _ = model(*inputs)
        result[chosen] = logits.float()
    return result
