#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus dis` of RV64 files with tile instructions.

    dis.py VENTUS CLANG LLD OBJDUMP GOLDEN EXAMPLES INCLUDE

Scalar and vector instructions as LLVM's objdump writes them, tile instructions
as the list of golden encodings has them; labels; what is no instruction."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TAIL = """
ends:
    .4byte 0xffffffff
    .4byte 0x8835007b       # the first half of a tile instruction
    .2byte 0
    .section .text.second, "ax"
second:
    ret
    .byte 0x7f
"""


def run(*command):
    return subprocess.run(command, capture_output=True, text=True,
                          check=True).stdout


def golden(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"((?:[0-9a-f]{8} )+) *(\S.*)", line)
            if m:
                yield m.group(1).split(), m.group(2).strip()


def ours(ventus, path):
    """{section and address: text}, {the same: label}"""
    text, labels, section, name = {}, {}, "", None
    for line in run(ventus, "dis", path).split("\n"):
        m = re.match(r" *([0-9a-f]+):  (.*)", line)
        if line.startswith("section "):
            section = line[8:]
        elif m:
            at = (section, int(m.group(1), 16))
            text[at] = " ".join(m.group(2).split())
            if name:
                labels[at] = name
            name = None
        elif line.endswith(":"):
            name = line[:-1]
    return text, labels


def theirs(objdump, path, *style):
    """The same by LLVM, without what it does not know."""
    text, section = {}, ""
    out = run(objdump, "-d", *style, "--mattr=+v", path)
    for line in out.split("\n"):
        m = re.match(r"Disassembly of section (.*):", line)
        section = m.group(1) if m else section
        m = re.match(r" *([0-9a-f]+): [0-9a-f ]+\t(.*)", line)
        if m and "unknown" not in m.group(2):
            words = re.sub(r" <[^>]*>|, dyn$", "", " ".join(
                m.group(2).split()))
            text[section, int(m.group(1), 16)] = words
    return text


def same(text, other):
    """Numbers by their value: objdump has them in hexadecimal."""
    def numbers(words):
        return re.sub(r"-?\b0x[0-9a-f]+", lambda m: str(int(m.group(), 16)),
                      words)
    return numbers(text) == numbers(other)


def compare(ventus, objdump, path):
    """How many instructions were compared; what differs is printed."""
    text, _ = ours(ventus, path)
    alias = theirs(objdump, path)
    wrong, count = 0, 0
    for at, words in theirs(objdump, path, "-M", "no-aliases").items():
        if text.get(at, "").startswith("t") or "unimp" in words:
            continue  # tile words, which LLVM may take for something else
        count += 1
        if not any(same(text.get(at, ""), x) for x in (words, alias[at])):
            wrong += 1
            print(f"{at}: {text.get(at)}, expected {words}")
    return count, wrong


def main():
    ventus, clang, lld, objdump, list_of, examples, include = sys.argv[1:]
    if not all(shutil.which(x) for x in (clang, lld, objdump)):
        sys.exit(77)
    rows = list(golden(list_of))
    wrong, count = len(rows) < 40, 0
    with tempfile.TemporaryDirectory() as folder:
        stem = os.path.join(folder, "p")
        target = [clang, "--target=riscv64", "-march=rv64gcv", "-mno-relax"]
        with open(stem + ".S", "w", encoding="utf-8") as f:
            f.write(".globl _start\n_start:\n" + "".join(
                f"row{i}: .4byte {', '.join('0x' + w for w in words)}\n"
                for i, (words, _) in enumerate(rows)) + TAIL)
        run(*target, "-c", stem + ".S", "-o", stem + ".o")
        text, labels = ours(ventus, stem + ".o")
        at, want, names = 0, {}, {}
        for i, (words, line) in enumerate(rows):
            want[".text", at] = " ".join(
                re.sub(r"\bx0\b", "zero", line).split())
            names[".text", at] = f"row{i}"
            at += 4 * len(words)
        names[".text", 0] = "_start"  # the last of two
        names[".text", at] = "ends"
        for size, data in ((4, "0xffffffff"), (4, "0x8835007b"), (2, "0x0")):
            want[".text", at] = f".{size}byte {data}"
            at += size
        want[".text.second", 0], want[".text.second", 2] = \
            "c.jr ra", ".byte 0x7f"
        names[".text.second", 0] = "second"
        if text != want or labels != names:
            wrong += 1
            print({k: (text.get(k), want.get(k)) for k in {**text, **want}
                   if text.get(k) != want.get(k)})
            print({k: (labels.get(k), names.get(k)) for k in
                   {**labels, **names} if labels.get(k) != names.get(k)})
        for name in ("attention", "conv", "softmax", "pipeline"):
            run(*target, "-O2", "-ffreestanding", "-I", include, "-c",
                os.path.join(examples, name + ".c"), "-o", stem + ".o")
            run(lld, "-r", stem + ".o", "-o", stem + ".r.o")
            n, bad = compare(ventus, objdump, stem + ".r.o")
            count, wrong = count + n, wrong + bad
    print(f"{len(rows)} tile instructions, {count} others, {wrong} wrong")
    sys.exit(wrong != 0 or count < 200)


if __name__ == "__main__":
    main()
