# SPDX-License-Identifier: Apache-2.0
"""Random kernels in OpenCL C, as trees that can be cut down.

Every program is well defined: sums wrap in unsigned types, shifts and indices
are masked, divisors are not zero, floats stay small and only operations that
round exactly are used, other work-items' cells are read between barriers
only, and atomic operations on one cell are all of one kind that commutes.
"""

import random_calls
import random_structs
from random_expression import BITS, Expressions, Node, Scope, leaf

OUT, CELLS = 8, 64
ATOMICS = ['add', 'and', 'or', 'xor', 'min', 'max', 'sub', 'inc']
PRELUDE = '''#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define OUT %d
#define GROUP %d
struct part { char a; int b[3]; ushort c; long d; uchar4 e; };
constant int table[16] = { 5, -3, 77, 1 << 20, 0, -1, 19, 255, 256, -128, 3,
                           0x7fffffff, 12345, 6, -77777, 2 };
constant uchar bytes[32] = "the quick brown fox jumps over";
/* Small again, and a multiple of a power of two. */
float small(float x) { x *= 0x1p-10f; x -= trunc(x);
                       return rint(x * 0x1p+16f) * 0x1p-10f; }
double small_d(double x) { x *= 0x1p-10; x -= trunc(x);
                           return rint(x * 0x1p+30) * 0x1p-24; }
'''

# Halves where there are any, elsewhere doubles that are rounded to what halves
# can be.  That they were rounded to 53 bits before changes nothing: these are
# more than twice 11, and a product of 22 bits plus a half is in the middle of
# two halves only if 53 bits hold it.
HALVES = '''#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half H;
#define ROUND(x) (x)
#define H_FMA(x, y, z) fma(x, y, z)
#define H_OF(x) convert_half(x)
#define BITS(x) as_short(x)
#define OF_BITS(x) as_half((short)(x))
#else
typedef double H;
H round_h(double x)
{
    if (!(fabs(x) < 65520.0))
        return x > 0.0 ? INFINITY : x < 0.0 ? -INFINITY : x;
    int last = max(ilogb(x), -14) - 10;
    return ldexp(rint(ldexp(x, -last)), last);
}
short bits_h(double x)
{
    short bits;
    vstore_half((float)x, 0, (half *)&bits);
    return bits;
}
H of_bits_h(short bits) { return vload_half(0, (half *)&bits); }
#define ROUND(x) round_h(x)
#define H_FMA(x, y, z) round_h((x) * (y) + (z))
#define H_OF(x) round_h((double)(x))
#define BITS(x) bits_h(x)
#define OF_BITS(x) of_bits_h(x)
#endif
/* A number, whose square is one too. */
H small_h(H x) { return fabs(x) < (H)250 ? x : (H)0.75; }
'''


class Maker(Expressions):
    """Statements, too."""

    struct_functions = ()  # name and kind of each (random_structs.py)

    def line(self, form, *kids):
        return Node('stmt', form, *kids)

    def assign(self):
        rng, scope = self.rng, self.scope
        if scope.get('half') and rng.random() < .3:
            if rng.random() < .3:
                return self.line('hp[%s & 3] = small_h(%s);',
                                 self.expr('int', 1), self.expr('half'))
            return self.line(self.pick('half') + ' = small_h(%s);',
                             self.expr('half'))
        kinds = ['int'] * 6 + ['long'] * 2 + ['float', 'double', 'narrow'] + \
            ['array', 'parts', 'local'] + list(self.vectors) * 2
        kinds += ['parts'] * 4 * bool(self.struct_functions)
        kind = rng.choice(kinds)
        if kind == 'int' or not scope.get(kind):
            to = self.pick('to')
            return self.line(to + rng.choice([' = %s;', ' ^= %s;']),
                             self.expr())
        if kind == 'long':
            return self.line(self.pick('long') + rng.choice([
                ' = %s;', ' ^= %s;']), self.expr('long', 2))
        if kind == 'float':
            return self.line(self.pick('float') + ' = small(%s);',
                             self.expr('float'))
        if kind == 'double':
            return self.line(self.pick('double') + ' = small_d(%s);',
                             self.expr('double'))
        if kind == 'narrow':
            to = self.pick('narrow')
            return self.line(f'{to} = (uint){to} + (uint)%s;',
                             self.expr('int', 2))
        if kind == 'array':
            return self.line(self.pick('array') + '[%s & 7] = %s;',
                             self.expr('int', 1), self.expr())
        if kind == 'parts':
            return self.assign_part()
        if kind == 'local':
            return self.assign_shared()
        return self.assign_vector(kind)

    def assign_part(self):
        form = random_structs.call(self.rng, self.struct_functions) if \
            self.struct_functions and self.rng.random() < .7 else \
            self.rng.choice([
            's.a = (char)%s;', 'sa[%s & 1].b[%s & 1] = %s;', 's.d ^= %s;',
            'sa[%s & 1] = s;', 's = sa[%s & 1];', 'sa[%s & 1].c += %s;',
            's.e.z ^= %s;', 'sa[%s & 1].d = %s;', 's.e = s.e.wxyz + (uchar)%s;'])
        return self.line(form, *[self.expr('int', 2)
                                 for _ in range(form.count('%s'))])

    def assign_shared(self):
        rng = self.rng
        form = rng.randrange(4)
        if form == 0:
            return self.line('t[l] = %s;', self.expr())
        op = rng.randrange(len(ATOMICS))
        value = '' if ATOMICS[op] == 'inc' else ', %s'
        cell = f'&{"la" if form == 1 else "g"}[{8 * op} + (%s & 7)]'
        if form == 1:
            cell = f'&la[{op}]'
        kids = [self.expr('int', 1)] if form != 1 else []
        kids += [self.expr('int', 2)] if value else []
        return self.line(f'atomic_{ATOMICS[op]}({cell}{value});', *kids)

    def assign_vector(self, kind):
        rng = self.rng
        base, width = self.vectors[kind]
        to, form = self.pick(kind), rng.randrange(5)
        if form == 0:
            return self.line(f'{to}.s{rng.randrange(width):x} = ({base})%s;',
                             self.expr('int', 2))
        if form == 1 and width != 3:
            return self.line(f'{to}.lo ^= (%s).{rng.choice(["hi", "even"])};',
                             self.expr(kind, 1))
        if form == 2 and width >= 4:
            x, y = rng.sample(range(width), 2)
            return self.line(f'{to}.s{x:x}{y:x} = (%s).s{y:x}{y:x};',
                             self.expr(kind, 1))
        if form == 3:
            return self.line(f'(({base} *)&{to})[%s % {width}u] = ({base})%s;'
                             .replace('% ', '%% '),
                             Node('int', '(uint)%s', self.expr('int', 1)),
                             self.expr('int', 1))
        return self.line(f'{to} = %s;', self.expr(kind, 3))

    def statement(self, loop, budget):
        rng, kind = self.rng, self.rng.random()
        if budget <= 0 or kind < .42:
            return self.assign()
        if kind < .66:
            if rng.random() < .5:
                return self.line('if (%s) {\n%s\n}', self.condition(),
                                 self.block(loop, budget - 1))
            return self.line('if (%s) {\n%s\n} else {\n%s\n}',
                             self.condition(), self.block(loop, budget - 1),
                             self.block(loop, budget - 1))
        if kind < .82 and self.loops < 2:
            return self.loop(budget)
        if kind < .88:
            return self.switch(loop, budget)
        if kind < .91 and self.may_return and self.loops:
            return self.line('if (%s)\ngoto out;', self.condition())
        if loop:
            word = 'continue' if loop == 'switch' else \
                rng.choice(['break', 'continue'])
            return self.line(f'if (%s)\n{word};', self.condition())
        if self.may_return and rng.random() < .5:
            return self.line('if (%s) {\n%s\nreturn;\n}', self.condition(),
                             leaf('int', self.finish))
        return self.assign()

    def switch(self, loop, budget):
        rng, kids, form = self.rng, [self.expr('int', 2)], 'switch (%s & 7) {'
        for case in sorted(rng.sample(range(8), rng.randrange(1, 5))):
            form += f'\ncase {case}: {{\n%s\n}}'
            kids.append(self.block(loop and 'switch', budget - 2))
            if rng.random() < .7:
                form += '\nbreak;'
        if rng.random() < .5:
            form += '\ndefault: {\n%s\n}'
            kids.append(self.block(loop and 'switch', budget - 2))
        return self.line(form + '\n}', *kids)

    def counter_name(self):
        self.counter += 1
        return f'k{self.counter}'

    def loop(self, budget):
        rng, k = self.rng, self.counter_name()
        self.loops += 1
        bound = rng.choice(['(%s & 7)', '(%s & 3) + 2', '5'])
        kids = [] if bound == '5' else [self.leaf('int')]
        form = rng.randrange(4)
        mix = self.pick('to') + f' ^= {k} * 5 + 1;\n'
        if form < 2:
            head = f'for (int {k} = 0; {k} < {bound}; {k}++) {{\n'
            tail = '\n}'
        elif form == 2:
            head = f'for (int {k} = 0; {k} < 9; {k}++) {{\nif (!%s)\nbreak;\n'
            kids, tail = [self.condition()], '\n}'
        else:
            head = f'int {k} = 0;\ndo {{\n'
            kids, tail = [], f'\n}} while (++{k} < 7 && %s);'
        body = self.block('loop', budget - 1)
        kids = kids + [body] + ([self.condition()] if form == 3 else [])
        self.loops -= 1
        return self.line('{\n' + head + mix + '%s' + tail + '\n}', *kids)

    def block(self, loop, budget):
        return Node('list', '', *[self.statement(loop, budget) for _ in
                                  range(self.rng.randrange(1, 4))])


FUNCTION = '''int %s(int x, int y, global const int *a)
{
int v0 = x, v1 = y * 3u, p[8] = { 1, x, 2, y, 3, 4, 5, 6 };
long w0 = x;
%s
return v0 ^ v1 ^ p[x & 7] ^ (int)w0;
}
'''

HEAD = '''kernel void %s(global const int *a, int n, int m, global long *o,
    global int *g, char c, ulong w, float4 f)
{
int l = get_local_id(0) + get_local_size(0) * get_local_id(1);
int grp = get_group_id(0) + get_num_groups(0) * get_group_id(1);
'''

START = '''int i = grp * GROUP + l;
int v0 = i * 7, v1 = a[i & 63], v2 = n - l, v3 = 1, u0 = n, u1 = m, q = n;
long w0 = i, w1 = (long)w;
char c0 = (char)i; ushort s0 = 9; uchar b0 = c;
float f0 = l, f1 = f.y;
'''

SHARED = '''local int t[GROUP], la[8];
'''

SHARED_START = '''t[l] = v1;
for (int k = l; k < 8; k += GROUP)
la[k] = k == 1;
barrier(CLK_LOCAL_MEM_FENCE);
'''


class Kernel:
    """One random kernel; `tree` may be cut down before `text` is taken."""

    def __init__(self, rng, name, doubles=True, halves=False, structs=False,
                 calls=False):
        self.name, self.rng, self.doubles = name, rng, doubles
        self.calls = calls
        self.halves, self.structs = halves, structs
        self.shared = rng.random() < .5
        ints = '''v0 v1 v2 v3 v0 v1 i l n m u0 u1 (int)c0 (int)s0 (int)b0
            q grp (int)get_global_id(0) (int)get_local_id(1)'''.split()
        names = {'int': ints, 'to': 'v0 v1 v2 v3 v0 v1 u0 u1'.split(),
                 'long': ['w0', 'w1'], 'narrow': ['c0', 's0', 'b0'],
                 'float': ['f0', 'f1'], 'double': ['d0'] * doubles,
                 'half': ['h0', 'h1'] * halves, 'halves': ['hp'] * halves}
        vectors = {}
        for kind in 'x', 'y':
            if rng.random() < .4:
                vectors[kind] = (rng.choice(list(BITS)),
                                 rng.choice([2, 3, 4, 4, 8, 16]))
                names[kind] = [kind + '0', kind + '1']
        self.arrays = rng.random() < .35
        self.parts = rng.random() < .25 or structs
        if self.arrays:
            names['array'] = ['p']
        if self.parts:
            names['parts'] = ['s']
        if self.shared:
            names['local'] = ['t']
        self.maker = Maker(rng, Scope(**names), vectors, halves)
        self.make_functions()
        self.maker.finish = self.finish()
        self.budget = rng.choice([1, 2, 2, 2, 3])
        self.tree = Node('list', '', *self.uniform(rng.randrange(1, 4), 2))
        self.maker.may_return = True
        self.last = self.maker.block(None, self.budget)

    def make_functions(self):
        self.helpers, self.struct_helpers = [], []
        for k in range(self.rng.choice([0, 0, 1, 1, 2]) + 2 * self.calls):
            scope = Scope(int=['x', 'y', 'v0', 'v1'], to=['v0', 'v1'],
                          array=['p'], long=['w0'])
            maker = Maker(self.rng, scope, halves=self.halves)
            maker.functions = list(self.maker.functions)
            name = f'{self.name}_f{k}'
            body = Node('list', '', maker.block(None, 1))
            many = self.calls and random_calls.Signature(self.rng, self.doubles)
            self.helpers.append((name, many, body))
            self.maker.functions.append(many.call(name) if many else
                                        f'{name}(%s, %s, a)')
        for k in range(self.structs and self.rng.randrange(1, 5)):
            self.make_struct_function(f'{self.name}_s{k}')

    def make_struct_function(self, name):
        """May call those before it."""
        scope = Scope(int=['x', 'y', 'v0', 'v1', 's.b[2]', '(int)s.d'],
                      to=['v0', 'v1', 's.b[0]'], array=['p'], long=['w0'],
                      parts=['s'])
        maker = Maker(self.rng, scope, halves=self.halves)
        maker.functions = list(self.maker.functions)
        maker.struct_functions = tuple(self.maker.struct_functions)
        kind = self.rng.choice(list(random_structs.KINDS))
        body = Node('list', '', maker.block(None, 1))
        self.struct_helpers.append((name, kind, body))
        self.maker.struct_functions += ((name, kind),)

    def uniform(self, count, budget):
        """Statements that all work-items of a workgroup reach together."""
        rng, nodes = self.rng, []
        for _ in range(count):
            kind = rng.random()
            if kind < .6 or not self.shared:
                nodes.append(self.maker.statement(None, self.budget))
            elif kind < .75 or budget == 0:
                nodes.append(self.exchange())
            elif kind < .85:
                nodes.append(Node('stmt', '%s', leaf('int', rng.choice([
                    'q = q * 3u + m;', 'q ^= a[q & 63];', 'q += grp;']))))
            elif kind < .93:
                nodes.append(Node(
                    'stmt', f'if ({rng.choice(["q", "n", "grp", "m"])} & '
                    f'{rng.choice([1, 2, 4])}) {{\n%s\n}}',
                    Node('list', '', *self.uniform(2, budget - 1))))
            else:
                k = self.maker.counter_name()
                nodes.append(Node(
                    'stmt', f'for (int {k} = 0; {k} < '
                    f'{rng.choice(["3", "(q & 3)", "(n & 3) + 1"])}; {k}++) '
                    '{\n%s\n}',
                    Node('list', '', *self.uniform(2, budget - 1))))
        return nodes

    def exchange(self):
        rng = self.rng
        v = f'v{rng.randrange(4)}'
        form = rng.randrange(3)
        if form == 0:
            read = f'{v} ^= t[(l + {rng.randrange(1, 48)}) % GROUP];'
        elif form == 1:
            read = f'{v} ^= t[(l + {rng.randrange(1, 48)}) % GROUP] ^ ' \
                   f'la[{rng.randrange(8)}] ^ la[v0 & 7];'
        else:
            return leaf('stmt', 'o[i * OUT] = v0;\n'
                        'barrier(CLK_GLOBAL_MEM_FENCE);\n'
                        f'{v} += (uint)o[(i - l + (l ^ 1) % GROUP) * OUT];\n'
                        'barrier(CLK_GLOBAL_MEM_FENCE);')
        return leaf('stmt', f'barrier(CLK_LOCAL_MEM_FENCE);\n{read}\n'
                    'barrier(CLK_LOCAL_MEM_FENCE);')

    def finish(self):
        words = ['v0', 'v1 ^ v2', 'v3 ^ (long)u0 << 20 ^ u1',
                 'w0', 'w1 ^ c0 ^ s0 ^ (long)b0 << 50',
                 'as_int(f0) ^ (long)as_int(f1) << 32',
                 'as_long(d0)' if self.doubles else 'l']
        more = ['q']
        for kind, (base, width) in self.maker.vectors.items():
            more += [f'(long){kind}0.s{k:x} << {k}' for k in range(width)]
            wide = 'ulong' if 'long' in base else 'long'  # may overflow
            more += [f'(long)(({wide}){kind}1.s{k:x} * {k + 3})'
                     for k in range(width)]
        if self.arrays:
            more += ['p[0] ^ p[3] ^ p[l & 7]']
        if self.parts:
            more += ['s.d ^ s.a ^ sa[1].b[1] ^ sa[0].c ^ sa[1].e.y']
        if self.structs:
            more += ['z0.a ^ (long)z0.d']
        if self.halves:
            more += [f'(long)BITS({h}) << {9 * k}' for k, h in
                     enumerate(['h0', 'h1', 'hp[0]', 'hp[1]', 'hp[l & 3]'])]
        words.append(' ^ '.join(more))
        return ''.join(f'o[i * OUT + {k}] = {v};\n'
                       for k, v in enumerate(words))

    def declarations(self):
        text = 'double d0 = f.z;\n' if self.doubles else ''
        if self.halves:
            text += 'H h0 = H_OF(l), h1 = H_OF(m & 127), ' \
                    'hp[4] = { h1, h0, (H)0.25, (H)-3 };\n'
        for kind, (base, width) in self.maker.vectors.items():
            t = f'{base}{width}'
            text += f'{t} {kind}0 = ({base})i, {kind}1 = ({t})({base})m;\n'
            text += f'{kind}1.s1 = v1;\n'
        if self.arrays:
            text += 'int p[8] = { 3, 1, i, 4, n, 9, l, 6 };\n'
        if self.parts:
            text += 'struct part s = { 1, { 2, i, 4 }, 5, w, (uchar4)(l) };\n' \
                    'struct part sa[2] = { s, s };\n'
        if self.structs:
            text += 'struct pair z0 = { v2, w };\n'
        if self.shared:
            text += SHARED_START
        return text

    def private(self):
        """Type, name and dimension of what a work-item has."""
        found = [('int', name, '') for name in
                 'i v0 v1 v2 v3 u0 u1 q'.split()]
        found += [('long', 'w0', ''), ('long', 'w1', ''), ('char', 'c0', ''),
                  ('ushort', 's0', ''), ('uchar', 'b0', ''),
                  ('float', 'f0', ''), ('float', 'f1', '')]
        if self.doubles:
            found.append(('double', 'd0', ''))
        if self.halves:
            found += [('H', 'h0', ''), ('H', 'h1', ''), ('H', 'hp', '[4]')]
        for kind, (base, width) in self.maker.vectors.items():
            found += [(f'{base}{width}', f'{kind}{k}', '') for k in '01']
        if self.arrays:
            found.append(('int', 'p', '[8]'))
        if self.parts:
            found += [('struct part', 's', ''), ('struct part', 'sa', '[2]')]
        if self.structs:
            found.append(('struct pair', 'z0', ''))
        return found

    def functions(self):
        return ''.join(
            [many.function(name, body.text()) if many else
             FUNCTION % (name, body.text())
             for name, many, body in self.helpers] +
            [random_structs.function(name, kind, body.text())
             for name, kind, body in self.struct_helpers])

    def end(self):
        """What comes after the last barrier."""
        out = 'out: ;\n' if 'goto out' in self.last.text() else ''
        return self.last.text() + '\n' + out + self.finish()

    def text(self):
        return (self.functions() + HEAD % self.name +
                (SHARED if self.shared else '') + START +
                self.declarations() + self.tree.text() + '\n' + self.end() +
                '}\n')

    def roots(self):
        return [self.tree, self.last] + [
            helper[-1] for helper in self.helpers + self.struct_helpers]


def indent(text):
    depth, lines = 0, []
    for line in text.splitlines():
        line = line.strip()
        depth -= line.startswith('}')
        lines.append('    ' * depth + line)
        depth += line.endswith('{')
    return '\n'.join(lines) + '\n'
