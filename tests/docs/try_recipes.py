#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: try_recipes.py SOURCE

Makes the changes of CONTRIBUTING.md in a copy of the tree, each as its recipe
says, builds, and runs the tests that each recipe names:

  * the instruction is the diff of docs/tutorials/add-an-instruction.md, whose commands
    are run with the new program;
  * the others are tests/docs/recipes/*.patch.

Each touches only files that the README of the recipe's module names, or new files of
that module.  With --check the changes are only applied.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from recipes import HEADING, is_named

SOURCE = Path(sys.argv[1]).resolve()
PAGE = 'docs/tutorials/add-an-instruction.md'
MODULES = {  # of each recipe's heading
    'instruction': 'src/isa', 'replacement-policy': 'src/model',
    'opencl-extension': 'src/abi', 'opencl-entry': 'src/cl',
    'report-section': 'src/dbg', 'engine': 'src/dev',
    'check-kind': 'src/sanitize'}
TARGETS = ['ventus', 'ventus-cc', 'ventus-opencl', 'device_library',
           'sanitize_host', 'sanitize_calls',
           'test_sim_table', 'test_model_replacement', 'test_dev_engines',
           'test_cl_facts']
TESTS = ['sim_table', 'isa_encodings', 'isa_llvm', 'isa_refuses', 'isa_chosen',
         'sim_kernels',
         'model_replacement', 'dev_engines', 'cl_facts', 'front_header',
         'sanitize_mistakes', 'docs_options', 'docs_recipes',
         'layering', 'readme_files']


def run(folder, *command, **more):
    p = subprocess.run(command, cwd=folder, check=False, text=True,
                       capture_output=True, **more)
    if p.returncode:
        sys.exit(f'{" ".join(map(str, command))}:\n{p.stdout[-4000:]}{p.stderr[-4000:]}')
    return p.stdout


def changes():
    """{name: patch}"""
    page = (SOURCE / PAGE).read_text(encoding='utf-8')
    found = {'instruction': ''.join(
        re.findall(r'^```diff\n(.*?)^```$', page, re.M | re.S))}
    for path in (SOURCE / 'tests/docs/recipes').glob('*.patch'):
        found[path.stem] = path.read_text(encoding='utf-8')
    assert found.keys() == MODULES.keys(), found.keys()
    text = (SOURCE / 'CONTRIBUTING.md').read_text(encoding='utf-8')
    assert {m for _, m, _ in HEADING.findall(text)} == set(MODULES.values())
    return found


def check_files(name, patch):
    """Those that a change touches."""
    module = MODULES[name]
    readme = (SOURCE / module / 'README.md').read_text(encoding='utf-8')
    for old, new in re.findall(r'^--- (\S+)\n\+\+\+ b/(\S+)$', patch, re.M):
        folder = os.path.dirname(new)
        if old == '/dev/null':
            assert folder == module or f'`{folder}/`' in readme, (name, new)
        else:
            assert is_named(new, module, readme), (name, new)


def try_commands(copy):
    """The sessions of the page that use its own build."""
    messages = Path(__file__).with_name('messages.py')
    print(run(copy, sys.executable, messages,
              copy / 'build/release/bin/ventus', copy / PAGE,
              copy / 'examples', '--program', 'build/release/bin/ventus'))


def main():
    all_ = changes()
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / 'ventus'
        shutil.copytree(SOURCE, copy, symlinks=True,
                        ignore=shutil.ignore_patterns('.git', 'build'))
        run(copy, 'git', 'init', '-q')
        for change, patch in all_.items():
            check_files(change, patch)
            run(copy, 'git', 'apply', '-C1', '-', input=patch)
        print(f'{len(all_)} changes apply')
        if '--check' in sys.argv:
            return
        build = copy / 'build/release'
        run(copy, 'cmake', '--preset', 'release')
        run(copy, 'cmake', '--build', build, '-j', str(os.cpu_count()),
            '--target', *TARGETS)
        try_commands(copy)
        print(run(copy, 'ctest', '--preset', 'release', '-LE', 'nightly', '-R',
                  f'^({"|".join(TESTS)})$'))


if __name__ == '__main__':
    main()
