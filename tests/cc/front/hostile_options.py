#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No word of a user reaches the compiler's own options: whatever build options,
folders and names of sources say, no code is loaded, no file but the output is
written, and no file of words is read.

usage: hostile_options.py VENTUS CC
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, CC = os.path.abspath(sys.argv[1]), sys.argv[2]
SOURCE = 'kernel void k(global int *x) { *x = 1; }\n'
PLUGIN = '''
#include <fcntl.h>
__attribute__((constructor)) static void
loaded(void)
{
    open(LOADED, O_CREAT | O_WRONLY, 0600);
}
'''
failures = 0


def check(condition, what):
    global failures
    if not condition:
        print(f'failed: {what}')
        failures += 1


def words(plugin, victim):
    """Options of clang and of its front end that do what a build must not."""
    return [f'-fpass-plugin={plugin}', f'-fplugin={plugin}',
            f'-load={plugin}', f'-stats-file={victim}',
            f'-ftime-trace={victim}', '-ftime-trace', '-save-stats',
            f'-dependency-file={victim}', f'--dependency-file={victim}',
            f'-MF{victim}', '-MD', f'-o{victim}', f'-o={victim}',
            f'-serialize-diagnostics={victim}', '-fsyntax-only',
            f'-foptimization-record-file={victim}', '-fsave-optimization-record',
            f'-fcrash-diagnostics-dir={victim}', '-gen-reproducer',
            '-fdebug-dump-parsing-macros', '-save-temps', '-###', '-v',
            f'-Wp,-MD,{victim}', f'-Wa,-o,{victim}', f'-Wl,-o,{victim}',
            f'-mllvm=-load={plugin}', f'-Xclang=-load', f'-dxc-{victim}',
            f'--config={victim}', '@words', '@more', f'@{victim}', '-', '--', '@']


def forms(word):
    """Where the text of a build option can put a word."""
    yield [word]
    yield ['-I', word]
    yield [f'-I{word}']
    yield ['-I', '', word]
    yield ['-I', '@/proc/version', '-I', word]
    yield ['-I', '.', word]
    yield ['-D', word]
    yield [f'-DX={word}']
    yield ['-D', 'X=1', word]
    yield ['-U', word]
    yield [f'-W{word}']
    yield [f'-Wno-{word}']
    yield [f'-cl-std={word}']
    yield ['-cl-mad-enable', word]
    yield [f'-D X=1\n{word}']


def quoted(options):
    return ' '.join('"' + o.replace('\\', '\\\\').replace('"', '\\"') + '"'
                    for o in options)


class Place:
    """A folder with what could be harmed, and what it held."""

    def __init__(self, top):
        self.top = Path(top)
        self.work = self.top / 'work'
        self.work.mkdir()
        self.victim = self.top / 'victim'
        self.victim.write_text('precious')
        self.loaded = self.top / 'loaded'
        self.plugin = self.top / 'plugin.so'
        (self.top / 'plugin.c').write_text(PLUGIN)
        subprocess.run([CC, '-shared', '-fPIC', f'-DLOADED="{self.loaded}"',
                        '-o', self.plugin, self.top / 'plugin.c'], check=True)
        (self.work / 'words').write_text(f'. -load {self.plugin}\n')
        (self.work / 'more').write_text(f'. -stats-file={self.victim}\n')
        (self.work / 'k.cl').write_text(SOURCE)
        self.before = self.listing()

    def listing(self):
        return sorted(p.name for p in self.work.iterdir()) + \
            sorted(p.name for p in self.top.iterdir())

    def compile(self, options, source='k.cl', text=None):
        what = f'{options} {source}'
        print(what, flush=True)  # if it hangs
        done = subprocess.run(
            [VENTUS, 'cc', '--emit', 'll', '-o', '-', *options, source],
            cwd=self.work, input=text, check=False,
            capture_output=True, text=True, errors='replace')
        check(done.returncode in (0, 1, 2),
              f'{what}: exit {done.returncode}: {done.stderr}')
        check(not self.loaded.exists(), f'{what}: loaded a library')
        self.loaded.unlink(missing_ok=True)
        check(self.victim.read_text() == 'precious', f'{what}: wrote a file')
        self.victim.write_text('precious')
        check(self.listing() == self.before,
              f'{what}: {sorted(set(self.listing()) - set(self.before))}')
        return done


def names(place):
    """Sources and folders whose names look like options."""
    for name in ('@words', '-load', '-fsyntax-only', '@p.cl', '@'):
        path = place.work / (name + '.d')
        path.mkdir()
        (path / 'x.h').write_text('#define SEEN 1\n')
        (path / 'k.cl').write_text('#include "x.h"\n' + SOURCE)
        source = place.work / name
        if name != '@words':
            source.write_text(SOURCE)
        place.before = place.listing()
        if name != '@words' and name[0] != '-':
            done = place.compile([], name)
            check(done and done.returncode == 0, f'{name} is compiled')
        done = place.compile(['--name', name])
        check(done and done.returncode == 0, f'--name {name}')
        done = place.compile(['-I', name + '.d'], '-',
                             '#include <x.h>\n#ifndef SEEN\n#error\n#endif\n')
        check(done and done.returncode == 0, f'-I {name}.d: {done.stderr}')
        if name[0] != '-':
            done = place.compile([], f'{name}.d/k.cl')
            check(done and done.returncode == 0, f'{name}.d/k.cl')


with tempfile.TemporaryDirectory() as folder:
    place = Place(folder)
    good = place.compile(['-D', 'X=1', '-I', '.', '-Wall'])
    check(good and good.returncode == 0, f'good options: {good.stderr}')
    tried = 0
    for word in words(place.plugin, place.victim):
        for n, form in enumerate(forms(word)):
            place.compile(['--options', quoted(form)])
            tried += 1
            if n < 3:
                place.compile([*form])
                tried += 1
    names(place)
print(f'{tried} texts of options, {failures} failures')
sys.exit(failures != 0)
