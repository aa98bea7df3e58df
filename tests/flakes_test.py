#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/flakes: counts runs and failures, keeps logs, and leaves no process."""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / 'scripts/flakes'
# `every_second` fails in its second run and in its fourth.
TESTS = """
add_test(good true)
add_test(every_second sh -c
    "echo x >>count; echo it counts; test $(expr $(wc -l <count) % 2) = 1")
add_test(skipped sh -c "exit 77")
add_test(slow false)
set_tests_properties(good every_second PROPERTIES LABELS quick)
set_tests_properties(skipped PROPERTIES LABELS quick SKIP_RETURN_CODE 77)
set_tests_properties(slow PROPERTIES LABELS nightly)
"""


def main():
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / 'scripts').mkdir()
        (root / 'build/dev').mkdir(parents=True)
        (root / 'build/dev/CTestTestfile.cmake').write_text(TESTS, encoding='utf-8')
        script = shutil.copy(SCRIPT, root / 'scripts')

        def flakes(*args):
            p = subprocess.run([script, '--preset', *args], cwd=root, text=True,
                               capture_output=True, check=False)
            return p.returncode, p.stdout

        status, out = flakes('dev', '4', '1')
        row = [line.split() for line in out.splitlines()
               if line.startswith('every_second')]
        log = 'build/dev/flakes/every_second.2.txt'
        assert status == 1 and row == [['every_second', 'dev', '4', '2', log]], out
        assert '8 runs of tests beside a load of 1, 2 failed' in out, out
        assert '    it counts' in out and 'it counts' in (root / log).read_text(), out
        assert flakes('dev', '-R', 'good', '2', '0')[0] == 0
        assert flakes('dev', '-R', 'none', '1', '0')[0] == 2
        assert flakes('release', '1', '0')[0] == 2


if __name__ == '__main__':
    sys.exit(main())
