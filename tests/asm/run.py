#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cases of the assembler, through the command.

    run.py VENTUS [NAME...]

cases.txt   HEX... TEXT: the text assembles to these words
bad.txt     messages, then the text they are about
link        objects linked by ld.lld, and the words that come out
listing     what -l shows
data        what dis -D shows of data
ends        labels behind the last instruction, and bindings
lines       line tables of several sections
comm        room that .comm and .lcomm make
expressions operators, against a C compiler"""
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
VENTUS = sys.argv[1]


def ventus(*args, text=None):
    return subprocess.run([VENTUS, *args], input=text, capture_output=True,
                          text=True, check=False)


def words(obj, section=".text"):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "bin")
        subprocess.run(["llvm-objcopy-19", f"--dump-section={section}={out}",
                        obj, "/dev/null"], check=True)
        data = Path(out).read_bytes()
    return [f"{int.from_bytes(data[i:i + 4], 'little'):08x}"
            for i in range(0, len(data), 4)]


def assemble(folder, text, *options):
    obj = os.path.join(folder, "a.o")
    p = ventus("as", *options, "-o", obj, "-", text=text)
    return p, obj


def run_cases(folder):
    """All lines of a version at once; each begins at a marked place."""
    failed = []
    versions = {}
    version = "1"
    for number, line in enumerate((HERE / "cases.txt").open(), 1):
        if line.startswith("@version"):
            version = line.split()[1]
        elif line.strip() and not line.startswith("#"):
            want, text = line.rstrip("\n").split("    ", 1)
            versions.setdefault(version, []).append((number, want, text))
    for version, cases in versions.items():
        # A mark no instruction makes keeps the lines apart.
        source = "".join(f".word 0\n{text}\n" for _, _, text in cases)
        p, obj = assemble(folder, source, f"-march=ventus{version}")
        if p.returncode:  # prefixes at the end of a case warn
            failed.append(f"cases.txt, version {version}:\n{p.stderr}")
            continue
        got = " ".join(words(obj)).split("00000000")[1:]
        for (number, want, text), words_got in zip(cases, got):
            if words_got.strip() != want:
                failed.append(f"cases.txt:{number}: {text}\n"
                              f"  expected {want}\n  found    "
                              f"{words_got.strip()}")
    return failed


def bad_blocks():
    """(line, options, messages, source) of each block of bad.txt."""
    block, first = [], 1
    for number, line in enumerate([*(HERE / "bad.txt").open(), "\n"], 1):
        if line.strip():
            block.append(line)
            continue
        source = [s for s in block if not s.startswith(("! ", "# ", "@ "))]
        messages = [s[2:].strip() for s in block if s.startswith("! ")]
        options = [o for s in block if s.startswith("@ ")
                   for o in s[2:].split()]
        if source or messages:
            yield first, options, messages, "".join(source)
        block, first = [], number + 1


def run_bad(folder):
    """Exactly the messages of each block, and an error unless all warn."""
    failed = []
    for number, options, messages, source in bad_blocks():
        p, _ = assemble(folder, source, *options)
        found = [s.removeprefix("<stdin>:") for s in p.stderr.splitlines()
                 if s.startswith("<")]
        error = any(" error: " in m for m in messages)
        if found != messages or p.returncode != (1 if error else 0):
            failed.append(f"bad.txt:{number}: expected\n  " +
                          "\n  ".join(messages) + "\nfound\n  " +
                          "\n  ".join(found or [p.stderr, str(p.returncode)]))
    return failed


def run_link(folder):
    """Two objects; addresses as lib/ventus.ld lays them out."""
    files = []
    for name, text in (("a", LINK_A), ("b", LINK_B)):
        path = os.path.join(folder, name + ".o")
        p = ventus("as", "-o", path, "-", text=text)
        if p.returncode:
            return [p.stderr]
        files.append(path)
    elf = os.path.join(folder, "a.elf")
    p = ventus("link", "-o", elf, *files)
    if p.returncode:
        return [p.stdout + p.stderr]
    failed = []
    for section, want in LINKED.items():
        got = words(elf, section)
        if got != want.split():
            failed.append(f"link, {section}:\n  expected {want.split()}\n"
                          f"  found    {got}")
    # The two versions of the instruction set do not mix.
    ventus("as", "-march=ventus2", "-o", files[1], "-", text="nop\n")
    p = ventus("link", "-o", elf, *files)
    if p.returncode != 1 or "version 2 of the instruction set" not in p.stderr:
        failed.append("link mixes versions: " + p.stderr)
    return failed


LINK_A = """
    .globl _start
_start:                     # 0x80000000
    call helper             # +8: auipc, jalr
    la a0, table            # to 0x80001000: .rodata's page
    lw a1, count            # to 0x80002000: .data's page
    lui a2, %hi(count)
    addi a2, a2, %lo(count)
    vbeq v0, v1, helper     # at +0x20, B-type
    j helper                # at +0x24
    endprg
    .rodata
table:
    .word helper - _start, helper, count
"""
LINK_B = """
    .globl helper
helper:                     # 0x8000002c
    setrpc .Lend
.Lend:
    ret
    .data
    .globl count
count:
    .word 7
"""
# By hand from the addresses above.
LINKED = {
    ".text": """00000097 02c080e7
        00001517 ff850513 00002597 ff05a583
        80002637 00060613 0000865b 0080006f 0000400b
        00000317 0083305b 00008067""",
    ".rodata": "0000002c 8000002c 80002000",
    ".data": "00000007",
}


def run_listing(folder):
    source = "start: vadd.vx v80, v20, x40\n  .byte 1, 2, 3\n\n# end\n"
    p = ventus("as", "-o", os.path.join(folder, "a.o"), "-l", "-", "-",
               text=source)
    if p.stdout == LISTING:
        return []
    return [f"listing:\nexpected\n{LISTING}\nfound\n{p.stdout}{p.stderr}"]


LISTING = """\
     1   00000000 00a0200b  start: vadd.vx v80, v20, x40  <- regext inserted \
for v80, x40
         00000004 03444857
     2   00000008 010203      .byte 1, 2, 3
     3                      
     4                      # end
"""


def run_mark(folder):
    """Sources, and what they include, may begin with a byte order mark."""
    mark = b"\xef\xbb\xbf"
    Path(folder, "inner.s").write_bytes(mark + b".word 2\n")
    Path(folder, "outer.s").write_bytes(
        mark + b'.word 1\n.include "inner.s"\n.word 3\n')
    failed = []
    for march, option in (("ventus1", []), ("rv64gcv_xtile", ["-D", "N=1"])):
        obj = os.path.join(folder, "a.o")
        p = ventus("as", f"-march={march}", *option, "-o", obj,
                   os.path.join(folder, "outer.s"))
        found = p.stderr or words(obj)
        if p.returncode or found != ["00000001", "00000002", "00000003"]:
            failed.append(f"{march}: {found}")
    return failed


def run_comm(folder):
    """.comm is in .bss, of its size and alignment, as LLVM's linker places a
    common symbol; the section goes on where it was."""
    text = ".data\n.word 1\n.comm wide, 10, 64\n.comm small, 3\n" \
        ".lcomm own, 5\n.word 2\n.text\n.globl _start\n_start: nop\n"
    p, obj = assemble(folder, text)
    failed = [p.stderr] if p.returncode else []
    out = subprocess.run(["llvm-readelf-19", "-S", "-s", "--wide", obj],
                         capture_output=True, text=True, check=True).stdout
    sections = {m[2]: m[1] for m in re.finditer(
        r"\[ *(\d+)\] (\S*)( +)\w+", out)}
    for name, size, align, binding in (("wide", 10, 64, "GLOBAL"),
                                       ("small", 3, 4, "GLOBAL"),
                                       ("own", 5, 1, "LOCAL")):
        f = next((x.split() for x in out.splitlines()
                  if x.endswith(" " + name)), [])
        if len(f) != 8 or f[2:5] != [str(size), "OBJECT", binding] or \
                int(f[1], 16) % align or f[6] != sections.get(".bss"):
            failed.append(f"{name}: {f}")
    if words(obj, ".data") != ["00000001", "00000002"]:
        failed.append(f".data: {words(obj, '.data')}")
    for wrong in ("-1", "4, 3", "4, 8192", "4, 0"):
        p, _ = assemble(folder, f".comm a, {wrong}\n")
        if p.returncode != 1 or "aligned to" not in p.stderr:
            failed.append(f".comm a, {wrong}: {p.returncode} {p.stderr}")
    return failed


OPERATORS = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=",
             "<", ">", "<=", ">=", "&&", "||"]


DATA = """.data
.globl first
first: .word 1, second, 0, 0, second + 8
.zero 40
.word first - 4
.zero 15
.byte 7
second: .zero 33
.byte 1, 2
third: .word 0, third, 0x12345678
.zero 16
.byte 1, 2, 3
.text
.globl code
code: lui x5, %hi(second)
addi x5, x5, %lo(second)
"""


def run_data(folder):
    """What `ventus dis -D` shows of data assembles to the same bytes and
    relocations."""
    def seen(obj):
        out = subprocess.run(["llvm-readobj-19", "-r", obj],
                             capture_output=True, text=True, check=True).stdout
        relocations = re.findall(r"^ *0x(\w+) (\w+) (\w+) (\w+)", out, re.M)
        return relocations, words(obj, ".data"), words(obj)
    p, obj = assemble(folder, DATA)
    first = seen(obj)
    shown = ventus("dis", "-D", obj).stdout
    p, obj = assemble(folder, shown)
    if p.returncode or seen(obj) != first or len(first[0]) != 6 or \
            ".zero   40" not in shown:
        return [p.stderr, shown, str(first), str(seen(obj))]
    return []


def run_ends(folder):
    """A label behind the last instruction is shown behind it, in code of whole
    words and with bytes of a word that is cut off; bindings are shown in their
    section."""
    failed = []
    for tail in "", ".byte 0xaa, 0xbb\n":
        _, obj = assemble(folder, f".text\nfirst: nop\n{tail}behind:\n")
        shown = [line.split("  #")[0].strip() for line in
                 ventus("dis", "--bare", obj).stdout.splitlines()]
        want = ["first:", "nop", "behind:"]
        if tail:
            want[2:2] = [".byte   0xaa", ".byte   0xbb"]
        if shown[-len(want):] != want:
            failed.append(f"{tail}: {shown}")
    p, obj = assemble(folder, ".text\n.byte 1\n.balign 2\n.byte 2, 3\n")
    if p.returncode or words(obj) != ["03020001"]:
        failed.append(f"two bytes aligned in code: {p.returncode} {p.stderr}")
    _, obj = assemble(folder, ".text\n.globl a\n.weak b\na: nop\nb: nop\n"
                      "c: nop\n.data\n.globl d\nd: .word 1\n")
    shown = ventus("dis", "-D", "--bare", obj).stdout.split("\n    .section ")
    for part, want in ((1, [".globl a", ".weak b"]), (2, [".globl d"])):
        found = re.findall(r"^    (\.(?:globl|weak) \w+)$", shown[part], re.M)
        if found != want:
            failed.append(f"{shown[part]}: {found}")
    return failed


def run_sections(folder):
    """Names of sections, in quotes or not; zeros that are written out where
    nothing is in the file."""
    p, obj = assemble(folder, """
        .section "with space", "aw"
        .word 1
        .section other-name, "a"
        .word 2
        .section .note.GNU-stack, "", @progbits
        .bss
        .word 0, 0
        .byte 0
""")
    out = subprocess.run(["llvm-readobj-19", "--sections", obj],
                         capture_output=True, text=True, check=False).stdout
    sizes = dict(re.findall(r"Name: (.*?) \(\d+\)\n.*?Size: (\d+)", out, re.S))
    want = {"with space": "4", "other-name": "4", ".note.GNU-stack": "0",
            ".bss": "9"}
    if p.returncode or any(sizes.get(n) != s for n, s in want.items()):
        return [p.stderr, str(sizes)]
    return []


def run_lines(folder):
    """-g: one line table, with a sequence for each section of code."""
    p, obj = assemble(folder, ".text\nnop\nnop\n.section .text.more, \"ax\"\n"
                      "\nret\n.text\nnop\n", "-g")
    out = subprocess.run(["llvm-readelf-19", "-S", "--wide", obj],
                         capture_output=True, text=True, check=False).stdout
    rows = subprocess.run(["llvm-dwarfdump-19", "--debug-line", obj],
                          capture_output=True, text=True, check=False).stdout
    lines = re.findall(r"^0x(\w+) +(\d+) .*?(end_sequence)?$", rows, re.M)
    got = [(int(a, 16), int(n), bool(e)) for a, n, e in lines]
    want = [(0, 2, False), (4, 3, False), (8, 8, False), (12, 8, True),
            (0, 6, False), (4, 6, True)]
    tables = len(re.findall(r" \.debug_line ", out))
    if p.returncode or tables != 1 or got != want:
        return [p.stderr, f"{tables} tables", str(got), rows[-900:]]
    return (own_info(folder, "table", '.section .debug_line, "", @progbits\n'
                     "table:\n") + own_info(folder, "0", ""))


def own_info(folder, place, table):
    """As compilers write it: .debug_info of the text's own refers to the place
    in .debug_line at which the table is, and llvm-dwarfdump finds it there."""
    p, obj = assemble(folder, f"""
        .file 1 "k.cl"
        .text
        .loc 1 7
        nop
        .section .debug_abbrev, "", @progbits
        .byte 1, 0x11, 0, 0x10, 0x17, 0, 0, 0 # compile unit: stmt_list
        .section .debug_info, "", @progbits
        .word 12
        .half 4
        .word 0
        .byte 4, 1
        .word {place}
        {table}
""")
    out = subprocess.run(["llvm-readelf-19", "-S", "--wide", obj],
                         capture_output=True, text=True, check=False).stdout
    tables = len(re.findall(r" \.debug_line ", out))
    out = subprocess.run(["llvm-dwarfdump-19", "--debug-info", "--debug-line",
                          obj], capture_output=True, text=True, check=False)
    found = re.findall(r"DW_AT_stmt_list\s+\((\w+)\)", out.stdout)
    rows = re.findall(r"^0x0+ +7 ", out.stdout, re.M)
    if p.returncode or tables != 1 or len(found) != 1 or len(rows) != 1:
        return [p.stderr, f"{tables} tables", out.stdout + out.stderr]
    return []


def run_expressions(folder):
    """Operators with the precedences of C: the compiler's answers."""
    r, texts = random.Random(9), []
    for _ in range(400):
        text, operator = "", ""
        for _ in range(r.randrange(2, 7)):
            text += operator and f" {operator} "
            # The right side of a division is not 0.
            text += r.choice(["", "", "-", "~", *["!"] *
                              (operator not in ("/", "%"))]) + \
                str(r.randrange(1, 30))
            operator = r.choice(OPERATORS)
        # >> shifts zeros in (docs/asm.md), C may not.
        if ">>" not in text or not re.search(r"[-~]", text):
            texts.append(text)
    source = "#include <stdio.h>\nint main(void) {\n" + "".join(
        f'printf("%08x\\n", (unsigned)({t}));\n' for t in texts) + \
        "return 0; }\n"
    # In 64 bits, as the assembler computes; shifts that C does not define are
    # left out.
    source = re.sub(r"(?<![\w%])(\d+)(?=[ );])", r"\1LL", source)
    Path(folder, "e.c").write_text(source, encoding="utf-8")
    subprocess.run(["clang-19", "-w", "-fsanitize=shift", "-o",
                    os.path.join(folder, "e"), os.path.join(folder, "e.c")],
                   check=True)
    p = subprocess.run([os.path.join(folder, "e")], capture_output=True,
                       text=True, check=False)
    undefined = {int(n) for n in re.findall(r"e\.c:(\d+):", p.stderr)}
    want = p.stdout.split()
    defined = [i for i in range(len(texts)) if i + 3 not in undefined]
    p, obj = assemble(folder, "".join(
        f".word ({texts[i]}) & 0xffffffff\n" for i in defined))
    if p.returncode or len(defined) < 200:
        return [p.stderr, str(len(defined))]
    return [f"{texts[i]}: {got}, expected {want[i]}"
            for i, got in zip(defined, words(obj)) if got != want[i]]


def main():
    tests = {"cases": run_cases, "bad": run_bad, "link": run_link,
             "listing": run_listing, "mark": run_mark, "comm": run_comm,
             "data": run_data, "ends": run_ends, "lines": run_lines,
             "sections": run_sections,
             "expressions": run_expressions}
    passed = failed = 0
    for name in sys.argv[2:] or tests:
        with tempfile.TemporaryDirectory() as folder:
            wrong = tests[name](folder)
        print(f"{'FAIL' if wrong else 'ok  '} {name}")
        for text in wrong:
            print(text)
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
