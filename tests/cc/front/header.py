#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every function that clang's opencl-c.h declares for our extensions and
features is defined in the device library.

    header.py CLANG OPENCL_H LIBRARY.bc... WORK

The header is preprocessed with the macros of src/abi/extension.def.  A function
around each declaration is compiled, so that clang writes the mangled name;
those that no library defines are printed.  Printf is the compiler's own.
"""
import re
import subprocess
import sys
from pathlib import Path

VERSIONS = '1.2', '3.0'  # 2.0 has queues on devices
MACHINE = 'depth', 'msaa'  # optional kinds of images, without their extension
# Before 3.0 a parameter can be half only after this.
HALVES = '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n'
WORDS = set('''char uchar short ushort int uint long ulong float double half
size_t bool ptrdiff_t intptr_t uintptr_t const void event_t sampler_t
cl_mem_fence_flags memory_order memory_scope atomic_flag'''.split())


def macros(path):
    """Names that clang's -cl-ext takes; features of OpenCL C 3.0 that all devices have
    without it; and macros of extensions, which all versions have."""
    rows = re.findall(r'^(EXTENSION|FEATURE)\((\w+), [\d, ]+, (\w+), (\w+)\)',
                      path.read_text(encoding='utf-8'), re.M)
    return ([name for _, name, language, _ in rows if language == 'CLANG'],
            [name for kind, name, language, devices in rows
             if (kind, language, devices) == ('FEATURE', 'MACRO', 'ALL')],
            [name for kind, name, language, devices in rows if devices == 'ALL' and
             (language == 'EXTENDS' or (kind, language) == ('EXTENSION', 'MACRO'))])


def arguments(clang, version, extensions, features, always):
    args = [clang, '-target', 'spir--', '-x', 'cl', f'-cl-std=CL{version}',
            '-U__SPIR__', '-U__SPIR32__', '-Xclang',
            '-cl-ext=-all' + ''.join(',+' + e for e in extensions)]
    args += [f'-D{name}=1' for name in always]
    if version == '3.0':
        args += [f'-D{f}=1' for f in features]
    return args


def run(args, text=''):
    done = subprocess.run(args, input=text, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(done.stderr[:4000])
    return done.stdout


def is_type(word):
    plain = re.sub(r'\d+$', '', word)
    return plain in WORDS or word.endswith('_t') or word.startswith('atomic_')


def parameter(text, number):
    """The parameter named a0, a1, ..., whatever its name."""
    match = re.match(r'(.*[\s*])(\w+)$', text)
    if match and not is_type(match[2]):
        text = match[1]
    return f'{text} a{number}'


def wrap(declaration, number):
    match = re.match(r'(.*?)\s*@\s*([\w ]*?)(\w+)\s*\((.*)\)[ @]*$',
                     declaration)
    if not match or '...' in match[4] or \
            any(word in match[4] for word in MACHINE):
        return ''
    result = f'{match[1]} {match[2]}'.replace('@', ' ')
    result = result.replace('const ', '').strip()
    inside = match[4].replace('@', ' ').strip()
    given = [] if inside in ('', 'void') else inside.split(',')
    params = ', '.join(parameter(p.strip(), i) for i, p in enumerate(given))
    args = ', '.join(f'a{i}' for i in range(len(given)))
    back = '' if result == 'void' else 'return '
    # clang knows the extension only with this header; the front end declares them.
    first = '' if not match[3].startswith('intel_') else \
        f'__attribute__((overloadable)) {result} {match[3]}({params});\n'
    return (first + f'{result} f{number}({params or "void"}) '
            f'{{ {back}{match[3]}({args}); }}\n')


def wrappers(args, folder):
    text = run(args + ['-E', '-P', '-I', folder, '-include', 'opencl-c.h',
                       '-'])
    text = re.sub(r'__attribute__\(\((?:[^()]|\([^()]*\))*\)\)', '@', text)
    declarations = (' '.join(d.split()) for d in text.split(';'))
    return [w for i, d in enumerate(declarations) if (w := wrap(d, i))]


def names(kind, path):
    return {line.split()[-1] for line in
            run(['llvm-nm-19', kind, path]).splitlines()}


def main():
    clang, table, *libraries, work = sys.argv[1:]
    work = Path(work)
    work.mkdir(parents=True, exist_ok=True)
    folder = run([clang, '-print-resource-dir']).strip() + '/include'
    names_of = macros(Path(table))
    have = set().union(*(names('--defined-only', l) for l in libraries))
    failed = 0
    for version in VERSIONS:
        args = arguments(clang, version, *names_of)
        source = work / f'cl{version}.cl'
        functions = wrappers(args, folder)
        source.write_text(HALVES + ''.join(functions), encoding='utf-8')
        module = str(source.with_suffix('.bc'))
        run(args + ['-O0', '-w', '-emit-llvm', '-c', '-o', module,
                    str(source)])
        missing = sorted(names('--undefined-only', module) - have)
        print(f'OpenCL C {version}: {len(functions)} functions, '
              f'{len(missing)} missing')
        print(run(['llvm-cxxfilt-19'], '\n'.join(missing)), end='')
        failed += bool(missing) or len(functions) < 5000
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
