"""What a transaction read and wrote, in Fabric's form: built by a simulation, read back when its block comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from devpeer import protos
from devpeer.world import Version

LIFECYCLE: Final = "_lifecycle"
"""The namespace where the definition of a chaincode stands, which every transaction reads."""


@dataclass(slots=True)
class RangeRead:
    """A range that was read, and what was found in it; `end` is the last key seen unless it was read to the end."""

    start: str
    end: str = ""
    exhausted: bool = False
    found: list[tuple[str, Version]] = field(default_factory=list)


@dataclass(slots=True)
class ReadWriteSet:
    """Reads and writes of one chaincode's keys; a write of None is a delete."""

    reads: dict[str, Version | None] = field(default_factory=dict)
    writes: dict[str, bytes | None] = field(default_factory=dict)
    ranges: list[RangeRead] = field(default_factory=list)
    plain: bool = True
    """Whether there is nothing in it that the development peer does not judge, as private data."""

    def encoded(self, chaincode: str, definition: Version | None) -> bytes:
        """Return the TxReadWriteSet, with the read of the chaincode's definition where its version is given."""
        spaces = {}
        if definition is not None:
            read = protos.kvrwset.KVRead(key=f"namespaces/fields/{chaincode}/Sequence", version=_version(definition))
            spaces[LIFECYCLE] = protos.encoded(protos.kvrwset.KVRWSet(reads=[read]))
        if self.reads or self.writes or self.ranges:
            spaces[chaincode] = protos.encoded(self._message())
        return protos.encoded(
            protos.rwset.TxReadWriteSet(
                data_model=protos.rwset.TxReadWriteSet.KV,
                ns_rwset=[
                    protos.rwset.NsReadWriteSet(namespace=name, rwset=data) for name, data in sorted(spaces.items())
                ],
            )
        )

    def _message(self) -> Any:
        kv = protos.kvrwset
        return kv.KVRWSet(
            reads=[kv.KVRead(key=key, version=_version(at)) for key, at in sorted(self.reads.items())],
            range_queries_info=list(self._range_messages()),
            writes=[
                kv.KVWrite(key=key, is_delete=value is None, value=value or b"")
                for key, value in sorted(self.writes.items())
            ],
        )

    def _range_messages(self) -> Iterator[Any]:
        kv = protos.kvrwset
        seen = set()
        for one in self.ranges:
            if (one.start, one.end, one.exhausted) in seen:
                continue
            seen.add((one.start, one.end, one.exhausted))
            reads = [kv.KVRead(key=key, version=_version(at)) for key, at in one.found]
            info = kv.RangeQueryInfo(start_key=one.start, end_key=one.end, itr_exhausted=one.exhausted)
            if reads:
                info.raw_reads.CopyFrom(kv.QueryReads(kv_reads=reads))
            yield info


def read_rwset(results: bytes, chaincode: str) -> ReadWriteSet:
    """Return one chaincode's part of a TxReadWriteSet; raises DecodeError."""
    found = ReadWriteSet()
    for space in protos.rwset.TxReadWriteSet.FromString(results).ns_rwset:
        part = protos.kvrwset.KVRWSet.FromString(space.rwset)
        found.plain &= not (space.collection_hashed_rwset or part.metadata_writes)
        if space.namespace != chaincode:
            found.plain &= space.namespace == LIFECYCLE and not part.writes
            continue
        for read in part.reads:
            found.reads[str(read.key)] = _read_version(read)
        for write in part.writes:
            gone = write.is_delete or not write.value
            found.writes[str(write.key)] = None if gone else bytes(write.value)
        for info in part.range_queries_info:
            found.plain &= info.WhichOneof("reads_info") != "reads_merkle_hashes"
            seen = [(str(one.key), _read_version(one) or (0, 0)) for one in info.raw_reads.kv_reads]
            found.ranges.append(RangeRead(str(info.start_key), str(info.end_key), info.itr_exhausted, seen))
    return found


def _version(at: Version | None) -> Any:
    return None if at is None else protos.kvrwset.Version(block_num=at[0], tx_num=at[1])


def _read_version(read: Any) -> Version | None:
    return (int(read.version.block_num), int(read.version.tx_num)) if read.HasField("version") else None
