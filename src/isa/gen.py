#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates sources, the manual and test data from an instruction table.

    gen.py ventus.isa --out DIR     C sources, headers, docs and test lines
    gen.py ventus.isa --check       only reads and checks the table

Into DIR:
    include/ventus/isa_ops.h    enums and flags (public)
    include/ventus/isa_build.h  one typed builder per instruction (public)
    src/isa/isa_tables.c        info, fields, formats, aliases, CSRs, latencies
    src/isa/isa_decode.inc      opcode look-up and operand extraction
    src/isa/isa_meanings.h      lists of the integer functions that rows name
    docs/isa.md                 the manual
    tests/isa/legal1.txt, legal2.txt   legal words and their text (legal.py)
"""
import argparse
import os
import re
import sys

import decoder
import legal
import manual
from table import DERIVED, KINDS, MEMBERS, RELOCS, Table, TableError

HEAD = "/* SPDX-License-Identifier: Apache-2.0 */\n" \
       "/* Made by src/isa/gen.py from src/isa/ventus.isa: change those. */\n"


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
    out.append(enum("ventus_isa_op", "VENTUS_ISA_", ["none"] + list(t.rows),
                    "VENTUS_ISA_OP_COUNT"))
    out.append(enum("ventus_isa_unit", "VENTUS_ISA_UNIT_", t.units,
                    "VENTUS_ISA_UNIT_COUNT"))
    out.append(enum("ventus_isa_lat", "VENTUS_ISA_LAT_", t.classes,
                    "VENTUS_ISA_LAT_COUNT"))
    out.append(enum("ventus_isa_format", "VENTUS_ISA_FORMAT_", t.formats,
                    "VENTUS_ISA_FORMAT_COUNT"))
    out.append(enum("ventus_isa_kind", "VENTUS_ISA_KIND_", KINDS))
    out.append(enum("ventus_isa_member", "VENTUS_ISA_MEMBER_", MEMBERS))
    out.append(enum("ventus_isa_reloc", "VENTUS_ISA_RELOC_", RELOCS))
    out.append("/* ventus_isa_info.flags */\nenum ventus_isa_flag {")
    for i, (name, prose) in enumerate(t.flags.items()):
        out.append(f"    VENTUS_ISA_F_{name.upper()} = 1 << {i}, /* {prose} */")
    out.append("};\n\n/* CSR numbers */\nenum ventus_isa_csr_number {")
    for name, number, _, prose in t.csrs:
        out.append(f"    VENTUS_ISA_CSR_{name.upper()} = 0x{number:03x},"
                   f" /* {prose} */")
    out.append("};\n\n/* ventus_isa_related[FROM][...] */\nenum ventus_isa_relation {")
    for name, relation in t.relations.items():
        out.append(f"    VENTUS_ISA_{ident(name)}_OF, /* {relation.prose} */")
    out.append("    VENTUS_ISA_RELATION_COUNT")
    out.append("};\n\nenum {")
    out.append(f"    VENTUS_ISA_CSR_COUNT = {len(t.csrs)},")
    out.append(f"    VENTUS_ISA_ALIAS_COUNT = {len(t.aliases)},")
    out.append(f"    VENTUS_ISA_FIELD_COUNT = {len(t.fields)},")
    out.append(f"    VENTUS_ISA_FLAG_COUNT = {len(t.flags)},")
    out.append(f"    VENTUS_ISA_GROUP_COUNT = {len(t.groups)},\n}};")
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


def number_of(names, first=0):
    """Each name's number, as the enums of isa.h count."""
    return {name: i for i, name in enumerate(names, first)}


def instruction_tables(t):
    fmt, lat = number_of(t.formats), number_of(t.classes)
    op, unit, flag = number_of(t.rows, 1), number_of(t.units), list(t.flags)
    out = ["const struct ventus_isa_info "
           "ventus_isa_info[VENTUS_ISA_OP_COUNT] = {",
           '    { .name = "", .prose = "", .meaning = "" },']
    for group, g in enumerate(t.groups):
        for r in g.rows:
            flags = sum(1 << flag.index(f) for f in r.flags)
            out.append(
                f"    {{ {quote(r.name)}, {quote(r.prose)}, "
                f"{quote(r.meaning)}, 0x{r.match:08x}, 0x{r.mask:08x}, "
                f"0x{flags:x}, {sum(r.versions)}, {fmt[r.format.name]}, "
                f"{unit[t.classes[r.lat][0]]}, {lat[r.lat]}, {group} }},")
    out.append("};\n\nconst char *const "
               "ventus_isa_more_prose[VENTUS_ISA_OP_COUNT] = {")
    for r in t.rows.values():
        if r.more:
            out.append(f"    [{op[r.name]}] = "
                       + "\n        ".join(quote(m + "\n") for m in r.more) + ",")
    return out + ["};\n"]


def format_tables(t):
    fld = number_of(t.fields)
    out = ["const struct ventus_isa_field "
           "ventus_isa_fields[VENTUS_ISA_FIELD_COUNT] = {"]
    for f in t.fields.values():
        pieces = ", ".join(f"{{ {hi}, {lo} }}" for hi, lo in f.pieces)
        out.append(
            f"    {{ {quote(f.name)}, {KINDS.index(f.kind)}, "
            f"{MEMBERS.index(f.member)}, {RELOCS.index(f.reloc)}, "
            f"{f.scale}, {f.width}, {int(f.signed)}, {int(f.out)}, "
            f"{int(f.read)}, {int(f.pair)}, {int(f.wide)}, "
            f"{len(f.pieces)}, {{ {pieces} }} }},")
    out.append("};\n\nconst struct ventus_isa_format_info "
               "ventus_isa_formats[VENTUS_ISA_FORMAT_COUNT] = {")
    for f in t.formats.values():
        forms = ", ".join([syntax(t, f.syntax), syntax(t, f.log)]
                          + [syntax(t, s) for s in f.others])
        fields = ", ".join(str(fld[x.name]) for x in f.fields)
        out.append(f"    {{ {quote(f.name)}, {{ {forms} }}, "
                   f"{len(f.fields)}, {{ {fields} }} }},")
    return out + ["};\n"]


def alias_tables(t):
    fld, op = number_of(t.fields), number_of(t.rows, 1)
    first, following = printed_aliases(t)
    out = ["const struct ventus_isa_alias "
           "ventus_isa_aliases[VENTUS_ISA_ALIAS_COUNT] = {"]
    for i, a in enumerate(t.aliases):
        fixed = ", ".join(
            f"{{ {fld[f.name]}, 0, {v} }}" if isinstance(v, int) else
            f"{{ {fld[f.name]}, {fld[v.name] + 1}, 0 }}" for f, v in a.fixed)
        out.append(f"    {{ {quote(a.name)}, {syntax(t, a.syntax)}, "
                   f"{op[a.row.name]}, {int(a.printed)}, {following.get(i, 0)}, "
                   f"{len(a.fixed)}, "
                   f"{{ {fixed or '{ 0, 0, 0 }'} }} }},")
    out.append("};\n\nconst uint8_t ventus_isa_first_alias[VENTUS_ISA_OP_COUNT] = {")
    out += [f"    [{op[name]}] = {i}," for name, i in first.items()]
    return out + ["};\n"]


def relation_tables(t):
    out = ["const uint16_t ventus_isa_related[VENTUS_ISA_OP_COUNT]"
           "[VENTUS_ISA_RELATION_COUNT] = {"]
    for row in t.rows:
        to = ", ".join(f"[VENTUS_ISA_{ident(name)}_OF] = VENTUS_ISA_{ident(r.to[row])}"
                       for name, r in t.relations.items() if row in r.to)
        if to:
            out.append(f"    [VENTUS_ISA_{ident(row)}] = {{ {to} }},")
    return out + ["};\n"]


def tables(t):
    unit = number_of(t.units)
    out = [HEAD, "#include <ventus/isa.h>\n", *instruction_tables(t),
           *format_tables(t), *alias_tables(t), *relation_tables(t)]
    out.append("const struct ventus_isa_csr "
               "ventus_isa_csrs[VENTUS_ISA_CSR_COUNT] = {")
    for name, number, ro, prose in t.csrs:
        out.append(f"    {{ {quote(name)}, 0x{number:03x}, {int(ro)}, "
                   f"{quote(prose)} }},")
    out.append("};\n\nconst struct ventus_isa_latency ventus_isa_latency[] = {")
    for name, (u, cycles, interval, prose) in t.classes.items():
        out.append(f"    {{ {quote(name)}, {unit[u]}, {cycles}, {interval}, "
                   f"{quote(prose)} }},")
    out.append("};\n")
    for name, words in (("ventus_isa_groups", [g.title for g in t.groups]),
                        ("ventus_isa_group_std",
                         [g.std or "" for g in t.groups]),
                        ("ventus_isa_unit_names", t.units),
                        ("ventus_isa_flag_names", t.flags)):
        out.append(f"const char *const {name}[] = {{")
        out += [f"    {quote(w)}," for w in words] + ["};\n"]
    return "\n".join(out)


# ---- builders ---------------------------------------------------------------

def builders(t):
    out = [HEAD, "#pragma once\n\n#include <ventus/isa.h>\n",
           "#ifdef __cplusplus\n#error \"<ventus/isa_build.h> is C: C++ has "
           "no designators of array elements\"\n#endif\n"]
    out.append("/*\n * C only.  One function per instruction: its operands by name, in "
               "the order they are\n * written, give the struct ventus_isa_insn.  "
               "Registers are full numbers;\n * call ventus_isa_add_prefix "
               "before ventus_isa_encode.  vm, rm and aqrl come\n * last: 1, 7 "
               "and 0 are unmasked, dynamic rounding, no ordering.\n */")
    for r in t.rows.values():
        fields = sorted(r.format.fields,
                        key=lambda f: f.kind in ("vm", "rm", "aqrl", "opt"))
        args = ", ".join(f"{'int32_t' if f.member == 'imm' else 'unsigned'}"
                         f" {f.name}" for f in fields) or "void"
        sets = [f".op = VENTUS_ISA_{ident(r.name)}"]
        for f in fields:
            if f.member in "d123":
                sets.append(f".reg[{'d123'.index(f.member)}] = (uint8_t)"
                            f"{f.name}")
            else:
                kind = decoder.TYPES.get(f.member, "uint8_t")
                sets.append(f".{f.member} = ({kind}){f.name}")
        out.append(f"/* {r.prose} */\nstatic inline struct ventus_isa_insn\n"
                   f"ventus_isa_{r.ident}({args})\n{{\n"
                   f"    return (struct ventus_isa_insn){{ "
                   f"{', '.join(sets)} }};\n}}\n")
    return "\n".join(out)


def meanings(t, source):
    """src/isa/isa_meanings.h, from the table and the text of sem_int.h.

    A list has the functions of two or of three sources that rows name as meaning."""
    named = {r.meaning for r in t.rows.values()}
    lists = {2: [], 3: []}
    for name, operands in re.findall(r"^(?:static inline U )?SEM_INT ?"
                                     r"\((\w+)\)\((U a[^)]*)\)$", source, re.M):
        sources = operands.count("U ")
        if name in named and sources in lists:
            lists[sources].append(f"X({name})")
    out = [HEAD, "#pragma once\n",
           "/* X(meaning) for each integer function of sem_int.h that a row of the\n"
           " * table names: with two sources, and with two and the accumulator. */"]
    for sources, words in lists.items():
        out.append(f"#define SEM_LIST{sources}(X) \\\n    "
                   + " \\\n    ".join(words) + "\n")
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
    header = os.path.join(os.path.dirname(args.table), "sem_int.h")
    with open(header, encoding="utf-8") as f:
        integer = f.read()
    files = {"include/ventus/isa_ops.h": ops_header(t),
             "include/ventus/isa_build.h": builders(t),
             "src/isa/isa_tables.c": tables(t),
             "src/isa/isa_decode.inc": HEAD + decoder.tables(t),
             "src/isa/isa_meanings.h": meanings(t, integer),
             "docs/isa.md": manual.page(t),
             "tests/isa/legal1.txt": legal.lines(t, 1),
             "tests/isa/legal2.txt": legal.lines(t, 2)}
    for name, text in files.items():
        write(os.path.join(args.out, name), text)


if __name__ == "__main__":
    main()
