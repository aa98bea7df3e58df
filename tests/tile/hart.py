#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random RV64 programs: our hart against qemu-riscv64.

    hart.py VENTUS QEMU CLANG LLD TABLE [SEEDS]

A program fills its registers, runs a few hundred random instructions of every
row of the table, in blocks with forward branches, and writes all registers
and the memory it used to standard output.  Both must write the same bytes."""
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../src/isa"))
from words_table import WordsTable  # noqa: E402

# Kept out of random destinations: s0 the data, s1 the branch counter.
BASE, COUNT = 8, 9
SKIP = {"ecall", "ebreak", "c.ebreak", "fence.i", "jal", "jalr", "c.j", "c.jr",
        "c.jalr", "lr.w", "lr.d", "vsetvl", "auipc", "c.addi16sp",
        "c.addi4spn", "c.fldsp", "c.lwsp", "c.ldsp", "c.fsdsp", "c.swsp",
        "c.sdsp"}
CONFIGS = ["e8, m1", "e16, m1", "e32, m1", "e64, m1", "e8, m2", "e16, m4",
           "e32, m2", "e64, m4", "e8, mf2", "e16, mf4", "e32, mf2", "e64, m8"]
SPECIAL = [0, 1, 2, 0xffffffffffffffff, 0x8000000000000000,
           0x7fffffffffffffff, 0x80000000, 0x7fffffff, 0xffffffff,
           0xffffffff7f800000, 0xffffffff7fc00000, 0xffffffff80000000,
           0xffffffff3f800000, 0xffffffff00000001, 0xffffffff7f7fffff,
           0x7ff0000000000000, 0x7ff8000000000000, 0x3ff0000000000000,
           0x4330000000000000, 0x000fffffffffffff, 0xffffffff7f800001]


class Program:
    def __init__(self, table, seed):
        self.rng, self.table, self.lines = random.Random(seed), table, []
        self.label, self.group = 0, 1
        self.rows = [r for r in table.rows.values() if r.name not in SKIP]

    def value(self):
        r = self.rng
        if r.random() < 0.4:
            return r.choice(SPECIAL)
        bits = r.getrandbits(64)
        if r.random() < 0.3:  # a boxed single of moderate size
            return 0xffffffff00000000 | r.choice([0, 1]) << 31 \
                | r.randrange(100, 150) << 23 | bits & 0x7fffff
        return bits >> r.randrange(64)

    def xdest(self):
        while True:
            x = self.rng.randrange(32)
            if x not in (2, BASE, COUNT):
                return x

    def vreg(self):
        return self.rng.randrange(self.group, 32) // self.group * self.group

    def word(self, row):
        """A random word of the row, its registers chosen with care."""
        r, word = self.rng, row.match
        for f in row.format.fields:
            while True:
                raw = r.getrandbits(f.width)
                if f.member == "rd" and f.kind == "x" and f.width == 5 and \
                        "store" not in row.flags - {"atomic"}:
                    raw = self.xdest()
                elif f.member == "rd" and f.kind == "x" and f.add:
                    raw = r.choice([2, 3, 4, 5, 6, 7])  # not s0, s1
                elif f.kind == "v":
                    raw = self.vreg()
                elif f.kind == "rm":
                    raw = r.choice([0, 1, 2, 3, 4, 7])
                elif f.kind == "csr":
                    raw = r.choice([1, 2, 3])
                elif f.kind == "vm":
                    raw = r.choice([0, 1, 1])
                if f.allows(raw):
                    break
            word |= f.insert(raw, 0)
        return word

    def emit(self, row):
        name = row.name
        if "branch" in row.flags:
            return self.branch(name)
        if name.startswith("vset"):
            return self.configure()
        if {"load", "store", "atomic"} & row.flags:
            return self.memory(row)
        if name.startswith("v") and (self.overlaps(name) or
                                     "slide" in name):
            return None
        if name in ("csrrw", "csrrwi", "csrrs", "csrrc", "csrrsi", "csrrci"):
            x = self.xdest()
            csr = self.rng.choice(["fflags", "frm", "fcsr"])
            if csr == "fflags":
                self.lines.append(f"csrrw x{x}, fflags, "
                                  f"x{self.rng.randrange(32)}")
            else:
                self.lines.append(f"csrrwi x{x}, frm, "
                                  f"{self.rng.randrange(5)}")
            return None
        if name.startswith("vfmv"):  # there is no 8- or 16-bit float
            self.lines.append(f"vsetivli t6, 9, {self.rng.choice(['e32', 'e64'])}"
                              ", m1, tu, mu")
            self.group = 1
        word = self.word(row)
        if "v0" in self.masked_dest(row, word):
            return None
        self.put(row, word)
        return None

    def masked_dest(self, row, word):
        vm = [f for f in row.format.fields if f.kind == "vm"]
        dest = word >> 7 & 31
        return "v0" if vm and not word >> 25 & 1 and dest == 0 else ""

    def overlaps(self, name):
        """Compares write a mask register, which may not lie in a source."""
        return self.group > 1 and (name.startswith("vm") and
                                   name[2:4] in ("se", "sn", "sl", "sg"))

    def put(self, row, word):
        kind = ".2byte" if row.bytes == 2 else ".4byte"
        self.lines.append(f"{kind} 0x{word:x} # {row.name}")

    def configure(self):
        config = self.rng.choice(CONFIGS)
        lmul = config.split()[1]
        self.group = int(lmul[1:]) if lmul[1] != "f" else 1
        self.lines.append(f"li t6, {self.rng.randrange(130)}")
        self.lines.append(f"vsetvli t6, t6, {config}, tu, mu")

    def branch(self, name):
        self.label += 1
        r = self.rng
        if name.startswith("c.b"):
            self.lines.append(f"{name} x{r.randrange(8, 16)}, L{self.label}")
        else:
            self.lines.append(f"{name} x{r.randrange(32)}, "
                              f"x{r.randrange(32)}, L{self.label}")
        for _ in range(r.randrange(1, 4)):
            self.lines.append(f"addi x{self.xdest()}, x{r.randrange(32)}, "
                              f"{r.randrange(-9, 9)}")
        self.lines.append(f"L{self.label}:")

    def memory(self, row):
        r, name = self.rng, row.name
        offset = 8 * r.randrange(250)
        if name.startswith("v"):
            if "e64" in name or self.group > 1 or "1r" in name:
                return
            self.lines.append(f"addi t6, s0, {offset}")
            vm = r.choice(["", ", v0.t"]) if name[2] != "m" else ""
            stride = ", t5" if name[1:3] in ("ls", "ss") else ""
            if stride:
                self.lines.append(f"li t5, {8 * r.randrange(-2, 3)}")
            reg = f"v{r.randrange(4, 32)}"
            if name.startswith(("vls", "vss", "vl", "vs")):
                self.lines.append("vsetivli t4, 16, e32, m1, tu, mu")
                if "e16" in name or "e8" in name or "e32" in name \
                        or name in ("vlm.v", "vsm.v"):
                    self.lines.append(f"{name} {reg}, (t6){stride}{vm}")
            return
        if "atomic" in row.flags:
            self.lines.append(f"addi t6, s0, {offset}")
            if name.startswith("sc"):
                self.lines.append(f"lr{name[2:]} x{self.xdest()}, (t6)")
                self.lines.append(f"addi t6, s0, {offset}")
            self.lines.append(f"{name} x{self.xdest()}, "
                              f"x{r.randrange(32)}, (t6)")
        elif name.startswith("c."):
            file = "f" if name[2] == "f" else "x"
            reg = r.randrange(10, 16)
            step = 8 if name.endswith("d") else 4
            self.lines.append(f"{name} {file}{reg}, {step * r.randrange(30)}"
                              "(s0)")
        else:
            file = "f" if name[0] == "f" else "x"
            reg = r.randrange(32) if "store" in row.flags or file == "f" \
                else self.xdest()
            self.lines.append(f"{name} {file}{reg}, {r.randrange(2040)}(s0)")

    def text(self, count):
        r, out = self.rng, [".globl _start", "_start:", "la s0, data",
                                "li sp, 0x123456789"]
        for f in range(32):
            out += [f"ld t0, {8 * f}(s0)", f"fmv.d.x f{f}, t0"]
        out += ["vsetvli t0, zero, e8, m1, tu, mu"]
        for v in range(32):
            out += [f"addi t0, s0, {16 * v}", f"vle8.v v{v}, (t0)"]
        for x in range(1, 32):
            if x not in (2, BASE, COUNT):
                out.append(f"ld x{x}, {8 * (32 + x)}(s0)")
        self.lines.append("vsetivli t0, 16, e32, m1, tu, mu")
        for _ in range(count):
            self.emit(r.choice(self.rows))
        out += self.lines
        out.append("la s1, out")
        for x in range(1, 32):
            if x not in (2, BASE, COUNT):
                out.append(f"sd x{x}, {8 * x}(s1)")
        for f in range(32):
            out.append(f"fsd f{f}, {256 + 8 * f}(s1)")
        out += ["csrr t0, fcsr", "sd t0, 0(s1)", "addi t1, s1, 512",
                "vsetvli t0, zero, e8, m1, tu, mu"]
        for v in range(32):
            out += [f"vse8.v v{v}, (t1)", "addi t1, t1, 128"]
        out += ["li a0, 1", "la a1, out", "li a2, 16384", "li a7, 64",
                "ecall", "li a0, 0", "li a7, 93", "ecall", ".data",
                ".balign 4096", "out: .zero 8192", "data:"]
        out += [f".8byte 0x{self.value():x}" for _ in range(512)]
        out += [".zero 4096"]
        return "\n".join(out) + "\n"


def run(command):
    p = subprocess.run(command, capture_output=True, check=False)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")


def one(tools, table, seed, folder):
    ventus, qemu, clang, lld = tools
    stem = os.path.join(folder, f"p{seed}")
    with open(stem + ".s", "w", encoding="utf-8") as f:
        f.write(Program(table, seed).text(400))
    for command in ([clang, "--target=riscv64", "-march=rv64gcv", "-c",
                     "-o", stem + ".o", stem + ".s"],
                    [lld, "-o", stem + ".elf", stem + ".o"]):
        status, _, err = run(command)
        if status:
            return f"seed {seed}: {err[:400]}"
    theirs = run([qemu, "-cpu", "rv64,v=true,vlen=1024", stem + ".elf"])
    ours = run([ventus, "tile", "run", stem + ".elf", "--limit", "1000000"])
    if theirs[0] != 0:
        return f"seed {seed}: qemu: status {theirs[0]} {theirs[2][:200]}"
    if ours[0] != 0:
        return f"seed {seed}: ours: status {ours[0]} {ours[2][:200]}"
    if ours[1] != theirs[1]:
        at = next(i for i in range(len(ours[1]))
                  if ours[1][i] != theirs[1][i]) // 8
        what = f"x{at}" if at < 32 else f"f{at - 32}" if at < 64 else \
            f"v{(at - 64) // 16} byte {(at - 64) % 16 * 8}" if at < 576 \
            else f"data {at}"
        mine, other = (int.from_bytes(o[1][8 * at:8 * at + 8], "little")
                       for o in (ours, theirs))
        return f"seed {seed}: {what}: {mine:016x}, qemu has {other:016x}"
    return None


def main():
    *tools, path = sys.argv[1:6]
    seeds = int(sys.argv[6]) if len(sys.argv) > 6 else 20
    if not all(shutil.which(t) for t in tools):
        print("skipped: needs", " ".join(tools))
        sys.exit(77)
    table, wrong = WordsTable(path), 0
    folder = tempfile.mkdtemp()
    for seed in range(seeds):
        message = one(tools, table, seed, folder)
        if message:
            print(message)
            wrong += 1
    if not wrong:
        shutil.rmtree(folder)
    else:
        print("programs are in", folder)
    print(f"{seeds} programs, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
