#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses includes that go against the arrows of docs/architecture.md.

The table under the heading "Folders and arrows" is the one list of them: a
module may include the modules it uses and what those use.  A public header
includes public headers only.  The DEPS in CMakeLists.txt must obey too.

Inside a module a unit is name.h with name.c, and units include each other in
no circle.  The module's README lists the files in the order of use: a file
includes headers of its own row and of rows above it.

Which engine a device has is asked in one file (docs/engines.md), and one file
makes threads.

With a build folder, whose objects have been compiled, calls are read, too: the
.c files of src/ call each other in no circle but those of tests/circles.txt
(tests/calls.py).

    layering.py [ROOT [BUILD [NM]]]
"""
import re
import sys
from pathlib import Path

import calls

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1])
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"(?P<own>[^"]+)"|'
                     r'<(?P<lib>ventus|llvm-c)/(?P<header>[^>]+)>)')
ENGINE = re.compile(r'\bCONFIG_engine\b|dev_setting\([^()]*"engine"')
ENGINE_TABLE = 'src/dev/engine/engines.c'
THREADS = re.compile(r'\bpthread_create\(')
THREAD_MAKER = 'src/base/thread.c'
LLVM = 'src/cc/front', 'src/cc/isel', 'src/native'
ROW = re.compile(r'\||[-*] ')  # how a row or an item begins

MODULE = re.compile(r'ventus_module\(\s*(\w+)(?:[^)]*?\bDEPS\s+([\w\s]+))?')


def read_arrows():
    """{module: set of modules it may include}, itself among them."""
    text = (ROOT / 'docs/architecture.md').read_text(encoding='utf-8')
    text = text.split('## Folders and arrows', 1)[1].split('\n## ', 1)[0]
    rows = re.findall(r'^\| `src/(\w+)/` \|.*\| ([\w -]+) \|[^|]*\|$', text,
                      re.M)
    direct = {name: set(uses.replace('-', '').split()) for name, uses in rows}
    if 'base' not in direct:
        sys.exit('docs/architecture.md: found no table of arrows')

    def closure(name):
        return {name}.union(*(closure(used) for used in direct[name]))
    return {name: closure(name) for name in direct}


def owner(header):
    """The module of a public header: asm.h, isa_ops.h; tile_isa.h, of isa."""
    if re.fullmatch(r'\w+_(isa|ops)\.h', header):
        return 'isa'
    return re.split('[_.]', header)[0]


def refuse(path, number, message):
    print(f'{path.relative_to(ROOT)}:{number}: {message}')
    return 1


def made_in(folder):
    """Names of the headers that the folder's build makes."""
    text = (folder / 'CMakeLists.txt').read_text(encoding='utf-8')
    return set(re.findall(r'CMAKE_CURRENT_BINARY_DIR}/(\w+\.h)', text))


def check_own(path, number, included, module, allowed):
    """An include in quotes: its first folder is a module."""
    target = included.split('/')[0]
    if module is None:
        return refuse(path, number, f'a public header includes "{included}"')
    # A file of the folder, or one that its CMakeLists.txt makes.
    if '/' not in included and path.is_relative_to(ROOT / 'tools') \
            and ((path.parent / included).exists() or included in made_in(path.parent)):
        return 0
    if '/' not in included:
        return refuse(path, number, f'"{included}": name the module\'s folder')
    if target not in allowed:
        return refuse(path, number, f'{module} may not include {target}')
    return 0


def check_file(path, module, allowed, modules):
    errors = 0
    lines = path.read_text(encoding='utf-8').splitlines()
    for number, line in enumerate(lines, 1):
        if ENGINE.search(line) and path != ROOT / ENGINE_TABLE:
            errors += refuse(path, number,
                             'asks which engine it is: dev_can() knows what '
                             'it is capable of')
        if THREADS.search(line) and path != ROOT / THREAD_MAKER:
            errors += refuse(path, number,
                             'makes a thread: base/thread.h does')
        match = INCLUDE.match(line)
        if not match:
            continue
        if match['own']:
            errors += check_own(path, number, match['own'], module, allowed)
        elif match['lib'] == 'llvm-c':
            if not any(path.is_relative_to(ROOT / room) for room in LLVM):
                errors += refuse(path, number,
                                 f'only {" and ".join(LLVM)} may include llvm-c')
        else:
            target = owner(match['header'])
            if target in modules and target not in allowed:
                errors += refuse(path, number,
                                 f'{module or path.stem} may not include '
                                 f'<ventus/{match["header"]}>')
    return errors


def check_cmake(path, allowed):
    errors = 0
    for module, deps in MODULE.findall(path.read_text(encoding='utf-8')):
        for dep in sorted(set(deps.split()) - allowed):
            errors += refuse(path, 1, f'{module} may not depend on {dep}')
    return errors


def sources(folder):
    return sorted(p for p in (ROOT / folder).rglob('*') if p.suffix in
                  ('.c', '.h'))


def included_files(path, module):
    """[(line, file of the same module that `path` includes)]."""
    found = []
    lines = path.read_text(encoding='utf-8').splitlines()
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match and (match['own'] or '').startswith(module + '/'):
            included = ROOT / 'src' / match['own']
            if included.exists():
                found.append((number, included))
    return found


def find_circle(uses, start, seen):
    """A path of units from `start` back to it, or None; `seen`: no use."""
    path, on_path = [start], {start}

    def follow(unit):
        for used in sorted(uses.get(unit, ())):
            if used == start:
                return True
            if used in seen or used in on_path:
                continue
            path.append(used)
            on_path.add(used)
            if follow(used):
                return True
            path.pop()
            on_path.remove(used)
            seen.add(used)
        return False
    return path + [start] if follow(start) else None


def check_circles(folder):
    """Units of a module that include each other in a circle."""
    uses = {}
    for path in sources(folder):
        unit = path.relative_to(folder).with_suffix('')
        used = {file.relative_to(folder).with_suffix('')
                for _, file in included_files(path, folder.name)}
        uses.setdefault(unit, set()).update(used - {unit})
    errors, reported = 0, set()
    for unit in sorted(uses):
        circle = None if unit in reported else find_circle(uses, unit, set())
        if circle:
            reported.update(circle)
            errors += refuse(folder, 1, 'units include each other: ' +
                             ' -> '.join(str(u) for u in circle))
    return errors


def row_names(folder, files):
    """{file: pattern that finds it in a README of `folder`}: its path below the
    folder; its name alone, if no other of the files has it."""
    names = [path.name for path in files]
    return {path: re.compile(
        r'(?<![\w./-])(?:' + re.escape(str(path.relative_to(folder))) +
        ('' if names.count(path.name) > 1 else '|' + re.escape(path.name)) +
        r')(?!\w)') for path in files}


def read_rows(readme, files):
    """{file: number of the row that names it first}."""
    rows, row = {}, 0
    patterns = row_names(readme.parent, files)
    lines = readme.read_text(encoding='utf-8').splitlines()
    for number, line in enumerate(lines, 1):
        if ROW.match(line):
            row = number
        elif not line.startswith(' '):
            row = 0
        for path in files if row else ():
            if patterns[path].search(line):
                rows.setdefault(path, row)
    return rows


def check_order(folder):
    """The rows of the README are the order of use."""
    readme = folder / 'README.md'
    if not readme.exists():
        return 0
    if 'order of use' not in readme.read_text(encoding='utf-8'):
        return refuse(readme, 1, 'does not list its files in the order of use')
    errors = 0
    rows = read_rows(readme, sources(folder))
    for path in sources(folder):
        for number, included in included_files(path, folder.name):
            if rows.get(path, 0) < rows.get(included, 0):
                errors += refuse(path, number, f'{included.name} is below '
                                 f'{path.name} in the order of use of '
                                 f'{readme.relative_to(ROOT)}')
    return errors


def check_calls(build, *nm):
    """Circles of calls, read from the objects in `build`."""
    read = calls.read_calls(ROOT, build, *nm)
    messages = calls.judge_circles(ROOT, read)
    if not read:
        messages.append(f'{build}: no object of src is compiled')
    for message in messages:
        print(message)
    print(f'calls: {len(read)} files, {len(calls.find_circles(read))} circles')
    return len(messages)


def main():
    arrows = read_arrows()
    modules = set(arrows)
    errors = 0
    for folder in sorted((ROOT / 'src').iterdir()):
        if not folder.is_dir():
            continue
        if folder.name not in arrows:
            errors += refuse(folder, 1, 'not in docs/architecture.md')
            continue
        allowed = arrows[folder.name]
        for path in sources(folder):
            errors += check_file(path, folder.name, allowed, modules)
        for path in folder.rglob('CMakeLists.txt'):
            errors += check_cmake(path, allowed)
        errors += check_circles(folder) + check_order(folder)
    for path in sources('include'):
        allowed = arrows.get(owner(path.name), set())
        errors += check_file(path, None, allowed, modules)
    for path in sources('tools'):
        name = path.relative_to(ROOT / 'tools').parts[0]
        errors += check_file(path, name, modules | {name}, modules)
    if len(sys.argv) > 2:
        errors += check_calls(Path(sys.argv[2]), *sys.argv[3:])
    print(f'layering: {len(modules)} modules, {errors} errors')
    return errors != 0


if __name__ == '__main__':
    sys.exit(main())
