#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/c: built through pkg-config against an installed tree that was moved.

usage: examples.py CMAKE BUILD CC EXAMPLES

What they print is checked: sums by the program itself, cycles by `ventus exec`
on the same machine, the steps by the source of the kernel.  With the shared
library, and with the archive in a program that has no installed tree around it,
so that presets are the built-in ones.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CMAKE, BUILD, CC, EXAMPLES = sys.argv[1:]
KERNEL = Path(EXAMPLES).parent / 'vecadd.s'
failures = 0


def check(condition, what):
    global failures
    if not condition:
        print(f'failed: {what}')
        failures += 1


def run(*args, cwd=None, **more):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith('VENTUS_')} | more
    r = subprocess.run([str(a) for a in args], capture_output=True, text=True,
                       env=env, cwd=cwd, check=False)
    return r.returncode, r.stdout + r.stderr


def installed(folder):
    """An installed tree that is moved after it was installed."""
    first = folder / 'first'
    status, out = run(CMAKE, '--install', BUILD, '--prefix', first)
    check(status == 0, f'install: {out}')
    prefix = folder / 'elsewhere' / 'ventus'
    prefix.parent.mkdir()
    first.rename(prefix)
    return prefix


def build(prefix, folder, *more):
    folder.mkdir()
    config = next(prefix.glob('lib/**/ventus.pc')).parent
    status, out = run('make', '-f', Path(EXAMPLES) / 'Makefile', f'CC={CC}',
                      f'VENTUS={prefix / "bin/ventus"}', *more, cwd=folder,
                      PKG_CONFIG_PATH=str(config))
    check(status == 0, f'make {more}: {out}')
    return config.parent


def check_cycles(prefix, out):
    """Each line's figures are those that the tool counts for such a launch."""
    found = re.findall(r'(\d+) work-items: +(\d+) cycles, (\d+) inst', out)
    check([n for n, _, _ in found] == ['8', '32', '128'], f'cycles: {out}')
    for n, cycles, issued in found:
        status, text = run(prefix / 'bin/ventus', 'exec', '--model', 'chisel',
                           '--json', '--stats', KERNEL, '--grid', n, '--local',
                           '8', *['--arg', 'zeros:256'] * 3)
        check(status == 0, text)
        want = [re.search(rf'"{name}": *(\d+)', text)[1]
                for name in ('cycles', 'issued')]
        check([cycles, issued] == want,
              f'{n} work-items: {cycles} cycles, {issued} issued; not {want}')


def check_steps(out):
    """The instructions are the kernel's, in its order; it has no branch."""
    body = KERNEL.read_text().split('vecadd:')[1]
    want = re.findall(r'^ +([a-z]\w*(?:\.\w+)*)', body, re.M)
    lines = [line for line in out.splitlines() if '  lanes ' in line]
    got = [line.split()[1] for line in lines]
    at = next((i for i in range(len(got)) if got[i:i + len(want)] == want), -1)
    check(at >= 0, f'steps: {got} has not {want}')
    stores = [line for line in lines if ' vsw12.v' in line]
    check(len(stores) == 1 and 'lanes ffff ' in stores[0] and
          '4 bytes at ' in stores[0], f'steps: {stores}')
    check(out.endswith(f'{len(lines)} instructions\n'), f'steps: {out[-40:]}')


def try_programs(prefix, folder, env):
    status, out = run('./run', 'vecadd.elf', cwd=folder, **env)
    version = run(prefix / 'bin/ventus', '--version')[1].split()[-1]
    check((status, out) == (0, f'version {version}: 100 of 100 sums are right\n'),
          f'run: {out}')
    status, out = run('./cycles', 'vecadd.elf', cwd=folder, **env)
    check(status == 0, f'cycles: {out}')
    check_cycles(prefix, out)
    status, out = run('./steps', 'vecadd.elf', cwd=folder, **env)
    check(status == 0, f'steps: {out}')
    check_steps(out)


def main():
    for tool in ('make', 'pkg-config', 'ld.lld-19'):
        if not shutil.which(tool):
            print(f'skipped: no {tool}')
            return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prefix = installed(folder)
        libraries = build(prefix, folder / 'shared')
        needed = run('readelf', '-d', folder / 'shared/run')[1]
        check(re.search(r'NEEDED.*\[libventus\.so\.[\d.]+\]', needed), needed)
        try_programs(prefix, folder / 'shared',
                     {'LD_LIBRARY_PATH': str(libraries)})
        build(prefix, folder / 'static', 'STATIC=1')
        needed = run('readelf', '-d', folder / 'static/run')[1]
        check('libventus' not in needed, needed)
        try_programs(prefix, folder / 'static', {})
    print(f'{failures} failures')
    return failures != 0


if __name__ == '__main__':
    sys.exit(main())
