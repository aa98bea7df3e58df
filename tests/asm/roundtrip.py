#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `ventus dis` writes, `ventus as` reads back to the same bytes.

    roundtrip.py VENTUS LEGAL VERSION [COUNT]

The legal words of every instruction and operand corner, then random ones with
and without a prefix before them, in every style that can be read back."""
import os
import random
import subprocess
import sys
import tempfile

STYLES = [[], ["--abi"], ["--no-alias"], ["--bare"]]
PREFIXES = {1: [0x200b, 0x300b, 0x500b, 0x700b],
            2: [0x200b, 0x300b, 0x02, 0x0a, 0x06, 0x2e, 0x56, 0x7e]}


def rows(legal):
    """For each mnemonic: bits all its words share, and bits that vary."""
    found = {}
    with open(legal, encoding="utf-8") as f:
        for line in f:
            word, name = line.split()[:2]
            word = int(word, 16)
            ones, zeros = found.get(name, (0xffffffff, 0xffffffff))
            found[name] = ones & word, zeros & ~word & 0xffffffff
    return [(ones, ~(ones | zeros) & 0xffffffff)
            for ones, zeros in found.values()]


def program(legal, version, count):
    rng = random.Random(version)
    with open(legal, encoding="utf-8") as f:
        words = [int(line.split()[0], 16) for line in f]
    table = rows(legal)
    for _ in range(count):
        if rng.random() < 0.3:
            words.append(rng.choice(PREFIXES[version])
                         | rng.getrandbits(12) << 20)
        match, vary = rng.choice(table)
        words.append(match | rng.getrandbits(32) & vary)
    words += [rng.getrandbits(32) for _ in range(count // 10)]
    return b"".join(w.to_bytes(4, "little") for w in words)


def run(*command):
    p = subprocess.run(command, capture_output=True, text=True, check=False)
    if p.returncode:
        print(" ".join(command[:3]), "...:", p.stderr[:3000])
    return p.returncode == 0


def text_of(path):
    """.text of an object, by llvm-objcopy."""
    if not run("llvm-objcopy-19", "-O", "binary", "--only-section=.text", path,
               path + ".bin"):
        return b""
    with open(path + ".bin", "rb") as f:
        return f.read()


def check(ventus, code, version, style, folder):
    raw, source, obj = (os.path.join(folder, n) for n in ("a.bin", "a.s", "a.o"))
    march = f"-march=ventus{version}"
    with open(raw, "wb") as f:
        f.write(code)
    if not run(ventus, "dis", march, "--raw=0", *style, "-o", source, raw) or \
            not run(ventus, "as", march, "-o", obj, source):
        return False
    back = text_of(obj)
    if back == code:
        return True
    for i in range(0, len(code), 4):
        if back[i:i + 4] != code[i:i + 4]:
            with open(source, encoding="utf-8") as f:
                lines = [s for s in f if f"{i:08x} " in s]
            print(f"{style}: word at 0x{i:x}: {code[i:i + 4][::-1].hex()} came "
                  f"back as {back[i:i + 4][::-1].hex()}: {lines}")
            break
    return False


def main():
    ventus, legal, version = sys.argv[1], sys.argv[2], int(sys.argv[3])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 20000
    code = program(legal, version, count)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for style in STYLES:
            ok = check(ventus, code, version, style, folder)
            passed, failed = passed + ok, failed + (not ok)
    print(f"{len(code) // 4} words\n{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
