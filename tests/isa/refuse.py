#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every rule of table.py has an input that breaks it.

    refuse.py DIR

The first line of a file says what must come: `# expect: LINE: message`, or
`# expect: ok`.  One process for all: a Python start costs more than a table."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../src/isa"))
import table  # noqa: E402


def outcome(path):
    try:
        table.Table(path)
    except table.TableError as e:
        return str(e).replace(path + ":", "", 1)
    return "ok"


def rules():
    """Messages in table.py, cut at their first variable part."""
    with open(table.__file__, encoding="utf-8") as f:
        source = f.read()
    return re.findall(r'self\.fail\(\s*f?[\'"]([^\'"{]*)', source)


def main():
    passed = failed = 0
    seen = ""
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.isa"))):
        with open(path, encoding="utf-8") as f:
            want = f.readline().replace("# expect: ", "").strip()
        got = outcome(path)
        seen += got + "\n"
        passed, failed = passed + (got == want), failed + (got != want)
        if got != want:
            print(f"{path}: expected '{want}', got '{got}'")
    for rule in rules():
        if rule.strip() and rule.strip() not in seen:
            failed += 1
            print(f"no input breaks the rule '{rule}'")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
