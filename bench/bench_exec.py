#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starting `ventus exec`: a linked vector addition of 8 work-items.

    bench_exec.py [--build DIR]

Prints, as other benchmarks do, `name value unit`:

    exec.start   milliseconds of processor from the command to its end"""
import argparse
import resource
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNS = 50


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--build', default=HERE.parent / 'build/release')
    ventus = Path(ap.parse_args().build) / 'bin/ventus'
    with tempfile.TemporaryDirectory() as tmp:
        program, objects = Path(tmp) / 'a.elf', []
        for source in 'lib/start.S', 'examples/vecadd.s':
            objects.append(Path(tmp) / (Path(source).stem + '.o'))
            subprocess.run([ventus, 'as', '-o', objects[-1],
                            HERE.parent / source], check=True)
        subprocess.run([ventus, 'link', '-o', program, *objects], check=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(RUNS):
            subprocess.run([ventus, 'exec', program, '--grid', '8', '--local',
                            '8', *['--arg', 'iota:8'] * 3], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f'exec.start {1e3 * used / RUNS:.2f} ms')


if __name__ == '__main__':
    main()
