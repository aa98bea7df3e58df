#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: chosen_pause.py VENTUS LOCKS.cl

`ventus exec` compiles for the machine: eight warps of 8 lanes that wait for a lock starved
the one that had it.  The functional machine has code without pauses.
"""
import subprocess
import sys

VENTUS, LOCKS = sys.argv[1:]


def run(*words):
    return subprocess.run([VENTUS, *words], check=False, capture_output=True, text=True)


def main():
    for model in 'chisel', 'chisel2', 'lanes8':
        p = run('exec', LOCKS, 'flag_form', '--model', model, '--lanes', '8', '--grid', '128',
                '--local', '64', '--arg', 'zeros:1', '--arg', 'zeros:1', '--limit', '1000000',
                '--show', '1')
        assert p.returncode == 0 and p.stdout.split()[-1] == '128', (model, p)
    for option, found in ((), 0), (('-fpause=none',), 0), (('-fpause=divide',), 'divu'), \
            (('-fpause=multiply',), 'mul '):
        p = run('cc', *option, '-cl-std=CL2.0', '--emit', 's', '-o', '-', LOCKS)
        body = p.stdout.split('flag_form:')[1].split('ret')[0]
        assert p.returncode == 0, p
        assert found in body if found else 'divu' not in body and 'mul ' not in body, body
    p = run('cc', '-fpause=sleep', '-o', '-', LOCKS)
    assert p.returncode == 2 and "divide or multiply, found 'sleep'" in p.stderr, p


if __name__ == '__main__':
    main()
