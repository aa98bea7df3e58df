#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every standard row against llvm-mc-19, in both directions.

    llvm.py llvm-mc-19 TABLE LEGAL1 LEGAL2

The lines of legal.py, in LLVM's spelling, must assemble to the same words, and
the words must disassemble to the same lines.  Ventus has no f registers and
per-lane atomics, so x and v are renamed where LLVM wants others."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../src/isa"))
from table import Table  # noqa: E402

RV32 = ["--triple=riscv32"]
RUNS = {"i": RV32, "m": RV32 + ["--mattr=+m"], "a": RV32 + ["--mattr=+a"],
        "zicsr": RV32, "zfinx": RV32 + ["--mattr=+zfinx"],
        "alias-f": RV32 + ["--mattr=+f"], "v": RV32 + ["--mattr=+v,+f"],
        "rv64": ["--triple=riscv64", "--mattr=+a"]}


def spelling(row, text, std, csrs):
    """Our line as LLVM writes it with -M no-aliases -M numeric."""
    name, _, ops = text.partition(" ")
    ops = re.sub(r"pc \+ (-?\d+)", r"\1", ops)
    ops = re.sub(r"pc - (\d+)", r"-\1", ops)
    if std == "zicsr":
        parts = ops.split(", ")
        number = csrs.get(parts[1])
        if number is not None and (number >> 8 == 8 or number == 0x8f0):
            parts[1] = str(number)
        elif parts[1].startswith("0x"):
            parts[1] = str(int(parts[1], 16))
        ops = ", ".join(parts)
    if row.meaning in ("lui", "auipc"):
        parts = ops.split(", ")
        ops = f"{parts[0]}, {int(parts[1], 16)}"
    if row.format.name in ("LR", "AMO", "LRD", "AMOD"):
        ops = ops.replace("v", "x")
    if any(f.kind == "rm" for f in row.format.fields) \
            and not re.search(r", r[a-z]{2}$", ops):
        ops += ", dyn"
    if std == "alias-f":
        ops = {"fmv.x.w": re.sub(r", x", ", f", ops),
               "fmv.w.x": re.sub(r"^x", "f", ops)}.get(
                   name, re.sub(r"^x", "f", ops))
    if name.endswith(".vf") or name in ("vfmv.v.f", "vfmv.s.f"):
        ops = re.sub(r"\bx(\d+)", r"f\1", ops)
    if name == "vfmv.f.s":
        ops = re.sub(r"^x", "f", ops)
    return f"{name} {ops}".strip()


def skipped(row, text, std):
    """What LLVM cannot take though the words are legal here."""
    registers = re.findall(r"\bv(\d+)\b", text.split("v0.t")[0])
    if row.name == "fence":
        return "0x" in text or "unused" in text or " 0" in text
    if row.name.startswith("vset"):
        return bool(re.search(r", \d+$", text)) and row.name != "vsetvl"
    if "masked" in row.flags and text.endswith("v0.t") and \
            registers[:1] == ["0"]:
        return True  # RVV: a masked result may not be v0
    if "pair64" in row.flags and std == "v":  # nor may it overlap a source
        low = int(registers[0])
        wide = 2 if row.name[-2:] in ("wv", "wx") else 1
        if text.endswith("v0.t") and low == 0:
            return True
        for i, r in enumerate(registers[1:], 1):
            aligned = i == 1 and wide == 2
            if not aligned and low <= int(r) <= low + 1:
                return True
    if row.name.startswith(("vmerge", "vadc", "vsbc")) and registers[0] == "0":
        return True
    if row.name.startswith(("vfwcvt", "vzext", "vsext")) and \
            registers[0] == registers[1]:
        return True  # nor a wider result lie over its source
    return False


def collect(table, files):
    """{std: [(word, line)]}, each word once."""
    rows, found = {}, {}
    csrs = {}
    for name, number, _, _ in table.csrs:
        csrs.setdefault(name, number)
    for g in table.groups:
        for row in g.rows:
            rows[row.name] = row, g.std
    for path in files:
        with open(path, encoding="utf-8") as f:
            for line in f:
                word, _, text = line.rstrip("\n").partition(" ")
                name = re.sub(r"\.(aq|rl|aqrl)$", "", text.split()[0])
                row, std = rows[name]
                if std and not skipped(row, text, std):
                    found.setdefault(std, {})[word] = \
                        spelling(row, text, std, csrs)
    return {std: list(lines.items()) for std, lines in found.items()}


def run(llvm_mc, args, text):
    p = subprocess.run([llvm_mc] + args, input=text, text=True,
                       capture_output=True, check=False)
    return p.stdout.replace("\t", " "), p.stderr


def assemble(llvm_mc, args, lines):
    """Words in order; None where LLVM refuses."""
    out, err = run(llvm_mc, args + ["--show-encoding", "-M", "no-aliases"],
                   "\n".join(text for _, text in lines) + "\n")
    if err:
        return None, err
    words = []
    for m in re.finditer(r"encoding: \[([^\]]*)\]", out):
        bytes_ = [int(b.strip("'A"), 16) for b in m[1].split(",")]
        words.append(f"{int.from_bytes(bytes_, 'little'):08x}")
    return words, err


def disassemble(llvm_mc, args, lines):
    data = "\n".join(" ".join(f"0x{b:02x}" for b in
                              int(w, 16).to_bytes(4, "little"))
                     for w, _ in lines) + "\n"
    out, err = run(llvm_mc, args + ["--disassemble", "-M", "no-aliases",
                                    "-M", "numeric"], data)
    texts = [" ".join(line.split()) for line in out.split("\n")
             if line.strip() and not line.strip().startswith(".")]
    return texts, err


def compare(what, std, lines, got, column):
    wrong = 0
    for line, g in zip(lines, got):
        if line[column] != g:
            wrong += 1
            if wrong <= 5:
                print(f"{std} {what}: {line[0]} {line[1]}: LLVM has {g}")
    if len(got) != len(lines):
        print(f"{std} {what}: {len(got)} of {len(lines)} lines")
        wrong += 1
    return wrong


def main():
    llvm_mc, table, *files = sys.argv[1:]
    wrong = total = 0
    for std, lines in collect(Table(table), files).items():
        total += len(lines)
        words, err = assemble(llvm_mc, RUNS[std], lines)
        if words is None:
            print(f"{std}: llvm-mc refuses:\n{err[:2000]}")
            wrong += 1
        else:
            wrong += compare("assembled", std, lines, words, 0)
        texts, err = disassemble(llvm_mc, RUNS[std], lines)
        if err:
            print(f"{std}: llvm-mc does not know:\n{err[:2000]}")
            wrong += 1
        wrong += compare("disassembled", std, lines, texts, 1)
    print(f"{total} standard lines, {wrong} differ")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
