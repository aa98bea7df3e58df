#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/skipped: it names each test that was skipped, with its reason, no others."""
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / 'scripts/skipped'
FILE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="4">
<testcase name="one" status="run"><system-out>skipped: no, passed
</system-out></testcase>
<testcase name="two" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
<system-out>begins
no traces &amp; no programs
</system-out></testcase>
<testcase name="three" status="fail"><failure message="Failed"/></testcase>
<testcase name="four" status="notrun"><skipped message="not built"/></testcase>
</testsuite>
"""


def run(*args):
    return subprocess.run([SCRIPT, *args], capture_output=True, text=True,
                          check=False)


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / 'tests.xml'
    path.write_text(FILE, encoding='utf-8')
    p = run(path)
    assert (p.returncode, p.stdout.splitlines()[1:]) == (
        0, ['  two: no traces & no programs', '  four: not built']), p
    assert p.stdout.startswith('2 tests were skipped'), p
    path.write_text('<testsuite/>', encoding='utf-8')
    assert (run(path).returncode, run(path).stdout) == (0, ''), run(path)
    assert run(path.parent / 'none.xml').returncode == 1
print('ok')
