#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Things under the names of cache entries that are no entries: programs are
built all the same, in bounded time and memory, and nothing outside the folder
changes.

usage: cache_hostile.py BUILDS
"""
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

BUILDS = sys.argv[1]
failures = 0


def check(condition, what):
    global failures
    if not condition:
        print(f'failed: {what}')
        failures += 1


def build(folder, first, last, what, **more):
    """BUILDS compiles programs first to last - 1 and checks their results."""
    env = os.environ | {'VENTUS_CACHE_DIR': str(folder), 'FIRST': str(first),
                        'LAST': str(last)} | more
    print(what, flush=True)  # if it hangs
    done = subprocess.run([BUILDS], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    check(done.returncode == 0, f'{what}: {done.stdout}')
    return done.stdout


def only_entry(folder):
    found = list(folder.glob('*.kernel'))
    check(len(found) == 1, f'{len(found)} entries, expected one')
    return found[0]


def is_stored(path, good, what):
    check(path.is_file() and not path.is_symlink() and
          path.read_bytes() == good, f'{what}: not stored again')


def replace(path, make):
    path.unlink()
    make(path)


def huge(path):
    with open(path, 'wb') as out:
        out.truncate(1 << 40)


def foreign(path, good):
    path.write_bytes(good)
    os.chown(path, 12345, 12345)


with tempfile.TemporaryDirectory() as name:
    top = Path(name)
    cache = top / 'cache'
    build(cache, 1, 2, 'the first time')
    entry = only_entry(cache)
    good = entry.read_bytes()
    victim = top / 'victim'
    victim.write_text('precious')
    cases = {
        'a pipe': os.mkfifo,
        'a link to /dev/zero': lambda p: p.symlink_to('/dev/zero'),
        'a link to a file': lambda p: p.symlink_to(victim),
        'a link to itself': lambda p: p.symlink_to(p),
        'a link to nothing': lambda p: p.symlink_to(top / 'nothing'),
        'a file without end': huge,
        'an empty file': lambda p: p.touch(),
    }
    if os.geteuid() == 0:
        cases['a file of another user'] = lambda p: foreign(p, good)
    else:
        print('not root: files of another user are not tried')
    for what, make in cases.items():
        replace(entry, make)
        build(cache, 1, 2, what)
        is_stored(entry, good, what)
    check(victim.read_text() == 'precious', 'the target of a link was written')
    check(not (top / 'nothing').exists(), 'a link to nothing made a file')
    # A folder with the name stays; the program is compiled each time.
    replace(entry, lambda p: p.mkdir())
    build(cache, 1, 2, 'a folder')
    entry.rmdir()
    # A good entry of another program under this one's name.
    build(cache, 2, 3, 'another program')
    other = only_entry(cache)
    other.rename(entry)
    build(cache, 1, 2, 'an entry of another program')
    is_stored(entry, good, 'an entry of another program')
    # The file that keeps the time of a sweep.
    swept = cache / '.swept'
    for what, make in {'a pipe': os.mkfifo,
                       'a link': lambda p: p.symlink_to(victim)}.items():
        if swept.exists() or swept.is_symlink():
            swept.unlink()
        make(swept)
        os.utime(victim, (1000, 1000))
        if what == 'a pipe':
            os.utime(swept, (1000, 1000))
        entry.unlink()
        build(cache, 1, 2, f'.swept is {what}')
        check(victim.stat().st_mtime == 1000, f'.swept is {what}: target')
    # Entries that are larger than the setting are neither read nor written.
    entry.unlink()
    build(cache, 1, 2, 'no room for an entry', VENTUS_CACHE_ENTRY_MB='0')
    check(not entry.exists(), 'an entry beyond the limit was written')
    # What is no number gave the default, and nothing was said.
    swept.unlink()
    numbers = {'VENTUS_CACHE_MB': 'many', 'VENTUS_CACHE_ENTRY_MB': '12x',
               'VENTUS_OPTIONS_KB': '99999999999999999999'}
    said = build(cache, 1, 3, 'no numbers', **numbers)
    is_stored(entry, good, 'with no numbers')
    for variable, value in numbers.items():
        line = f"ventus: {variable}: expected a number from 0 to 4294967295, " \
            f"found '{value}': "
        check(said.count(line.encode()) == 1, f'{variable}: {said}')
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    check(peak < 2048, f'{peak} MiB used at most')
print(f'{failures} failures')
sys.exit(failures != 0)
