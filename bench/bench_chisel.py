#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A whole OpenCL program on the preset chisel, with coherence = rcc and TLBs.

    bench_chisel.py [--build DIR]

Prints, as other benchmarks do, `name value unit`:

    chisel.matmul   M warp-instructions of matrix_multiply in a second of processor,
                    the host's part of the program included"""
import argparse
import json
import resource
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODEL = 'chisel:tlb_entries=32:fetch_tlb_entries=32'
SIZE = 120


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--build', default=HERE.parent / 'build/release')
    build = Path(ap.parse_args().build)
    program = build / 'examples/opencl/matrix_multiply'
    if not program.exists():
        return
    with tempfile.TemporaryDirectory() as tmp:
        counts = Path(tmp) / 'counts.json'
        command = [build / 'bin/ventus', 'run', '--model', MODEL, '--json',
                   counts, '--', program]
        subprocess.run([*command, '--n', '4'], check=True, capture_output=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, '--n', str(SIZE)], check=True,
                       capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        kernels = json.loads(counts.read_text())['kernels']
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    issued = sum(kernel['warp_instructions'] for kernel in kernels)
    print(f'chisel.matmul {1e-6 * issued / used:.3f} M/s')


if __name__ == '__main__':
    main()
