"""Runs one judge, contextual precision, over the messages of its queue."""

from __future__ import annotations

from glassbox.adapters.aws.judge_function import judge_function

handler = judge_function("contextual_precision")
