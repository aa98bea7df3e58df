#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: completions.py VENTUS COMPLETIONS

Asks bash, zsh and fish, those that are installed, what they complete a command line
of `ventus` with.  zsh has no command for that: it runs on a terminal of its own, where
keys are typed.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

VENTUS, FOLDER = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
# A command line, and all that it can be completed with; files: one of them.
CASES = (
    ('ventus repo', {'report'}),
    ('ventus re', {'replay', 'report'}),
    ('ventus run --konat', {'--konata'}),
    ('ventus run --trace-', {'--trace-cycles', '--trace-kernel', '--trace-sm'}),
    ('ventus run --model chis', {'chisel', 'chisel-05b6735', 'chisel-2sm',
                                'chisel2'}),
    ('ventus exec --sari', {'--sarif'}),
    ('ventus exec one-', {'one-kernel.s'}),
    ('ventus run -- one-', {'one-kernel.s'}),
    ('ventus run -- ./one --konat', set()),
)
DONE = '#done#'
HANGS_S = 900  # as in cmake/ventus.cmake


def environment(folder):
    return {'PATH': f'{VENTUS.parent}:/usr/bin:/bin', 'HOME': str(folder),
            'TERM': 'dumb', 'LC_ALL': 'C'}


def bash(folder, line):
    words = line.split(' ')
    script = (f'. {FOLDER}/ventus.bash; COMP_WORDS=({" ".join(words)}); '
              f'COMP_CWORD={len(words) - 1}; _ventus; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return subprocess.run(['bash', '--norc', '-c', script], check=True, text=True,
                          capture_output=True, cwd=folder,
                          env=environment(folder)).stdout.split()


def fish(folder, line):
    out = subprocess.run(['fish', '--no-config', '-c', f'source {FOLDER}/ventus.fish; '
                          f'complete -C "{line}"'], check=True, text=True,
                         capture_output=True, cwd=folder,
                         env=environment(folder)).stdout
    return [row.split('\t')[0] for row in out.splitlines()]


class Terminal:
    """zsh with its completion system, and the file of ours in fpath."""

    def __init__(self, folder):
        pid, self.fd = pty.fork()
        if not pid:
            os.chdir(folder)
            os.execve(shutil.which('zsh'), ['zsh', '-f', '-i'], environment(folder))
        self.pid = pid
        self.ask(f'fpath=({FOLDER} $fpath); autoload -Uz compinit; '
                 'compinit -u -D; PS1= LISTMAX=100; unsetopt zle_bracketed_paste\n')
        # A widget lists what matches; the line itself is thrown away.
        self.ask("zstyle ':completion:*' list-prompt ''; zle -C list list-choices "
                 "_main_complete; bindkey '^T' list; setopt no_always_last_prompt\n")

    def wait(self):
        """Until zsh reads keys: before, the terminal would echo and edit them."""
        end = time.monotonic() + HANGS_S
        while termios.tcgetattr(self.fd)[3] & termios.ICANON:
            assert time.monotonic() < end, 'zsh has no prompt'
            time.sleep(.01)

    def ask(self, keys):
        """What is printed from these keys on, up to a mark."""
        self.wait()
        os.write(self.fd, keys.encode())
        time.sleep(.2)
        os.write(self.fd, b'\x15print -r "#"done"#"\n')  # ^U: an empty line
        out, end = '', time.monotonic() + HANGS_S
        while DONE not in out and time.monotonic() < end:
            if select.select([self.fd], [], [], .2)[0]:
                out += os.read(self.fd, 1 << 16).decode(errors='replace')
        assert DONE in out, out
        return out

    def list(self, line):
        return re.split(r'\s+', re.sub(r'\x1b\[[\d;?]*\w|\a', ' ',
                                       self.ask(line + '\x14')))

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def check(shell, answers, wanted, line):
    """Files end with a space or what their kind is."""
    found = {a.rstrip('*') for a in answers}
    last = line.split(' ')[-1]
    if shell == 'zsh':  # what is on a screen: also the line, and the mark
        found = {a for a in found if a.startswith(last)} - {last}
    if found == wanted:
        return []
    return [f'{shell}: {line}: found {sorted(found)}, expected {sorted(wanted)}']


def main():
    wrong, asked = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / 'one-kernel.s').write_text('', encoding='utf-8')
        for shell, ask in (('bash', bash), ('fish', fish), ('zsh', None)):
            if not shutil.which(shell):
                continue
            asked.append(shell)
            terminal = Terminal(folder) if shell == 'zsh' else None
            for line, wanted in CASES:
                answers = (terminal.list(line) if terminal else ask(folder, line))
                wrong += check(shell, answers, wanted, line)
            if terminal:
                terminal.close()
    print(*wrong, f'{", ".join(asked)}: {len(CASES)} lines each, {len(wrong)} errors',
          sep='\n')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
