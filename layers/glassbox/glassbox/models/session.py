"""One ONNX graph on the CPU, set up so that the same input gives the same bytes and memory stays put."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime

from glassbox.errors import ModelError
from glassbox.models.files import LoadedModel

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Feed = Mapping[str, IntArray | BoolArray]

FATAL_ONLY = 4


def session_options(threads: int = 1) -> onnxruntime.SessionOptions:
    """Return options for sequential, deterministic runs on `threads` threads of one operator.

    The memory arena and the memory pattern are off: inputs differ in length from run to run, and an arena would keep
    the largest of them for ever. Idle threads sleep instead of spinning, since several processes share a machine.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.use_deterministic_compute = True
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = FATAL_ONLY
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def sigmoid(logits: FloatArray) -> npt.NDArray[np.float64]:
    """Return probabilities in [0,1] for raw scores of any size, in double precision and without overflow."""
    wide = logits.astype(np.float64)
    small = np.exp(-np.abs(wide))
    result: npt.NDArray[np.float64] = np.where(wide >= 0, 1.0, small) / (1.0 + small)
    return result


class Graph:
    """A session over a checked graph; runs are independent and may come from several threads."""

    def __init__(self, model: LoadedModel, *, threads: int = 1) -> None:
        """Load the graph of `model`; raise ModelError if the runtime refuses it."""
        self.name = model.entry.name
        source = model.graph()
        try:
            self._session = onnxruntime.InferenceSession(
                str(source) if isinstance(source, Path) else source,
                session_options(threads),
                providers=["CPUExecutionProvider"],
            )
        except Exception as error:
            raise ModelError(f"The graph can't be loaded ({type(error).__name__})", where=self.name) from error
        self.inputs: tuple[str, ...] = tuple(item.name for item in self._session.get_inputs())
        self.outputs: tuple[str, ...] = tuple(item.name for item in self._session.get_outputs())

    def require(self, needed: tuple[str, ...], offered: tuple[str, ...], *, kind: str) -> None:
        """Raise ModelError unless the graph takes every input in `needed` and none beyond `offered`."""
        missing = [name for name in needed if name not in self.inputs]
        unknown = [name for name in self.inputs if name not in offered]
        if missing or unknown:
            raise ModelError(
                f"The graph is not {kind}: it lacks the inputs {missing} and asks for {unknown} beyond those known",
                where=self.name,
            )

    def run(self, feed: Feed, *, output: str) -> FloatArray:
        """Return the output named `output`, or the first if no output bears that name; every value is finite.

        Raises ModelError, without a word of the input, if the run fails or a value is NaN or Infinity.
        """
        wanted = output if output in self.outputs else self.outputs[0]
        try:
            result = self._session.run([wanted], {name: feed[name] for name in self.inputs})[0]
        except Exception as error:
            shapes = {name: feed[name].shape for name in self.inputs if name in feed}
            raise ModelError(
                f"The graph failed ({type(error).__name__}) on inputs of shapes {shapes}", where=self.name
            ) from None
        values: FloatArray = np.asarray(result, dtype=np.float32)
        if not np.isfinite(values).all():
            raise ModelError(f"The graph gave a value that is not finite, shape {values.shape}", where=self.name)
        return values
