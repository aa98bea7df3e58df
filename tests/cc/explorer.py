#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/compiler-explorer.md, as that program starts them.

    explorer.py BIN SOURCES"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = """kernel void scale(global float *x, float f)
{
    int i = get_global_id(0);
    x[i] = x[i] * f;
}
"""


def main():
    folder, root = Path(sys.argv[1]), Path(sys.argv[2])
    page = (root / 'docs' / 'compiler-explorer.md').read_text()
    commands = re.findall(r'^    (ventus-cc .*)$', page, re.M)
    options = re.findall(r'^    compiler\.\w+\.options=(.*)$', page, re.M)
    assert len(commands) == 2 and len(options) == 2, (commands, options)
    version, build = (command.split() for command in commands)
    with tempfile.TemporaryDirectory() as work:
        (Path(work) / 'example.cl').write_text(SOURCE)

        def run(words):
            return subprocess.run([folder / words[0], *words[1:]], cwd=work,
                                  capture_output=True, text=True, check=True)
        assert re.fullmatch(r'ventus \d+\.\d+\.\d+\n', run(version).stdout)
        for option in options:
            words = [option if w.startswith('-march') else w for w in build]
            said = run(words)
            assert (said.stdout, said.stderr) == ('', ''), said
            text = (Path(work) / 'output.s').read_text()
            number = re.search(r'\.file +(\d+) .*"example\.cl"$', text, re.M)[1]
            lines = set(re.findall(rf'\.loc +{number} (\d+) ', text))
            assert {'3', '4'} <= lines, lines
            assert re.search(r'^scale:$', text, re.M), text
        run([*build[:-1], '-c', build[-1]])  # an object of the same name
        assert (Path(work) / 'output.s').read_bytes()[:4] == b'\x7fELF'


if __name__ == '__main__':
    main()
