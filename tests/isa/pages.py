#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus isa`: manual pages that say what is.

    pages.py VENTUS LLVM_MC TABLE

A word is put together from the picture of a page alone, with random registers
and immediates.  LLVM, for standard instructions, must print for it what the
page's syntax says; for all others `ventus isa WORD` must take it for the same
instruction.  Pages, JSON, list and the rows of the table say the same."""
import json
import random
import re
import shutil
import subprocess
import sys

STANDARD = {"RV32I base integer", "RV32M multiply and divide", "RVV loads and "
            "stores", "RVV integer arithmetic", "RVV integer compares",
            "RVV moves", "RVV mask logic", "RVV multiply and divide",
            "RVV fixed point", "RVV add with carry", "RVV floating point",
            "F instructions that existing compilers emit"}
LLVM = ["--disassemble", "--triple=riscv32", "-M", "numeric", "-M",
        "no-aliases", "--mattr=+m,+f,+d,+zicsr,+v,+experimental-zvfbfmin"]
FAILED = []


def fail(text):
    FAILED.append(text)
    print(text)


def run(*command, status=0, stdin=None):
    p = subprocess.run(command, capture_output=True, text=True, check=False,
                       input=stdin)
    if p.returncode != status:
        fail(f"{' '.join(command)}: status {p.returncode}: {p.stderr}")
    return p.stdout, p.stderr


class Page:
    """One page: sections by their names, the cells of the picture."""

    def __init__(self, text):
        parts = re.split(r"^([A-Z ]+)\n", text, flags=re.M)
        self.section = dict(zip(parts[1::2], parts[2::2]))
        self.name, self.prose = \
            self.section["NAME"].strip().split(" - ", 1)
        self.syntax = self.section["WRITTEN"].split("\n")[0].strip()
        self.match, self.mask = (
            int(x, 16) for x in re.search(
                r"match 0x(\w{8})  mask 0x(\w{8})",
                self.section["ENCODING"]).groups())
        lines = self.section["ENCODING"].split("\n")
        ends = [int(x) for x in lines[0].split()]
        borders = [m.start() for m in re.finditer(r"\+", lines[1])]
        self.cells, at = [], 0
        for left, right in zip(borders, borders[1:]):
            label = lines[2][left + 1:right].strip()
            many = len(lines[0][left + 1:right].split()) == 2
            hi, lo = ends[at], ends[at + many]
            at += 1 + many
            self.cells.append((hi, lo, label))
        self.properties = dict(
            re.findall(r"^ {4}(\w+) +(.*)$", self.section["PROPERTIES"], re.M))

    def check(self):
        """Cells from bit 31 to bit 0; the fixed ones are match and mask."""
        match = mask = 0
        expected = 31
        for hi, lo, label in self.cells:
            if hi != expected or lo > hi:
                fail(f"{self.name}: bits {hi}:{lo} behind {expected + 1}")
            expected = lo - 1
            if set(label) <= {"0", "1"}:
                if len(label) != hi - lo + 1:
                    fail(f"{self.name}: {label} in {hi}:{lo}")
                match |= int(label, 2) << lo
                mask |= (1 << hi - lo + 1) - 1 << lo
        if expected != -1 or (match, mask) != (self.match, self.mask):
            fail(f"{self.name}: picture 0x{match:08x} of 0x{mask:08x}, "
                 f"match 0x{self.match:08x} of 0x{self.mask:08x}")

    def fill(self, r):
        """A word, and the value of each field of the picture."""
        word, values = self.match, {}
        if any(label.startswith("imm[") for _, _, label in self.cells):
            values["imm"] = r.getrandbits(32)
        for hi, lo, label in self.cells:
            bits = (1 << hi - lo + 1) - 1
            piece = re.fullmatch(r"imm\[(\d+)(?::(\d+))?\]", label)
            if set(label) <= {"0", "1"}:
                continue
            if piece:
                low = int(piece.group(2) or piece.group(1))
                top = int(piece.group(1))
                if top - low != hi - lo:
                    fail(f"{self.name}: {label} in {hi}:{lo}")
                word |= (values["imm"] >> low & bits) << lo
                values.setdefault("top", 0)
                values["top"] = max(values["top"], top)
                values["low"] = min(values.get("low", 32), low)
                continue
            x = values.setdefault(label, 1 if label == "vm" else
                                  7 if label == "rm" else r.randrange(1, 32)
                                  & bits)
            word |= (x & bits) << lo
        return word, values

    def text(self, values):
        """What the syntax says of those values, as LLVM writes them; None:
        with operands that it spells its own way."""
        out = re.sub(r"\[, (v0\.t)\]", "", self.syntax)
        out = re.sub(r"\[, rounding\]", "", out)
        name, _, operands = out.partition(" ")
        unknown = False

        def value(m):
            nonlocal unknown
            word = m.group()
            if word in ("v0", "x0"):
                return word
            if word in values and re.fullmatch(r"[avr]s?[d123]a?", word):
                return f"{'v' if word[0] == 'v' else 'x'}{values[word]}"
            if word == "shamt":
                return str(values[word])
            if re.fullmatch(r"imm_[bsj]", word) and "imm" in values:
                low, width = values["low"], values["top"] + 1
                x = values["imm"] >> low << low & (1 << width) - 1
                return str(x - (1 << width) if x >> width - 1 else x)
            bits = {"imm_i": 12, "imm5": 5}.get(word)
            if bits and word in values:
                x = values[word]
                return str(x - (1 << bits) if x >> bits - 1 else x)
            if word == "imm_u":
                return str(values[word])
            unknown = True
            return word
        operands = re.sub(r"[a-z]\w*", value, operands)
        return None if unknown else f"{name} {operands}".strip()


def by_llvm(mc, words):
    """One text for each word, None where it is no instruction."""
    lines = "".join(
        " ".join(f"0x{w >> 8 * i & 255:02x}" for i in range(4)) + "\n"
        for w in words)
    out = subprocess.run([mc, *LLVM], input=lines, capture_output=True,
                         text=True, check=False)
    bad = {int(n) for n in re.findall(r"<stdin>:(\d+):\d+: warning",
                                      out.stderr)}
    texts = iter(" ".join(x.split()) for x in out.stdout.split("\n")
                 if x.strip() and not x.strip().startswith("."))
    return [None if n + 1 in bad else next(texts, None)
            for n in range(len(words))]


def check_words(ventus, mc, pages):
    """The pictures and the syntax, by LLVM and by the decoder."""
    r = random.Random(3)
    samples = [(p, *p.fill(r)) for p in pages for _ in range(4)]
    compared = set()
    texts = by_llvm(mc, [word for _, word, _ in samples])
    for (page, word, values), text in zip(samples, texts):
        want = page.text(values)
        if page.properties["group"] not in STANDARD or not want or not text:
            continue
        # The floats of Ventus are in x registers.
        text = re.sub(r"\bf(\d+)\b", r"x\1", re.sub(r", dyn$", "", text))
        compared.add(page.name)
        if want != text and want.replace(", v0", "") != text:
            fail(f"{page.name} 0x{word:08x}: page {want}, LLVM {text}")
    print(f"{len(compared)} pages compared with LLVM, of {len(pages)}")
    if len(compared) < 150:
        fail("LLVM compares fewer than 150 pages")


def check_decodes(ventus):
    """Numbers: a prefix with its next word, and what is no instruction."""
    out, _ = run(ventus, "isa", "0x0010200b", "0x5e024057", "0x00208033",
                 "0xffffffff", status=1)
    want = ("0010200b 5e024057   vmv.v.x v32, x4\n"
            "00208033            add     x0, x1, x2\n"
            "ffffffff            no instruction of version 1\n")
    if out != want:
        fail(f"words: {out}expected: {want}")
    out, _ = run(ventus, "isa", "-march=ventus2", "0xffffffff",
                 status=1)
    if out != "ffffffff            no instruction of version 2\n":
        fail(f"words of version 2: {out}")
    _, err = run(ventus, "isa", "vadd.vvv", status=1)
    if "'vadd.vvv', did you mean 'vadd.vv'?" not in err:
        fail(f"nearest: {err}")
    out, _ = run(ventus, "isa", "ret")
    if not out.startswith("NAME\n    jalr - "):
        fail(f"ret is {out[:40]}")


def table_rows(path):
    """Name and prose of each row, as the table has them."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return dict(re.findall(r"^([a-z][\w.]*) [01. ]{20,}.*?; (.*)$", text,
                           re.M))


def main():
    ventus, mc, table = sys.argv[1:]
    if not shutil.which(mc):
        sys.exit(77)
    listed, _ = run(ventus, "isa")
    rows = re.findall(r"^  (\S+) +(.*)$", listed, re.M)
    names = list(dict.fromkeys(name for name, _ in rows))
    out, _ = run(ventus, "isa", *names)
    pages = [Page("NAME\n" + x) for x in out.split("NAME\n")[1:]]
    if [p.name for p in pages] != names:
        fail("pages are not those asked for")
    for page in pages:
        page.check()
    known = json.loads(run(ventus, "isa", "--json")[0])
    in_table, prose = table_rows(table), dict(rows)
    for x in known:
        page = next(p for p in pages if p.name == x["name"])
        same = [r for r in known if r["name"] == x["name"]]
        if len(same) == 1 and (
                (x["match"], x["mask"], x["prose"]) !=
                (page.match, page.mask, page.prose)
                or prose[page.name] != page.prose
                or page.properties["group"] != x["group"]
                or page.properties.get("flags", "") != ", ".join(x["flags"])
                or page.properties["meaning"] != x["meaning"]
                or x["syntax"] != page.syntax.partition(" ")[2]
                or f"{x['unit']}, class {x['class']}: {x['cycles']} cycles, "
                f"busy {x['interval']} " not in page.properties["unit"]):
            fail(f"{page.name}: JSON and page differ")
        if in_table.get(page.name, page.prose) != page.prose:
            fail(f"{page.name}: the table says {in_table[page.name]}")
    if len(set(in_table) & set(names)) < 250:
        fail("fewer than 250 rows of the table are read")
    for version in (1, 2):
        some, _ = run(ventus, "isa", f"-march=ventus{version}")
        got = re.findall(r"^  (\S+) ", some, re.M)
        if got != [x["name"] for x in known if version in x["versions"]]:
            fail(f"the list of version {version} is not that of the JSON")
    check_words(ventus, mc, pages)
    check_decodes(ventus)
    sys.exit(bool(FAILED))


if __name__ == "__main__":
    main()
