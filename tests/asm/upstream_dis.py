#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus dis X.metadata` says of every word what upstream's log says of it.

    upstream_dis.py VENTUS VECTORS"""
import glob
import gzip
import os
import re
import subprocess
import sys

LINE = re.compile(r"/\* ([0-9a-f]{8}) ([0-9a-f]{8}) \*/  (.*)")
LOGGED = re.compile(r"core +\d+: 0x([0-9a-f]{8}) \(0x([0-9a-f]{8})\) (.*)")
BOOT_ROM_END = 0x2000  # upstream's machine starts there; no part of the case


def disassembled(ventus, metadata):
    out = subprocess.run([ventus, "dis", metadata], text=True, check=True,
                         capture_output=True).stdout
    return {m[1]: (m[2], m[3]) for m in map(LINE.match, out.split("\n")) if m}


def logged(path):
    with gzip.open(path, "rt") as f:
        for m in map(LOGGED.match, f):
            if m and int(m[1], 16) >= BOOT_ROM_END:
                yield m[1], (m[2], m[3])


def main():
    ventus, vectors = sys.argv[1:]
    if not os.path.isdir(vectors):
        print(f"{vectors} is not here")
        sys.exit(77)
    passed = failed = 0
    for metadata in sorted(glob.glob(f"{vectors}/*/*.metadata")):
        code = disassembled(ventus, metadata)
        lines = set(logged(metadata.replace(".metadata", ".log.gz")))
        wrong = sorted(x for x in lines if code.get(x[0]) != x[1])
        for pc, said in wrong[:3]:
            print(f"{metadata}: {pc}: log has {said}, dis has {code.get(pc)}")
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0 or passed == 0)


if __name__ == "__main__":
    main()
