# SPDX-License-Identifier: Apache-2.0
"""docs/isa.md: the manual made from the table."""
import re


def picture(row):
    """Runs of equal owner, high to low: [(text, bits)]."""
    owner = []
    for i in range(31, -1, -1):
        who = row.picture[31 - i]
        for f in row.format.fields:
            if f.bits >> i & 1:
                who = f
        owner.append(who)
    cells, i = [], 0
    while i < 32:
        j = i
        fixed = isinstance(owner[i], str)
        while j < 32 and (owner[j] is owner[i] or
                          fixed and isinstance(owner[j], str)):
            j += 1
        cells.append((row.picture[i:j] if fixed else owner[i].name, j - i))
        i = j
    return cells


def written(row):
    return re.sub(r"{(\w+)#?}", r"\1", row.format.syntax)


def instruction(row, t):
    unit, cycles, interval, _ = t.classes[row.lat]
    cells = picture(row)
    syntax = written(row)
    for f in row.format.fields:  # what follows the operands only at times
        if f.kind in ("vm", "rm", "opt"):
            syntax = syntax.replace(f.name, {"vm": "[, v0.t]", "rm": "[, rm]"}
                                    .get(f.kind, f"[, {f.name}=n]"))
    flags = ", ".join(sorted(row.flags)) or "none"
    out = [f"### {row.name}", "", f"    {row.name} {syntax}".rstrip(), "",
           row.prose + "." if not row.prose.endswith(".") else row.prose, "",
           "| " + " | ".join(c for c, _ in cells) + " |",
           "|" + "---|" * len(cells),
           "| " + " | ".join(str(n) for _, n in cells) + " |", "",
           f"match `{row.match:08x}` mask `{row.mask:08x}`, version "
           f"{' and '.join(map(str, row.versions))}, unit {unit}, "
           f"{cycles} cycles (busy {interval}), meaning `{row.meaning}`, "
           f"flags: {flags}", ""]
    if row.more:
        out += [" ".join(row.more), ""]
    return out


def page(t):
    out = ["# Ventus instruction set", "",
           "Made from src/isa/ventus.isa by src/isa/gen.py.  "
           f"{len(t.rows)} instructions.", ""]
    for g in t.groups:
        out += [f"## {g.title}", ""]
        if g.prose:
            out += ["\n".join(g.prose), ""]
        for row in g.rows:
            out += instruction(row, t)
    out += ["## Other spellings", "", "| written | stands for |", "|---|---|"]
    for a in t.aliases:
        fixed = " ".join(f"{f.name}={v if isinstance(v, int) else v.name}"
                         for f, v in a.fixed)
        syntax = re.sub(r"{(\w+)}", r"\1", a.syntax)
        out.append(f"| `{a.name} {syntax}` | {a.row.name} {fixed} |")
    out += ["", "## Control and status registers", "",
            "| number | name | access | |", "|---|---|---|---|"]
    for name, number, ro, prose in t.csrs:
        out.append(f"| 0x{number:03x} | {name} | {'ro' if ro else 'rw'} | "
                   f"{prose} |")
    out += ["", "## Units and latencies of the default machine", "",
            "| class | unit | cycles | busy | |", "|---|---|---|---|---|"]
    for name, (unit, cycles, interval, prose) in t.classes.items():
        out.append(f"| {name} | {unit} | {cycles} | {interval} | {prose} |")
    return "\n".join(out) + "\n"
