#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many SPIR-V modules of wheels are built, and why the others are not.

    spirv_modules.py VENTUS WHEEL... [--count N]

dpctl and dpnp, of PyPI, have thousands of modules of Physical64 in their libraries:

    pip download --no-deps dpctl dpnp
    python3 tests/clients/spirv_modules.py build/release/bin/ventus dp*.whl

A sample of N modules, 500, is taken in the order of their hashes and built for version
2.  Prints a count for each message, the number of those built first.
"""
import argparse
import hashlib
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

BEGIN = re.compile(rb'\x03\x02\x23\x07\x00[\x00-\x06]\x01\x00')
FUNCTION_END = struct.pack('<I', 1 << 16 | 56)
HEAD = 20


def module_at(data, start):
    """The module that begins there, to its last function; empty: there is none."""
    at = start + HEAD
    while at + 4 <= len(data):
        word, = struct.unpack_from('<I', data, at)
        if not word >> 16 or (word & 0xffff) > 7000 or word == 0x07230203:
            break
        at += 4 * (word >> 16)
    end = data.rfind(FUNCTION_END, start, at)
    return data[start:end + 4] if end >= 0 else b''


def modules(wheels):
    found = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if '.so' not in name:
                    continue
                data = archive.read(name)
                for match in BEGIN.finditer(data):
                    module = module_at(data, match.start())
                    if module:
                        found[hashlib.sha256(module).hexdigest()] = module
    return [found[key] for key in sorted(found)]


def reason(text):
    """The first error, without what differs from module to module."""
    lines = [line for line in text.splitlines() if 'error:' in line] or [text]
    line = re.sub(r'^\S*\.spv:\S* ', '', lines[0])
    return re.sub(r'\d+\[%[^]]*\]', 'ID', re.sub(r'line \d+', 'line N', line))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ventus')
    parser.add_argument('wheels', nargs='+', type=Path)
    parser.add_argument('--count', type=int, default=500)
    options = parser.parse_args()
    all_modules = modules(options.wheels)
    step = max(1, len(all_modules) // options.count)
    sample = all_modules[::step][:options.count]
    counts = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'm.spv'
        for module in sample:
            path.write_bytes(module)
            done = subprocess.run(
                [options.ventus, 'cc', '-march=ventus2', '-o', '/dev/null',
                 path], capture_output=True, text=True, errors='replace')
            counts[reason(done.stderr) if done.returncode else 'built'] += 1
    print(f'{len(all_modules)} modules, {len(sample)} tried')
    for what, n in counts.most_common():
        print(f'{n:6} {what}')


if __name__ == '__main__':
    sys.exit(main())
