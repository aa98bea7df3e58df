#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/setup says what is missing and its size, and asks on a terminal.

With an apt-get and a dpkg-query that install nothing and write what they were
called with."""
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

SETUP = Path(__file__).resolve().parents[1] / 'scripts' / 'setup'
APT = '''#!/bin/sh
case "$*" in *assume-no*)
    echo "Need to get 95 MB of archives."
    echo "After this operation, 400 MB of additional disk space will be used."
    exit 1 ;;
esac
echo "$1" >>"$FAKE_LOG"
'''


def run(folder, arguments, answer=None, yes=False):
    """Exit status, output and apt-get's calls; with an answer on a terminal."""
    log = folder / 'log'
    log.write_text('')
    environment = {**os.environ, 'PATH': f'{folder}:{os.environ["PATH"]}',
                   'FAKE_LOG': str(log), 'YES': '1' if yes else ''}
    master, stdin = pty.openpty() if answer is not None else (None, None)
    if answer is not None:
        os.write(master, answer.encode())
    done = subprocess.run(
        [SETUP, *arguments], env=environment, text=True, check=False,
        stdin=subprocess.DEVNULL if stdin is None else stdin,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for fd in (master, stdin):
        if fd is not None:
            os.close(fd)
    return done.returncode, done.stdout, log.read_text().split()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program, text in (('apt-get', APT), ('dpkg-query', '#!/bin/sh\n'),
                              ('sudo', '#!/bin/sh\nexec "$@"\n')):
            (folder / program).write_text(text)
            (folder / program).chmod(0o755)
        both = ['update', 'install']  # not as root by the sudo above
        cases = [(['--ask', 'build'], 'n\n', False, 1, []),
                 (['--ask', 'build'], '\n', False, 1, []),
                 (['--ask', 'build'], 'y\n', False, 0, both),
                 (['--ask', 'build'], 'n\n', True, 0, both),
                 (['--ask', 'build'], None, False, 0, both),
                 (['--ask', 'build', 'check'], 'n\n', False, 1, []),
                 (['--ask', 'build', 'check-all'], 'y\n', False, 0, both),
                 (['build'], 'n\n', False, 0, both)]
        failed = 0
        for arguments, answer, yes, status, calls in cases:
            found = run(folder, arguments, answer, yes)
            asked = 'install them with apt-get? [y/N]' in found[1]
            wanted = '--ask' in arguments and answer is not None and not yes
            sizes = ('needs to get 95 MB' in found[1] and '400 MB' in found[1]
                     and 'libpng-dev' in found[1])
            if (found[0], found[2], asked, sizes) != (status, calls, wanted,
                                                      True):
                failed += 1
                print(f'{arguments} {answer!r}: {found}')
        return failed != 0


if __name__ == '__main__':
    sys.exit(main())
