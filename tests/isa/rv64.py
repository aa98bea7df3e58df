#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The RV64 table against llvm-mc-19: every 16-bit word, random words of each
row, and words with one bit turned over.  What we decode LLVM must decode and
print alike; what LLVM knows of RV64IMAFDC we must know.

    rv64.py DUMP llvm-mc-19 TABLE"""
import os
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../src/isa"))
from words_table import WordsTable  # noqa: E402

ARGS = ["--triple=riscv64", "--disassemble", "-M", "no-aliases",
        "--mattr=+m,+a,+f,+d,+c,+v,+zifencei"]
# What LLVM has and a user-level hart of ours has not; LLVM takes c.lui with
# an immediate of 0, which is reserved.
NOT_OURS = re.compile(r"(c\.)?(unimp|[msud]ret|wfi|sfence|hfence|h[ls]v|hinval|"
                      r"sinval|dret|prefetch|pause|nop|wrs|v|fence|csrr|cbo|"
                      r"ntl|sspush|ssp|mop|lui \w+, 0$)")
ROUNDS = 24


def words_of(table):
    rng = random.Random(3)
    found = set(range(0x10000))
    found = {w for w in found if w & 3 != 3}
    for row in table.rows.values():
        if row.bytes == 2:
            continue
        for _ in range(ROUNDS):
            w = row.match | rng.getrandbits(32) & ~row.mask
            found |= {w, w ^ 1 << rng.randrange(2, 32)}
    # 11111 begins what is longer than 32 bits.
    return sorted(w for w in found if w & 0x1f != 0x1f)


def llvm(program, words):
    """{index: text} of what LLVM decodes."""
    lines = []
    for w in words:
        n = 4 if w & 3 == 3 else 2
        lines.append(" ".join(f"0x{b:02x}" for b in w.to_bytes(n, "little")))
    p = subprocess.run([program] + ARGS, input="\n".join(lines) + "\n",
                       text=True, capture_output=True, check=False)
    bad = {int(m) for m in re.findall(r"<stdin>:(\d+):\d+: (?:warning|error)",
                                      p.stderr)}
    texts = [" ".join(line.split()) for line in p.stdout.split("\n")
             if line.strip() and not line.strip().startswith(".")]
    good = [i for i in range(len(words)) if i + 1 not in bad]
    assert len(good) == len(texts), (len(good), len(texts))
    return dict(zip(good, texts))


def normal(text, csrs):
    """One spelling for both."""
    text = " ".join(text.split())
    text = re.sub(r", (dyn|rne)$", "", text)
    if text.startswith("c.lui") or text.startswith(("lui", "auipc")):
        head, _, value = text.rpartition(" ")
        text = f"{head} {int(value) & 0xfffff}"
    if text.startswith("csr"):
        parts = text.split(", ")
        parts[1] = str(csrs.get(parts[1], parts[1]))
        text = ", ".join(parts)
    return text


def skipped(text):
    """Forms that LLVM writes in its own way, or restricts further."""
    if text.startswith("fence"):
        return True
    if re.match(r"c\.(srli|srai|slli).* 0$", text) or text == "c.nop":
        return True
    if re.match(r"c\.(addi|nop|li|mv|add|slli|lui)\b", text):
        return " zero" in text or text.endswith(" 0")
    if text.startswith("vset"):
        return not re.search(r"e\d+, mf?\d, t[au], m[au]$", text) \
            and not text.startswith("vsetvl ")
    registers = re.findall(r"\bv(\d+)\b", text.replace("v0.t", ""))
    if text.endswith(("v0.t", ", v0")) and registers[:1] == ["0"]:
        return True
    if text.startswith("vslide") and "slidedown" not in text and \
            "slide1down" not in text and registers[0] in registers[1:2]:
        return True  # vslideup may not overlap its source
    return False


def main():
    dump, program, path = sys.argv[1:]
    if not shutil.which(program):
        sys.exit(77)
    table = WordsTable(path)
    csrs = {name: number for name, number, _, _ in table.csrs}
    words = words_of(table)
    theirs = llvm(program, words)
    ours = subprocess.run([dump, "rv64"], text=True, check=True,
                          input="".join(f"{w:x}\n" for w in words),
                          capture_output=True).stdout.split("\n")
    wrong = legal = 0
    for i, w in enumerate(words):
        mine, other = ours[i].partition(" ")[2], theirs.get(i)
        legal += bool(mine)
        if mine and not skipped(" ".join(mine.split())):
            if other is None:
                bad = "LLVM does not know it"
            else:
                a, b = normal(mine, csrs), normal(other, csrs)
                known = a.startswith("csr") and not b.split(", ")[1].isdigit()
                bad = b if a != b and not known else None
        else:
            bad = other if other and not mine and \
                not NOT_OURS.match(other) else None
        if bad:
            wrong += 1
            if wrong < 25:
                print(f"{w:08x}: {mine or 'refused'}; {bad}")
    print(f"{len(words)} words, {legal} legal, {wrong} differ")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
