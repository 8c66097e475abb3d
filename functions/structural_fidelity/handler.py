"""Runs one judge, structural fidelity, over the messages of its queue."""

from __future__ import annotations

from glassbox.adapters.aws.judge_function import judge_function

handler = judge_function("structural_fidelity")
