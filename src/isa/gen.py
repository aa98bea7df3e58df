#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes everything that follows from an instruction table.

    gen.py ventus.isa --out DIR     C sources, headers, docs and test lines
    gen.py ventus.isa --check       only reads and checks the table

Into DIR:
    include/ventus/isa_ops.h    enums and flags (public)
    include/ventus/isa_build.h  one typed builder per instruction (public)
    src/isa/isa_tables.c        info, fields, formats, aliases, CSRs, latencies
    src/isa/isa_decode.inc      opcode look-up and operand extraction
    docs/isa.md                 the manual
    tests/isa/legal1.txt, legal2.txt   legal words and their text (legal.py)
"""
import argparse
import functools
import os
import sys

import legal
import manual
from table import DERIVED, KINDS, MEMBERS, RELOCS, Table, TableError

HEAD = "/* SPDX-License-Identifier: Apache-2.0 */\n" \
       "/* Made by src/isa/gen.py from src/isa/ventus.isa: change those. */\n"
EXTRACT = {"d": "in->reg[0]", "1": "in->reg[1]", "2": "in->reg[2]",
           "3": "in->reg[3]"}
TYPES = {"imm": "int32_t", "aux": "uint16_t", "ext": "uint16_t",
         "spare": "uint16_t"}


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') \
        .replace("\n", "\\n") + '"'


def ident(name):
    return "".join(c if c.isalnum() else "_" for c in name).upper()


def enum(name, prefix, words, count=None, first=0):
    lines = [f"enum {name} {{"]
    for i, w in enumerate(words, first):
        lines.append(f"    {prefix}{ident(w)} = {i},")
    if count:
        lines.append(f"    {count} = {len(words) + first},")
    return "\n".join(lines + ["};\n"])


def ops_header(t):
    out = [HEAD, "#pragma once\n"]
    out.append("/* Instructions by row; 0 is none. */")
    out.append(enum("isa_op", "ISA_", ["none"] + [r.name for r in
                    t.rows.values()], "ISA_OP_COUNT"))
    out.append(enum("isa_unit", "ISA_UNIT_", t.units, "ISA_UNIT_COUNT"))
    out.append(enum("isa_lat", "ISA_LAT_", t.classes, "ISA_LAT_COUNT"))
    out.append(enum("isa_format", "ISA_FORMAT_", t.formats,
                    "ISA_FORMAT_COUNT"))
    out.append(enum("isa_kind", "ISA_KIND_", KINDS))
    out.append(enum("isa_member", "ISA_MEMBER_", MEMBERS))
    out.append(enum("isa_reloc", "ISA_RELOC_", RELOCS))
    out.append("/* isa_info.flags */\nenum isa_flag {")
    for i, (name, prose) in enumerate(t.flags.items()):
        out.append(f"    ISA_F_{name.upper()} = 1 << {i}, /* {prose} */")
    out.append("};\n\n/* CSR numbers */\nenum isa_csr_number {")
    for name, number, _, prose in t.csrs:
        out.append(f"    ISA_CSR_{name.upper()} = 0x{number:03x},"
                   f" /* {prose} */")
    out.append("};\n\nenum {")
    out.append(f"    ISA_CSR_COUNT = {len(t.csrs)},")
    out.append(f"    ISA_ALIAS_COUNT = {len(t.aliases)},")
    out.append(f"    ISA_FIELD_COUNT = {len(t.fields)},")
    out.append(f"    ISA_FLAG_COUNT = {len(t.flags)},")
    out.append(f"    ISA_GROUP_COUNT = {len(t.groups)},\n}};")
    return "\n".join(out) + "\n"


def syntax(t, text):
    """"{rd}, {vs1#}" as C string: operand = byte 128 + field, # = byte 1."""
    if text is None:
        return "NULL"
    index = {name: i for i, name in enumerate(t.fields)}
    out, rest = "", text
    while rest:
        head, brace, rest = rest.partition("{")
        out += head.replace('"', '\\"')
        if brace:
            name, _, rest = rest.partition("}")
            if name.endswith("#"):
                out += "\\001"
            out += f"\\{128 + index[name.rstrip('#')]:03o}"
    return f'"{out}"'


def printed_aliases(t):
    """Chains of printed aliases: {row: first + 1}, {alias: next + 1}."""
    first, following, last = {}, {}, {}
    for i, a in enumerate(t.aliases):
        if a.printed:
            name = a.row.name
            if name in last:
                following[last[name]] = i + 1
            first.setdefault(name, i + 1)
            last[name] = i
    return first, following


def tables(t):
    fmt = {name: i for i, name in enumerate(t.formats)}
    fld = {name: i for i, name in enumerate(t.fields)}
    op = {name: i for i, name in enumerate(t.rows, 1)}
    lat = {name: i for i, name in enumerate(t.classes)}
    unit = {name: i for i, name in enumerate(t.units)}
    flag = list(t.flags)
    out = [HEAD, "#include <ventus/isa.h>\n"]
    out.append("const struct isa_info isa_info[ISA_OP_COUNT] = {")
    out.append('    { .name = "", .prose = "", .meaning = "" },')
    for group, g in enumerate(t.groups):
        for r in g.rows:
            flags = sum(1 << flag.index(f) for f in r.flags)
            out.append(
                f"    {{ {quote(r.name)}, {quote(r.prose)}, "
                f"{quote(r.meaning)}, 0x{r.match:08x}, 0x{r.mask:08x}, "
                f"0x{flags:x}, {sum(r.versions)}, {fmt[r.format.name]}, "
                f"{unit[t.classes[r.lat][0]]}, {lat[r.lat]}, {group} }},")
    out.append("};\n\nconst char *const isa_more_prose[ISA_OP_COUNT] = {")
    for r in t.rows.values():
        if r.more:
            out.append(f"    [{op[r.name]}] = "
                       + "\n        ".join(quote(m + "\n") for m in r.more) + ",")
    out.append("};\n\nconst struct isa_field isa_fields[ISA_FIELD_COUNT] = {")
    for f in t.fields.values():
        pieces = ", ".join(f"{{ {hi}, {lo} }}" for hi, lo in f.pieces)
        out.append(
            f"    {{ {quote(f.name)}, {KINDS.index(f.kind)}, "
            f"{MEMBERS.index(f.member)}, {RELOCS.index(f.reloc)}, "
            f"{f.scale}, {f.width}, {int(f.signed)}, {int(f.out)}, "
            f"{int(f.read)}, {int(f.pair)}, {int(f.wide)}, "
            f"{len(f.pieces)}, {{ {pieces} }} }},")
    out.append("};\n\nconst struct isa_format_info "
               "isa_formats[ISA_FORMAT_COUNT] = {")
    for f in t.formats.values():
        forms = ", ".join([syntax(t, f.syntax), syntax(t, f.log)]
                          + [syntax(t, s) for s in f.others])
        fields = ", ".join(str(fld[x.name]) for x in f.fields)
        out.append(f"    {{ {quote(f.name)}, {{ {forms} }}, "
                   f"{len(f.fields)}, {{ {fields} }} }},")
    first, following = printed_aliases(t)
    out.append("};\n\nconst struct isa_alias isa_aliases[ISA_ALIAS_COUNT] = {")
    for i, a in enumerate(t.aliases):
        fixed = ", ".join(
            f"{{ {fld[f.name]}, 0, {v} }}" if isinstance(v, int) else
            f"{{ {fld[f.name]}, {fld[v.name] + 1}, 0 }}" for f, v in a.fixed)
        out.append(f"    {{ {quote(a.name)}, {syntax(t, a.syntax)}, "
                   f"{op[a.row.name]}, {int(a.printed)}, {following.get(i, 0)}, "
                   f"{len(a.fixed)}, "
                   f"{{ {fixed or '{ 0, 0, 0 }'} }} }},")
    out.append("};\n\nconst uint8_t isa_first_alias[ISA_OP_COUNT] = {")
    out += [f"    [{op[name]}] = {i}," for name, i in first.items()]
    out.append("};\n\nconst struct isa_csr isa_csrs[ISA_CSR_COUNT] = {")
    for name, number, ro, prose in t.csrs:
        out.append(f"    {{ {quote(name)}, 0x{number:03x}, {int(ro)}, "
                   f"{quote(prose)} }},")
    out.append("};\n\nconst struct isa_latency isa_latency[] = {")
    for name, (u, cycles, interval, prose) in t.classes.items():
        out.append(f"    {{ {quote(name)}, {unit[u]}, {cycles}, {interval}, "
                   f"{quote(prose)} }},")
    out.append("};\n")
    for name, words in (("isa_groups", [g.title for g in t.groups]),
                        ("isa_group_std", [g.std or "" for g in t.groups]),
                        ("isa_unit_names", t.units),
                        ("isa_flag_names", t.flags)):
        out.append(f"const char *const {name}[] = {{")
        out += [f"    {quote(w)}," for w in words] + ["};\n"]
    return "\n".join(out)


# ---- decoder ----------------------------------------------------------------
# A look-up by opcode and funct3, a second by some of bits 31:25 where these do
# not decide, a third by whatever field tells apart the rows that share even
# those (the unary groups).  Each level says which bits the next one looks at,
# none for most: the way is the same for all words, without a branch.  What is
# left is a chain of candidates, the most specific first, each compared with its
# mask and match.

# Fields to look at, (lowest bit, width), the smaller tables first.
SECOND = tuple((low, w) for w in range(8) for low in range(25, 33 - w))
THIRD = ((0, 0), (25, 1), (7, 5), (15, 5), (20, 5), (28, 4), (20, 7))


def spread(row, width, position):
    """Values of bits position+width-1..position that row's words can have."""
    field = (1 << width) - 1
    fixed, value = row.mask >> position & field, row.match >> position & field
    return [v for v in range(1 << width) if v & fixed == value]


def split(rows, width, position):
    """For each value of that field the rows that it leaves."""
    parts = [[] for _ in range(1 << width)]
    for r in rows:
        for v in spread(r, width, position):
            parts[v].append(r)
    return [tuple(p) for p in parts]


@functools.lru_cache(maxsize=None)
def left(rows, fields):
    """How many rows no field tells apart, by the best of them."""
    return min(max(map(len, split(rows, w, low))) for low, w in fields)


@functools.lru_cache(maxsize=None)
def best(rows, fields):
    """The smallest field that leaves as few as possible, the third level's
    help taken into account."""
    def cost(field):
        low, width = field
        return max(left(p, THIRD if fields is SECOND else ((0, 0),))
                   for p in split(rows, width, low))
    costs = [cost(f) for f in fields] if len(rows) > 1 else [0]
    return fields[costs.index(min(costs))]


class Lookup:
    """The tables of one version: nodes (base, lowest bit, mask) of two levels,
    chains of the third; nodes and parts that are equal are shared."""

    def __init__(self, t, version):
        self.op = {name: i for i, name in enumerate(t.rows, 1)}
        self.chain, self.chains = [0], {(): 0}
        self.second, self.third, self.seen = [], [], {}
        rows = [r for r in t.rows.values() if version in r.versions]
        buckets = [[] for _ in range(1024)]
        for r in rows:
            for low in spread(r, 7, 0):
                for f3 in spread(r, 3, 12):
                    buckets[f3 << 7 | low].append(r)
        self.first = [self.node(tuple(b), SECOND, self.second, self.middle)
                      for b in buckets]

    def node(self, rows, fields, table, entry):
        """A node for these rows; what it points to goes to the table."""
        low, width = best(rows, fields)
        parts = tuple(entry(p) for p in split(rows, width, low))
        where = id(table), parts
        if where not in self.seen:
            self.seen[where] = len(table)
            table.extend(parts)
        return self.seen[where], low, (1 << width) - 1

    def middle(self, rows):
        return self.node(rows, THIRD, self.third, self.end)

    def end(self, rows):
        """Where the chain of these rows begins."""
        rows = sorted(rows, key=lambda r: -bin(r.mask).count("1"))
        ops = tuple(self.op[r.name] for r in rows)
        if ops not in self.chains:
            self.chains[ops] = len(self.chain)
            self.chain += ops + (0,)
        return self.chains[ops]

    def tables(self, name):
        """The struct lookup of that name in C (lookup.h)."""
        out = []
        for part, values in (("first", self.first), ("second", self.second)):
            out += c_array(f"static const struct lookup_node {name}_{part}[]",
                           ["{ %d, %d, %d }" % n for n in values], 6)
        for part, values in (("third", self.third), ("chain", self.chain)):
            out += c_array(f"static const uint16_t {name}_{part}[]", values)
        parts = ", ".join(f"{name}_{part}" for part in
                          ("first", "second", "third", "chain"))
        return out + [f"static const struct lookup {name} = {{ {parts} }};"]


def c_array(declaration, values, per_line=12):
    out = [f"{declaration} = {{"]
    for i in range(0, len(values), per_line):
        out.append("    " + ", ".join(str(v) for v in
                                      values[i:i + per_line]) + ",")
    return out + ["};"]


def extraction(f):
    """C expression for the value of field f in `w`, as written."""
    parts, below = [], f.width + f.scale
    for i, (hi, lo) in enumerate(f.pieces):
        n = hi - lo + 1
        below -= n
        if i == 0 and f.signed:  # sign comes down from the top piece
            part = f"(uint32_t)((int32_t)(w << {31 - hi}) >> {31 - hi + lo})"
        else:
            part = f"((w >> {lo}) & 0x{(1 << n) - 1:x})"
        parts.append(f"{part} << {below}" if below else part)
    return " | ".join(parts)


def decode(t):
    out = [HEAD]
    for v in (1, 2):
        out += Lookup(t, v).tables(f"v{v}")
    index = {name: i for i, name in enumerate(t.formats)}
    out.append("\nstatic const struct row rows[ISA_OP_COUNT] = {\n"
               "    { .right = OTHER },")
    out += [f"    {row(r, index)}, /* {r.name} */" for r in t.rows.values()]
    out.append("};")
    out.append("\n/* Fills the members that the fields of the other formats "
               "name. */")
    out.append("static void\nextract(uint32_t w, unsigned format, "
               "struct isa_insn *in)\n{\n    switch (format - 1) {")
    for i, f in enumerate(t.formats.values()):
        if shape(f) is None:
            out.append(f"    case {i}: /* {f.name} */")
            for x in f.fields:
                target = EXTRACT.get(x.member, f"in->{x.member}")
                kind = TYPES.get(x.member, "uint8_t")
                out.append(f"        {target} = ({kind})({extraction(x)});")
            out.append("        break;")
    out.append("    }\n}")
    return "\n".join(out) + "\n"


# Most formats need no code of their own: a mask says which of the usual places
# they use, and an immediate is the sum of three masked shifts of the word (the
# branch-free half of decode.c).  A switch over the formats costs a mispredicted
# jump on nearly every word of a program that has not been seen before.

PLACE = {"d": 7, "1": 15, "2": 20, "3": 27}
WHERE = {"vm": 25, "rm": 12, "aqrl": 25, "aux": 20}


def immediate(f):
    """right, sign and masks a, b, c such that the value is
    (((int32_t)w >> right & a) | (w >> 7 & b) | (w << 4 & c)) ^ sign) - sign;
    or None."""
    hi, lo = f.pieces[0]
    n = hi - lo + 1
    top = f.width + f.scale - n  # where the top piece goes
    right = lo - top
    # What comes down from bit 31 fills everything above it; so a sign bit
    # alone may move further down.  A sign elsewhere is spread by arithmetic.
    fills = f.signed and hi == 31
    last = 31 if fills and n == 1 else right
    sign = 1 << (top + n - 1) if f.signed and not fills else 0
    for r in range(max(right, 0), last + 1):
        masks = rest_of_immediate(f, top, r, n if not fills else 32 - top)
        if masks:
            return r, sign, *masks
    return None


def rest_of_immediate(f, top, down, n):
    """Masks a, b, c when the top piece, n bits of it, moves `down` bits; None
    if a piece moves by neither that nor 7 down nor 4 up."""
    a, b, c, at = ((1 << n) - 1) << top, 0, 0, top
    for hi, lo in f.pieces[1:]:
        n = hi - lo + 1
        at -= n
        mask = ((1 << n) - 1) << at
        if lo - at == down:
            a |= mask
        elif lo - at == 7:
            b |= mask
        elif at - lo == 4:
            c |= mask
        else:
            return None
    return a, b, c


def shape(fmt):
    """The members of struct row for a format, or None if it has no such."""
    s = {"regs": 0, "vm": 0, "rm": 0, "aqrl": 0, "aux": 0,
         "imm": (0, 0, 0, 0, 0)}
    for f in fmt.fields:
        hi, lo = f.pieces[0]
        if f.member in PLACE and lo - f.scale == PLACE[f.member]:
            s["regs"] |= 31 << 8 * "d123".index(f.member)
        elif f.member == "imm" and immediate(f):
            s["imm"] = immediate(f)
        elif f.member in WHERE and lo == WHERE[f.member] \
                and len(f.pieces) == 1:
            s[f.member] = (1 << f.width) - 1
        else:
            return None
    return s


def row(r, index):
    """The initializer of a row's struct row."""
    s = shape(r.format)
    head = f".match = 0x{r.match:08x}, .mask = 0x{r.mask:08x}"
    if s is None:
        return f"{{ {head}, .right = OTHER + {index[r.format.name] + 1} }}"
    right, sign, a, b, c = s["imm"]
    members = {"regs": s["regs"], "a": a, "b": b, "c": c, "sign": sign,
               "rest": s["aux"] | s["vm"] << 16 | s["rm"] << 24,
               "aqrl": s["aqrl"], "right": right}
    return f"{{ {head}, " + ", ".join(
        f".{k} = 0x{v:x}" for k, v in members.items() if v) + " }"


# ---- builders ---------------------------------------------------------------

def builders(t):
    out = [HEAD, "#pragma once\n\n#include <ventus/isa.h>\n"]
    out.append("/*\n * One function per instruction: its operands by name, in "
               "the order they are\n * written, give the struct isa_insn.  "
               "Registers are full numbers; call\n * isa_add_prefix before "
               "isa_encode.  vm, rm and aqrl come last: 1, 7 and 0 are\n * "
               "unmasked, dynamic rounding, no ordering.\n */")
    for r in t.rows.values():
        fields = sorted(r.format.fields,
                        key=lambda f: f.kind in ("vm", "rm", "aqrl", "opt"))
        args = ", ".join(f"{'int32_t' if f.member == 'imm' else 'unsigned'}"
                         f" {f.name}" for f in fields) or "void"
        sets = [f".op = ISA_{ident(r.name)}"]
        for f in fields:
            if f.member in "d123":
                sets.append(f".reg[{'d123'.index(f.member)}] = (uint8_t)"
                            f"{f.name}")
            else:
                kind = TYPES.get(f.member, "uint8_t")
                sets.append(f".{f.member} = ({kind}){f.name}")
        out.append(f"/* {r.prose} */\nstatic inline struct isa_insn\n"
                   f"isa_{r.ident}({args})\n{{\n"
                   f"    return (struct isa_insn){{ {', '.join(sets)} }};\n}}\n")
    return "\n".join(out)


def write(path, text):
    """Writes only what changed, so that nothing is rebuilt for nothing."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        with open(path, encoding="utf-8") as f:
            if f.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("table")
    ap.add_argument("--out", help="folder for what is made")
    ap.add_argument("--check", action="store_true",
                    help="only read and check the table")
    args = ap.parse_args()
    try:
        t = Table(args.table)
    except TableError as e:
        sys.exit(str(e))
    missing = DERIVED - set(t.flags)
    if missing:
        sys.exit(f"{args.table}: flags {sorted(missing)} are not declared")
    if args.check or not args.out:
        print(f"{args.table}: {len(t.rows)} instructions, "
              f"{len(t.aliases)} aliases")
        return
    files = {"include/ventus/isa_ops.h": ops_header(t),
             "include/ventus/isa_build.h": builders(t),
             "src/isa/isa_tables.c": tables(t),
             "src/isa/isa_decode.inc": decode(t),
             "docs/isa.md": manual.page(t),
             "tests/isa/legal1.txt": legal.lines(t, 1),
             "tests/isa/legal2.txt": legal.lines(t, 2)}
    for name, text in files.items():
        write(os.path.join(args.out, name), text)


if __name__ == "__main__":
    main()
