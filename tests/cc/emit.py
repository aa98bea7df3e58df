#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `ventus cc` can be asked to write, and its switches.

    emit.py BIN IR_PASSES FILE.cl...

The IR after every pass must parse and print back; a program has one start
code; each -fno-NAME is taken and each choice that there is not, is refused."""
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

bin_, ir_passes, files = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
failed = 0


def cc(*words):
    return subprocess.run([bin_ / 'ventus-cc', *words], capture_output=True,
                          text=True)


def check(what, ok, *more):
    global failed
    if not ok:
        failed += 1
        print('failed:', what, *more)


def check_file(path, folder):
    name = Path(path).stem
    for profile in 'default', 'upstream':
        out = folder / f'{name}.ir'
        done = cc('--emit', 'ir', '--after', 'all', '--profile', profile, '-o',
                  out, path)
        if profile == 'upstream' and 'register pairs' in done.stderr:
            continue
        check(f'{name}: --emit ir', done.returncode == 0, done.stderr)
        done = subprocess.run([ir_passes, '--roundtrip', out],
                              capture_output=True, text=True)
        check(f'{name}: round trip', done.returncode == 0, done.stdout)
    if path not in files[::5]:
        return
    text = cc('--emit', 'll', '-o', '-', path).stdout
    check(f'{name}: --emit ll', 'define' in text)
    # Not what each file of the device library was compiled by and for.
    origins = re.findall(r'^!(?:llvm.ident|opencl\..*) = !{(.*)}$', text, re.M)
    check(f'{name}: one origin', len(origins) == 3 and
          not any(',' in line for line in origins), origins)
    text = cc('--emit', 's', '-o', '-', path).stdout
    check(f'{name}: --emit s', 'endprg' in text)
    done = cc('--emit', 'elf', '-o', folder / 'k.elf', path)
    check(f'{name}: --emit elf', done.returncode == 0, done.stderr)
    code = subprocess.run([bin_ / 'ventus', 'dis', folder / 'k.elf'],
                          capture_output=True, text=True).stdout
    check(f'{name}: one start code', code.count('endprg') == 1,
          code.count('endprg'))


def check_rpc(folder):
    """One address of the place where lanes meet serves many branches."""
    path = folder / 'rpc.cl'
    path.write_text("""kernel void f(global int *x, int n) {
        int i = get_global_id(0), s = 0;
        for (int k = i; k < n; k += 3) s += x[k];
        for (int k = i; k < n; k += 5) s ^= x[k];
        x[i] = s; }""")
    count = {}
    for words in [], ["-fno-rpc"]:
        text = cc(*words, "--emit", "s", "-o", "-", path).stdout
        count[len(words)] = text.count("auipc")
    check("auipc", count[0] <= 1 < count[1], count)


def check_fences(folder):
    """RISC-V, A.6: what fence an order is mapped to."""
    path = folder / 'fences.cl'
    path.write_text('kernel void f(global int *p) {\n' + ''.join(
        f'p[{i}] = {i}; __atomic_{what}_fence(__ATOMIC_{order});\n'
        for i, (what, order) in enumerate((
            ('thread', 'RELAXED'), ('thread', 'ACQUIRE'),
            ('thread', 'RELEASE'), ('thread', 'ACQ_REL'),
            ('thread', 'SEQ_CST'), ('signal', 'SEQ_CST')))) + 'p[6] = 6; }')
    cc('--emit', 'o', '-o', folder / 'fences.o', path)
    text = subprocess.run([bin_ / 'ventus', 'dis', '--bare',
                           folder / 'fences.o'],
                          capture_output=True, text=True).stdout
    got = [' '.join(line.split()) for line in text.split('\n')
           if re.match(r' *(fence|sw)', line)]
    got = [line if line.startswith('fence') else 'sw' for line in got]
    check('fences', got == ['sw', 'sw', 'fence r, rw', 'sw', 'fence rw, w',
                            'sw', 'fence.tso', 'sw', 'fence rw, rw', 'sw',
                            'sw'], got)


def check_assembly(folder):
    """Inline assembly: what is written, and what is refused with what words."""
    path, out = folder / 'asm.cl', folder / 'asm.o'
    kernel = 'kernel void f(global int *p) { int x = p[0], y = 7;\n%s;\n' \
        'p[get_global_id(0)] = y; }'
    for text, expected in (
            ('__asm__ volatile("csrrs %0, tid, x0" : "=r"(y))',
             [r'csrrs? \S+ \S*tid']),
            ('__asm__ volatile("csrrs %0, 0x800, zero" : "=r"(y))',
             [r'csrrs? \S+ \S*tid']),
            ('__asm__("vadd.vi %0, %1, -7 # seven less\\n'
             'vxor.vv %0, %0, %1; ; \\tvsll.vi %0, %0, %2" : "=&vr"(y) : '
             '"vr"(x), "i"(3))',
             [r'vadd\.vi \S+ \S+ -7', r'vxor\.vv', r'vsll\.vi \S+ \S+ 3']),
            ('__asm__("vadd.vv %0, %0, %1" : "=vr"(y) : "vr"(x), "0"(y))',
             [r'vadd\.vv']),
            ('__asm__("")', [])):
        path.write_text(kernel % text)
        done = cc('--emit', 'o', '-o', out, path)
        code = subprocess.run([bin_ / 'ventus', 'dis', '--bare', out],
                              capture_output=True, text=True).stdout
        code = re.sub(r'[, ]+', ' ', code)
        check(text, done.returncode == 0 and
              all(re.search(x, code) for x in expected), done.stderr, code)
    for text, words in (
            ('"vadd.vv %0, %1, %1, %1" : "=vr"(y) : "vr"(x)',
             "too many operands near ', $1'"),
            ('"vadd.vv %0, %1 x" : "=vr"(y) : "vr"(x)',
             "wrong operands near 'x'"),
            ('"vadd.vv %0, %1" : "=vr"(y) : "vr"(x)',
             "wrong operands near ''"),
            ('"nothing %0" : "=vr"(y)',
             "unknown or unsupported instruction near 'nothing $0'"),
            ('"beq %0, %0, 8" : : "r"(y)',
             "unknown or unsupported instruction near 'beq"),
            ('"vadd.vv %0, v1, %1" : "=vr"(y) : "vr"(x)',
             "expected an operand of the statement near 'v1"),
            ('"vadd.vi %0, %1, seven" : "=vr"(y) : "vr"(x)',
             "expected a number near 'seven'"),
            ('"vadd.vi %0, %1, %1" : "=vr"(y) : "vr"(x)',
             "expected a constant operand near ''"),
            ('"vadd.vi %0, %1, $3" : "=vr"(y) : "vr"(x)',
             "no such operand near '$3'"),
            ('"vid.v %0" : "=m"(y)',
             "operands in memory are not supported")):
        path.write_text(kernel % f'__asm__({text})')
        done = cc('--emit', 'o', '-o', out, path)
        check(text, done.returncode == 1 and
              'inline assembly: ' + words in done.stderr, done.stderr)


def check_linked_options(folder):
    """Objects are linked with the least of their options: groups are uniform
    if each object says so."""
    (folder / 'u.cl').write_text('kernel void f(global int *p) { '
                                 'p[get_global_id(0)] = get_local_size(0) * '
                                 'get_num_groups(0); }')
    (folder / 'v.cl').write_text('kernel void g(global int *p) { '
                                 'p[get_global_id(0)] = 3; }')
    size = {}
    for name in 'uv':
        for more in [], ['-cl-uniform-work-group-size']:
            cc('-cl-std=CL2.0', *more, '--emit', 'bc', '-o',
               folder / f'{name}{len(more)}.bc', folder / f'{name}.cl')
    for u in '01':
        for v in '01':
            text = cc('--emit', 's', '-o', '-', folder / f'u{u}.bc',
                      folder / f'v{v}.bc').stdout
            size[u + v] = text.count('\n')
    check('linked options', size['00'] == size['01'] == size['10'] >
          size['11'] > 20, size)


def check_pressure(folder):
    """200 values of a thread live at once: 256 registers are enough."""
    n = 200
    lines = [f'float a{k} = x[get_global_id(0) * {n} + {k}];' for k in range(n)]
    total = ' + '.join(f'a{k}' for k in range(n))
    lines.append(f'float s = {total};')
    lines += [f'y[get_global_id(0) * {n} + {k}] = a{k} / s;' for k in range(n)]
    path = folder / 'pressure.cl'
    path.write_text('kernel void f(global const float *x, global float *y) {'
                    + '\n'.join(lines) + '}')
    done = cc('--stats', '-o', folder / 'k.elf', path)
    found = re.search(r'(\d+) vgprs +(\d+) spills +(\d+) private', done.stderr)
    check('no spills with 200 live values', done.returncode == 0 and found and
          int(found[1]) > n and found[2] == found[3] == '0', done.stderr)


def check_made_again(folder):
    """90 arguments used in a loop are loaded again where registers lack; no
    word of them is stored."""
    n = 90
    more = ', '.join(f'int a{k}' for k in range(n))
    lines = [f's = (s ^ a{k}) * a{(k * 7 + 1) % n};' for k in range(n)]
    path = folder / 'again.cl'
    path.write_text(f'kernel void f(global int *o, int n, {more}) {{'
                    'int i = get_global_id(0), s = i;\n'
                    'for (int k = 0; k < n; k++) {\n' + '\n'.join(lines) +
                    '}\no[i] = s; }')
    done = cc('--stats', '-o', folder / 'k.elf', path)
    check('arguments are not spilled', re.search(r' 0 spills', done.stderr),
          done.stderr)


def check_pairs(folder):
    """The halves of a pair are computed where the pair is."""
    path = folder / 'pairs.cl'
    path.write_text("""kernel void f(global double *x) {
        int i = get_global_id(0);
        x[i] = fma(x[i] + .123, .27, .391) * .46; }""")
    text = cc('--emit', 's', '-o', '-', path).stdout
    text = text[:text.index('_start')]
    for word in ' mv ', 'vxor':
        check(f'no {word} of halves', word not in text, text)


def check_copies():
    """Copies of which one side takes the register of the other are gone."""
    count = {}
    for words in [], ['-fno-coalesce']:
        text = ''.join(cc(*words, '--emit', 's', '-o', '-', path).stdout
                       for path in files)
        count[len(words)] = len(re.findall(r' (?:mv|vmv\.v\.v) ', text))
    check('coalescing', count[0] < 0.9 * count[1], count)


def check_arguments(folder):
    """What a function is called with is computed in the registers where it
    expects it: only the first of two results has to leave its place."""
    path = folder / 'arguments.cl'
    path.write_text("""__attribute__((noinline))
        int f(int a, int b, int c, int d) { return a * b ^ c * d; }
        kernel void k(global int *o) {
            int i = get_global_id(0);
            o[i] = f(i + 1, i * 3, i ^ 5, i & 7) +
                   f(i - 1, i * 5, i ^ 9, i | 7); }""")
    text = cc('--emit', 's', '-o', '-', path).stdout
    found = re.findall(r' (?:mv|vmv\.v\.v) .*', text)
    check('arguments in place', len(found) <= 1 and
          text.count('%hi(f)') == 2, text)


def check_local(folder):
    """Variables of a workgroup are in its own local memory, of which the
    kernel's record has the size (docs/abi.md): in memory for all workgroups
    they were right as long as these ran one by one."""
    path, elf = folder / 'local.cl', folder / 'k.elf'
    path.write_text("""kernel void f(global int *x) {
        local int a[5];
        local double d[3];
        int i = get_local_id(0);
        a[i] = d[i % 3] = x[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        x[i] = a[4 - i] + d[0]; }""")
    done = cc('-o', elf, path)
    raw = elf.read_bytes()
    size, = struct.unpack_from('<I', raw, raw.index(b'VTKN') + 32 + 16)
    check('local memory', done.returncode == 0 and
          5 * 4 + 3 * 8 <= size <= 6 * 4 + 3 * 8, size)


def check_versions(folder, source):
    """Objects of both versions are refused, with both names."""
    for version in '12':
        cc(f'-march=ventus{version}', '--emit', 'o', '-o',
           folder / f'v{version}.o', source)
    done = subprocess.run([bin_ / 'ventus', 'link', '-o', folder / 'both.elf',
                           folder / 'v1.o', folder / 'v2.o'],
                          capture_output=True, text=True, check=False)
    check('both versions', done.returncode == 1 and
          'v2.o' in done.stderr and 'v1.o' in done.stderr and
          'is for version 2 of the instruction set' in done.stderr, done.stderr)


def check_levels(folder):
    """What each level is said to leave out."""
    path = folder / 'levels.cl'
    path.write_text("""kernel void f(global int *x, global int *y, int n) {
        int i = get_global_id(0);
        for (int k = 0; k < 4; k++) y[4 * i + k] = x[4 * i + k] * n;
        for (int k = 0; k < n; k++) y[i] += x[k * 3 + i]; }""")
    branches, lines = {}, {}
    for level in '-O0', '-O1', '-O2':
        text = cc(level, '--emit', 's', '-o', '-', path).stdout
        check(level, 'endprg' in text)
        branches[level] = len(re.findall(r' (?:b\w+|vb\w+|j) ', text))
        lines[level] = len(text.splitlines())
    check('-O2 unrolls', branches['-O2'] < branches['-O1'], branches)
    check('-O1 does more than -O0', lines['-O1'] < lines['-O0'], lines)


def check_front_passes(text, folder, source):
    """Each pass of the front end can be the last; its module is printed."""
    names = re.search(r'front end, --emit ll: (.*)', text)[1].split()
    check('passes of the front end', len(names) > 20, names)
    modules = {}
    for name in names:
        path = folder / 'after.ll'
        done = cc('--emit', 'll', '--after', name, '-o', path, source)
        check(name, done.returncode == 0, done.stderr)
        modules[name] = path.read_text()
    check('before inlining', 'alwaysinline' in modules['keep-functions'])
    done = cc('--emit', 'll', '-o', path, source)
    check('the last pass', path.read_text() == modules[names[-1]])


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for path in files:
            check_file(path, folder)
        check_pressure(folder)
        check_rpc(folder)
        check_fences(folder)
        check_assembly(folder)
        check_linked_options(folder)
        check_made_again(folder)
        check_pairs(folder)
        check_arguments(folder)
        check_local(folder)
        one = files[0]
        check_copies()
        text = cc('--help').stdout
        part = text[text.index('disables one'):text.index('Passes:')]
        names = re.findall(r'^  (\w+) ', part, re.M)
        check('--help lists optimisations', len(names) > 5, names)
        for name in names:
            done = cc(f'-fno-{name}', '-o', folder / 'k.elf', one)
            check(f'-fno-{name}', done.returncode == 0, done.stderr)
        for version in 'ventus1', 'ventus2':
            check(version, cc(f'-march={version}', '-o', folder / 'k.elf',
                              one).returncode == 0)
            text = (folder / 'k.elf').read_bytes()
            note = text[text.index(b'Ventus\0\0') + 8:][:4]
            check('its note', note == bytes([int(version[-1]), 0, 0, 0]), note)
        check_versions(folder, one)
        check_levels(folder)
        for words, expected in ((['-march=ventus9'], 'expected ventus1'),
                                (['--emit', 'exe'], 'expected bc, ll'),
                                (['--after', 'lunch'], 'cc: unknown pass'),
                                (['--after', 'all'], 'cc: --after needs --emit ir'),
                                (['--emit', 'ir', '--after', 'inline'],
                                 'cc: --after needs --emit ll'),
                                (['-fno-flod'], "did you mean '-fno-fold'?"),
                                (['-O7'], 'expected -O0, -O1 or -O2'),
                                (['-fno-such'], '-fno-such')):
            done = cc(*words, '-o', folder / 'k.elf', one)
            check(words, done.returncode != 0 and expected in done.stderr,
                  done.stderr)
        check_front_passes(cc('--help').stdout, folder, one)
        done = cc('--time', '-o', folder / 'k.elf', one)
        check('--time', all(word in done.stderr for word in
                            ('resolve-spaces', 'allocate', 'total')))
    print(f'{failed} failed')
    sys.exit(failed != 0)


main()
