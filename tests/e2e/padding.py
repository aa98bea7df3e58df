#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: padding.py VENTUS v1|v2|model1|model2

Accesses after the end of objects (docs/abi.md, Padding): kinds of objects, of
accesses, sizes of elements and distances, on one version and one engine.  What is in
the padding is done there, reads what was written there, or 0, and is told once for each
instruction.  What goes beyond it is a fault, and with bounds=strict all is.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, MACHINE = sys.argv[1:3]
SIZES = {'char': 1, 'short': 2, 'int': 4, 'long': 8}
PADDING = {'buffer': 2048, 'constant': 2048, 'local': 2048, 'variable': 2048,
           'private': 256}
ITEMS, ELEMENTS, FAR, WRITTEN = 4, 5, 40, 7
MACHINES = {'v1': ('ventus1', ['--device', 'default']),
            'v2': ('ventus2', ['--device', 'ventus2']),
            'model1': ('ventus1', ['--model', 'chisel']),
            'model2': ('ventus2', ['--model', 'chisel2'])}
# The object m: the second argument, what the kernel does first, the address space.
OBJECTS = {
    'buffer': ('global {t} *m', '', 'global'),
    'constant': ('constant {t} *m', '', 'constant'),
    'local': ('local {t} *m', '', 'local'),
    'variable': ('int unused', 'local {t} m[5]; if (unused) m[at - 1] = 1;', 'local'),
    'private': ('int unused', '{t} m[5]; for (int i = 0; i < 5; i++) m[i] = unused;',
                'private'),
}
# p is a pointer to m, volatile, so that no compiler knows what an access finds.
ACCESSES = {
    'load': '*r = p[at];',
    'store': 'p[at] = 7; *r = p[at];',
    'vload': '*r = vload4(0, ({s} {t} *)p + at - 3).s3;',
    'vstore': 'vstore4(({t}4)(1, 2, 3, 7), 0, ({s} {t} *)p + at - 3); *r = p[at];',
    'atomic': 'atomic_or(p + at, 7); *r = atomic_add(p + at, 0);',
}


def kinds():
    for name, (_, _, space) in OBJECTS.items():
        for access in ACCESSES:
            for t in SIZES:
                if access in ('store', 'vstore') and space == 'constant':
                    continue
                if access == 'atomic' and (t != 'int' or
                                           space in ('constant', 'private')):
                    continue
                yield name, access, t


def source():
    text = ''
    for name, access, t in kinds():
        argument, own, space = OBJECTS[name]
        body = (own + '{s} volatile {t} *p = m; global {t} *r = out + get_global_id(0);' +
                ACCESSES[access]).format(t=t, s=space)
        text += f'kernel void {name}_{access}_{t}(global {t} *out, ' \
            f'{argument.format(t=t)}, int at)\n{{ {body} }}\n'
    return text


class Programs:
    """The kernels, built for each version of the instruction set."""

    def __init__(self, folder):
        self.folder = folder
        (folder / 'k.cl').write_text(source(), encoding='utf-8')
        self.built = {}

    def of(self, march):
        if march not in self.built:
            self.built[march] = self.folder / f'{march}.elf'
            subprocess.run([VENTUS, 'cc', f'-march={march}', '-g', self.folder / 'k.cl',
                            '-o', self.built[march]], check=True, timeout=900)
        return self.built[march]

    def run(self, machine, kernel, at, *options, status=0):
        """What the work-items read, and the lines on standard error."""
        march, options = MACHINES[machine][0], [*MACHINES[machine][1], *options]
        name, _, t = kernel.split('_')
        size = SIZES[t]
        zeros, out = self.folder / f'zeros{size}', self.folder / 'out'
        zeros.write_bytes(bytes(ELEMENTS * size))
        (self.folder / 'ones').write_bytes(b'\1' * (ITEMS * size))
        given = {'buffer': f'buf:{zeros}', 'constant': f'buf:{zeros}',
                 'local': f'local:{ELEMENTS * size}'}.get(name, 'i32:0')
        p = subprocess.run(
            [VENTUS, 'exec', self.of(march), kernel, '--grid', str(ITEMS), '--local',
             str(ITEMS), '--arg', f'buf:{self.folder / "ones"}', '--arg', given, '--arg',
             f'i32:{at}', '--dump', f'0={out}', *options],
            capture_output=True, text=True, check=False, timeout=900)
        assert p.returncode == status, (machine, kernel, at, options, p)
        data = out.read_bytes() if not status else b''
        return [int.from_bytes(data[i:i + size], 'little')
                for i in range(0, len(data), size)], p.stderr.splitlines()

    def end_of(self, machine, name, t):
        """The first element that is not in memory: objects may be rounded up."""
        if name in ('buffer', 'constant', 'local'):
            return ELEMENTS
        _, (line,) = self.run(machine, f'{name}_load_{t}', FAR, '--set', 'bounds=strict',
                              status=1)
        private = re.search(r'a thread has (\d+) bytes, offset 0x(\w+)', line)
        behind = int(private[2], 16) - int(private[1]) if private else \
            int(re.search(r'; (\d+) bytes past the end', line)[1])
        assert behind % SIZES[t] == 0, line
        return FAR - behind // SIZES[t]


def check_line(line, kernel, access):
    name = kernel.split('_')[0]
    for words in (f"kernel '{kernel}': a ", ' is done in padding; ', 'k.cl:',
                  'past the end of ', 'bounds=strict makes it a fault'):
        assert words in line, (words, line)
    of = {'buffer': "argument 1 'm'", 'constant': "argument 1 'm'",
          'local': "argument 1 'm'", 'variable': 'local memory',
          'private': 'private memory'}[name]
    assert of in line, line
    if access in ('load', 'vload'):
        assert ' a read of ' in line, line


def check_kind(programs, machine, name, access, t):
    kernel = f'{name}_{access}_{t}'
    end = programs.end_of(machine, name, t)
    reach = PADDING[name] // SIZES[t]
    wanted = [0 if access in ('load', 'vload') else WRITTEN] * ITEMS
    for at in end, end + 1, end + reach - 1:
        found, lines = programs.run(machine, kernel, at)
        assert found == wanted, (machine, kernel, at, found)
        assert lines, (machine, kernel, at)
        places = [re.search(r'padding; (\S+)', line)[1] for line in lines]
        assert len(set(places)) == len(places), lines
        for line in lines:
            check_line(line, kernel, access)
    found, lines = programs.run(machine, kernel, end - 1)
    assert found == wanted and not lines, (machine, kernel, found, lines)
    for at, options in ((end + reach, []), (end, ['--set', 'bounds=strict'])):
        _, (line,) = programs.run(machine, kernel, at, *options, status=1)
        assert 'access ' in line and 'padding' not in line, line
        assert ('bounds=padded permits it' in line) == bool(options), line


def main():
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(Path(folder))
        for kind in kinds():
            check_kind(programs, MACHINE, *kind)


if __name__ == '__main__':
    main()
