"""Whatever is changed, removed, added or moved in a ledger is found and named."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from glassbox.ledger import blocks, keys, storage
from glassbox.ledger.blocks import Block
from glassbox.ledger.embedded import EmbeddedLedger
from glassbox.ledger.fsck import MAX_FINDINGS, UNPROVABLE_TAIL
from glassbox_contract import canonical_bytes
from tests.contract.walking import changed, leaves, other_values, without
from tests.unit.ledger.support import DEFAULT, begin, filled, findings, identifier, record, settled, tampered

TABLES = {
    "blocks": ("height", "header", "signature", "data"),
    "transactions": ("tx_id", "height"),
    "writes": ("key", "height", "value"),
}
PRIMARY = {"blocks": ("height",), "transactions": ("tx_id",), "writes": ("key", "height")}


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a ledger of six blocks; tests change copies of it."""
    path = settled(tmp_path_factory.mktemp("ledger"))
    assert findings(path) == []
    return path


def rows(path: Path, table: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute(f"SELECT {', '.join(TABLES[table])} FROM {table} ORDER BY 1, 2").fetchall()
    connection.close()
    return found


def key_of(table: str, row: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Return the condition that picks one row."""
    picked = [(name, row[TABLES[table].index(name)]) for name in PRIMARY[table]]
    return " AND ".join(f"{name} = ?" for name, _ in picked), tuple(value for _, value in picked)


def height_of(table: str, row: tuple[Any, ...]) -> int:
    return int(row[TABLES[table].index("height")])


def others(value: Any, rng: random.Random) -> list[Any]:
    """Return other values for a column: neighbours, empty, longer, shorter, single bytes changed."""
    if isinstance(value, int):
        return [value + 1000, -1 - value, 2**40 + value]
    if isinstance(value, str):
        return [
            "",
            value + "0",
            value[:-1],
            value.upper(),
            value[:20] + ("1" if value[20] != "1" else "2") + value[21:],
        ]
    found = [b"", value + b" ", value[:-1], b" " + value, value.swapcase()]
    for place in rng.sample(range(len(value)), min(4, len(value))):
        found.append(value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :])
    return [new for new in found if new != value]


def named(found: list[Any], height: int) -> bool:
    """Whether one of the findings is about this height."""
    return any(finding.height == height and finding.detail for finding in found)


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table, columns in TABLES.items() for column in columns]
)
def test_a_change_of_any_column_of_any_row_is_named(ledger: Path, tmp_path: Path, table: str, column: str) -> None:
    rng = random.Random(f"{table}.{column}")
    for row in rows(ledger, table):
        condition, values = key_of(table, row)
        for new in others(row[TABLES[table].index(column)], rng):
            sql = f"UPDATE {table} SET {column} = ? WHERE {condition}"
            found = findings(tampered(ledger, tmp_path / "x", (sql, (new, *values))))
            assert named(found, height_of(table, row)) or named(found, height_of(table, row) + 1), (row, new)


@pytest.mark.parametrize("table", TABLES)
def test_a_removed_row_is_named(ledger: Path, tmp_path: Path, table: str) -> None:
    everything = rows(ledger, table)
    for row in everything:
        condition, values = key_of(table, row)
        found = findings(tampered(ledger, tmp_path / "x", (f"DELETE FROM {table} WHERE {condition}", values)))
        height = height_of(table, row)
        if table == "blocks" and height == len(everything) - 1:
            # The last block is gone: what was derived from it still stands there and gives it away.
            assert {finding.height for finding in found} == {height}
        else:
            assert named(found, height) or named(found, height + 1), row


@pytest.mark.parametrize("table", TABLES)
def test_an_added_row_is_named(ledger: Path, tmp_path: Path, table: str) -> None:
    for row in rows(ledger, table):
        for height in (height_of(table, row), 2, 6, 2**40, -1):
            copied = list(row)
            copied[TABLES[table].index("height")] = height
            if table == "transactions":
                copied[0] = "0" * 64
            if table == "writes":
                copied[0] = row[0] + b"x"
            if table == "blocks" and height in range(6):
                continue
            marks = ", ".join("?" * len(copied))
            found = findings(tampered(ledger, tmp_path / "x", (f"INSERT INTO {table} VALUES ({marks})", tuple(copied))))
            assert named(found, height), (table, height)


def test_an_overwriting_second_write_of_a_record_is_named(ledger: Path, tmp_path: Path) -> None:
    key = f"SC:{identifier(1)}".encode()
    value = {row[0]: row[2] for row in rows(ledger, "writes")}[key]
    for height in (5, 6, 99):
        sql = "INSERT INTO writes (key, height, value) VALUES (?, ?, ?)"
        found = findings(tampered(ledger, tmp_path / "x", (sql, (key, height, value.replace(b"pass", b"fail")))))
        assert named(found, height)
        assert any(identifier(1) in finding.detail for finding in found)


def test_exchanged_blocks_are_named(ledger: Path, tmp_path: Path) -> None:
    for low in range(5):
        for high in range(low + 1, 6):
            moves = [(low, -1), (high, low), (-1, high)]
            statements = [("UPDATE blocks SET height = ? WHERE height = ?", (new, old)) for old, new in moves]
            found = findings(tampered(ledger, tmp_path / "x", *statements))
            assert named(found, low)
            assert named(found, high)


def test_exchanged_data_signatures_or_headers_are_named(ledger: Path, tmp_path: Path) -> None:
    stored = {row[0]: row for row in rows(ledger, "blocks")}
    for column in (1, 2, 3):
        name = TABLES["blocks"][column]
        sql = f"UPDATE blocks SET {name} = ? WHERE height = ?"
        statements = [(sql, (stored[4][column], 5)), (sql, (stored[5][column], 4))]
        found = findings(tampered(ledger, tmp_path / "x", *statements))
        assert named(found, 4)
        assert named(found, 5)


@pytest.mark.parametrize("part", ["header", "data"])
def test_every_leaf_of_every_block_is_covered_by_a_signature(ledger: Path, tmp_path: Path, part: str) -> None:
    column = TABLES["blocks"].index(part)
    for row in rows(ledger, "blocks"):
        value = json.loads(row[column])
        for place, item in leaves(value):
            # One change and one removal a leaf; what a leaf may become is walked by the contract's own tests.
            for new in [changed(value, place, other_values(item)[-1]), without(value, place)]:
                sql = f"UPDATE blocks SET {part} = ? WHERE height = ?"
                found = findings(tampered(ledger, tmp_path / "x", (sql, (canonical_bytes(new), row[0]))))
                assert named(found, row[0]), (row[0], place)


def resealed(path: Path, target: Path, height: int, edit: Any) -> Path:
    """Return a copy in which whoever holds the key changed one block's data and signed everything after it anew."""
    key = keys.load(path.with_suffix(".key"))
    statements: list[tuple[str, tuple[Any, ...]]] = []
    previous = None
    for row in rows(path, "blocks"):
        block = Block(*row[1:])
        if row[0] >= height:
            fields = block.fields()
            data = edit(json.loads(block.data)) if row[0] == height else json.loads(block.data)
            if row[0] > height and row[0] > 0:
                fields["previous_hash"] = previous
            if row[0]:
                data["tx_id"] = blocks.transaction_id(
                    fields["previous_hash"], data["function"], data["args"], data["creator"], data["timestamp"]
                )
            block = blocks.seal(
                key,
                ledger=fields["ledger"],
                height=row[0],
                previous_hash=fields["previous_hash"],
                data=canonical_bytes(data),
                time=fields["time"],
            )
            sql = "UPDATE blocks SET header = ?, signature = ?, data = ? WHERE height = ?"
            statements.append((sql, (block.header, block.signature, block.data, row[0])))
            if row[0]:
                statements.append(("UPDATE transactions SET tx_id = ? WHERE height = ?", (data["tx_id"], row[0])))
        previous = block.hash
    return tampered(path, target, *statements)


def test_the_key_alone_makes_no_untrue_record_true(ledger: Path, tmp_path: Path) -> None:
    def raise_trust(data: dict[str, Any]) -> dict[str, Any]:
        committed = json.loads(data["args"][0])
        committed["trust"] = 999_999
        return {**data, "args": [canonical_bytes(committed).decode()]}

    found = findings(resealed(ledger, tmp_path / "x", 4, raise_trust))
    assert any(finding.code == "contract" and finding.height == 4 and "/trust" in finding.detail for finding in found)


def test_a_signed_transaction_whose_writes_are_not_the_contracts_is_named(ledger: Path, tmp_path: Path) -> None:
    for edit in (
        lambda data: {**data, "writes": data["writes"][1:]},
        lambda data: {**data, "event": None},
        lambda data: {**data, "creator": {"msp": "OtherMSP", "role": "client"}},
        lambda data: {**data, "function": "GetScorecard"},
        lambda data: {**data, "timestamp": data["timestamp"] + 1},
        lambda data: {**data, "extra": 1},
    ):
        assert named(findings(resealed(ledger, tmp_path / "x", 4, edit)), 4)


def test_a_chain_that_the_key_holder_rewrote_needs_a_checkpoint_to_be_seen(tmp_path: Path) -> None:
    with begin(tmp_path / "honest") as honest:
        for n in range(3):
            honest.commit(record(n), DEFAULT)
        seen = honest.checkpoint()
    rewritten = tmp_path / "rewritten"
    rewritten.mkdir()
    (rewritten / "ledger.key.new").write_bytes((tmp_path / "honest" / "ledger.key").read_bytes())
    (rewritten / "ledger.key.new").chmod(0o600)
    with begin(rewritten) as other:
        for n in (0, 2, 3):
            other.commit(record(n), DEFAULT)
        assert other.fsck().statement == UNPROVABLE_TAIL
        report = other.fsck(seen)
        assert [finding.code for finding in report.findings] == ["rewritten"]
        assert report.findings[0].height == 4


def test_a_cut_tail_needs_a_checkpoint_to_be_seen(ledger: Path, tmp_path: Path) -> None:
    with EmbeddedLedger(ledger, read_only=True) as whole:
        seen = whole.checkpoint()
    for keep in range(5, 0, -1):
        statements = [(f"DELETE FROM {table} WHERE height >= ?", (keep,)) for table in TABLES]
        path = tampered(ledger, tmp_path / "x", *statements)
        with EmbeddedLedger(path, read_only=True) as cut:
            report = cut.fsck()
            assert (report.findings, report.statement, report.height) == ((), UNPROVABLE_TAIL, keep - 1)
            report = cut.fsck(seen)
            assert [(finding.code, finding.height) for finding in report.findings] == [("cut", keep - 1)]


def test_an_older_checkpoint_of_a_grown_ledger_holds(tmp_path: Path) -> None:
    with filled(tmp_path) as ledger:
        seen = ledger.checkpoint()
        ledger.commit(record(3), DEFAULT)
        report = ledger.fsck(seen)
        assert report.intact
        assert report.statement == "consistent; complete at least up to block 5, where the checkpoint was taken"


def test_a_checkpoint_of_another_ledger_does_not_hold(ledger: Path, tmp_path: Path) -> None:
    with filled(tmp_path) as other:
        assert [finding.code for finding in findings(ledger, other.checkpoint())] == ["rewritten"]


def test_a_changed_checkpoint_is_named(ledger: Path) -> None:
    with EmbeddedLedger(ledger, read_only=True) as whole:
        seen = whole.checkpoint()
    for place, item in leaves(seen):
        for new in [changed(seen, place, value) for value in other_values(item)[-5:]] + [without(seen, place)]:
            assert [finding.code for finding in findings(ledger, new)] in (["checkpoint"], ["rewritten"]), place
    assert [finding.code for finding in findings(ledger, {})] == ["checkpoint"]


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TRIGGER blocks_refuse_delete",
        "DROP INDEX writes_by_height",
        "CREATE TABLE more (x)",
        "CREATE VIEW records AS SELECT * FROM writes",
        "CREATE TRIGGER quiet BEFORE INSERT ON writes BEGIN SELECT RAISE(IGNORE); END",
    ],
)
def test_a_changed_schema_is_named(ledger: Path, tmp_path: Path, sql: str) -> None:
    assert "schema" in {finding.code for finding in findings(_with(ledger, tmp_path, sql))}


def _with(ledger: Path, tmp_path: Path, sql: str) -> Path:
    path = tampered(ledger, tmp_path / "x")
    connection = sqlite3.connect(path)
    connection.execute(sql)
    connection.close()
    return path


def test_a_changed_format_number_is_named(ledger: Path, tmp_path: Path) -> None:
    for sql in ("PRAGMA user_version = 7", "PRAGMA application_id = 7"):
        assert findings(_with(ledger, tmp_path, sql))


def test_a_replaced_key_is_named(ledger: Path, tmp_path: Path) -> None:
    path = tampered(ledger, tmp_path / "x")
    path.with_suffix(".key").unlink()
    keys.create(path.with_suffix(".key"))
    assert [finding.code for finding in findings(path)] == ["key"]


def test_findings_are_bounded_and_hold_no_record(ledger: Path, tmp_path: Path) -> None:
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
    sql = numbers + "INSERT INTO writes SELECT cast(i AS BLOB), 50, x'01' FROM n"
    path = tampered(ledger, tmp_path / "x", (sql, ()))
    with EmbeddedLedger(path, read_only=True) as damaged:
        report = damaged.fsck()
    assert len(report.findings) == MAX_FINDINGS
    assert report.statement == "damaged; 3000 faults found"


def content(path: Path) -> Any:
    """Return everything that can be read from a ledger: schema, format, every row; or the error."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        found: list[Any] = [connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()]
        for table, columns in TABLES.items():
            names = ", ".join(columns)
            # Each index of its own, since a damaged one may answer for its table.
            found += [sorted(connection.execute(f"SELECT {names} FROM {table}").fetchall(), key=repr)]
            found += [
                connection.execute(f"SELECT {names} FROM {table} WHERE height = ?", (h,)).fetchall() for h in range(7)
            ]
        found += [connection.execute(f"PRAGMA {name}").fetchone() for name in ("user_version", "application_id")]
    except sqlite3.DatabaseError as error:
        return type(error).__name__
    finally:
        connection.close()
    return found


def flip_bytes(ledger: Path, folder: Path, places: list[int]) -> int:
    """Flip single bytes of the file and return how many fsck saw; the others must change nothing that can be read."""
    data, seen = ledger.read_bytes(), 0
    before = content(ledger)
    path = tampered(ledger, folder)
    for place in places:
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :])
        if findings(path):
            seen += 1
        else:
            # The allow-list: free space in pages, and SQLite's own notes such as its change counter and its version.
            assert content(path) == before, place
        for extra in ("-wal", "-shm"):
            path.with_name(path.name + extra).unlink(missing_ok=True)
    return seen


def test_a_flipped_byte_of_the_file_is_seen_or_changes_nothing(ledger: Path, tmp_path: Path) -> None:
    size = ledger.stat().st_size
    places = sorted({*range(0, 100, 3), *random.Random(1).sample(range(size), 120)})
    assert flip_bytes(ledger, tmp_path / "x", places) > len(places) // 4


@pytest.mark.long
def test_any_flipped_byte_of_the_file_is_seen_or_changes_nothing(ledger: Path, tmp_path: Path) -> None:
    places = list(range(0, ledger.stat().st_size, 29))
    assert flip_bytes(ledger, tmp_path / "x", places) > len(places) // 4


@pytest.mark.long
def test_any_flipped_byte_of_a_header_or_of_data_is_named(ledger: Path, tmp_path: Path) -> None:
    for row in rows(ledger, "blocks"):
        for column, stride in ((1, 2), (3, 37)):
            for place in range(0, len(row[column]), stride):
                value = row[column]
                new = value[:place] + bytes([value[place] ^ 2]) + value[place + 1 :]
                sql = f"UPDATE blocks SET {TABLES['blocks'][column]} = ? WHERE height = ?"
                assert named(findings(tampered(ledger, tmp_path / "x", (sql, (new, row[0])))), row[0])


def test_walking_finds_every_table_of_the_schema() -> None:
    created = [sql.split()[2] for sql in storage.SCHEMA if sql.startswith("CREATE TABLE")]
    assert created == list(TABLES)
