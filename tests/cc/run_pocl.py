#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kernels of run.py on pocl: it must give what we do, and what is expected.

    run_pocl.py VENTUS FILE.cl... --compiler CC_COMPILE --oracle RUN_CL

Every buffer that a launch leaves is compared, floats within its tolerance.
`// @skip pocl` leaves a launch out, or all if it stands before the first;
the reason is beside it.
"""
import argparse
import os
import re
import struct
import sys
import tempfile
from pathlib import Path

import run

PLATFORM = 'Portable Computing Language'


def job(launch, folder, number):
    """Lines for run_cl; where the buffers are."""
    sizes = [int(x) for x in launch.grid.split(',')]
    local = [int(x) for x in (launch.local or '0').split(',')]
    sizes += [1] * (3 - len(sizes))
    local += [1 if launch.local else 0] * (3 - len(local))
    lines, outputs = [' '.join(map(str, ['kernel', launch.kernel, *sizes,
                                         *local]))], {}
    for k, (name, kind, value) in enumerate(launch.args):
        if kind == 'local':
            lines.append(f'local {value}')
            continue
        fmt = run.FORMATS[kind]
        if not isinstance(value, list):
            value = run.wrap(fmt, value)
            lines.append('bytes ' + struct.pack('<' + fmt, value).hex())
            continue
        before, after = folder / f'{number}.{k}.in', folder / f'{number}.{k}'
        before.write_bytes(struct.pack(f'<{len(value)}{fmt}', *value))
        lines.append(f'buffer {before} {after}')
        outputs[name] = (after, fmt, len(value))
    return lines, outputs


def run_oracle(options, file, launches, folder):
    """Runs all of a file; the buffers of each launch."""
    lines, outputs = [], []
    for number, launch in enumerate(launches):
        more, buffers = job(launch, folder, number)
        lines += more
        outputs.append(buffers)
    (folder / 'jobs').write_text('\n'.join(lines) + '\n')
    words = ' '.join(re.findall(r'^// @options (.*)', file.read_text(), re.M))
    env = {**os.environ, 'OCL_ICD_VENDORS': '/etc/OpenCL/vendors',
           'POCL_KERNEL_CACHE': '0', 'POCL_CACHE_DIR': str(folder),
           'ASAN_OPTIONS': 'detect_leaks=0',  # of what pocl keeps
           'POCL_MAX_PTHREAD_COUNT': '1'}
    done = run.subprocess.run([options.oracle, PLATFORM, file, f'-w -cl-opt-disable {words}',
                               folder / 'jobs'], env=env,
                              capture_output=True, text=True)
    if done.returncode == 77:
        print(done.stderr)
        sys.exit(77)
    if done.returncode:
        return None, f'pocl: status {done.returncode}\n{done.stderr[-2000:]}'
    return outputs, done.stdout


def values(path, fmt, count):
    return struct.unpack(f'<{count}{fmt}', path.read_bytes())


def compare(options, elf, launch, outputs, folder):
    """What is different, a line each."""
    errors = run.run(options.ventus, elf, launch, 32, 'default', folder)
    if errors:
        return errors
    for name, (path, fmt, count) in outputs.items():
        if not path.exists():
            return ['did not run on pocl']
        want = values(path, fmt, count)
        size = count * struct.calcsize('<' + fmt)
        ours = struct.unpack(f'<{count}{fmt}', (folder / f'{name}.out')
                             .read_bytes()[:size])
        wrong = [k for k, (a, b) in enumerate(zip(ours, want))
                 if not run.same(a, b, launch.tolerance)]
        if wrong:
            k = wrong[0]
            errors.append(f'{name}: {len(wrong)} of {count} differ, first '
                          f'[{k}]: {ours[k]}, pocl has {want[k]}')
    return errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('files', nargs='+')
    for name in 'compiler', 'oracle':
        parser.add_argument(f'--{name}', required=True)
    options = parser.parse_args()
    runs = failed = 0
    for file in map(Path, options.files):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            launches = [launch for launch in run.parse(file)
                        if 'pocl' not in launch.skip]
            if not launches:
                continue
            elf, message = run.compile_file(options, file, 'default', folder)
            outputs, more = run_oracle(options, file, launches, folder) \
                if elf else (None, message)
            if outputs is None:
                failed += 1
                print(f'{file}: {more}')
                continue
            for launch, buffers in zip(launches, outputs):
                runs += 1
                errors = compare(options, elf, launch, buffers, folder)
                failed += bool(errors)
                for error in errors:
                    print(f'{file}: {launch.kernel}: {error} {more}')
    print(f'{runs} launches, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
