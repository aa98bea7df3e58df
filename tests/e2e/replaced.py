#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What had the name of an output: devices, pipes, links, and old files.

    replaced.py VENTUS TREE [with-cc]
"""
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from outputs import WITH_CC, expect, failures, prepare, run, with_path, writers


def drained(fifo, args):
    """Runs a command that writes a pipe, which is read meanwhile."""
    both = os.open(fifo, os.O_RDWR)
    read = os.open(fifo, os.O_RDONLY)
    with subprocess.Popen(['cat'], stdin=read, stdout=subprocess.PIPE) as reader:
        os.close(read)
        done = run(*args)
        os.close(both)
        return done, reader.communicate()[0]


def kept(tmp, launch):
    """What has the name of an output stays what it is: `link` removed a device."""
    fifo, link, real = tmp / 'fifo', tmp / 'link', tmp / 'real'
    os.mkfifo(fifo)
    link.symlink_to(real.name)
    for command in writers(tmp, launch):
        args = with_path(command, fifo)
        done, text = drained(fifo, args)
        if done.returncode or not text or not stat.S_ISFIFO(fifo.lstat().st_mode):
            failures.append(f'{args}: status {done.returncode}, {len(text)} '
                            f'bytes in the pipe: {done.stderr[-300:]}')
        real.write_text('old')
        real.chmod(0o640)
        args = with_path(command, link)
        done = run(*args)
        if done.returncode or not link.is_symlink() or \
                real.read_bytes() == b'old' or real.stat().st_mode & 0o777 != 0o640:
            failures.append(f'{args}: status {done.returncode}, a link is not '
                            f'followed: {done.stderr[-300:]}')


def failed(tmp):
    """What a failure leaves is the old file."""
    wrong = tmp / 'wrong.s'
    wrong.write_text('no_instruction x1\n')
    (tmp / 'wrong.cl').write_text('no_type x;\n')
    old = tmp / 'old'
    nodes = [old]
    try:
        os.mknod(tmp / 'null', stat.S_IFCHR | 0o666, os.makedev(1, 3))
        nodes.append(tmp / 'null')
    except PermissionError:
        pass  # only root makes devices
    commands = [['as', wrong], ['link', wrong], ['dis', wrong], ['report', wrong],
                ['link', '-e', 'nothing', tmp / 'a.o']]
    if WITH_CC:
        commands += [['cc', tmp / 'wrong.cl'],
                     ['cc', tmp / 'wrong.cl', '--depfile', tmp / 'old']]
    for command in commands:
        for node in nodes:
            old.write_text('old')
            args = command + ['-o', node]
            expect(1, '', run(*args), args)
            if old.read_text() != 'old' or \
                    len(nodes) > 1 and not nodes[1].is_char_device():
                failures.append(f'{args}: {node.name} was changed')


def main():
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        kept(tmp, prepare(tmp))
        failed(tmp)
        left = [p.name for p in tmp.iterdir() if p.name.startswith('.ventus')]
        if left:
            failures.append(f'temporary files are left: {left}')
    print('\n'.join(failures + [f'{len(failures)} failed']))
    return failures != []


if __name__ == '__main__':
    sys.exit(main())
