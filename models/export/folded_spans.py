"""The GLiNER span model as one graph whose span head costs little: the same function, multiplied out differently.

Upstream scores span (i, j) for label c as out(relu(start(h_i), end(h_j))) . prompt(c), `out` being two linear layers,
and applies both layers to every span: with twelve spans a word that is more work than the encoder's. The first layer is
linear in its two halves, so each half is applied once a word and a span adds two rows; the second is folded into the
prompts. Nothing is approximated.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

INPUTS = ("input_ids", "attention_mask", "words_mask", "span_idx", "span_mask")
OPSET = 17
NO_SPAN = -30.0
"""Logit of a span that reaches beyond the last word."""


class FoldedSpans(nn.Module):  # type: ignore[misc, unused-ignore]
    """Maps upstream's inputs for one text to the logits [1, words, width, labels]."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        inner, config = model.model, model.config
        if config.span_mode != "markerV0" or not config.embed_ent_token or config.subtoken_pooling != "first":
            raise ValueError("Only markerV0 models with an embedded entity token are covered")
        layer = inner.span_rep_layer.span_rep_layer
        first, _, _, second = layer.out_project
        width = first.in_features // 2
        self.tokens = inner.token_rep_layer
        self.rnn = inner.rnn.lstm if hasattr(inner, "rnn") else None
        self.starts, self.ends = layer.project_start, layer.project_end
        self.prompts = inner.prompt_rep_layer
        self.from_start = nn.Linear(width, first.out_features)
        self.from_end = nn.Linear(width, first.out_features, bias=False)
        self.fold = nn.Linear(second.out_features, second.in_features, bias=False)
        self.offset = nn.Linear(second.out_features, 1, bias=False)
        with torch.no_grad():
            self.from_start.weight.copy_(first.weight[:, :width])
            self.from_start.bias.copy_(first.bias)
            self.from_end.weight.copy_(first.weight[:, width:])
            self.fold.weight.copy_(second.weight.T)
            self.offset.weight.copy_(second.bias[None])
        self.entity, self.width = int(config.class_token_index), int(config.max_width)

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, words_mask: Tensor, span_idx: Tensor, span_mask: Tensor
    ) -> Tensor:
        """Return the logits; of a batch only the first text is read."""
        hidden = self.tokens(input_ids, attention_mask)[0]
        words = hidden[torch.nonzero(words_mask[0] > 0).squeeze(1)]
        if self.rnn is not None:
            words = self.rnn(words[None])[0][0]
        prompts = self.prompts(hidden[torch.nonzero(input_ids[0] == self.entity).squeeze(1)])
        starts, ends = self.from_start(self.starts(words).relu()), self.from_end(self.ends(words).relu())
        spans = (starts[span_idx[0, :, 0]] + ends[span_idx[0, :, 1]]).relu()
        logits = spans @ self.fold(prompts).T + self.offset(prompts).T
        logits = torch.where(span_mask[0][:, None], logits, torch.full_like(logits, NO_SPAN))
        return logits.reshape(1, -1, self.width, logits.shape[1])


def write(model: Any, target: Path) -> None:
    """Write the float32 graph of a model of the `gliner` package to `target`."""
    ids = torch.tensor([[101, *[model.config.class_token_index, 2711] * 2, 30524, 2182, 2003, 4242, 102]])
    words = torch.zeros_like(ids)
    words[0, 6:9] = torch.arange(1, 4)
    width = model.config.max_width
    start = torch.arange(3).repeat_interleave(width)
    end = start + torch.arange(width).repeat(3)
    mask = (end < 3)[None]
    spans = (torch.stack((start, end), dim=-1) * (end < 3)[:, None])[None]
    tokens, table = {1: "tokens"}, {1: "spans"}
    torch.onnx.export(
        FoldedSpans(model).eval(),
        (ids, torch.ones_like(ids), words, spans, mask),
        str(target),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes={
            **dict.fromkeys(INPUTS[:3], tokens),
            **dict.fromkeys(INPUTS[3:], table),
            "logits": {1: "words", 3: "labels"},
        },
        opset_version=OPSET,
        dynamo=False,
    )
