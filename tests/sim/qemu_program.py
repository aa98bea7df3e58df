# SPDX-License-Identifier: Apache-2.0
"""Random programs for qemu.py, each in two spellings.

An item is a pair of lists of lines: what Ventus runs and what QEMU runs.
They are the same text wherever both machines have the instruction with the
same meaning.  Where Ventus differs on purpose, QEMU gets standard words that
spell out what docs/isa.md says:

    compares        a mask register becomes 0 or 1 in each lane
    vm = 0, vmerge  bit 0 of each lane of v0 becomes a mask register
    mask logic      on all 1024 bits of a register
    vmv.x.s         the last lane; vmv.s.x, vfmv.s.f: all lanes
    vlw12.v ...     indexed accesses
    atomics         a scalar loop over the lanes, ascending
    vfcvt.rtz       vfcvt with frm set to rtz
    Zfinx           f registers loaded from x registers and stored back
    SEW 8, 16       elements packed side by side (qemu_groups.py)

Registers: x8 is the scratch area, its first half only read; x1 x4 x9 v29 are
temporary; x2 x3 v30 v31 and the f registers are QEMU's own.  All others are
the state that is compared: STATE_X, v0 to v28.
"""
import random

from qemu_groups import Groups

STATE_X = [5, 6, 7] + list(range(10, 32))
STATE_V = range(29)
HALF = 1024                     # bytes of each half of the scratch area
LANES = 32

INTS = [0, 1, 2, 3, 31, 32, 33, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
        0x10000, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe,
        0xffffffff, 0xaaaaaaaa, 0x55555555, 0xffff8000, 0xffffff80]
# Signed zeros, subnormals, the ends of the normal numbers, 1 and its
# neighbours, ties, the ends of the integers, infinities, quiet and
# signalling NaNs with payloads.
FLOATS = [0x00000000, 0x00000001, 0x00000002, 0x007fffff, 0x00800000,
          0x00800001, 0x33800000, 0x34000000, 0x3effffff, 0x3f000000,
          0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000,
          0x40200000, 0x4b000000, 0x4b7fffff, 0x4b800000, 0x4effffff,
          0x4f000000, 0x4f7fffff, 0x4f800000, 0x7e800000, 0x7f7fffff,
          0x7f800000, 0x7fc00000, 0x7fc12345, 0x7f800001, 0x7fbfffff]
RMS = ['rne', 'rtz', 'rdn', 'rup', 'rmm', 'dyn']


def number(r):
    """A corner value, a float near 1, a small integer or any word."""
    return r.choice((
        lambda: r.choice(INTS),
        lambda: r.choice(FLOATS) | r.choice((0, 0x80000000)),
        lambda: (r.randrange(-4, 5) + 127) << 23 | r.getrandbits(23)
        | r.getrandbits(1) << 31,
        lambda: r.getrandbits(r.randrange(1, 13)) * r.choice((1, -1))
        & 0xffffffff,
        lambda: r.getrandbits(32)))()


def names(text):
    return text.split()


XX = names('add sub sll slt sltu xor srl sra or and mul mulh mulhsu mulhu '
           'div divu rem remu')
XI = names('addi slti sltiu xori ori andi')
XS = names('slli srli srai')
FXX = names('fadd.s fsub.s fmul.s fdiv.s')
FMIN = names('fmin.s fmax.s fsgnj.s fsgnjn.s fsgnjx.s')
FCMP = names('feq.s flt.s fle.s')
FMA = names('fmadd.s fmsub.s fnmadd.s fnmsub.s')
V_VX = names('vadd vsub vand vor vxor vsll vsrl vsra vmin vminu vmax vmaxu '
             'vmul vmulh vmulhu vmulhsu vdiv vdivu vrem vremu')
V_X = names('vrsub')
V_I = names('vadd vrsub vand vor vxor')
V_U = names('vsll vsrl vsra')
V_ACC = names('vmadd vnmsub vmacc vnmsac')
C_VX = names('vmseq vmsne vmslt vmsltu vmsle vmsleu')
C_X = names('vmsgt vmsgtu')
C_I = names('vmseq vmsne vmsle vmsleu vmsgt vmsgtu')
F_VF = names('vfadd vfsub vfmul vfdiv vfmin vfmax vfsgnj vfsgnjn vfsgnjx')
F_F = names('vfrsub vfrdiv')
F_ACC = names('vfmadd vfnmadd vfmsub vfnmsub vfmacc vfnmacc vfmsac vfnmsac')
F_1 = names('vfsqrt.v vfclass.v vfcvt.x.f.v vfcvt.xu.f.v vfcvt.f.x.v '
            'vfcvt.f.xu.v')
FC_VF = names('vmfeq vmfne vmflt vmfle')
FC_F = names('vmfgt vmfge')
MM = names('vmand.mm vmor.mm vmxor.mm vmandn.mm vmorn.mm vmnand.mm vmnor.mm '
           'vmxnor.mm')
AMO = names('amoswap.w amoadd.w amoxor.w amoand.w amoor.w amomin.w amomax.w '
            'amominu.w amomaxu.w')
VMASK = ['vmv1r.v v31, v0', 'vand.vi v30, v0, 1', 'vmsne.vi v0, v30, 0']


def same(*lines):
    return list(lines), list(lines)


class Maker(Groups):
    """Items of one program."""

    def __init__(self, seed, scalar_amo=False):
        self.r = random.Random(seed)
        self.scalar_amo = scalar_amo
        self.kinds = [self.scalar, self.scalar_float, self.scalar_memory,
                      self.vector, self.vector, self.compare, self.vfloat,
                      self.vfloat, self.vfloat_compare, self.masked,
                      self.lanes, self.move, self.vector_memory,
                      self.lane_memory, self.reload, self.reload,
                      self.branch, self.length, self.csr,
                      self.atomic, self.csr_fixed, self.arithmetic,
                      self.arithmetic, self.wide_pair, self.narrow,
                      self.narrow, self.convert, self.convert, self.estimate,
                      self.extend, self.carry, self.count, self.strided,
                      self.indexed]

    def x(self, zero=0.06):
        if self.r.random() < zero:
            return 'x0'
        return f'x{self.r.choice(STATE_X)}'

    def v(self, least=0):
        return f'v{self.r.randrange(least, len(STATE_V))}'

    def item(self):
        return self.r.choice(self.kinds)()

    # ---- scalar ------------------------------------------------------------
    def scalar(self):
        r = self.r
        kind = r.randrange(4)
        if kind == 0:
            return same(f'{r.choice(XI)} {self.x()}, {self.x()}, '
                        f'{r.randrange(-2048, 2048)}')
        if kind == 1:
            return same(f'{r.choice(XS)} {self.x()}, {self.x()}, '
                        f'{r.randrange(32)}')
        if kind == 2 and r.random() < 0.2:
            return same(f'lui {self.x()}, {r.getrandbits(20)}')
        return same(f'{r.choice(XX)} {self.x()}, {self.x()}, {self.x()}')

    def scalar_float(self):
        r = self.r
        d, a, b, c, rm = (self.x(), self.x(), self.x(), self.x(),
                          r.choice(RMS))
        move = [f'fmv.w.x f{i}, {s}' for i, s in enumerate((a, b, c))]
        back = f'fmv.x.w {d}, f0'
        kind = r.randrange(7)
        if kind == 0:
            op = r.choice(FMA)
            return ([f'{op} {d}, {a}, {b}, {c}, {rm}'],
                    move + [f'{op} f0, f0, f1, f2, {rm}', back])
        if kind == 1:
            op = r.choice(FMIN)
            return ([f'{op} {d}, {a}, {b}'],
                    move[:2] + [f'{op} f0, f0, f1', back])
        if kind == 2:
            op = r.choice(FCMP)
            return ([f'{op} {d}, {a}, {b}'],
                    move[:2] + [f'{op} {d}, f0, f1'])
        if kind == 3:
            op = r.choice(('fcvt.w.s', 'fcvt.wu.s'))
            return ([f'{op} {d}, {a}, {rm}'],
                    move[:1] + [f'{op} {d}, f0, {rm}'])
        if kind == 4:
            op = r.choice(('fcvt.s.w', 'fcvt.s.wu'))
            return [f'{op} {d}, {a}, {rm}'], [f'{op} f0, {a}, {rm}', back]
        if kind == 5:
            if r.random() < 0.3:
                return [f'fclass.s {d}, {a}'], [move[0], f'fclass.s {d}, f0']
            return ([f'fsqrt.s {d}, {a}, {rm}'],
                    [move[0], f'fsqrt.s f0, f0, {rm}', back])
        op = r.choice(FXX)
        return ([f'{op} {d}, {a}, {b}, {rm}'],
                move[:2] + [f'{op} f0, f0, f1, {rm}', back])

    def scalar_memory(self):
        r = self.r
        if r.random() < 0.5:
            op, size = r.choice((('lb', 1), ('lbu', 1), ('lh', 2),
                                 ('lhu', 2), ('lw', 4), ('flw', 4)))
            line = f'{{}} {self.x()}, {r.randrange(0, 2 * HALF, size)}(x8)'
        else:
            op, size = r.choice((('sb', 1), ('sh', 2), ('sw', 4),
                                 ('fsw', 4)))
            line = (f'{{}} {self.x()}, '
                    f'{r.randrange(HALF, 2 * HALF, size)}(x8)')
        return ([line.format(op)],
                [line.format({'flw': 'lw', 'fsw': 'sw'}.get(op, op))])

    def branch(self):
        """Over some items forward, or a loop around them."""
        r = self.r
        inner = [r.choice((self.scalar, self.scalar, self.vector,
                           self.scalar_memory))()
                 for _ in range(r.randrange(1, 4))]
        lines = [sum((i[side] for i in inner), []) for side in (0, 1)]
        if r.random() < 0.3:
            head = f'li x4, {r.randrange(1, 6)}'
            return tuple([head, '7:', *body, 'addi x4, x4, -1', 'bnez x4, 7b']
                         for body in lines)
        if r.random() < 0.2:        # what jal leaves in its register
            return same('jal x9, 8f', 'addi x1, x9, 99', '8: auipc x1, 0',
                        'sub x9, x1, x9', f'add {self.x()}, x0, x9')
        op = r.choice(('beq', 'bne', 'blt', 'bge', 'bltu', 'bgeu'))
        head = f'{op} {self.x()}, {self.x()}, 8f'
        return tuple([head, *body, '8:'] for body in lines)

    def csr(self):
        r = self.r
        return same(r.choice((
            f'csrrw {self.x()}, fflags, {self.x()}',
            f'csrrs {self.x()}, fflags, {self.x()}',
            f'csrrc {self.x()}, fflags, {self.x()}',
            f'csrrci {self.x()}, fflags, {r.randrange(32)}',
            f'csrrwi {self.x()}, frm, {r.randrange(5)}',
            f'csrrwi x0, frm, {r.randrange(5)}',
            f'csrrsi {self.x()}, fcsr, {r.randrange(32)}',
            'fence', 'fence r, rw')))

    # ---- vectors ------------------------------------------------------------
    def operands(self, least=0):
        """An arithmetic instruction without its vm bit: Ventus, QEMU."""
        r = self.r
        d, a, b, s = (self.v(least), self.v(least), self.v(least), self.x())
        kind = r.randrange(9)
        if kind < 3:
            text = f'{r.choice(V_VX)}.vv {d}, {a}, {b}'
        elif kind < 5:
            text = f'{r.choice(V_VX + V_X)}.vx {d}, {a}, {s}'
        elif kind == 5:
            text = f'{r.choice(V_I)}.vi {d}, {a}, {r.randrange(-16, 16)}'
        elif kind == 6:
            text = f'{r.choice(V_U)}.vi {d}, {a}, {r.randrange(32)}'
        elif kind == 7:
            text = f'{r.choice(V_ACC)}.vv {d}, {a}, {b}'
        else:
            text = f'{r.choice(V_ACC)}.vx {d}, {s}, {b}'
        return [], text, text

    def float_operands(self, least=0):
        r = self.r
        d, a, b, s = (self.v(least), self.v(least), self.v(least), self.x())
        kind = r.randrange(5)
        if kind == 0:
            text = f'{r.choice(F_VF)}.vv {d}, {a}, {b}'
        elif kind == 1:
            text = f'{r.choice(F_ACC)}.vv {d}, {a}, {b}'
        elif kind == 2:
            text = f'{r.choice(F_1)} {d}, {a}'
        else:
            if kind == 3:
                text = f'{r.choice(F_VF + F_F)}.vf {d}, {a}, {{}}'
            else:
                text = f'{r.choice(F_ACC)}.vf {d}, {{}}, {a}'
            return ([f'fmv.w.x f0, {s}'], text.format(s), text.format('f0'))
        return [], text, text

    def compare_operands(self, least=0):
        """As above, without the destination."""
        r = self.r
        a, b, s = self.v(least), self.v(least), self.x()
        kind = r.randrange(3)
        if kind == 0:
            return [], r.choice(C_VX) + '.vv', f'{a}, {b}', f'{a}, {b}'
        if kind == 1:
            return [], r.choice(C_VX + C_X) + '.vx', f'{a}, {s}', f'{a}, {s}'
        imm = r.randrange(-16, 16)
        return [], r.choice(C_I) + '.vi', f'{a}, {imm}', f'{a}, {imm}'

    def float_compare_operands(self, least=0):
        r = self.r
        a, b, s = self.v(least), self.v(least), self.x()
        if r.random() < 0.5:
            return [], r.choice(FC_VF) + '.vv', f'{a}, {b}', f'{a}, {b}'
        return ([f'fmv.w.x f0, {s}'], r.choice(FC_VF + FC_F) + '.vf',
                f'{a}, {s}', f'{a}, f0')

    def vector(self):
        before, ours, theirs = self.operands()
        return [ours], before + [theirs]

    def vfloat(self):
        if self.r.random() < 0.06:  # QEMU 7.2 stops at the rtz words
            to, d, a = self.r.choice(('x', 'xu')), self.v(), self.v()
            return ([f'vfcvt.rtz.{to}.f.v {d}, {a}'],
                    ['csrrwi x9, frm, 1', f'vfcvt.{to}.f.v {d}, {a}',
                     'csrw frm, x9'])
        before, ours, theirs = self.float_operands()
        return [ours], before + [theirs]

    def compare(self, operands=None):
        before, op, ours, theirs = (operands or self.compare_operands)()
        d = 'v0' if self.r.random() < 0.3 else self.v()
        return ([f'{op} {d}, {ours}'],
                before + ['vmv1r.v v31, v0', f'{op} v30, {theirs}',
                          'vmv1r.v v0, v30', 'vmv.v.i v30, 0',
                          'vmerge.vim v30, v30, 1, v0', 'vmv1r.v v0, v31',
                          f'vmv.v.v {d}, v30'])

    def vfloat_compare(self):
        return self.compare(self.float_compare_operands)

    def masked(self):
        r = self.r
        kind = r.randrange(4)
        if kind == 0:
            d, a = self.v(1), self.v(1)
            last = r.choice((f'vvm {d}, {a}, {self.v(1)}',
                             f'vxm {d}, {a}, {self.x()}',
                             f'vim {d}, {a}, {r.randrange(-16, 16)}'))
            text = f'vmerge.{last}, v0'
            return [text], VMASK + [text, 'vmv1r.v v0, v31']
        if kind == 1:
            d = self.v(1)
            before, op, ours, theirs = r.choice(
                (self.compare_operands, self.float_compare_operands))(1)
            return ([f'{op} {d}, {ours}, v0.t'],
                    before + VMASK + [
                        f'{op} v30, {theirs}, v0.t',
                        f'vmerge.vim {d}, {d}, 0, v0', 'vmand.mm v0, v0, v30',
                        f'vmerge.vim {d}, {d}, 1, v0', 'vmv1r.v v0, v31'])
        before, ours, theirs = r.choice((self.operands,
                                         self.float_operands))(1)
        return ([f'{ours}, v0.t'],
                before + VMASK + [f'{theirs}, v0.t', 'vmv1r.v v0, v31'])

    def lanes(self):
        """Instructions that look at whole registers or at lanes' numbers."""
        r = self.r
        d, a, b, s, x = self.v(), self.v(), self.v(), self.x(), self.x()
        imm = r.randrange(4096)
        op = r.choice(('vadd', 'vsub'))
        mm = f'{r.choice(MM)} {d}, {a}, {b}'
        return r.choice((
            same(f'vid.v {d}'),
            ([f'vmv.x.s {x}, {a}'],
             [f'vslidedown.vi v31, {a}, {LANES - 1}', f'vmv.x.s {x}, v31']),
            ([f'vfmv.f.s {x}, {a}'],
             [f'vfmv.f.s f0, {a}', f'fmv.x.w {x}, f0']),
            ([mm], ['li x9, 1024', 'vsetvli x9, x9, e8, m8, tu, mu', mm,
                    f'li x9, {LANES}', 'vsetvli x9, x9, e32, m1, tu, mu']),
            ([f'vmv.s.x {d}, {s}'], [f'vmv.v.x {d}, {s}']),
            ([f'vfmv.s.f {d}, {s}'], [f'vmv.v.x {d}, {s}']),
            ([f'{op}12.vi {d}, {a}, {imm}'],
             [f'li x9, {imm}', f'{op}.vx {d}, {a}, x9'])))

    def move(self):
        d, a, s = self.v(), self.v(), self.x()
        return self.r.choice((
            same(f'vmv.v.v {d}, {a}'), same(f'vmv.v.x {d}, {s}'),
            same(f'vmv.v.i {d}, {self.r.randrange(-16, 16)}'),
            ([f'vfmv.v.f {d}, {s}'],
             [f'fmv.w.x f0, {s}', f'vfmv.v.f {d}, f0']),
            ([f'fmv.w.x {s}, x11'], [f'add {s}, x11, x0']),
            ([f'fmv.x.w {s}, x11'], [f'add {s}, x11, x0'])))

    def length(self):
        """Some instructions with another vl; lanes behind it stay as is."""
        inner = [self.r.choice((self.vector, self.vfloat, self.compare,
                                self.lane_memory, self.vector_memory,
                                self.arithmetic, self.narrow, self.carry,
                                self.convert, self.count))()
                 for _ in range(self.r.randrange(1, 4))]
        head = [f'li x9, {self.r.randrange(0, LANES + 1)}',
                f'vsetvli {self.x()}, x9, e32, m1, tu, mu']
        tail = [f'li x9, {LANES}', 'vsetvli x0, x9, e32, m1, tu, mu']
        return tuple(head + sum((i[side] for i in inner), []) + tail
                     for side in (0, 1))

    # ---- memory -------------------------------------------------------------
    def reload(self):
        """Fresh numbers, or all would end as zeros and NaNs."""
        if self.r.random() < 0.4:
            return same(f'lw {self.x(0)}, '
                        f'{self.r.randrange(0, HALF, 4)}(x8)')
        return same(f'addi x9, x8, {self.r.randrange(0, HALF - 128, 4)}',
                    f'vle32.v {self.v()}, (x9)')

    def vector_memory(self):
        r = self.r
        d, kind = self.v(), r.randrange(7)
        at = r.randrange(0, HALF - 124, 4)
        if kind == 0:
            return same(f'addi x9, x8, {HALF + at}', f'vse32.v {d}, (x9)')
        if kind < 3:
            step = r.choice((-28, -8, -4, 4, 8, 12, 28, 32))
            at = r.randrange(max(0, -31 * step),
                             min(HALF, HALF - 31 * step), 4)
            op, base = (('vlse32.v', 0), ('vsse32.v', HALF))[kind - 1]
            return same(f'addi x9, x8, {base + at}', f'li x1, {step}',
                        f'{op} {d}, (x9), x1')
        if kind == 3:
            op, n = r.choice((('vle8.v', 4), ('vle16.v', 2)))
            return ([f'addi x9, x8, {at}', f'{op} {d}, (x9)'],
                    [f'addi x9, x8, {at}', f'{op} v30, (x9)',
                     f'vzext.vf{n} v31, v30', f'vmv.v.v {d}, v31'])
        if kind == 4:
            op, half = r.choice((('vse16.v', False), ('vse8.v', True)))
            narrow = ['vsetvli x0, x0, e8, mf4, tu, mu',
                      'vnsrl.wi v30, v30, 0'] if half else []
            return ([f'addi x9, x8, {HALF + at}', f'{op} {d}, (x9)'],
                    [f'addi x9, x8, {HALF + at}',
                     'vsetvli x0, x0, e16, mf2, tu, mu',
                     f'vnsrl.wi v30, {d}, 0', *narrow, f'{op} v30, (x9)',
                     'vsetvli x0, x0, e32, m1, tu, mu'])
        index = ['li x9, 1020', f'vand.vx v29, {self.v()}, x9']
        if kind == 5:
            op = r.choice(('vluxei32.v', 'vloxei32.v'))
            return same(*index, f'{op} {d}, (x8), v29')
        return same(*index, f'addi x1, x8, {HALF}',
                    f'vsoxei32.v {d}, (x1), v29')

    def lane_memory(self):
        """vlw12.v and its kin: each lane its own address."""
        r = self.r
        d, a, imm = self.v(), self.v(), r.randrange(-900, 900, 4)
        name, width = r.choice((('b', 1), ('bu', 1), ('h', 2), ('hu', 2),
                                ('w', 4)))
        store = r.random() < 0.4 and 'u' not in name
        base = HALF if store else 0
        index = [f'li x9, {HALF - width}', f'vand.vx v29, {a}, x9']
        ours = index + [f'addi x1, x8, {base - imm}', 'vadd.vx v29, v29, x1',
                        f'v{"s" if store else "l"}{name}12.v {d}, {imm}(v29)']
        theirs = index + [f'addi x1, x8, {base}']
        fold = {1: 'e8, mf4', 2: 'e16, mf2', 4: 'e32, m1'}[width]
        narrow = {1: ['e16, mf2', 'e8, mf4'], 2: ['e16, mf2'], 4: []}[width]
        full = 'vsetvli x0, x0, e32, m1, tu, mu'
        if store:
            theirs += [f'vmv.v.v v30, {d}']
            for config in narrow:
                theirs += [f'vsetvli x0, x0, {config}, tu, mu',
                           'vnsrl.wi v30, v30, 0']
            return ours, theirs + ['vsoxei32.v v30, (x1), v29', full]
        theirs += [f'vsetvli x0, x0, {fold}, tu, mu',
                   'vluxei32.v v30, (x1), v29', full]
        if width < 4:
            sign = 'z' if 'u' in name else 's'
            theirs += [f'v{sign}ext.vf{4 // width} v31, v30',
                       f'vmv.v.v {d}, v31']
        else:
            theirs += [f'vmv.v.v {d}, v30']
        return ours, theirs

    def atomic(self):
        r = self.r
        op = r.choice(AMO)
        if self.scalar_amo:
            at = f'addi x9, x8, {r.randrange(HALF, 2 * HALF, 4)}'
            if r.random() < 0.25:
                return same(at, f'lr.w {self.x()}, (x9)',
                            f'sc.w {self.x()}, {self.x()}, (x9)',
                            f'sc.w {self.x()}, {self.x()}, (x9)')
            return same(at, f'{op} {self.x()}, {self.x()}, (x9)')
        d, a, b = self.v(), self.v(), self.v()
        mask = r.choice((12, 60, HALF - 4))
        at = [f'li x9, {mask}', f'vand.vx v29, {b}, x9',
              f'addi x1, x8, {HALF}', 'vadd.vx v29, v29, x1']
        return (at + [f'{op} {d}, {a}, (v29)'],
                at + ['la x2, lanes', 'vse32.v v29, (x2)', 'addi x3, x2, 128',
                      f'vse32.v {a}, (x3)', f'li x9, {LANES}', '9:',
                      'lw x1, 0(x2)', 'lw x3, 128(x2)', f'{op} x3, x3, (x1)',
                      'sw x3, 256(x2)', 'addi x2, x2, 4', 'addi x9, x9, -1',
                      'bnez x9, 9b', 'addi x2, x2, 128', f'vle32.v {d}, (x2)'])


class Program:
    """Items, and the numbers in registers and memory before them."""

    def __init__(self, seed, length, scalar_amo=False):
        maker = Maker(seed, scalar_amo)
        self.seed = seed
        self.frm = maker.r.randrange(5)
        self.vcsr = maker.r.randrange(8)
        self.words = [number(maker.r)
                      for _ in range(32 + 32 * LANES + HALF // 2)]
        self.items = [maker.item() for _ in range(length)]
