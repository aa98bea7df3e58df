#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Standard RISC-V sources assemble as llvm-mc-19 assembles them.

    llvm.py VENTUS

Compared for each tests/asm/std/*.s: the bytes of every section with contents,
its relocations (offset, type, symbol or section, addend), and the symbols.
And what clang-19 -S writes gives the code that clang-19 -c makes, with debugging
information that llvm-dwarfdump-19 accepts."""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
MC = ["llvm-mc-19", "--triple=riscv32", "-mattr=+m,+a,+v",
      "-filetype=obj"]
# What only one of the two writes.
OWN = {".note.ventus", ".riscv.attributes", ".symtab", ".strtab", ".shstrtab",
       ".note.GNU-stack", ""}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def contents(obj, name):
    with tempfile.NamedTemporaryFile() as out:
        run("llvm-objcopy-19", f"--dump-section={name}={out.name}", obj,
            "/dev/null")
        return Path(out.name).read_bytes().hex(" ", 4)


def sections(obj):
    text = run("llvm-readelf-19", "-S", "--wide", obj)
    found = {}
    for m in re.finditer(r"\] (\S*) +(\w+) +\w+ \w+ (\w+) \w+ (.*)", text):
        name, kind, size, flags = m.groups()
        if kind in ("PROGBITS", "NOBITS") and name not in OWN and int(size, 16):
            flags = "".join(re.findall("[WAX]", flags))
            data = contents(obj, name) if kind == "PROGBITS" else ""
            found[name] = (kind, size, flags, data)
    return found


def relocations(obj):
    text = run("llvm-readobj-19", "-r", "--expand-relocs", obj)
    found = []
    where = ""
    for line in text.splitlines():
        section = re.search(r"Section \(\d+\) (\S+)", line)
        if section:
            where = section[1]
        key, _, value = line.strip().partition(": ")
        if key == "Offset":
            found.append([where, value])
        elif key in ("Type", "Symbol", "Addend"):
            # Nameless labels: what the number is does not matter.
            value = re.sub(r" \(\d+\)", "", value)
            found[-1].append(re.sub(r"\.Lpcrel_hi\d+", ".Lpcrel_hi", value))
    return found


def symbols(obj):
    text = run("llvm-readelf-19", "-s", "--wide", obj)
    found = set()
    for line in text.splitlines():
        f = line.split()
        if len(f) == 8 and f[0][:-1].isdigit() and f[3] != "SECTION":
            place = "def" if f[6].isdigit() else f[6]
            if not f[7].startswith((".L", "$")): # $x: mapping symbols
                found.add((f[7], f[1], f[2], f[3], f[4], place))
    return found


def check(ventus, source, folder):
    ours, theirs = f"{folder}/ours.o", f"{folder}/theirs.o"
    run(ventus, "as", "-o", ours, source)
    run(*MC, "-o", theirs, source)
    ok = True
    for what in (sections, relocations, symbols):
        a, b = what(ours), what(theirs)
        if a == b:
            continue
        ok = False
        print(f"{source.name}: {what.__name__} differ")
        if isinstance(a, dict):
            a, b = a.items(), b.items()
        print("  only ours:  ", *[x for x in a if x not in b], sep="\n    ")
        print("  only theirs:", *[x for x in b if x not in a], sep="\n    ")
    return ok


PROGRAM = r"""
extern int ext(int *);
static int tab[] = { 1, 2, 3 };
int g, h[40];
const char *s = "hi\n";
int f(int n)
{
    int a[4], t = 0;
    for (int i = 0; i < n; i++) {
        a[i & 3] = i;
        t += tab[i % 3] * ext(a);
    }
    switch (n) {
    case 1: return 4;
    case 2: return t;
    case 3: return g;
    case 4: g = h[7]; return 9;
    case 5: return ext(&g);
    }
    return t + s[1];
}
"""


def check_compiled(ventus, folder, level):
    source, text = f"{folder}/p.c", f"{folder}/p.s"
    ours, theirs = f"{folder}/ours.o", f"{folder}/theirs.o"
    Path(source).write_text(PROGRAM, encoding="utf-8")
    clang = ["clang-19", "--target=riscv32", "-march=rv32im", "-mabi=ilp32",
             "-mno-relax", "-g", level, source]
    run(*clang, "-S", "-o", text)
    run(*clang, "-c", "-o", theirs)
    run(ventus, "as", "-o", ours, text)
    wrong = [name for name in (".text", ".rodata", ".sdata", ".data")
             if name in sections(theirs) and
             sections(ours).get(name) != sections(theirs)[name]]
    dump = subprocess.run(["llvm-dwarfdump-19", "--verify", ours],
                          capture_output=True, text=True, check=False)
    if wrong or dump.returncode:
        print(f"clang-19 -S {level}: {wrong} differ\n{dump.stdout[-500:]}")
    return not wrong and dump.returncode == 0


def main():
    if not shutil.which(MC[0]):
        print(f"skipped: no {MC[0]} (scripts/setup installs it)")
        return 77
    sources = sorted(HERE.glob("std/*.s"))
    with tempfile.TemporaryDirectory() as folder:
        failed = sum(not check(sys.argv[1], s, folder) for s in sources)
        failed += sum(not check_compiled(sys.argv[1], folder, level)
                      for level in ("-O0", "-O2"))
    print(f"{len(sources) + 2 - failed} passed, {failed} failed")
    return failed != 0 or not sources


if __name__ == "__main__":
    sys.exit(main())
