# SPDX-License-Identifier: Apache-2.0
"""The tests of a build folder, run one at a time: for coverage and mutate."""

import json
import os
import resource
import signal
import subprocess
import time

# These read the text of the source and run none of it.
OF_TEXT = {"layering", "format", "readme_files"}
FILE_LIMIT_B = 1 << 30
MEMORY_LIMIT_B = 16 << 30
# Memory that is allocated has no zeros, as with AddressSanitizer in `dev`.
FILLED = {"MALLOC_PERTURB_": "165"}


class Test:
    """A quick test as ctest knows it."""

    def __init__(self, record):
        known = {p["name"]: p["value"] for p in record.get("properties", [])}
        self.name = record["name"]
        self.command = record.get("command", [])
        self.labels = known.get("LABELS", [])
        self.folder = known.get("WORKING_DIRECTORY", ".")
        self.limit_s = known.get("TIMEOUT", 300.0)
        self.skip_code = known.get("SKIP_RETURN_CODE", 77)
        self.memory_B = MEMORY_LIMIT_B  # of a mutant: what has addresses
        self.environment = dict(
            e.split("=", 1) for e in known.get("ENVIRONMENT", []))

    def run(self, limit_s=None, is_changed=False):
        """("passed" | "failed" | "skipped" | "hung", seconds, output).

        `is_changed`: of a mutant, which may write or allocate without end."""
        begin = time.monotonic()
        process = subprocess.Popen(
            self.command, cwd=self.folder, start_new_session=True,
            env={**os.environ, **(FILLED if is_changed else {}),
                 **self.environment}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=(lambda: _limit(self.memory_B)) if is_changed else None)
        try:
            out, _ = process.communicate(timeout=limit_s or self.limit_s)
            code = process.returncode
            state = ("passed" if code == 0 else
                     "skipped" if code == self.skip_code else "failed")
        except subprocess.TimeoutExpired:
            out, state = b"", "hung"
        _end_group(process)
        return state, time.monotonic() - begin, out.decode(errors="replace")


def _limit(memory_B):
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT_B, FILE_LIMIT_B))
    resource.setrlimit(resource.RLIMIT_AS, (memory_B, memory_B))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_group(process):
    """What the test started ends with it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def quick_tests(build):
    """Those of `ctest --preset release` that run code, by name; not those whose
    program was not built, of which ctest knows no command."""
    out = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build,
                         check=True, capture_output=True).stdout
    tests = [Test(r) for r in json.loads(out)["tests"]]
    return {t.name: t for t in tests
            if "quick" in t.labels and t.command and t.name not in OF_TEXT}
