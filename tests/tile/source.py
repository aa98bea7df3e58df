#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assembly with tile instructions in macros, loops and conditions: the same
object as the text written out, and messages that name the user's lines.

    source.py VENTUS CLANG"""
import os
import shutil
import subprocess
import sys
import tempfile

# What is written, what it stands for.
SAME = {
    "macro_with_operands": ("""
        .macro copy r, from, to, n=1
            tld.g   \\r, 0(\\from), n=\\n
            twait.g ld=0
            tst.g   \\r, 0(\\to), n=\\n
        .endm
        copy tr4, a0, a1
        copy tr8, s0, s1, 8
        """, """
        tld.g tr4, 0(a0)
        twait.g ld=0
        tst.g tr4, 0(a1)
        tld.g tr8, 0(s0), n=8
        twait.g ld=0
        tst.g tr8, 0(s1), n=8
        """),
    "loops": ("""
        N = 3
        .irp r, 1, 2
            tadd.i32 tr\\r, tr0, tr\\r
        .endr
        .rept N
            twait.alu
        .endr
        """, """
        tadd.i32 tr1, tr0, tr1
        tadd.i32 tr2, tr0, tr2
        twait.alu
        twait.alu
        twait.alu
        """),
    "conditions": ("""
        .equ SIZE, 1 << 3
        here:
        .ifdef here
            .if SIZE == 8 && !0
            twait.mma
            .else
            .error "not this"
            .endif
        .endif
        .ifndef elsewhere
            twait.all
        .endif
        li a0, SIZE
        """, """
        here:
        twait.mma
        twait.all
        li a0, 8
        """),
    "comments_and_strings": ("""
        la a0, text /* in two
        lines */; twait.all # and ; this
        .data // more
        text: .asciz "a # b; c /* d"
        .byte '#', ';', '\\''
        """, """
        la a0, text
        twait.all
        .data
        text: .ascii "a # b"
        .ascii "; c /* d"
        .byte 0, 35, 59, 39
        """),
    "labels_of_macros": ("""
        .macro wait n
        1:  addi \\n, \\n, -1
            bnez \\n, 1b
            j .Lout\\@
            twait.all
        .Lout\\@:
        .endm
        wait a0
        wait a1
        """, """
        1:  addi a0, a0, -1
            bnez a0, 1b
            j .La
            twait.all
        .La:
        1:  addi a1, a1, -1
            bnez a1, 1b
            j .Lb
            twait.all
        .Lb:
        """),
}

# What is written, what the messages must hold.
WRONG = {
    "tile_in_macro": (".macro m r\n  tld.g \\r, 0(a0)\n.endm\nnop\n m tr300\n",
                      ["k.s:2:3: error: expected a tile register",
                       "k.s:5:2: note: in macro 'm'"]),
    "other_in_macro": (".macro m r\n  foo \\r\n.endm\nnop\n m a0\n nop\n bar\n",
                       ["k.s:2:", "k.s:7:"]),
    "address_in_condition": ("a: nop\nb:\n.if b - a == 4\nnop\n.endif\n",
                             ["k.s:3:"]),
    "no_end": (".macro m\nnop\n", ["k.s:1:", "no .endm"]),
}


def assemble(ventus, folder, name, text):
    """The object's path, or what was said."""
    path = os.path.join(folder, "k.s")
    out = os.path.join(folder, name + ".o")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    p = subprocess.run([ventus, "as", "-march=rv64gcv_xtile", "-o", out,
                        "k.s"], capture_output=True, text=True, check=False,
                       cwd=folder)
    return (out, "") if p.returncode == 0 else (None, p.stderr)


def contents(path):
    """.text, its relocations without symbol numbers, and .data."""
    p = subprocess.run(["llvm-objdump-19", "-s", "-r", "-j", ".text", "-j",
                        ".data", "-j", ".rela.text", path],
                       capture_output=True, text=True, check=True)
    text = p.stdout.split("\n", 2)[2]
    for label in (".La", ".Lb", ".Lout0", ".Lout1"):
        text = text.replace(label, "label")
    return text


def main():
    ventus, clang = sys.argv[1:3]
    if not shutil.which(clang) or not shutil.which("llvm-objdump-19"):
        sys.exit(77)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (short, long) in SAME.items():
            a, said = assemble(ventus, folder, "a", short)
            b, _ = assemble(ventus, folder, "b", long)
            if not a or contents(a) != contents(b):
                wrong += 1
                print(f"{name}: not the same\n{said}")
        for name, (text, words) in WRONG.items():
            out, said = assemble(ventus, folder, "a", text)
            missing = [w for w in words if w not in said]
            if out or missing:
                wrong += 1
                print(f"{name}: not said: {missing}\n{said}")
    print(f"{len(SAME) + len(WRONG)} texts, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
