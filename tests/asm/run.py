#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cases of the assembler, through the command.

    run.py VENTUS [NAME...]

cases.txt   HEX... TEXT: the text assembles to these words
bad.txt     messages, then the text they are about
link        objects linked by ld.lld, and the words that come out
listing     what -l shows"""
import os
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


def main():
    tests = {"cases": run_cases, "bad": run_bad, "link": run_link,
             "listing": run_listing, "mark": run_mark}
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
