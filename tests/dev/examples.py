#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/c: built against an installed tree that was moved, through pkg-config and
through CMake's find_package.

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


def build(prefix, folder, *more, **env):
    """PKG_CONFIG_PATH is a variable of make's command line or of the environment."""
    folder.mkdir()
    status, out = run('make', '-f', Path(EXAMPLES) / 'Makefile', f'CC={CC}',
                      f'VENTUS={prefix / "bin/ventus"}', *more, cwd=folder, **env)
    check(status == 0, f'make {more}: {out}')


def build_by_cmake(prefix, folder, *more):
    status, out = run(CMAKE, '-S', EXAMPLES, '-B', folder, f'-DCMAKE_C_COMPILER={CC}',
                      f'-DCMAKE_PREFIX_PATH={prefix}', *more)
    check(status == 0, f'cmake {more}: {out}')
    status, out = run(CMAKE, '--build', folder)
    check(status == 0, f'cmake --build {more}: {out}')


def check_versions(prefix, folder):
    """Only what keeps to the interface is found: a minor version, before 1.0."""
    version = run(prefix / 'bin/ventus', '--version')[1].split()[-1]
    major, minor, patch = map(int, version.split('.'))
    folder.mkdir()
    asked = {f'{major}.{minor}': 0, f'{version} EXACT': 0,
             f'{major}.{minor}.{patch + 1}': 1, f'{major}.{minor + 1}': 1,
             f'{major + 1}.{minor}': 1}
    for version, want in asked.items():
        (folder / 'CMakeLists.txt').write_text(
            'cmake_minimum_required(VERSION 3.16)\nproject(asks LANGUAGES C)\n'
            f'find_package(Ventus {version} REQUIRED)\n')
        status, out = run(CMAKE, '-S', folder, '-B', folder / 'build',
                          f'-DCMAKE_PREFIX_PATH={prefix}')
        check(status == want, f'find_package(Ventus {version}): {out}')


def check_linked(folder, shared):
    needed = run('readelf', '-d', folder / 'run')[1]
    found = re.search(r'NEEDED.*\[libventus\.so\.[\d.]+\]', needed)
    check(bool(found) == shared and ('libventus' in needed) == shared, needed)


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
        config = next(prefix.glob('lib/**/ventus.pc')).parent
        build(prefix, folder / 'shared', f'PKG_CONFIG_PATH={config}')
        build(prefix, folder / 'static', 'STATIC=1', PKG_CONFIG_PATH=str(config))
        build_by_cmake(prefix, folder / 'package')
        build_by_cmake(prefix, folder / 'package_static', '-DSTATIC=ON')
        for name in ('shared', 'static', 'package', 'package_static'):
            shared = 'static' not in name
            check_linked(folder / name, shared)
            try_programs(prefix, folder / name, {'LD_LIBRARY_PATH': str(config.parent)}
                         if name == 'shared' else {})
        check_versions(prefix, folder / 'versions')
    print(f'{failures} failures')
    return failures != 0


if __name__ == '__main__':
    sys.exit(main())
