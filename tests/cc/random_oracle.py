# SPDX-License-Identifier: Apache-2.0
"""Random kernels in the form that costs pocl least.

pocl links and optimises each kernel of a program apart, whatever it holds,
and turns what is between two barriers into a loop over the workgroup in which
every private variable is an array.  Both cost as much as a random kernel
itself.  So here

* what is between two barriers is a function, which is not inlined;
* what lives across a barrier is in a struct that each of them loads from and
  stores to;
* one kernel for SHARE of them calls the one that it is asked for.

The meaning stays; who finds a difference asks again with the kernel as it is.
"""
import re

import random_program

SHARE = 25
KEEP = '__attribute__((noinline)) '
ARGS = ('global const int *a, int n, int m, global long *o, global int *g, '
        'char c, ulong w, float4 f')
LOCALS = ', local int *t, local int *la'
NAMES = 'a, n, m, o, g, c, w, f, t, la'
# What no function of pocl's may ask for without being inlined.
PLACE = {'l': 'get_local_id(0) + get_local_size(0) * get_local_id(1)',
         'grp': 'get_group_id(0) + get_num_groups(0) * get_group_id(1)',
         'gid': 'get_global_id(0)', 'lid': 'get_local_id(1)'}


class Pieces:
    """One kernel, cut at its barriers."""

    def __init__(self, kernel, number):
        self.kernel, self.name = kernel, f'piece{number}'
        self.state = [('int', name, '') for name in PLACE] + kernel.private()
        self.functions, self.calls, self.lines = [], [], []
        self.add(random_program.START + kernel.declarations())
        self.walk(kernel.tree)
        self.add(kernel.end())
        self.flush(True)

    def walk(self, node):
        if node.kind == 'list':
            for kid in node.kids:
                self.walk(kid)
        elif 'barrier(' in node.text() and node.kids:
            body, = node.kids  # of a condition or a loop, the same for all
            before, after = node.form.split('%s')
            self.flush()
            self.calls.append(re.sub(r'\b(q|grp)\b', r'S.\1', before))
            self.walk(body)
            self.flush()
            self.calls.append(after)
        else:
            self.add(node.text())

    def add(self, text):
        for line in text.splitlines():
            if line.startswith('barrier('):
                self.flush()
                self.calls.append(line)
            else:
                self.lines.append(line)

    def flush(self, last=False):
        """What was added since becomes a function."""
        if not self.lines:
            return
        text, first = '\n'.join(self.lines), not self.functions
        text = text.replace(PLACE['gid'], 'gid').replace(PLACE['lid'], 'lid')
        load, store = '', ''
        for kind, name, size in self.state:
            used = re.search(rf'\b{name}\b', text)
            if used and (not first or name in PLACE):
                load += f'{kind} {"*" * bool(size)}{name} = S->{name};\n'
            if name in PLACE or last or not (first or used):
                continue
            if not size:
                store += f'S->{name} = {name};\n'
            elif first:
                store += f'for (int k = 0; k < {size[1:-1]}; k++)\n' \
                         f'S->{name}[k] = {name}[k];\n'
        name = f'{self.name}_{len(self.functions)}'
        self.functions.append(
            f'{KEEP}static void {name}(struct {self.name} *S, {ARGS}{LOCALS})'
            f'\n{{\n{load}{text}\n{store}}}\n')
        self.calls.append(f'{name}(&S, {NAMES});')
        self.lines = []

    def text(self):
        fields = ''.join(f'{kind} {name}{size};\n'
                         for kind, name, size in self.state)
        helpers = re.sub(r'^(?=(struct \w+|\w+) k\d+_[fs]\d+\()',
                         f'{KEEP}static ', self.kernel.functions(), flags=re.M)
        place = ''.join(f'S.{name} = {value};\n'
                        for name, value in PLACE.items())
        calls = '\n'.join(self.calls)
        return (f'struct {self.name} {{\n{fields}}};\n{helpers}' +
                ''.join(self.functions) +
                f'static void {self.name}({ARGS}{LOCALS})\n'
                f'{{\nstruct {self.name} S;\n{place}{calls}\n}}\n')


def source(prelude, kernels):
    text = prelude
    for at in range(0, len(kernels), SHARE):
        part = list(enumerate(kernels))[at:at + SHARE]
        text += ''.join(Pieces(kernel, k).text() for k, kernel in part)
        cases = ''.join(f'case {k}: piece{k}({NAMES}); break;\n'
                        for k, _ in part)
        text += f'kernel void share{at // SHARE}({ARGS}, int k)\n' \
                f'{{\nlocal int t[GROUP], la[8];\nswitch (k) {{\n{cases}}}\n}}\n'
    return text
