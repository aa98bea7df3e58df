# SPDX-License-Identifier: Apache-2.0
"""Random kernels in OpenCL C, as trees that can be cut down.

Every program is well defined: sums wrap in unsigned types, shifts and indices
are masked, divisors are not zero, floats stay small and only operations that
round exactly are used, other work-items' cells are read between barriers
only, and atomic operations on one cell are all of one kind that commutes.
"""

OUT, CELLS = 8, 64
BASES = ['uchar', 'ushort', 'uint', 'ulong', 'char', 'short', 'int', 'long']
SIGNED = {'uchar': 'char', 'ushort': 'short', 'uint': 'int', 'ulong': 'long'}
BITS = {'uchar': 8, 'ushort': 16, 'uint': 32, 'ulong': 64}
ATOMICS = ['add', 'and', 'or', 'xor', 'min', 'max', 'sub', 'inc']
ZERO = {'int': '1', 'long': '1L', 'float': '1.0f', 'double': '1.0',
        'half': '(H)1', 'bool': '1', 'x': '%s', 'y': '%s'}

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


class Node:
    """Text with holes for kids; kind: 'list', 'stmt' or the type."""

    def __init__(self, kind, form, *kids):
        self.kind, self.form, self.kids = kind, form, list(kids)

    def text(self):
        if self.kind == 'list':
            return '\n'.join(k.text() for k in self.kids)
        return self.form % tuple(k.text() for k in self.kids) \
            if self.kids else self.form.replace('%%', '%')


def leaf(kind, text):
    return Node(kind, text)


class Scope:
    """The names that statements and expressions may use."""

    def __init__(self, **names):
        self.names = names

    def get(self, kind):
        return self.names.get(kind, [])


class Maker:
    """Expressions and statements, by one random generator."""

    def __init__(self, rng, scope, vectors=None, halves=False):
        self.rng, self.scope, self.halves = rng, scope, halves
        self.vectors = vectors or {}  # 'x' to (base, width)
        self.functions = []
        self.depth = rng.choice([1, 1, 2, 2, 3])  # of expressions
        self.counter = self.loops = 0
        self.finish = None
        self.may_return = False

    # ---- expressions ----

    def pick(self, kind):
        return self.rng.choice(self.scope.get(kind))

    def leaf(self, kind):
        rng = self.rng
        if kind in self.vectors:
            base, width = self.vectors[kind]
            if rng.random() < .25:
                return leaf(kind, f'({base}{width})({rng.randrange(100)})')
            return leaf(kind, self.pick(kind))
        if kind == 'half':
            return leaf(kind, rng.choice(self.scope.get('half') * 2 + [
                f'(H){rng.randrange(9)}.5', '(H)-0.125', '(H)0x1p-14']))
        if kind == 'float':
            return leaf(kind, rng.choice(self.scope.get('float') + [
                f'{rng.randrange(9)}.5f', '(-2.5f)', '0.125f']))
        if kind == 'double':
            return leaf(kind, rng.choice(self.scope.get('double') + [
                f'{rng.randrange(9)}.25', '(-3.75)', '0x1p-20']))
        if kind == 'long':
            return leaf(kind, rng.choice(
                self.scope.get('long') * 2 + ['(long)v0', '((long)v1 * 1048576L)',
                f'({rng.randrange(-2**40, 2**40)}L)'])) if self.scope.get('long') \
                else leaf(kind, '(long)x')
        text = rng.choice(self.scope.get('int') * 3 + [
            f'({rng.randrange(-20, 20)})',
            f'({rng.randrange(1 - 2**31, 2**31)})', f'a[{rng.randrange(64)}]', f'table[{rng.randrange(16)}]'])
        return leaf('int', text)

    def expr(self, kind='int', depth=3):
        rng, depth = self.rng, min(depth, self.depth)
        if depth <= 0 or rng.random() < .15:
            return self.leaf(kind)
        if rng.random() < .1 and kind not in self.vectors:
            return Node(kind, '(%s ? %s : %s)', self.test(depth - 1),
                        self.expr(kind, depth - 1), self.expr(kind, depth - 1))
        if kind in self.vectors:
            return self.vector(kind, depth - 1)
        return getattr(self, kind + '_expr')(depth - 1)

    def int_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('int', depth)
        if self.halves and rng.random() < .15:
            return Node('int', rng.choice([
                '(int)small_h(%s)', '(int)BITS(small_h(%s))',
                'convert_int_sat_rtn(small_h(%s))',
                '(int)convert_char_sat_rte(small_h(%s))',
                '(int)(ushort)fabs(small_h(%s))']), self.expr('half', depth))
        form = rng.randrange(20)
        if form < 6:
            return Node('int', '(int)((uint)%%s %s (uint)%%s)'
                        % rng.choice('+-*&|^'), e(), e())
        if form == 6:
            return Node('int', rng.choice([
                '(int)((uint)%s << (%s & 31))', '(%s >> (%s & 31))',
                '(int)((uint)%s >> (%s & 31))']), e(), e())
        if form == 7:
            return Node('int', '(%%s %s ((%%s & 1023) | 1))'
                        % rng.choice(['/', '%%']), e(), e())
        if form == 8:
            return Node('int', '(int)((uint)%%s %s ((uint)%%s | 1))'
                        % rng.choice(['/', '%%']), e(), e())
        if form == 9:
            return Node('int', rng.choice([
                'a[%s & 63]', 'table[%s & 15]', '(int)bytes[%s & 31]']), e())
        if form == 10:
            return Node('int', '(int)(%s)%%s' % rng.choice(
                ['char', 'uchar', 'short', 'ushort', 'long', 'uint']), e())
        if form == 11:
            return Node('int', '(int)%s', self.expr('long', depth))
        if form == 12:
            return Node('int', rng.choice([
                'mul_hi(%s, %s)', 'rotate(%s, %s)', 'add_sat(%s, %s)',
                'sub_sat(%s, %s)', 'hadd(%s, %s)', 'rhadd(%s, %s)',
                'min(%s, %s)', 'max(%s, %s)', '(int)abs_diff(%s, %s)',
                '(int)mul_hi((uint)%s, (uint)%s)',
                '(int)max((uint)%s, (uint)%s)',
                '(int)add_sat((short)%s, (short)%s)',
                '(int)rotate((ushort)%s, (ushort)%s)',
                '(int)sub_sat((uchar)%s, (uchar)%s)',
                'mul24(%s & 0x7fffff, %s & 0x7fffff)']), e(), e())
        if form == 13:
            return Node('int', rng.choice([
                'clz(%s)', 'popcount(%s)', '(int)clz((uchar)%s)',
                '(int)abs(%s)', '(int)popcount((ushort)%s)', '(~%s)',
                '(int)convert_char_sat(%s)', '(int)convert_ushort_sat(%s)',
                'convert_int_sat((uint)%s)']), e())
        if form == 14:
            return Node('int', rng.choice([
                'bitselect(%s, %s, %s)', 'select(%s, %s, %s)',
                'mad_sat(%s, %s, %s)', 'clamp(%s, min(%s, 1000), 1001 + '
                '(%s & 0xffff))']), e(), e(), e())
        if form == 15:
            return Node('int', rng.choice([
                'convert_int_sat(%s)', 'convert_int_sat_rte(%s)',
                'convert_int_sat_rtn(%s)', '(int)small(%s)']),
                self.expr('float', depth))
        if form == 16 and self.functions:
            return Node('int', '%s(%%s, %%s, a)' % rng.choice(self.functions),
                        e(), e())
        if form == 17 and self.vectors:
            kind = rng.choice(list(self.vectors))
            base, width = self.vectors[kind]
            if rng.random() < .5 and depth > 0:
                return Node('int', rng.choice(['any', 'all']) + '(%s == %s)',
                            self.expr(kind, 1), self.expr(kind, 1))
            return Node('int', f'(int)(%s).s{rng.randrange(width):x}',
                        self.expr(kind, depth))
        if form == 18 and self.scope.get('array'):
            return Node('int', self.pick('array') + '[%s & 7]', e())
        if form == 19 and self.scope.get('parts'):
            return Node('int', rng.choice([
                '(int)sa[%s & 1].a', 'sa[%s & 1].b[2]', 's.b[(%s & 7) %% 3]',
                '(int)sa[%s & 1].d', '(int)sa[%s & 1].e.y']), e())
        return Node('int', '(int)((uint)%s + (uint)%s)', e(), e())

    def long_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('long', depth)
        form = rng.randrange(10)
        if form < 4:
            return Node('long', '(long)((ulong)%%s %s (ulong)%%s)'
                        % rng.choice('+-*&|^'), e(), e())
        if form == 4:
            return Node('long', rng.choice([
                '(long)((ulong)%s << (%s & 63))', '(%s >> (%s & 63))',
                '(long)((ulong)%s >> (%s & 63))']), e(), e())
        if form == 5:
            return Node('long', rng.choice([
                '(%s / ((%s & 1023) | 1))', '(%s %% ((%s & 1023) | 1))',
                '(long)((ulong)%s / ((ulong)%s | 1))',
                '(long)((ulong)%s %% ((ulong)%s | 1))']), e(), e())
        if form == 6:
            return Node('long', rng.choice([
                'mul_hi(%s, %s)', 'rotate(%s, %s)', 'add_sat(%s, %s)',
                '(long)sub_sat((ulong)%s, (ulong)%s)', 'min(%s, %s)',
                '(long)upsample((int)%s, (uint)%s)', 'hadd(%s, %s)']),
                e(), e())
        if form == 7:
            return Node('long', rng.choice([
                'clz(%s)', 'popcount(%s)', '(long)abs(%s)', '(~%s)']), e())
        if form == 8:
            return Node('long', rng.choice([
                '(long)%s', '(long)(uint)%s']), self.expr('int', depth))
        if not self.scope.get('double'):
            return Node('long', '(~%s)', e())
        return Node('long', '(long)small_d(%s)', self.expr('double', depth))

    def float_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('float', depth)
        if self.halves and rng.random() < .2:
            return Node('float', '(float)small_h(%s)',
                        self.expr('half', depth))
        form = rng.randrange(9)
        if form < 4:
            return Node('float', '(%%s %s %%s)' % rng.choice('+-*'), e(), e())
        if form == 4:
            return Node('float', rng.choice([
                'fabs(%s)', 'floor(%s)', 'ceil(%s)', 'trunc(%s)', 'rint(%s)',
                'round(%s)', '(-%s)']), e())
        if form == 5:
            return Node('float', rng.choice([
                '(%s / (fabs(%s) + 1.0f))', 'copysign(%s, %s + 0.001f)']),
                e(), e())
        if form == 6:
            return Node('float', 'fma(%s, %s, %s)', e(), e(), e())
        if form == 7:
            return Node('float', rng.choice([
                '(float)(%s & 255)', 'small((float)%s)',
                '(float)((uint)%s >> 20)']), self.expr('int', depth))
        if not self.scope.get('double'):
            return Node('float', 'fabs(%s)', e())
        return Node('float', '(float)small_d(%s)', self.expr('double', depth))

    def half_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('half', depth)
        form = rng.randrange(10)
        if form < 4:
            return Node('half', 'ROUND(%%s %s %%s)' % rng.choice('+-*/'), e(),
                        e())
        if form == 4:
            return Node('half', rng.choice([
                'fabs(%s)', 'floor(%s)', 'ceil(%s)', 'trunc(%s)', 'rint(%s)',
                'round(%s)', '(-%s)', 'ROUND(sqrt(fabs(%s)))']), e())
        if form == 5:
            return Node('half', rng.choice([
                'ROUND(fmin(%s, %s) + (H)0)', 'ROUND(fmax(%s, %s) + (H)0)']),
                e(), e())
        if form == 6:
            return Node('half', 'H_FMA(%s, %s, %s)', e(), e(), e())
        if form == 7:
            return Node('half', rng.choice([
                'H_OF(%s)', 'H_OF((short)%s)', 'H_OF((uchar)%s)',
                'H_OF((uint)%s >> 18)', 'OF_BITS(%s & 0xfbff)']),
                self.expr('int', depth))
        if form == 8 and self.scope.get('halves'):
            return Node('half', 'hp[%s & 3]', self.expr('int', depth))
        kind = rng.choice(['float', 'float', 'double', 'long'])
        if not self.scope.get('double'):  # upstream has no way from long
            kind = 'int'
        return Node('half', 'H_OF(%s)', self.expr(kind, depth))

    def double_expr(self, depth):
        rng, e = self.rng, lambda: self.expr('double', depth)
        form = rng.randrange(8)
        if form < 3:
            return Node('double', '(%%s %s %%s)' % rng.choice('+-*'), e(), e())
        if form == 3:
            return Node('double', rng.choice([
                'fabs(%s)', 'floor(%s)', 'trunc(%s)', 'rint(%s)', '(-%s)',
                'sqrt(fabs(%s))']), e())
        if form == 4:
            return Node('double', '(%s / (fabs(%s) + 1.0))', e(), e())
        if form == 5:
            return Node('double', '(double)%s', self.expr('float', depth))
        if form == 6:
            return Node('double', 'small_d((double)%s)',
                        self.expr('long', depth))
        return Node('double', 'fma(%s, %s, %s)', e(), e(), e())

    def vector(self, kind, depth):
        rng, e = self.rng, lambda: self.expr(kind, depth)
        base, width = self.vectors[kind]
        t, signed, bits = f'{base}{width}', SIGNED[base], BITS[base]
        form = rng.randrange(11)
        if form < 4:
            return Node(kind, '(%%s %s %%s)' % rng.choice('+-*&|^'), e(), e())
        if form == 4:
            return Node(kind, rng.choice([
                f'(%s << (%s & ({base}){bits - 1}))',
                f'(%s >> (%s & ({base}){bits - 1}))',
                f'(%s / (%s | ({base})1))', f'(%s %% (%s | ({base})3))']),
                e(), e())
        if form == 5:
            return Node(kind, rng.choice([
                f'as_{t}(%s == %s)', f'as_{t}(%s < %s)', f'as_{t}(%s > %s)',
                f'as_{t}(as_{signed}{width}(%s) <= as_{signed}{width}(%s))']),
                e(), e())
        if form == 6:
            return Node(kind, rng.choice([
                'min(%s, %s)', 'max(%s, %s)', 'rotate(%s, %s)',
                'add_sat(%s, %s)', 'sub_sat(%s, %s)', 'mul_hi(%s, %s)',
                'abs_diff(%s, %s)', 'hadd(%s, %s)']), e(), e())
        if form == 7:
            order = ''.join('%x' % rng.randrange(width) for _ in range(width))
            return Node(kind, f'(%s).s{order}', e())
        if form == 8:
            return Node(kind, f'({t})(({base})%s)', self.expr('int', depth))
        if form == 9:
            return Node(kind, f'select(%s, %s, as_{signed}{width}(%s))', e(),
                        e(), e())
        if width != 3:
            return Node(kind, 'shuffle(%s, %s)', e(), e())
        return Node(kind, '(~%s)', e())

    def test(self, depth=2):
        rng = self.rng
        op = rng.choice(['<', '>', '<=', '>=', '==', '!='])
        kind = rng.choice(['int'] * 5 + ['long', 'float', 'uint', 'double'] +
                          ['half'] * 3 * self.halves)
        if kind == 'uint':
            return Node('bool', f'((uint)%s {op} (uint)%s)',
                        self.expr('int', depth), self.expr('int', depth))
        if not self.scope.get(kind):
            kind = 'int'
        a = Node('bool', f'(%s {op} %s)', self.expr(kind, min(depth, 2)),
                 self.expr(kind, 1))
        if rng.random() < .2 and depth > 0:
            return Node('bool', rng.choice(['(%s && %s)', '(%s || %s)']), a,
                        self.test(depth - 1))
        return a

    def condition(self):
        rng = self.rng
        if rng.random() < .5:
            return Node('bool', f'((%s ^ %s) & {rng.choice([1, 2, 3, 4, 6])})',
                        self.leaf('int'), self.leaf('int'))
        return self.test()

    # ---- statements ----

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
        form = self.rng.choice([
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

    def __init__(self, rng, name, doubles=True, halves=False):
        self.name, self.rng, self.doubles = name, rng, doubles
        self.halves = halves
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
        self.parts = rng.random() < .25
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
        self.helpers = []
        for k in range(self.rng.choice([0, 0, 1, 1, 2])):
            scope = Scope(int=['x', 'y', 'v0', 'v1'], to=['v0', 'v1'],
                          array=['p'], long=['w0'])
            maker = Maker(self.rng, scope, halves=self.halves)
            maker.functions = list(self.maker.functions)
            name = f'{self.name}_f{k}'
            body = Node('list', '', maker.block(None, 1))
            self.helpers.append((name, body))
            self.maker.functions.append(name)

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
            more += [f'(long){kind}1.s{k:x} * {k + 3}' for k in range(width)]
        if self.arrays:
            more += ['p[0] ^ p[3] ^ p[l & 7]']
        if self.parts:
            more += ['s.d ^ s.a ^ sa[1].b[1] ^ sa[0].c ^ sa[1].e.y']
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
        return found

    def functions(self):
        return ''.join(FUNCTION % (name, body.text())
                       for name, body in self.helpers)

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
        return [self.tree, self.last] + [body for _, body in self.helpers]


def indent(text):
    depth, lines = 0, []
    for line in text.splitlines():
        line = line.strip()
        depth -= line.startswith('}')
        lines.append('    ' * depth + line)
        depth += line.endswith('{')
    return '\n'.join(lines) + '\n'
