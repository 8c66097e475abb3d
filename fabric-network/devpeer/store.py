"""The file of blocks: appended and synced, read back after any end of the process.

After a line that says what the file is, each block stands as its length, the SHA-256 of its bytes, and its bytes. A
block that was being written when the process died is cut off; damage anywhere else is refused.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from devpeer.errors import ConfigError

HEAD: Final = b"development peer: blocks/1\n"
_FRAME: Final = struct.Struct(">I32s")


class BlockStore:
    """Serialized blocks by number, in `blocks` in a folder that one process holds at a time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "blocks"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise ConfigError(f"{self._path}: can't be opened ({error.strerror})") from None
        self._lock()
        self._places: list[tuple[int, int]] = []
        self.cut_bytes = 0
        """Bytes of an unfinished block that were cut off."""
        try:
            self._end = self._read()
        except BaseException:
            os.close(self._file)
            raise

    def __len__(self) -> int:
        return len(self._places)

    def append(self, data: bytes) -> None:
        """Keep a block; it is on the disk when this returns."""
        frame = _FRAME.pack(len(data), hashlib.sha256(data).digest())
        _write(self._file, frame + data, self._end)
        os.fsync(self._file)
        self._places.append((self._end + len(frame), len(data)))
        self._end += len(frame) + len(data)

    def tear(self, data: bytes) -> None:
        """Write the first half of a block, as a process does that dies at it."""
        frame = _FRAME.pack(len(data), hashlib.sha256(data).digest()) + data
        _write(self._file, frame[: len(frame) // 2], self._end)
        os.fsync(self._file)

    def read(self, number: int) -> bytes:
        """Return the block of a number that is there."""
        at, size = self._places[number]
        return os.pread(self._file, size, at)

    def __iter__(self) -> Iterator[bytes]:
        for number in range(len(self._places)):
            yield self.read(number)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _lock(self) -> None:
        try:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            return
        except OSError:
            os.close(self._file)
            raise ConfigError(f"{self._path}: another development peer holds it; stop that one first") from None

    def _read(self) -> int:
        """Find the blocks, cut an unfinished one off, and return where the next one goes."""
        size = os.fstat(self._file).st_size
        if size < len(HEAD):
            os.ftruncate(self._file, 0)
            _write(self._file, HEAD, 0)
            os.fsync(self._file)
            return len(HEAD)
        if os.pread(self._file, len(HEAD), 0) != HEAD:
            raise ConfigError(f"{self._path}: not a development peer's file of blocks")
        at = len(HEAD)
        while at < size:
            frame = os.pread(self._file, _FRAME.size, at)
            length, digest = _FRAME.unpack(frame) if len(frame) == _FRAME.size else (size, b"")
            start = at + _FRAME.size
            if start + length > size:
                break
            if hashlib.sha256(os.pread(self._file, length, start)).digest() != digest:
                if start + length < size:
                    raise ConfigError(f"{self._path}: damaged at byte {at}; remove the data folder to begin anew")
                break
            self._places.append((start, length))
            at = start + length
        self.cut_bytes = size - at
        if self.cut_bytes:
            os.ftruncate(self._file, at)
            os.fsync(self._file)
        return at


def _write(file: int, data: bytes, at: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, at)
        view, at = view[written:], at + written
