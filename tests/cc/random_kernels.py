#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels on Ventus against pocl.

    random_kernels.py VENTUS --compiler CC_COMPILE --oracle RANDOM_CL
                      --device RANDOM_DEV [--seed N] [--count N] [--reduce]

Kernels (random_program.py) have nested divergence, loops with several exits,
switch, goto, early return, uniform values changed inside divergent code,
barriers in uniform code, local memory, all integer widths, vectors, floats
and doubles, structs, private arrays, functions and atomic operations.  A
program of many is built by pocl without optimisation, and by us with one of
the settings below, half of the programs with functions that are called and
not inlined; it runs with one of the widths.  All buffers must be equal.

pocl has the kernels in another form (random_oracle.py); a kernel that differs
runs there once more as it is.  Then it stays in the current folder as
random-SEED-K.cl; --kernel K runs only this one of --seed, whatever --batch
is, and --reduce cuts it down to what still fails in the same way.  Where a
whole program does not compile or run, its halves are tried, and theirs, down
to the kernels that are to blame; one that is wrong only in a program of several
is kept with as few others as it takes.  --file FILE.cl runs the
kernel k0 of a file that was kept, as --seed would.

With --halves all kernels use these as well; pocl has none, so it computes with
doubles that are rounded after each operation.  With --structs all have
functions that take and return structs (random_structs.py), with --calls at
least two that take and return much of all types (random_calls.py), which we
always call.

pocl is slow: what it gave is kept by --record FILE, and --answers FILE takes
that for the same program, and asks pocl only for others or if we differ.
"""
import argparse
import hashlib
import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import random_expression
import random_oracle
import random_program
import random_structs
from random_program import CELLS, OUT

SETTINGS = {'default': [], 'off': ['--off'], 'spill': ['--spill'],
            'upstream': ['--upstream'], 'v2': ['--v2'],
            'v2-off': ['--v2', '--off'],
            'v2-spill': ['--v2', '--sgprs', '14', '--vgprs', '20']}
ROTATION_V2 = ['v2', 'v2-off', 'v2-spill', 'v2', 'v2-off']
ROTATION = ['default', 'off', 'spill', 'default', 'upstream']
LANES = [4, 8, 16, 32]
SHAPES = [((96, 1), (48, 1)), ((48, 6), (16, 3)), ((64, 1), (64, 1)),
          ((66, 1), (33, 1)), ((15, 7), (5, 7)), ((3, 1), (1, 1)),
          ((40, 2), (20, 2)), ((128, 1), (128, 1))]
NOTHING = 'no result'
HANGS_S = 900  # as in cmake/ventus.cmake
UPSTREAM = ['all_lanes=true', 'ignore_vm=true']


class Batch:
    """Kernels of one program, and what they run with."""

    def __init__(self, seed, count, options):
        rng = random.Random(seed)
        self.seed, self.halves = seed, options.halves
        self.structs, self.calls = options.structs, options.calls
        rotation = ROTATION_V2 if options.v2 else ROTATION
        self.setting = options.setting or rotation[seed % len(rotation)]
        self.shape = SHAPES[seed % len(SHAPES)]
        self.lanes = options.lanes or LANES[seed % len(LANES)]
        self.values = [rng.randrange(-2**31, 2**31) for _ in range(64)]
        self.scalars = (rng.randrange(16), rng.randrange(-2**31, 2**31))
        self.rest = (rng.randrange(-128, 128), rng.randrange(2**64))
        self.kernels = [self.kernel(k) for k in range(count)]
        if self.setting == 'upstream':  # has no atomics
            self.kernels = [k for k in self.kernels
                            if 'atomic' not in k.text()]

    def kernel(self, number):
        """Depends on nothing but the seed and the number."""
        kernel = random_program.Kernel(random.Random(f'{self.seed} {number}'),
                                       f'k{number}',
                                       self.setting != 'upstream',
                                       self.halves, self.structs,
                                       self.calls)
        kernel.number = number
        kernel.others = []  # that it needs to be wrong
        return kernel

    def prelude(self):
        group = self.shape[1][0] * self.shape[1][1]
        return random_program.PRELUDE % (OUT, group) + \
            random_structs.TYPES * self.structs + \
            random_program.HALVES * self.halves

    def source(self, kernels):
        for k, kernel in enumerate(kernels):
            kernel.name = f'k{k}'
        return self.prelude() + ''.join(
            random_program.indent(k.text()) for k in kernels)

    def job(self, count):
        return struct.pack('<3i4Ii', count, *self.scalars, *self.shape[0],
                           *self.shape[1], self.rest[0]) + \
            struct.pack('<Q4f64i', self.rest[1], 1.5, -2.25, 3.125, 4,
                        *self.values)

    def record(self):
        """Bytes of what one kernel leaves."""
        items = self.shape[0][0] * self.shape[0][1]
        return 4 + 8 * OUT * items + 4 * CELLS


def run(command, **more):
    try:
        return subprocess.run([str(c) for c in command], capture_output=True,
                              text=True, errors='replace', timeout=HANGS_S, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, '', f'no end in {HANGS_S} s')


def results(path, batch, count):
    data, size = path.read_bytes(), batch.record()
    return [data[k * size:(k + 1) * size] for k in range(count)]


def run_oracle(options, batch, folder, count, share=0):
    """On k.cl; if several kernels share one, on shared.cl."""
    env = {**os.environ, 'OCL_ICD_VENDORS': '/etc/OpenCL/vendors',
           'ASAN_OPTIONS': 'detect_leaks=0',  # of what pocl keeps
           'POCL_KERNEL_CACHE': '0',
           'POCL_CACHE_DIR': str(folder), 'POCL_MAX_PTHREAD_COUNT': '1'}
    done = run([options.oracle, options.platform,
                folder / ('shared.cl' if share else 'k.cl'), folder / 'job',
                folder / 'want', share, '-w -cl-opt-disable'], env=env)
    if done.returncode == 77:
        print(done.stderr)
        sys.exit(77)
    if done.returncode:
        return None, f'{options.platform}: {done.stderr[-2000:]}'
    return results(folder / 'want', batch, count), ''


def run_ours(options, batch, folder, count):
    code, elf = folder / 'k.o', folder / 'k.elf'
    device = UPSTREAM if batch.setting == 'upstream' else []
    if batch.setting.startswith('v2'):
        device = ['isa=v2']
    call = options.calls or batch.seed // len(ROTATION) % 2
    more = ['--call'] if call else []
    for command in ([options.compiler, *SETTINGS[batch.setting], *more, '-w',
                     '-o', code, folder / 'k.cl'],
                    [options.ventus, 'link', '-o', elf, code],
                    [options.device, batch.lanes, elf, folder / 'job',
                     folder / 'got', *device]):
        done = run(command)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines()
                      if 'warning' not in line]
            return None, '\n'.join(errors)[-1000:]
    return results(folder / 'got', batch, count), done.stderr


# ---- answers of the oracle that are kept ----

def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def key(folder):
    """Of a program and what it runs with."""
    return digest((folder / 'k.cl').read_bytes() +
                  (folder / 'job').read_bytes())


def is_answer(options, name, got):
    """Whether this is what the oracle gave for this very program."""
    if not options.answers:
        return False
    if not options.known:
        for line in Path(options.answers).read_text().splitlines():
            words = line.split()
            options.known.setdefault(words[0], []).extend(words[1:])
    return options.known.get(name) == [digest(x) for x in got]


def record(options, name, want):
    words = [digest(x) for x in want]
    with open(options.record, 'a', encoding='utf-8') as to:
        for k in range(0, len(words), 6):
            to.write(' '.join([name] + words[k:k + 6]) + '\n')


def difference(want, got, messages, name):
    """Why the bytes of one kernel are not what they should be; or ''."""
    if want[:4] == b'\0\0\0\0':
        return 'the reference did not run'
    if want == got:
        return ''
    if got[:4] == b'\0\0\0\0':
        return ''.join(line for line in messages.splitlines()
                       if line.startswith(name + ':')) or 'did not run'
    n = (len(want) - 4 - 4 * CELLS) // 8
    a = struct.unpack(f'<i{n}q{CELLS}i', got)[1:]
    b = struct.unpack(f'<i{n}q{CELLS}i', want)[1:]
    wrong = [x for x in range(len(a)) if a[x] != b[x]]
    x = wrong[0]
    where = f'item {x // OUT} value {x % OUT}' if x < n else f'cell {x - n}'
    return f'{len(wrong)} wrong, first {where}: {a[x]:#x}, expected {b[x]:#x}'


def write_job(options, batch, kernels, folder):
    text = Path(options.file).read_text() if options.file else \
        batch.source(kernels)
    (folder / 'k.cl').write_text(text)
    (folder / 'job').write_bytes(batch.job(len(kernels)))


def ask_oracle(options, batch, kernels, folder):
    """What each kernel leaves, or None and why not."""
    share = 0
    if len(kernels) > 1:
        share = random_oracle.SHARE
        (folder / 'shared.cl').write_text(random_oracle.source(
            batch.prelude(), kernels))
    return run_oracle(options, batch, folder, len(kernels), share)


def compare_one(options, batch, kernel, folder):
    """Why one kernel by itself, as it is, does not give what it should."""
    write_job(options, batch, [kernel], folder)
    got, message = run_ours(options, batch, folder, 1)
    if got is None:
        return message or NOTHING
    want, error = run_oracle(options, batch, folder, 1)
    return error or difference(want[0], got[0], message, 'k0')


def blame(options, batch, kernel, folder):
    """In which way one kernel by itself is wrong, or ''."""
    write_job(options, batch, [kernel], folder)
    got, message = run_ours(options, batch, folder, 1)
    want, _ = run_oracle(options, batch, folder, 1)
    if got is None:
        return 'refused' if want is None else 'ours has none'
    if want is None:
        return 'the reference has none'
    return 'differs' if difference(want[0], got[0], message, 'k0') else ''


def company(options, batch, kernel, others, folder, was):
    """Few of the others with which a kernel still gives what it gave."""
    part = others
    while part:
        write_job(options, batch, [kernel] + part, folder)
        got, _ = run_ours(options, batch, folder, 1)
        if got == [was]:
            others, part = part, part[:len(part) // 2]
        elif part == others[:len(others) // 2]:
            part = others[len(others) // 2:]
        else:
            break
    return others


def again(options, batch, kernels, kernel, folder, was, message):
    """Why a kernel differs from what the reference gives for it as it is."""
    text = compare_one(options, batch, kernel, folder)
    if text:
        return text
    want, _ = run_oracle(options, batch, folder, 1)
    text = difference(want[0], was, message, 'this kernel')
    if text:
        kernel.others = company(options, batch, kernel, [
            k for k in kernels if k is not kernel], folder, was)
        return f'only with {len(kernel.others)} others: {text}'
    print(f'note: seed {batch.seed}, kernel {kernel.number}: differs from '
          'what the reference gives for its other form', flush=True)
    return ''


def compare_all(options, batch, kernels, folder):
    """compare(), and where there is no result for all, of their halves."""
    found, message = compare(options, batch, kernels, folder)
    if not message:
        return found, ''
    if len(kernels) == 1:
        return {kernels[0]: message}, ''
    middle = len(kernels) // 2
    found, message_1 = compare_all(options, batch, kernels[:middle], folder)
    more, message_2 = compare_all(options, batch, kernels[middle:], folder)
    found.update(more)
    inner = message_1 + message_2
    return found, inner if found or inner else message


def compare(options, batch, kernels, folder):
    """Messages by kernel, and one that holds for all or is empty."""
    write_job(options, batch, kernels, folder)
    got, message = run_ours(options, batch, folder, len(kernels))
    if got is None:
        return {}, message or NOTHING
    if is_answer(options, key(folder), got):
        return {}, ''
    want, error = ask_oracle(options, batch, kernels, folder)
    if want is None:
        return {}, error
    if options.record:
        record(options, key(folder), want)
    found = {}
    for k, kernel in enumerate(kernels):
        text = difference(want[k], got[k], message, f'k{k}')
        if text and len(kernels) > 1:
            text = again(options, batch, kernels, kernel, folder, got[k],
                         text)
        if text:
            found[kernel] = text
    return found, ''


# ---- cutting down ----

def cuts(node):
    """Ways to make a tree smaller: functions that do it and undo it."""
    if node.kind == 'list':
        step = max(len(node.kids) // 2, 1)
        while step:
            for at in range(0, len(node.kids), step):
                yield node, node.kids[:at] + node.kids[at + step:]
            step //= 2
    for at, kid in enumerate(node.kids):
        if node.kind == 'list':
            for inner in kid.kids:
                if inner.kind in ('list', 'stmt'):
                    yield node, node.kids[:at] + [inner] + node.kids[at + 1:]
        elif kid.kind not in ('list', 'stmt'):
            smaller = [k for k in kid.kids if k.kind == kid.kind]
            zero = random_expression.ZERO.get(kid.kind)
            if zero and '%' not in zero and kid.form != zero:
                smaller.insert(0, random_expression.leaf(kid.kind, zero))
            for inner in smaller:
                yield node, node.kids[:at] + [inner] + node.kids[at + 1:]
    for kid in list(node.kids):
        yield from cuts(kid)


def reduce_kernel(options, batch, kernel, folder):
    """Cuts as long as the kernel alone is wrong in the same way."""
    why = blame(options, batch, kernel, folder)
    again = why != ''
    while again:
        again = False
        for root in kernel.roots():
            for node, kids in cuts(root):
                old, node.kids = node.kids, kids
                again = blame(options, batch, kernel, folder) == why
                if again:
                    break
                node.kids = old
            if again:
                break


def report(options, batch, found, message, folder):
    flags = ' '.join(SETTINGS[batch.setting]) or 'default'
    print(f'seed {batch.seed} [{flags}, {batch.lanes} lanes, '
          f'{batch.shape}]: {message or "some kernels"}', flush=True)
    for kernel, text in found.items():
        print(f'  --seed {batch.seed} --kernel {kernel.number}: {text}')
        if options.file:
            continue
        if options.reduce:
            reduce_kernel(options, batch, kernel, folder)
        name = f'random-{batch.seed}-{kernel.number}.cl'
        Path(name).write_text(batch.source([kernel] + kernel.others))
        print(f'  kept as {name}', flush=True)
    if not found:
        name = f'random-{batch.seed}.cl'
        Path(name).write_text(batch.source(batch.kernels))
        print(f'  all are kept as {name}', flush=True)


def show_progress(done, count, failed):
    """On a terminal, one line that stays the last."""
    if sys.stdout.isatty():
        print(f'\r\x1b[K[{done}/{count}] {failed} failed', end='\r', flush=True)


def run_batch(options, seed):
    """Runs the kernels of one seed; how many failed."""
    batch = Batch(seed, options.batch, options)
    if options.file:
        batch.kernels = batch.kernels[:1]
    if options.kernel is not None:
        batch.kernels = [batch.kernel(options.kernel)]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        found, message = compare_all(options, batch, batch.kernels, folder)
        if found or message:
            report(options, batch, found, message, folder)
    return max(len(found), message != '')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    for name in 'compiler', 'oracle', 'device':
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--platform', default='Portable Computing Language')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--batch', type=int, default=100)
    parser.add_argument('--setting', choices=SETTINGS)
    parser.add_argument('--lanes', type=int)
    parser.add_argument('--kernel', type=int)
    parser.add_argument('--v2', action='store_true')
    parser.add_argument('--halves', action='store_true')
    parser.add_argument('--structs', action='store_true')
    parser.add_argument('--calls', action='store_true')
    parser.add_argument('--answers')
    parser.add_argument('--record')
    parser.add_argument('--file')
    parser.add_argument('--reduce', action='store_true')
    options = parser.parse_args()
    options.known = {}
    done = failed = 0
    try:
        while done < options.count:
            show_progress(done, options.count, failed)
            failed += run_batch(options, options.seed + done // options.batch)
            done += options.batch
    except KeyboardInterrupt:
        print(f'interrupted before seed {options.seed + done // options.batch}')
        failed += done < options.count
    print(f'{done} kernels, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
