# SPDX-License-Identifier: Apache-2.0
"""Clients from PyPI: a virtual environment for each, made once.

Versions are pinned, so that an environment that is there needs no network again.
"""
import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path


def pip(folder, *words):
    done = subprocess.run([folder / 'bin/python', '-m', 'pip', '--quiet',
                           '--disable-pip-version-check', *words],
                          capture_output=True, text=True, check=False)
    return '' if done.returncode == 0 else done.stderr.strip() or 'pip failed'


def make(folder, wheels, sources):
    """Makes it from nothing; a message if that fails."""
    shutil.rmtree(folder, ignore_errors=True)
    made = subprocess.run([sys.executable, '-m', 'venv', folder],
                          capture_output=True, text=True, check=False)
    if made.returncode != 0:
        return (made.stdout + made.stderr).strip()
    message = pip(folder, 'install', '--only-binary', ':all:', *wheels.split()) \
        if wheels else ''
    for source in sources.split():
        message = message or pip(folder, 'download', '--no-deps', '--no-binary',
                                 ':all:', '--dest', folder / 'source', source)
    if not message:
        for archive in (folder / 'source').glob('*.tar.gz'):
            shutil.unpack_archive(archive, folder / 'source')
    return message


def ready(folder: Path, wheels, sources):
    """Sees to it that the environment is there, one process at a time; what
    is missing, empty if nothing is."""
    wanted = f'{wheels} / {sources}\n'
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f'{folder}.lock', 'w', encoding='utf-8') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = folder / 'made-of'
        if made.exists() and made.read_text(encoding='utf-8') == wanted:
            return ''
        message = make(folder, wheels, sources)
        if message:
            last = message.splitlines()[-1]
            return f'{wheels} {sources}'.strip() + ' of PyPI, which needs ' \
                f'the network once: {last}'
        made.write_text(wanted, encoding='utf-8')
        return ''


def built(folder: Path, made: Path, *commands):
    """Runs commands that make the file `made` unless it is there, one process at a
    time; what the failed one printed, empty if none failed."""
    with open(f'{folder}.lock', 'w', encoding='utf-8') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in () if made.exists() else commands:
            done = subprocess.run([str(word) for word in command], check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env=dict(os.environ, LC_ALL='C.UTF-8'))
            if done.returncode != 0:
                return done.stdout.decode(errors='replace') or 'failed'
        return ''
