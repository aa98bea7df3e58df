#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table against encodings.txt: same words, at most stricter.

    encodings.py TABLE encodings.txt

A row may fix more bits than the peers' masks do (they ignore nf, or vm of mask
logic), never fewer, and where both fix a bit they agree."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../src/isa"))
from table import Table  # noqa: E402

STRICTER = {"vle32.v", "vse32.v", "vlse32.v", "vsse32.v", "vloxei32.v",
            "vsoxei32.v", "vmand.mm", "vmor.mm", "vmxor.mm", "vmandn.mm",
            "vmorn.mm", "vmnand.mm", "vmnor.mm", "vmxnor.mm",
            # the 64-bit base is an even pair: one bit more is fixed
            "vlb12d.v", "vlh12d.v", "vlw12d.v", "vlbu12d.v", "vlhu12d.v",
            "vsb12d.v", "vsh12d.v", "vsw12d.v"}


def main():
    table = Table(sys.argv[1])
    passed = failed = 0
    with open(sys.argv[2], encoding="utf-8") as f:
        lines = [line.split() for line in f if line[:1] not in "#\n"]
    for name, match, mask in lines:
        match, mask = int(match, 16), int(mask, 16)
        row = table.rows.get(name) or table.rows.get(name + ".v")
        same = row and row.match & mask == match and row.mask & mask == mask \
            and (row.mask == mask or row.name in STRICTER)
        passed, failed = passed + bool(same), failed + (not same)
        if not same:
            print(f"{name}: {match:08x}/{mask:08x}, the table has " +
                  (f"{row.match:08x}/{row.mask:08x}" if row else "no such row"))
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0 or passed < 300)


if __name__ == "__main__":
    main()
