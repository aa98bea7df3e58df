#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: containers.py SOURCE FOLDER [SUITE]

Runs the steps of the container file of SUITE (bookworm, trixie: Debian; noble: Ubuntu)
as an image builder would, where there is none: each FROM is a bare system of debootstrap
below FOLDER, which is removed in the end.  Only for root.  Without FOLDER: the files of
all systems can be read, and have the same steps.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

FILES = {'bookworm': 'debian.Containerfile', 'trixie': 'debian.Containerfile',
         'noble': 'ubuntu.Containerfile'}
UBUNTU = 'http://archive.ubuntu.com/ubuntu'
KNOWN = ('ARG', 'FROM', 'COPY', 'WORKDIR', 'RUN', 'ENTRYPOINT')
SOURCE = Path(sys.argv[1]).resolve()


def steps(path):
    """(instruction, rest) of each line, lines joined and arguments filled in."""
    text = re.sub(r'\\\n\s*', '', path.read_text(encoding='utf-8'))
    values = {}
    for line in text.splitlines():
        if not line or line.startswith('#'):
            continue
        word, rest = line.split(' ', 1)
        assert word in KNOWN, (path, line)
        if word == 'ARG':
            values.update([rest.split('=')])
            continue
        yield word, re.sub(r'\$\{(\w+)\}', lambda m: values[m[1]], rest)


def check_files():
    shapes = {}
    for path in sorted((SOURCE / 'containers').glob('*.Containerfile')):
        found = list(steps(path))
        shapes[path.name] = [
            rest for word, rest in found
            if word in ('COPY', 'WORKDIR', 'ENTRYPOINT')
            or 'ventus exec' in rest or 'cmake --' in rest and 'preset' not in rest]
        assert [w for w, _ in found].count('FROM') == 2, path
        text = path.read_text(encoding='utf-8').replace('\n# ', ' ')
        tried = 'tests/containers.py runs' in text
        assert tried == (path.name in FILES.values()), path
        # What `ventus exec FILE.cl` starts: images without clang compiled no kernel.
        last = [rest.split() for word, rest in found if 'install' in rest][-1]
        assert all(any(name in word for word in last) for name in ('clang', 'lld')), path
    first, *others = shapes.values()
    assert len(others) == 2 and all(o == first for o in others), shapes


class Root:
    """A bare system with what a builder mounts."""

    def __init__(self, folder, suite):
        self.folder = folder
        self.work = '/'
        if suite == 'noble':  # by the script that later Ubuntus share
            run('debootstrap', '--variant=minbase', suite, folder, UBUNTU, 'gutsy')
            # What its image has: two suites, two components.
            (folder / 'etc/apt/sources.list').write_text(
                ''.join(f'deb {UBUNTU} {s} main universe\n'
                        for s in (suite, suite + '-updates')), encoding='utf-8')
        else:
            run('debootstrap', '--variant=minbase', suite, folder)
        run('mount', '-t', 'proc', 'proc', folder / 'proc')

    def run(self, command):
        environment = {'PATH': '/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': '/root',
                       'DEBIAN_FRONTEND': 'noninteractive', 'LC_ALL': 'C'}
        run('chroot', self.folder, 'sh', '-c', f'cd {self.work} && {command}',
            env=environment, stdin=subprocess.DEVNULL)

    def path(self, name):
        return self.folder / os.path.join(self.work, name).lstrip('/')

    def close(self):
        run('umount', self.folder / 'proc')


def run(*command, **more):
    print('+', *command, flush=True)
    subprocess.run(list(map(str, command)), check=True, **more)


def copy(stages, root, rest):
    words = rest.split()
    if words[0].startswith('--from='):
        start = stages[words[0][7:]].path(words[1])
    else:
        start = SOURCE / words[0]
    target = root.path(words[-1])
    target.mkdir(parents=True, exist_ok=True)
    if start == SOURCE:  # a clone: what is ignored stays where it is
        run('git', 'clone', '-q', SOURCE, target)
    else:
        run('cp', '-a', f'{start}/.', target)


def build(folder, suite):
    stages, root = {}, None
    try:
        for word, rest in steps(SOURCE / 'containers' / FILES[suite]):
            if word == 'FROM':
                name = rest.split()[-1]
                root = stages[name] = Root(folder / f'stage{len(stages)}', suite)
            elif word == 'COPY':
                copy(stages, root, rest)
            elif word == 'WORKDIR':
                root.work = rest
                root.path('.').mkdir(exist_ok=True)
            elif word == 'RUN':
                root.run(rest)
        (root.path('add.cl')).write_text(
            'kernel void add(global int *x)\n{ x[get_global_id(0)] += 3; }\n',
            encoding='utf-8')
        p = subprocess.run(['chroot', root.folder, 'sh', '-c',
                            'cd /work && ventus exec add.cl --grid 4 --arg iota:4 '
                            '--show 0'], check=True, capture_output=True, text=True)
        assert p.stdout.strip() == '0: 3 4 5 6', p
    finally:
        for stage in stages.values():
            stage.close()


def main():
    check_files()
    if len(sys.argv) == 2:
        print('3 files')
        return 0
    for program in 'debootstrap', 'git', 'mount':
        if os.geteuid() or not shutil.which(program):
            print(f'skipped: not root, or no {program}')
            return 77
    folder = Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    suite = sys.argv[3] if len(sys.argv) > 3 else 'bookworm'
    build(folder, suite)
    shutil.rmtree(folder)
    print(f'the image of {suite}: built and used')
    return 0


if __name__ == '__main__':
    sys.exit(main())
