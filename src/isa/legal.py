# SPDX-License-Identifier: Apache-2.0
"""Legal words and their text: `hex text`, a line for each row and each corner value
of an operand.  Shares no code with the C encoder and printer, which tests compare
with it in both directions."""
import random

ROUNDING = ["rne", "rtz", "rdn", "rup", "rmm", None, None, ""]
LETTERS = "wroi"  # bit 0 first
LMUL = ["m1", "m2", "m4", "m8", None, "mf8", "mf4", "mf2"]


def values(f, t):
    """Corner values of a field, and one in between."""
    if f.kind == "rm":
        return [0, 1, 2, 3, 4, 7]
    if f.kind == "csr":
        return sorted({n for _, n, _, _ in t.csrs}) + [0x123]
    if f.kind == "vtype":
        return [0xd0, 0xc0, 0x10, 0x08, 0x51, 0x97]
    if f.kind == "barrier":
        return list(range(32))
    if f.kind == "iorw":
        return [0xff, 0x33, 0x12, 0x0f, 0xf0, 0x833]
    low, high, step = f.limits()
    if f.kind in ("b", "j"):
        return [0, step, low, high, step * 100]
    middle = (high // 3) // step * step
    found = [low, high, 0, step, middle]
    return list(dict.fromkeys(found))


def vtype(v):
    sew, mul = 8 << (v >> 3 & 7), LMUL[v & 7]
    if v >> 8 or sew > 64 or not mul:
        return str(v)
    return f"e{sew}, {mul}, {'ta' if v & 64 else 'tu'}, " \
           f"{'ma' if v & 128 else 'mu'}"


def fence(v):
    if v >> 8:
        return f"0x{v:x}"
    sets = ["".join(LETTERS[i] for i in (3, 2, 1, 0) if s >> i & 1) or "0"
            for s in (v >> 4 & 15, v & 15)]
    return ", ".join(sets)


def barrier(v):
    """Operands of a barrier (manual 4.2.4): memories in imm[2:0], scope in imm[4:3]."""
    names = [n for bit, n in ((1, "local"), (2, "global"), (4, "image"))
             if v & bit] or ["use_cnt"]
    return ", ".join(names + [[], ["work_item"], ["device"],
                              ["all_svm_devices"]][v >> 3])


def operand(f, v, t):
    if f.kind == "x":
        return f"x{v}"
    if f.kind in ("v", "a"):
        return f"v{v}"
    if f.kind in ("b", "j"):
        return f"pc {'-' if v < 0 else '+'} {abs(v)}"
    if f.kind == "hi":
        return f"0x{v:x}"
    if f.kind == "csr":
        for name, number, _, _ in t.csrs:
            if number == v:
                return name
        return f"0x{v:03x}"
    if f.kind == "vtype":
        return vtype(v)
    if f.kind == "iorw":
        return fence(v)
    if f.kind == "barrier":
        return barrier(v)
    if f.kind == "vm":
        return "" if v else ", v0.t"
    if f.kind == "rm":
        return f", {ROUNDING[v]}" if ROUNDING[v] else ""
    if f.kind == "opt":
        return f", {f.name.split('_')[0]}={v}" if v else ""
    return str(v)


def text(row, value, t):
    name, out = row.name, row.format.syntax
    for f in row.format.fields:
        if f.kind == "aqrl":
            name += ["", ".rl", ".aq", ".aqrl"][value[f]]
        out = out.replace("{%s}" % f.name, operand(f, value[f], t))
    return f"{name} {out}".strip()


def plain(f):
    """A value between the corners, so that one operand varies at a time."""
    if f.kind in ("vm", "rm"):
        return 1 if f.kind == "vm" else 7
    if f.kind in ("opt", "aqrl"):
        return 0
    if f.kind == "vtype":
        return 0xd0
    if f.kind == "iorw":
        return 0xff
    _, high, step = f.limits()
    return (high // 2) // step * step


def lines(t, version):
    rng = random.Random(1)
    out = []
    for row in t.rows.values():
        if version not in row.versions:
            continue
        seen = set()

        def put(value):
            word = row.match
            for f in row.format.fields:
                word |= f.insert(value[f])
            if word not in seen:
                seen.add(word)
                out.append(f"{word:08x} {text(row, value, t)}")

        for f in row.format.fields:
            for v in values(f, t):
                put({g: v if g is f else plain(g)
                     for g in row.format.fields})
        for _ in range(4):
            put({g: rng.choice(values(g, t)) for g in row.format.fields})
    return "\n".join(out) + "\n"
