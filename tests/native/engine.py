#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--engine of `ventus exec`, `replay` and `run`: results do not depend on it, and what
cannot be native is said.

    engine.py VENTUS VECADD.s"""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

VENTUS, KERNEL = sys.argv[1:3]
GRID = ['--grid', '64', '--local', '64', '--arg', 'fiota:64', '--arg', 'fiota:64',
        '--arg', 'zeros:64']
SHARE = r'--engine %s: ([0-9.]+)%% of the instructions ran as code of the host'


def ventus(*words, status=0):
    done = subprocess.run([VENTUS, *words], capture_output=True, text=True)
    if done.returncode != status:
        raise AssertionError(f'{words}: status {done.returncode}\n{done.stderr}')
    return done


def execute(*words, status=0):
    return ventus('exec', KERNEL, *GRID, *words, status=status)


class Exec(unittest.TestCase):
    def test_results_do_not_depend_on_it(self):
        said = [execute('--show', '2:f32', '--engine', engine)
                for engine in ('interpreter', 'auto', 'native')]
        self.assertEqual(said[0].stdout, said[1].stdout)
        self.assertEqual(said[0].stdout, said[2].stdout)
        self.assertEqual(said[0].stderr, '')

    def test_it_says_what_ran_natively(self):
        self.assertEqual(re.search(SHARE % 'auto', execute('--engine', 'auto').stderr)[1],
                         '0.0')
        self.assertGreater(
            float(re.search(SHARE % 'native', execute('--engine', 'native').stderr)[1]), 50)

    def test_it_says_why_not(self):
        self.assertRegex(execute('--engine', 'auto', '--stats').stderr,
                         r'0\.0% .*; launches with statistics')
        self.assertRegex(execute('--engine', 'auto', '--lanes', '4').stderr,
                         r'0\.0% .*; warps have less than 8 threads')

    def test_native_is_refused_where_it_cannot_be(self):
        for words, why in (
                (['--stats'], 'without --stats'), (['--check'], 'without --stats'),
                (['--gdb', 'unix:gdb'], 'without --stats')):
            self.assertIn(why, execute('--engine', 'native', *words, status=2).stderr)
        for words, why in (
                (['--lanes', '4'], 'less than 8 threads'),
                (['--set', 'round_robin=yes'], 'round_robin'),
                (['--set', 'portable=yes'], 'portable'),
                (['--model', 'chisel'], 'engine = model interprets')):
            self.assertIn(why, execute('--engine', 'native', *words, status=1).stderr)
        self.assertIn('but execution = native',
                      execute('--set', 'execution=native', '--check', status=1).stderr)

    def test_other_words_are_refused(self):
        for command in ('exec', 'replay', 'run'):
            self.assertIn('expected auto, interpreter or native',
                          ventus(command, '--engine', 'fast', 'x', status=2).stderr)


class Others(unittest.TestCase):
    def test_replay(self):
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / 'k.rec')
            execute('--record', file, '--set', 'execution=native')
            self.assertRegex(ventus('replay', file, '--engine', 'native').stderr,
                             SHARE % 'native')
            ventus('replay', file, '--check')
            ventus('replay', file, '--compare')
            self.assertIn('without --stats',
                          ventus('replay', file, '--engine', 'native', '--compare',
                                 status=2).stderr)

    def test_run(self):
        self.assertIn('without --stats', ventus('run', '--engine', 'native', '--stats',
                                                '--', 'true', status=2).stderr)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
