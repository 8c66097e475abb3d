"""Fabric from the command line: the same commands as on the embedded ledger, and a proof for somebody far away."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from glassbox.cli.main import main
from glassbox_contract.canonical import canonical_bytes
from tests.unit.cli.test_cli import as_json
from tests.unit.ledger_fabric.network import Channel, Peers, Refusal, grpc
from tests.unit.ledger_fabric.profiles import profile_of, write_profile

REQUEST = {
    "query": "Where was Ada Lovelace born?",
    "answer": "Ada Lovelace was born in London.",
    "retrieved_passages": ["Ada Lovelace was born in London in 1815."],
}


def run(*arguments: str, home: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in this process: a new one for each call would cost more than all that is tested."""
    command = ["glassbox", *arguments, *(("--home", str(home)) if home is not None else ())]
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        patch.setattr(sys, "argv", command)
        for name, value in env.items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit) as done:
            main()
    told = []
    for stream in streams:
        stream.flush()
        told.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(command, int(done.value.code or 0), *told)


class Site:
    """A folder in which one request was evaluated on a network, with what an auditor gets of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.channel = Channel()
        self.peers = Peers(self.channel)
        self.profile = write_profile(profile_of(self.channel, self.peers.addresses), folder)
        request = folder / "request.json"
        request.write_text(json.dumps(REQUEST))
        done = self("evaluate", str(request), "--out", str(folder / "out"), "--json")
        self.scorecard: dict[str, Any] = as_json(done)
        assert done.returncode == 0, done.stdout + done.stderr
        self.id = self.scorecard["evaluation_id"]
        self.bundle = folder / "out" / f"{self.id}.bundle.json"
        self.proof, self.roots = folder / "proof.json", folder / "roots.json"
        assert self("ledger", "export", "--proof", self.id, "--out", str(self.proof)).returncode == 0
        trust = run("ledger", "trust", "--out", str(self.roots), GLASSBOX_FABRIC_PROFILE=str(self.profile))
        self.fingerprint = trust.stderr

    def __call__(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        settings = {"GLASSBOX_LEDGER": "fabric", "GLASSBOX_FABRIC_PROFILE": str(self.profile)}
        return run(*arguments, home=self.home, **{**settings, **env})

    def offline(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run somewhere else, where nothing is known of the network."""
        return run(*arguments, home=self.folder / "elsewhere", GLASSBOX_LEDGER="", GLASSBOX_FABRIC_PROFILE="")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    found = Site(tmp_path_factory.mktemp("site"))
    yield found
    found.peers.close()


def test_a_scorecard_says_where_it_stands_and_was_opened_before(site: Site) -> None:
    placed = site.scorecard["ledger"]
    assert (placed["backend"], placed["record_id"], placed["block"]) == ("fabric", site.id, 3)
    assert f"OP:{site.id}" in site.channel.state
    assert as_json(site("ledger", "show", site.id, "--json"))["tx_id"] == placed["transaction_id"]
    assert site.id in site("ledger", "history", site.id).stdout + site.id


def test_the_same_request_again_is_the_committed_one(site: Site) -> None:
    blocks = len(site.channel.blocks)
    done = site("evaluate", str(site.folder / "request.json"), "--json")
    assert as_json(done) == site.scorecard
    assert len(site.channel.blocks) == blocks


def test_the_ledger_commands_read_the_network(site: Site) -> None:
    assert "1 record" in site("ledger", "show").stdout
    (line,) = site("ledger", "export").stdout.splitlines()
    assert json.loads(line)["record"]["evaluation_id"] == site.id
    assert "0 opened and not scored" in site("ledger", "show", "--open").stdout
    report = as_json(site("ledger", "fsck", "--json"))
    assert (report["intact"], report["records"]) == (True, 1)


def test_a_bundle_is_verified_on_the_network_and_far_away_from_it(site: Site) -> None:
    done = site("verify", site.id)
    assert done.returncode == 0, done.stdout
    assert "against the fabric ledger" in done.stdout
    away = site.offline("verify", str(site.bundle), "--proof", str(site.proof), "--trust", str(site.roots))
    assert (away.returncode, "INTACT" in away.stdout) == (0, True)
    assert "by the word of the peers that endorsed" in away.stdout
    own = site.offline("verify", str(site.bundle), "--trust", str(site.roots))
    assert own.returncode == 0
    assert "fingerprint sha256:" in site.fingerprint


def test_a_proof_without_roots_or_with_the_wrong_kind_is_not_taken(site: Site) -> None:
    done = site.offline("verify", str(site.bundle), "--proof", str(site.proof))
    assert (done.returncode, "glassbox ledger trust" in done.stderr) == (1, True)
    done = site.offline("verify", str(site.bundle), "--proof", str(site.proof), "--trust", "ed25519:" + "0" * 64)
    assert (done.returncode, "says nothing about" in done.stderr) == (1, True)


def test_a_changed_proof_differs_and_is_named(site: Site, tmp_path: Path) -> None:
    value = json.loads(site.proof.read_bytes())
    value["record"]["decision"] = "fail"
    changed = tmp_path / "changed.json"
    changed.write_bytes(canonical_bytes(value))
    done = site.offline("verify", str(site.bundle), "--proof", str(changed), "--trust", str(site.roots))
    assert done.returncode == 9
    assert "/record" in done.stdout
    changed.write_text(json.dumps(json.loads(site.proof.read_bytes()), indent=1))
    done = site.offline("verify", str(site.bundle), "--proof", str(changed), "--trust", str(site.roots))
    assert (done.returncode, "not canonical JSON" in done.stdout) == (9, True)


def test_an_admin_registers_a_policy(site: Site) -> None:
    done = site("policy", "register", "default", "--engine", "local", "--json")
    assert as_json(done)["backend"] == "fabric"
    assert "was registered before" in site("policy", "register", "default", "--engine", "local").stdout


def test_an_evaluation_of_another_ledger_is_told_apart(site: Site) -> None:
    done = site("evaluate", str(site.folder / "request.json"), GLASSBOX_LEDGER="embedded")
    assert (done.returncode, "stands on the fabric ledger" in done.stderr) == (1, True)


def test_what_is_missing_or_away_is_said_with_what_to_do(site: Site, tmp_path: Path) -> None:
    done = site("ledger", "show", GLASSBOX_FABRIC_PROFILE="")
    assert (done.returncode, "GLASSBOX_FABRIC_PROFILE" in done.stderr) == (1, True)
    profile = profile_of(site.channel, {"EvaluatorMSP": "127.0.0.1:1", "AuditorMSP": "127.0.0.1:1"})
    away = write_profile(profile, tmp_path)
    done = site("ledger", "show", GLASSBOX_FABRIC_PROFILE=str(away))
    assert (done.returncode, "127.0.0.1:1" in done.stderr) == (1, True)
    assert "Traceback" not in done.stderr
    assert run("ledger", "show", GLASSBOX_LEDGER="other").returncode == 1


def test_the_command_line_loads_grpc_only_for_fabric() -> None:
    code = "import sys; import glassbox.cli.main; sys.exit('grpc' in sys.modules or 'fabric_protos' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, env=dict(os.environ)).returncode == 0


def test_a_record_stands_though_its_proof_can_t_be_had_yet(site: Site, tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps({**REQUEST, "answer": ""}))
    site.peers.before["ProcessProposal"] = [Refusal(grpc.StatusCode.UNAVAILABLE, "away")]
    scorecard = as_json(site("evaluate", str(request), "--json"))
    name = scorecard["evaluation_id"]
    bundle = json.loads((site.home / "evaluations" / name / "bundle.json").read_bytes())
    assert "proof" not in bundle
    assert site("verify", name).returncode == 0
    assert json.loads(site("ledger", "export", "--proof", name).stdout)["record"] == bundle["record"]
