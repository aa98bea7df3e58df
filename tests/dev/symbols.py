#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Applications see names that begin with ventus_ or VENTUS_, and no others.

usage: symbols.py CC NM LIBRARY.so ARCHIVE.a OPENCL.so|- INCLUDE...

What the headers declare begins so; libventus.so exports that and nothing else,
and has a soname; the archive's global symbols are the same ones; the OpenCL
library exports none of them.  Then the same checks are made of a header and an
object that do not obey: each must be refused.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CC, NM, LIBRARY, ARCHIVE, OPENCL = sys.argv[1:6]
INCLUDE = [Path(p) for p in sys.argv[6:]]
OURS = re.compile(r'ventus_|VENTUS_')
# The compiler's and the C library's own, which a header may use in passing.
TAG = re.compile(r'\b(?:struct|union|enum)\s+(\w+)')
ENUM = re.compile(r'\benum\s*\w*\s*\{([^}]*)\}')
FUNCTION = re.compile(r'(?<![\w.>=(,&|*!-])\b(\w+)\([^()]*(?:\([^()]*\)[^()]*)*\)'
                      r'\s*(?:__attribute__[^;]*)?[;{]')
DATA = re.compile(r'\bextern\s+(?:const\s+)?[\w\s*]*?\b(\w+)\s*(?:\[|;)')


def run(*args):
    return subprocess.run([str(a) for a in args], capture_output=True,
                          text=True, check=True).stdout


def own_text(header, includes):
    """The header preprocessed, without what it includes of the system."""
    out, ours = [], False
    flags = [f'-I{i}' for i in includes]
    for line in run(CC, '-E', *flags, header).splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            ours = any(mark[1].startswith(str(i)) for i in includes)
        elif ours:
            out.append(line)
    return '\n'.join(out)


def bodies_removed(text):
    """Without the bodies of inline functions and of structs."""
    out, depth = [], 0
    for c in text:
        depth -= c == '}'
        if depth == 0 or c in '{}':
            out.append(c)
        depth += c == '{'
    return ''.join(out)


def declared(header, includes):
    text = own_text(header, includes)
    names = {f'tag {n}' for n in TAG.findall(text)}
    for body in ENUM.findall(text):
        names |= {f'enumerator {n}' for n in
                  re.findall(r'(?:^|,)\s*(\w+)', body)}
    flat = bodies_removed(text)
    functions = set(FUNCTION.findall(flat))
    names |= {f'function {n}' for n in functions}
    names |= {f'object {n}' for n in DATA.findall(flat)}
    macros = re.findall(r'^\s*#\s*define\s+(\w+)', header.read_text(), re.M)
    return names | {f'macro {n}' for n in macros}


def check_header(header, includes):
    return [f'{header.name}: {name} does not begin with ventus_'
            for name in sorted(declared(header, includes))
            if not OURS.match(name.split()[1])]


def symbols(*args):
    lines = run(NM, '--defined-only', *args).splitlines()
    # "address type name", with @@VERSION behind names of shared libraries.
    found = (line.split() for line in lines if len(line.split()) == 3)
    # AddressSanitizer marks each global object with a symbol of its own.
    return {w[2].split('@')[0] for w in found if w[1].isupper() and
            not w[2].startswith('__odr_asan.')}


def check_symbols(path, *options):
    names = symbols(*options, path)
    wrong = sorted(n for n in names if not n.startswith('ventus_'))
    return [f'{Path(path).name}: has the symbol {n}' for n in wrong] + \
        ([] if names else [f'{Path(path).name}: has no symbols'])


def check_complete(headers, exported):
    """What is declared and not inline is there."""
    text = bodies_removed('\n'.join(own_text(h, INCLUDE) for h in headers))
    inline = set(re.findall(r'static inline[^{;]*?\b(ventus_\w+)\(', text))
    names = {n for n in FUNCTION.findall(text) + DATA.findall(text)
             if n.startswith('ventus_')} - inline
    missing = sorted(names - exported)
    return [f'{n} is declared and not in libventus.so' for n in missing] + \
        ([] if len(names) > 60 else [f'only {len(names)} declarations found'])


def check_refused():
    """A header, a shared library and an archive that are wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        header = folder / 'bad.h'
        header.write_text(
            'struct dev; enum { DEV_A = 1 }; extern int dev_b;\n'
            '#define DEV_C 1\nvoid dev_d(struct dev *d);\n'
            'static inline int dev_e(void) { return DEV_A; }\n')
        found = check_header(header, [folder])
        errors = [f'the wrong header: {len(found)} refusals, not 6: {found}'
                  ] * (len(found) != 6)
        source = folder / 'bad.c'
        source.write_text('int ventus_x; int y; int z(void) { return y; }\n')
        run(CC, '-shared', '-fPIC', source, '-o', folder / 'bad.so')
        run(CC, '-c', source, '-o', folder / 'bad.o')
        for path, options in ((folder / 'bad.so', ['-D']),
                              (folder / 'bad.o', ['-g'])):
            got = check_symbols(path, *options)
            if len(got) != 2:
                errors.append(f'{path.name}: {got}')
    return errors


def main():
    headers = sorted(h for i in INCLUDE for h in (i / 'ventus').glob('*.h'))
    errors = [e for h in headers for e in check_header(h, INCLUDE)]
    errors += check_symbols(LIBRARY, '-D') + check_symbols(ARCHIVE, '-g')
    exported = symbols('-D', LIBRARY)
    errors += check_complete(headers, exported)
    if exported != symbols('-g', ARCHIVE):
        errors.append('library and archive do not have the same symbols')
    soname = re.search(r'SONAME[^\[]*\[(libventus\.so\.[\d.]+)\]',
                       run('readelf', '-d', LIBRARY))
    if not soname:
        errors.append('libventus.so: no soname')
    if OPENCL != '-':
        errors += [f'libventus-opencl.so: exports {n}' for n in
                   sorted(symbols('-D', OPENCL)) if n.startswith('ventus_')]
    errors += check_refused()
    print('\n'.join(errors + [f'{len(headers)} headers, {len(exported)} '
                              f'symbols, {len(errors)} errors']))
    return bool(errors)


if __name__ == '__main__':
    sys.exit(main())
