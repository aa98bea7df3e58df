#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates sources, headers and the manual from tile.isa or rv64.isa.

    words_gen.py tile.isa --out DIR [-D NAME=BITS]    or --check

Into DIR, for the instruction set NAME that the table names:
    include/ventus/NAME_ops.h   enums, struct NAME_insn (public)
    src/isa/NAME_tables.c       rows, fields, lists, look-up for words.c
    docs/NAME_isa.md            the manual
"""
import argparse
import os
import sys

import decoder
import gen
from table import TableError
from words_table import KINDS, WordsTable

FIELDS_MAX = 18


def head(t):
    return "/* SPDX-License-Identifier: Apache-2.0 */\n" \
        f"/* Made by src/isa/words_gen.py from src/isa/{t.name}.isa. */\n"


def c_type(fields):
    """The smallest type that holds all values of these fields."""
    if any(f.signed or f.kind == "hi" for f in fields):
        return "int32_t"
    bits = max(f.width + f.scale for f in fields)
    return "uint8_t" if bits <= 8 else "uint16_t" if bits <= 16 else "int32_t"


def members(t):
    """{member: its fields}, in order of appearance."""
    found = {}
    for f in t.fields.values():
        found.setdefault(f.member, []).append(f)
    return found


def list_enum(t, names):
    prefix = f"ventus_{t.name}_{names.name}".upper()
    seen, lines = set(), []
    if names.ours:
        lines.append("/* Our definition: the document is silent. */")
    lines.append(f"enum ventus_{t.name}_{names.name} {{")
    for value, name, prose in names.names:
        ident = gen.ident(name.strip(".")) or "NONE"
        if value in seen or ident in seen:
            continue
        seen |= {value, ident}
        note = f" /* {prose} */" if prose else ""
        lines.append(f"    {prefix}_{ident} = {value},{note}")
    return "\n".join(lines + ["};\n"])


def ops_header(t):
    up = "VENTUS_" + t.name.upper()
    out = [head(t), "#pragma once\n\n#include <stdint.h>\n"]
    out.append(gen.enum(f"ventus_{t.name}_op", f"{up}_",
                        ["none"] + [r.name for r in t.rows.values()],
                        f"{up}_OP_COUNT"))
    out.append(gen.enum(f"ventus_{t.name}_unit", f"{up}_UNIT_", t.units,
                        f"{up}_UNIT_COUNT"))
    out.append(gen.enum(f"ventus_{t.name}_lat", f"{up}_LAT_", t.classes,
                        f"{up}_LAT_COUNT"))
    out += [list_enum(t, names) for names in t.lists.values()]
    if t.flags:
        out.append(f"enum ventus_{t.name}_flag {{")
        out += [f"    {up}_F_{n.upper()} = 1 << {i}, /* {prose} */"
                for i, (n, prose) in enumerate(t.flags.items())]
        out.append("};\n")
    if t.csrs:
        out.append(f"enum ventus_{t.name}_csr {{")
        out += [f"    {up}_CSR_{n.upper()} = 0x{number:03x}, /* {prose} */"
                for n, number, _, prose in t.csrs]
        out.append("};\n")
    out.append("/* X(row, meaning) of every row: a dispatch table names each "
               "one, so that a\n * row without its function does not "
               "link. */")
    out.append(f"#define {up}_ROWS(X) \\")
    out += [f"    X({r.ident}, {r.meaning}) \\" for r in t.rows.values()]
    out[-1] = out[-1][:-2] + "\n"
    for name, bits in t.own_constants.items():
        out.append(f"enum {{ {up}_{name} = 0x{int(bits, 2):x} }};\n")
    out.append("/*\n * A decoded instruction; members it does not have are 0."
               "  Numbers are as\n * written: extended, scaled.\n */")
    out.append(f"struct ventus_{t.name}_insn {{\n    uint16_t op;  "
               f"/* enum ventus_{t.name}_op */\n    uint8_t size; "
               "/* bytes in memory */")
    out += [f"    {c_type(fields)} {name};"
            for name, fields in members(t).items()]
    return "\n".join(out + ["};"]) + "\n"


def pieces(found):
    return "{ " + ", ".join(f"{{ {r}, {hi}, {lo} }}"
                            for r, hi, lo in found or [(0, 0, 0)]) + " }"


def fields(t):
    sizes = {"uint8_t": 1, "uint16_t": 2, "int32_t": 4}
    types = {name: c_type(fs) for name, fs in members(t).items()}
    lists = list(t.lists)
    out = ["static const struct words_field fields[] = {"]
    for f in t.fields.values():
        where = f"offsetof(struct ventus_{t.name}_insn, {f.member})"
        run = f"offsetof(struct ventus_{t.name}_insn, {f.run.member})" \
            if f.run else "0"
        bad = (f.excluded + [-1, -1])[:2]
        out.append(
            f"    {{ {gen.quote(f.name)}, {gen.quote(f.label)}, "
            f"WORDS_{f.kind.upper()}, {sizes[types[f.member]]}, {where}, "
            f"{run}, {f.scale}, {f.add}, {f.width}, {int(f.signed)}, "
            f"{lists.index(f.list.name) + 1 if f.list else 0}, "
            f"{{ {bad[0]}, {bad[1]} }}, {len(f.pieces)}, {len(f.copies)}, "
            f"{pieces(f.pieces)}, {pieces(f.copies)} }},")
    return out + ["};\n"]


def lists(t):
    out = []
    for names in t.lists.values():
        out.append(f"static const struct words_name names_{names.name}[] = {{")
        out += [f"    {{ {v}, {gen.quote(n)}, {gen.quote(p)} }},"
                for v, n, p in names.names]
        out.append("};\n")
    out.append("static const struct words_list lists[] = {")
    for names in t.lists.values():
        legal = sum(1 << v for v in names.values())
        out.append(f"    {{ {gen.quote(names.name)}, {int(names.ours)}, "
                   f"{len(names.names)}, names_{names.name}, "
                   f"0x{legal:x}u }},")
    return out + ["    { 0 },\n};\n"]


def rows(t):
    index = {name: i for i, name in enumerate(t.fields)}
    lat = {name: i for i, name in enumerate(t.classes)}
    unit = {name: i for i, name in enumerate(t.units)}
    flag = list(t.flags)
    out = ["static const struct words_row rows[] = {", "    { .name = \"\" },"]
    for group, g in enumerate(t.groups):
        for r in g.rows:
            if len(r.format.fields) > FIELDS_MAX:
                sys.exit(f"{t.path}:{r.line}: more than {FIELDS_MAX} operands")
            words = [r.word(i) for i in range(len(r.roles))]
            own = ", ".join(str(index[f.name]) for f in r.format.fields)
            out.append(
                f"    {{ {gen.quote(r.name)}, {gen.syntax(t, r.mnemonic)}, "
                f"{gen.syntax(t, r.format.syntax)},\n"
                f"      {gen.quote(r.prose)}, {gen.quote(r.meaning)},\n"
                f"      {{ {', '.join(f'0x{m:08x}' for m, _ in words)} }}, "
                f"{{ {', '.join(f'0x{k:08x}' for _, k in words)} }}, "
                f"{len(words)}, {r.bytes}, "
                f"{{ {', '.join(map(str, r.roles))} }},\n"
                f"      0x{sum(1 << flag.index(f) for f in r.flags):x}, "
                f"{unit[t.classes[r.lat][0]]}, {lat[r.lat]}, {group}, "
                f"{len(r.format.fields)}, {{ {own or 0} }} }},")
    return out + ["};\n"]


def aliases(t):
    index = {name: i for i, name in enumerate(t.fields)}
    op = {name: i for i, name in enumerate(t.rows, 1)}
    out = ["static const struct words_alias aliases[] = {"]
    for a in t.aliases:
        fixed = ", ".join(
            f"{{ {index[f.name]}, 0, {v} }}" if isinstance(v, int) else
            f"{{ {index[f.name]}, {index[v.name] + 1}, 0 }}"
            for f, v in a.fixed) or "{ 0, 0, 0 }"
        out.append(f"    {{ {gen.quote(a.name)}, {gen.syntax(t, a.syntax)}, "
                   f"{op[a.row.name]}, {int(a.printed)}, {len(a.fixed)}, "
                   f"{{ {fixed} }} }},")
    return out + ["    { 0 },\n};\n"]


def first_word(t):
    """The look-up by the first word: a leaf is the index in chain[] of its
    rows, the most specific first, with 0 after the last."""
    op = {name: i for i, name in enumerate(t.rows, 1)}
    chain, chains = [0], {}

    def leaf(rows):
        rows = sorted(rows, key=lambda r: -bin(r.mask).count("1"))
        ops = tuple(op[r.name] for r in rows)
        if ops not in chains:
            chains[ops] = len(chain)
            chain.extend(ops + (0,))
        return chains[ops]

    found = decoder.Lookup(list(t.rows.values()), leaf).tables("first_word")
    return found + decoder.c_array("static const uint16_t chain[]", chain)


def tables(t):
    out = [head(t), "#include <stddef.h>\n",
           f"#include <ventus/{t.name}_isa.h>\n", '#include "isa/words.h"\n']
    out += lists(t) + fields(t) + rows(t) + aliases(t) \
        + first_word(t)
    out.append("\nstatic const struct words_csr csrs[] = {")
    out += [f"    {{ {gen.quote(n)}, 0x{number:03x}, {int(ro)}, "
            f"{gen.quote(p)} }}," for n, number, ro, p in t.csrs]
    out.append("    { 0 },\n};\n")
    out.append("static const struct words_latency latencies[] = {")
    out += [f"    {{ {gen.quote(n)}, {t.units.index(u)}, {c}, {i}, "
            f"{gen.quote(p)} }}," for n, (u, c, i, p) in t.classes.items()]
    out.append("};\n")
    for name, words in (("groups", [g.title for g in t.groups]),
                        ("units", t.units)):
        out.append(f"static const char *const {name}[] = {{")
        out += [f"    {gen.quote(w)}," for w in words] + ["};\n"]
    out.append(f"const struct words_isa {t.name}_words = {{\n"
               f"    {gen.quote(t.name)}, "
               f"sizeof(struct ventus_{t.name}_insn),\n"
               f"    {len(t.rows) + 1}, {len(t.fields)}, {len(t.lists)}, "
               f"{len(t.aliases)}, {len(t.csrs)}, {len(t.classes)}, "
               f"{len(t.groups)}, {len(t.units)},\n"
               "    rows, fields, lists, aliases, csrs, latencies, groups, "
               "units,\n    &first_word, chain,\n};")
    return "\n".join(out) + "\n"


# ---- manual ------------------------------------------------------------------

def owners(row, i):
    """Runs of equal owner in the word at index i: [(text, bits)]."""
    top, cells = len(row.pictures[i]), []
    for b in range(top - 1, -1, -1):
        who = row.pictures[i][top - 1 - b]
        for f in row.format.fields:
            if f.bits(row.roles[i]) >> b & 1:
                who = f.name
        if cells and (cells[-1][0] == who or
                      who in "01" and cells[-1][0].strip("01") == ""):
            text = cells[-1][0] + (who if who in "01" else "")
            cells[-1] = (text, cells[-1][1] + 1)
        else:
            cells.append((who, 1))
    return cells


def page(t):
    out = [f"# {t.name} instruction set", "",
           f"Made from src/isa/{t.name}.isa.", ""]
    for g in t.groups:
        out += [f"## {g.title}", ""] + g.prose + [""]
        for r in g.rows:
            text = f"{r.mnemonic} {r.format.syntax}".strip()
            out += [f"### {r.name}", "", "    " + text, "", r.prose, ""]
            for i, role in enumerate(r.roles):
                cells = owners(r, i)
                out += ["| word " + str(role) + " | "
                        + " | ".join(c for c, _ in cells) + " |",
                        "|---" * (len(cells) + 1) + "|",
                        "| bits | " + " | ".join(str(n) for _, n in cells)
                        + " |", ""]
            out += [" ".join(r.more), ""] if r.more else []
    for names in t.lists.values():
        whose = " (our definition)" if names.ours else ""
        out += [f"## List {names.name}{whose}", "", names.prose, "",
                "| value | name | |", "|---|---|---|"]
        out += [f"| {v} | {n or '(none)'} | {p} |"
                for v, n, p in names.names] + [""]
    out += ["## Control and status registers", "", "| number | name | | |",
            "|---|---|---|---|"]
    out += [f"| 0x{number:03x} | {n} | {'ro' if ro else 'rw'} | {p} |"
            for n, number, ro, p in t.csrs]
    return "\n".join(out) + "\n"


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("table")
    ap.add_argument("--out", help="folder for what is made")
    ap.add_argument("--check", action="store_true")
    ap.add_argument("-D", action="append", default=[], metavar="NAME=BITS",
                    help="another value of a constant")
    args = ap.parse_args()
    try:
        t = WordsTable(args.table, [d.split("=") for d in args.D])
    except TableError as e:
        sys.exit(str(e))
    if args.check or not args.out:
        print(f"{args.table}: {len(t.rows)} instructions")
        return
    files = {f"include/ventus/{t.name}_ops.h": ops_header(t),
             f"src/isa/{t.name}_tables.c": tables(t),
             f"docs/{t.name}_isa.md": page(t)}
    for name, text in files.items():
        gen.write(os.path.join(args.out, name), text)


assert KINDS  # words.h has the same names
if __name__ == "__main__":
    main()
