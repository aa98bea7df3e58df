#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many processes with one cache, some of them killed at any moment: every
entry is whole, and afterwards no compiler is needed.

usage: cache.py BUILDS
"""
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from process import wait_for  # noqa: E402

BUILDS = sys.argv[1]
PROGRAMS = 6
rnd = random.Random(1)
failures = 0


def check(condition, what):
    global failures
    if not condition:
        print(f'failed: {what}')
        failures += 1


def start(folder, first, last, **more):
    env = os.environ | {'VENTUS_CACHE_DIR': str(folder),
                        'TMPDIR': str(folder.parent),
                        'FIRST': str(first), 'LAST': str(last)} | more
    return subprocess.Popen([BUILDS], env=env,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def finish(process, what):
    out, _ = process.communicate()
    check(process.returncode == 0, f'{what}: {out}')


def entries(folder):
    """The format is that of src/cl/program/cache.c: a magic, the hash of the name and of
    the rest."""
    found = sorted(folder.glob('*.kernel'))
    for path in found:
        data = path.read_bytes()
        key = bytes.fromhex(path.stem)
        check(data[:8] == b'VTKC0002' and
              data[8:40] == hashlib.sha256(key + data[40:]).digest(),
              f'{path.name}: {len(data)} bytes, not whole')
    return found


def kill_some(folder):
    running = [start(folder, rnd.randrange(PROGRAMS), PROGRAMS)
               for _ in range(3)]
    for process in running[:2]:
        try:
            process.wait(rnd.uniform(0.01, 0.25))
        except subprocess.TimeoutExpired:
            pass
        process.kill()
        process.communicate()
    finish(running[2], 'one that was not killed')


def put(path, size, age):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(bytes(size))
    then = time.time() - age
    os.utime(path, (then, then))


def check_limit(folder):
    """Those used longest ago go, down to three quarters of the limit; a folder
    that was looked at within this minute is left alone."""
    for i in range(4):
        put(folder / f'old{i}.kernel', 600 << 10, 1000 - i)
    put(folder / '.old1.kernel.killed', 10, 4000)
    put(folder / '.old2.kernel.written', 10, 0)
    put(folder / '.swept', 0, 0)
    finish(start(folder, 0, 1, VENTUS_CACHE_MB='2'), 'within the minute')
    check(len(list(folder.glob('old*'))) == 4, 'swept within the minute')
    put(folder / '.swept', 0, 61)
    finish(start(folder, 1, 2, VENTUS_CACHE_MB='2'), 'behind it')
    left = sorted(p.name for p in folder.iterdir())
    check('old0.kernel' not in left and 'old1.kernel' not in left and
          'old2.kernel' in left and 'old3.kernel' in left and
          '.old1.kernel.killed' not in left and
          '.old2.kernel.written' in left and
          len(list(folder.glob('[!.]*'))) == 4, f'not swept: {left}')
    for i in range(4, 8):
        put(folder / f'old{i}.kernel', 600 << 10, 1000 - i)
    finish(start(folder, 2, 3, VENTUS_CACHE_MB='2'), 'just swept')
    check(len(list(folder.glob('old*'))) == 6, 'the time of a sweep is kept')


def next_compile_leaves_none(folder, compiler):
    start(folder, 0, 1, VENTUS_CC=str(compiler)).communicate()
    return not list(folder.parent.glob('ventus-*'))


with tempfile.TemporaryDirectory() as name:
    check_limit(Path(name) / 'limited')
    cache = Path(name) / 'cache'
    for _ in range(3):
        kill_some(cache)
        entries(cache)
    finish(start(cache, 0, PROGRAMS), 'the rest')
    check(len(entries(cache)) == PROGRAMS, 'an entry for each')
    # The compiler is part of the key: one that is not there has no entries.
    compiler = Path(name) / 'bin/ventus'
    compiler.parent.mkdir()
    compiler.write_text('#!/bin/sh\nexit 1\n')
    compiler.chmod(0o755)
    other = start(cache, 0, 1, VENTUS_CC=str(compiler))
    other.communicate()
    check(other.returncode != 0, 'another compiler has its own entries')
    # What the killed ones were compiling in is gone with the next compile, once
    # the compilers they had started have ended too.
    check(wait_for(lambda: next_compile_leaves_none(cache, compiler)),
          'folders of killed processes')
    # Spoilt entries are misses.
    for path in entries(cache):
        data = bytearray(path.read_bytes())
        data[rnd.randrange(len(data))] ^= 1
        path.write_bytes(data[:rnd.randrange(1, len(data) + 1)])
    finish(start(cache, 0, PROGRAMS), 'spoilt entries')
    check(len(entries(cache)) == PROGRAMS, 'entries again')
    # Nowhere to write: no cache, but programs.
    finish(start(Path('/proc/nothing'), 0, 1, TMPDIR=name), 'no folder')
print(f'{failures} failures')
sys.exit(failures != 0)
