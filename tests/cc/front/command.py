#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ventus cc --emit ll as a user sees it: messages, statuses, hostile input.

    command.py VENTUS_CC OUT
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
from process import catches, children, is_running, wait_for  # noqa: E402

CC, OUT = sys.argv[1], Path(sys.argv[2])
failures = 0


def cc(source, *options, env=None):
    """Compiles text; (status, messages, LLVM IR)."""
    data = source if isinstance(source, bytes) else source.encode()
    done = subprocess.run([CC, '--emit', 'll', '-o', '-', *options, '-'],
                          input=data, capture_output=True, check=False,
                          env={**os.environ, **(env or {})})
    return (done.returncode, done.stderr.decode(errors='replace'),
            done.stdout.decode(errors='replace'))


def check(what, ok, *details):
    global failures
    if not ok:
        failures += 1
        print(f'FAIL {what}')
        for detail in details:
            print(f'    {str(detail)[:2000]}')


def refuses(what, source, message, *options, status=1):
    found, log, _ = cc(source, *options)
    check(what, found == status and message in log, found, log)


def accepts(what, source, *options, log_has='', ir_has=()):
    found, log, text = cc(source, *options)
    check(what, found == 0 and log_has in log, found, log)
    for part in ir_has:
        check(f'{what}: {part}', re.search(part, text), text)
    return text


def messages():
    refuses('undeclared', 'kernel void k(global int *a) { a[0] = b; }\n',
            "input.cl:1:39: error: use of undeclared identifier 'b'\n"
            '    1 | kernel void k(global int *a) { a[0] = b; }\n'
            '      |                                       ^\n')
    refuses('name', 'x', 'my "k".cl:1:1: error:', '--name', 'my "k".cl')
    refuses('undefined', 'int f(int);\nkernel void k(global int *a)\n'
            '{\n  a[0] = f(1);\n}\n',
            "input.cl:4:10: error: undefined function 'f'\n"
            '    4 |   a[0] = f(1);\n      |          ^\n')
    refuses('recursion', 'int f(int x) { return x < 2 ? x : x * f(x - 1); }\n'
            'kernel void k(global int *a) { a[0] = f(a[1]); }\n',
            "error: function 'f' calls itself, which OpenCL C does not allow")
    refuses('include', '#include "none.h"\n', "'none.h' file not found")
    refuses('#error', '#error no luck\n', 'input.cl:1:2: error: no luck')
    refuses('format', 'kernel void k(constant char *f) { printf(f, 1); }\n',
            'printf: the format is not a string literal')
    refuses('half', 'kernel void k(global half *a) { half h = a[0]; }\n',
            'error:')
    # It was dropped without a word.
    refuses('assembly outside of functions', '#define A asm\n// asm("a");\n'
            'int f() { return \'"\'; }\n  __asm__(".globl x\\nx:");\n'
            'kernel void k() {}\n',
            "input.cl:4:3: error: assembly outside of functions, '.globl x': ")
    refuses('likewise, by a macro', '#define A __asm__\nA("nop");\n',
            "input.cl: error: assembly outside of functions, 'nop': ")
    warns = '\n  #warning x\nkernel void k() {}\n'
    accepts('warning', warns, log_has='input.cl:2:4: warning: x')
    check('-w is quiet', cc(warns, '-w')[1] == '')
    refuses('-Werror', warns, 'error: x', '-Werror')


def options():
    kernel = 'kernel void k(global int *a) { a[0] = N; }\n'
    accepts('-D', kernel, '-D', 'N=3', ir_has=['store i32 3'])
    accepts('--options', kernel, '--options', ' -D "N=1 + 4" ',
            ir_has=['store i32 5'])
    refuses('unknown', kernel, "unknown option '-cl-x'", '-cl-x', status=2)
    check('-c is --emit o', accepts('-c', kernel, '-D', 'N=3', '-c', ir_has=['^\x7fELF']) ==
          accepts('--emit o', kernel, '-D', 'N=3', '--emit', 'o'))
    refuses('-c compiles', kernel, "use of undeclared identifier 'N'", '-c')
    # It was accepted and wrote nothing.
    refuses('files between the steps', kernel, '--emit writes one of them', '-save-temps=obj',
            status=2)
    # It named doubles, which the kernel does not have.
    refuses('upstream in version 2', 'kernel void k(global int *a) { a[0] = 1; }\n',
            "profile 'upstream' is for version 1 of the instruction set: expected -march=ventus1",
            '--profile', 'upstream', '-march=ventus2')
    accepts('of other vendors, for the runtime', kernel, '--options', '-D N=3 -save-temps')
    refuses('unknown in string', kernel, "unknown option '-y'", '--options',
            '-y', status=2)
    refuses('emit', kernel, "--emit: expected bc, ll, ir, s, o, elf; found 'wc'", '--emit', 'wc',
            status=2)
    version = 'kernel void k(global int *a) { a[0] = __OPENCL_VERSION__; ' \
        'a[1] = __OPENCL_C_VERSION__; }\n'
    # The version of the device, and that of the language.
    accepts('version', version, ir_has=['store i32 310', 'store i32 120'])
    accepts('1.0', version, '-cl-std=CL1.0',
            ir_has=['store i32 310', 'store i32 100'])
    accepts('3.0', version, '-cl-std=CL3.0',
            ir_has=['i32 310, ptr.* %0,', 'i32 300, ptr.* %2,'])
    fast = 'kernel void k(global float *a) { a[0] = sin(a[1]); }\n'
    check('fast math is shorter',
          len(accepts('exact', fast)) >
          2 * len(accepts('fast', fast, '-cl-fast-relaxed-math')))
    says = '#ifdef __FAST_RELAXED_MATH__\n#error fast\n#endif\n' \
        'kernel void k() {}\n'
    accepts('exact math has no macro', says)
    refuses('fast math has one', says, 'error: fast',
            '-cl-fast-relaxed-math')
    (OUT / 'inc').mkdir(parents=True, exist_ok=True)
    (OUT / 'inc/n.h').write_text('#define N 77\n')
    (OUT / 'inc/k.cl').write_text('#include "n.h"\n' + kernel)
    accepts('-I', '#include "n.h"\n' + kernel, '-I', str(OUT / 'inc'),
            ir_has=['store i32 77'])
    done = subprocess.run([CC, '--emit', 'll', '-o', OUT / 'k.ll',
                           OUT / 'inc/k.cl'], check=False)
    check('include beside the file', done.returncode == 0 and
          'store i32 77' in (OUT / 'k.ll').read_text())
    mark = '\ufeff'
    accepts('byte order mark', mark + kernel, '-D', 'N=4',
            ir_has=['store i32 4'])
    refuses('line 1 behind a mark', mark + 'x\n', 'input.cl:1:1: error:')
    (OUT / 'inc/n.h').write_text(mark + '#define N 78\n')
    (OUT / 'inc/k.cl').write_text(mark + '#include "n.h"\n' + kernel)
    done = subprocess.run([CC, '--emit', 'll', '-o', OUT / 'k.ll',
                           OUT / 'inc/k.cl'], check=False)
    check('marks in files', done.returncode == 0 and
          'store i32 78' in (OUT / 'k.ll').read_text())
    for macro in ('cl_khr_fp64', 'cl_khr_fp16', 'cl_khr_byte_addressable_store',
                  'cl_khr_global_int32_base_atomics',
                  'cl_khr_local_int32_extended_atomics',
                  'cl_khr_int64_extended_atomics', '__ENDIAN_LITTLE__',
                  '__IMAGE_SUPPORT__', 'cl_khr_3d_image_writes',
                  'cl_khr_image2d_from_buffer', 'cl_khr_subgroup_shuffle'):
        accepts(macro, f'#ifndef {macro}\n#error no\n#endif\n'
                'kernel void k() {}\n')
    accepts('cl_khr_subgroups', '#ifndef cl_khr_subgroups\n#error no\n#endif\n'
            'kernel void k() {}\n', '-cl-std=CL2.0')
    for macro in ('__SPIR__', '__SPIR32__',
                  'cl_khr_gl_sharing'):
        accepts(macro, f'#ifdef {macro}\n#error yes\n#endif\n'
                'kernel void k() {}\n')
    accepts('no fp64', '#ifdef cl_khr_fp64\n#error yes\n#endif\n'
            'kernel void k(global float *a) { a[0] *= 2.5; }\n', '-fno-fp64',
            ir_has=['fmul float'])


def parameters():
    """LLVM reads the attributes of n parameters in a time of n * n."""
    def source(n, more=''):
        words = ', '.join(f'global int *a{i}' for i in range(n))
        return f'{more}kernel void k({words}) {{ a{n - 1}[0] = 1; }}\n'
    accepts('many parameters', source(4096), '-O0')
    message = 'a function has {} parameters: expected 4096 at most'
    refuses('a parameter too many', source(4097), message.format(4097))
    refuses('in the second function', source(20000, 'kernel void one(int x) {}\n'),
            message.format(20000))
    refuses('in an object', source(4097), message.format(4097), '--emit', 'bc')


def sandboxed():
    """What ventus cc reads on the command line: its folders, and no others."""
    with tempfile.TemporaryDirectory() as top:
        here, apart = Path(top) / 'here', Path(top) / 'apart'
        here.mkdir()
        apart.mkdir()
        (apart / 'x.h').write_text('constant int seen = 20521;\n')
        (apart / 'x.inc').write_text('.word 20521\n')
        (here / 'link.h').symlink_to('../apart/x.h')
        (here / 'k.cl').write_text('kernel void k(global int *x) { x[0] = 1; }\n')

        def compile(*words, **env):
            return subprocess.run([CC, '-o', str(here / 'k.elf'), *words], cwd=here,
                                  capture_output=True, text=True, env={**os.environ, **env})
        files = {}
        for name in (f'{apart}/x.h', '../apart/x.h', 'link.h', '/proc/self/environ'):
            files[name] = here / f'{len(files)}.cl'
            files[name].write_text(f'#include "{name}"\nkernel void k() {{}}\n')
        lacks = compile('k.cl', VENTUS_SANDBOX='require')
        if lacks.returncode:
            print(f'this kernel has not all: {lacks.stderr.strip()}')
        for name, path in files.items() if lacks.returncode == 0 else ():
            done = compile(str(path))
            check(f'{name} is kept apart', done.returncode == 1 and
                  'Permission denied' in done.stderr, done.stderr)
        refused = [f'.include "{apart}/x.inc"', f'.incbin "{apart}/x.inc"',
                   '.incbin "/proc/version"', '.include "/dev/zero"']
        if b'__asan_init' not in Path(CC).read_bytes():  # its run time reads /proc/self
            refused.append('.incbin "/proc/self/environ"')
        for line in refused if lacks.returncode == 0 else ():
            (here / 'f.s').write_text(line + '\n')
            done = compile('k.cl', 'f.s')
            check(f'{line} is refused', done.returncode == 1 and 'cannot read' in done.stderr
                  and '20521' not in done.stderr, done.stderr)
        # A file in the folder of another input, and an output elsewhere.
        (apart / 'k.cl').write_text('#include "x.h"\nkernel void k(global int *x)'
                                    ' { x[0] = seen; }\n')
        done = compile(str(apart / 'k.cl'))
        check('the folder of an input is read', done.returncode == 0, done.stderr)
        (Path(top) / 'out').mkdir()
        done = compile('k.cl', '-o', f'{top}/out/k.elf')
        check('the folder of the output is written', done.returncode == 0 and
              (Path(top) / 'out/k.elf').exists(), done.stderr)


def version_2():
    """Pointers to global memory have 64 bits; sizeof is 8 for all."""
    march = '-march=ventus2'
    accepts('64-bit pointers', 'struct s { local int *l; private int *p; };\n'
            'kernel void k(global ulong *a, local int *l) {\n'
            '  a[0] = sizeof(size_t); a[1] = sizeof(a) + sizeof(l) * 100;\n'
            '  a[2] = sizeof(struct s); a[3] = (ulong)l; }\n', march,
            ir_has=['i64 8,', 'i64 808,', 'i64 16,',
                    r'ptrtoint ptr addrspace.3. %1 to i32'])
    accepts('generic pointers of 64 bits', 'kernel void k(global int *a, '
            'local int *l) {\n  int x = a[9], *p = &x; if (a[0]) p = a; if (a[1]) p = l;\n'
            '  a[2] = to_global(p) != 0; *p = 1; }\n', march, '-cl-std=CL2.0',
            ir_has=[r'icmp \w+ i64'])
    (OUT / 'one.cl').write_text('kernel void k(global int *a) { a[0] = 1; }\n')
    subprocess.run([CC, '--emit', 'bc', '-o', OUT / 'one.bc', OUT / 'one.cl'],
                   check=True)
    done = subprocess.run([CC, march, '--emit', 'll', '-o', OUT / 'one.ll',
                           OUT / 'one.bc'], capture_output=True, text=True,
                          check=False)
    check('objects of both versions', done.returncode == 1 and
          'is for ventus1, expected one for ventus2' in done.stderr,
          done.stderr)


def code():
    work = 'kernel {} void k(global int *a) {{ a[get_global_id(0)] = ' \
        'get_local_id(0) + get_local_size(0) + get_num_groups(0); }}\n'
    text = accepts('any size', work.format(''), ir_has=['urem'])
    text = accepts('known size', work.format(
        '__attribute__((reqd_work_group_size(64, 1, 1)))'))
    check('a known size divides nothing',
          'urem' not in text and 'noundef 24' not in text, text)
    accepts('not uniform', work.format(''), '-cl-std=CL2.0',
            ir_has=['noundef 12'])
    accepts('kernel calls kernel', 'kernel void a(global int *p) { *p = 1; }'
            'kernel void b(global int *p) { a(p); p[1] = 2; }\n',
            ir_has=['spir_kernel void @a', 'spir_kernel void @b'])
    accepts('own names', 'constant float EXP_TBL[2] = {1, 2};\n'
            'float buffer(float x) { return x + EXP_TBL[0]; }\n'
            'float reduce_pi(float x) { return 7; }\n'
            'kernel void k(global float *a, int i) { a[0] = exp(buffer(a[1]))'
            '+ EXP_TBL[i] + native_sin(reduce_pi(a[2])); }\n')
    text = accepts('vectors go', 'kernel void k(global float4 *a) '
                   '{ a[0] = a[1] * a[2].wzyx + sin(a[3]); }\n')
    check('no vectors', not re.search(r'(load|store|fmul) <', text))
    loop = 'kernel void k(global int *a) { for (int i = 0; i < 8; i++) ' \
        'a[i] += i; }\n'
    check('-O0 keeps loops', 'phi' in accepts('-O0', loop, '-O0'))
    check('-O2 unrolls', 'phi' not in accepts('-O2', loop, '-O2'))
    accepts('-g', loop, '-g', ir_has=['DILocalVariable'])
    text = accepts('generic pointers', 'int get(int *p) { return *p; }\n'
                   'void put(int *p, int x) { if (p) *p = x; }\n'
                   'kernel void k(global int *a, local int *l) {\n'
                   '  int x = a[9]; put(a, get(l) + get(&x)); int *p = a;\n'
                   '  for (int i = 0; i < a[8]; i++) p += l[i];\n'
                   '  *p = to_local(p) == 0; }\n', '-cl-std=CL2.0')
    check('no generic pointers', 'addrspace(4)' not in text, text)
    text = accepts('results by generic pointers', 'kernel void k(global '
                   'float4 *a, global int4 *n, local float *l) {\n'
                   '  float4 x; a[0] = fract(a[1], &x); a[2] = x;\n'
                   '  int4 e; a[3] = frexp(a[3], &e) + modf(a[4], a + 5);\n'
                   '  n[0] = e; a[6] = remquo(a[7], a[8], n + 1);\n'
                   '  float *p = l; vstore4(vload4(1, p), 2, p); }\n',
                   '-cl-std=CL2.0')
    check('none left', 'addrspace(4)' not in text, text)
    accepts('unknown space', 'kernel void k(global int *a, local int *l)\n'
            '{ int *p = l; if (a[0]) p = a;\n  *p = 1; }\n', '-cl-std=CL2.0')
    accepts('unknown space, a whole struct', 'struct s { int x[99]; };\n'
            'kernel void k(global struct s *a, local struct s *l)\n'
            '{ struct s *p = l; if (a->x[0]) p = a;\n  *p = a[1]; }\n',
            '-cl-std=CL2.0')
    # LLVM's language reference: that an argument is passed by value must be
    # said of the call as of the function, which copies it here.
    text = accepts('structs by value', 'struct s { int x[9]; };\n'
                   '__attribute__((noinline)) int f(int i, struct s a, '
                   'struct s b) { a.x[i] = 1; return a.x[0] + b.x[i]; }\n'
                   'kernel void k(global struct s *a) { a[0].x[0] = '
                   'f(get_global_id(0), a[1], a[2]); }\n',
                   ir_has=[r'call .* @f\(', r'define internal .* @f\('])
    check('calls and functions agree', 'byval' not in text, text)
    asm = 'kernel void k(global int *a) { int x; ' \
        '__asm__("vid.v %0" : "=vr"(x)); a[x] = x; }\n'
    accepts('inline assembly', asm, ir_has=['asm'])
    accepts('no kernel', 'int f(int x) { return x; }\n')
    accepts('nothing', '')


def depfile():
    """The rule was of a target called output, whatever -o said."""
    header, rule = OUT / 'with space.h', OUT / 'rule.d'
    header.write_text('#define N 3\n')
    target = OUT / 'target file.ll'
    found, log, _ = cc('#include "with space.h"\nkernel void k() {}\n',
                       '-I', str(OUT), '--depfile', str(rule), '-o',
                       str(target))
    text = rule.read_text()
    escaped = str(target).replace(' ', '\\ ')
    check('depfile', found == 0 and text.startswith(f'{escaped}:') and
          'with\\ space.h' in text, log, text)
    # Its source, which clang reads from a pipe, was not in the rule.
    source = OUT / 'own file.cl'
    source.write_text('kernel void k() {}\n')
    subprocess.run([CC, '--depfile', rule, '-o', target, source], check=True)
    words = rule.read_text().replace('\\\n', ' ').split(': ', 1)[1].lstrip()
    check('depfile names the source', words.startswith(
        str(source).replace(' ', '\\ ') + ' '), words)


def hostile():
    deep = '(' * 200000 + '1' + ')' * 200000
    refuses('deep', f'kernel void k(global int *a) {{ a[0] = {deep}; }}\n',
            'error')
    refuses('zeros', b'\0' * 20 + b'x', 'error')
    refuses('bytes', bytes(range(256)) * 50, 'error')
    check('endless include', cc('#include "/dev/zero"\n')[0] in (0, 1))
    refuses('self include', '#include __FILE__\n', 'error')
    (OUT / 'self.h').write_text('#include "self.h"\n')
    refuses('nested include', '#include "self.h"\n', 'nested too deeply',
            '-I', str(OUT))
    big = ''.join(f'int f{i}(int x) {{ return x * {i}; }}\n'
                  for i in range(4000))
    accepts('4000 functions', big + 'kernel void k(global int *a) '
            '{ a[0] = f7(a[1]); }\n')
    # 2,744 copies of a function, with its variables, which become values before
    # they are inlined.
    nested = 'void g(int x) { if (x & ~x) printf("%s", "never"); }\n' \
        'int f0(int x) { int a = x * 3, b = a ^ x; if (b & 1) { int c = a; ' \
        'a += b; b = c; } g(a); return a + b; }\n'
    for i in range(3):
        calls = ''.join(f' int b{k} = f{i}(a); a += b{k};' for k in range(14))
        nested += f'int f{i + 1}(int x) {{ int a = x;{calls} return a; }}\n'
    accepts('nested functions', nested + 'kernel void k(global int *o) '
            '{ int x = f3(o[0]); o[0] = 5; }\n', ir_has=['store i32 5'])
    refuses('a line of a megabyte', 'int a = {' + '1,' * 500000 + 'b};',
            "'b'")
    none = str(OUT / 'none')
    found, log, _ = cc('kernel void k() {}\n', env={'VENTUS_CLANG': none})
    check('no clang', found == 1 and f'{none}: No such file' in log, found, log)
    found, log, _ = cc('kernel void k() {}\n', env={'VENTUS_CLANG': 'true'})
    check('no output', found == 1 and 'error' in log, found, log)
    found, log, _ = cc('kernel void k() {}\n', env={'VENTUS_LIB': none})
    check('no library', found == 1 and 'device library' in log, found, log)
    (OUT / 'ventus-core.bc').write_bytes(b'BC\xc0\xde garbage')
    found, log, _ = cc('kernel void k(global int *a)'
                       '{ a[get_global_id(0)] = 0; }\n',
                       env={'VENTUS_LIB': str(OUT)})
    check('bad library', found == 1 and 'error' in log, found, log)


def crash():
    """LLVM crashed on mutated bitcode, and nothing was said."""
    waits = subprocess.Popen([CC, '--emit', 'll', '-o', '-', '-'],
                             stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check('a handler', wait_for(lambda: catches(waits.pid, signal.SIGSEGV)))
    waits.send_signal(signal.SIGSEGV)
    _, log = waits.communicate()
    check('a crash of the compiler', waits.returncode == 1 and
          ('error: the compiler crashed on this input: Segmentation fault' in log or
           'AddressSanitizer' in log), waits.returncode, log)


def ends():
    """How clang ends is told, and it does not outlive the compiler."""
    crash()
    refuses('a crash of clang', '#pragma clang __debug crash\n',
            'error: clang crashed on this input')
    doubling = '#define A0 1\n' + ''.join(
        f'#define A{i} A{i - 1} + A{i - 1}\n' for i in range(1, 40))
    found, log, _ = cc(doubling + 'constant int a = A39;\n',
                       env={'VENTUS_COMPILE_LIMIT_MS': '1000'})
    check('clang out of time', found == 1 and
          'clang did not finish in time: 1 s of the processor' in log, log)
    check('clang out of time, in one line', log.startswith('input.cl: error: clang')
          and log.count('\n') == 1 and 'Stack dump' not in log, log)
    # It ended by SIGXCPU, which no table of exit statuses lists.
    wide = 'typedef int v __attribute__((ext_vector_type(65536)));\n' \
        'kernel void k(global v *x) { x[0] = x[1] * x[2]; }\n'
    found, log, _ = cc(wide, env={'VENTUS_COMPILE_LIMIT_MS': '1000'})
    check('the compiler out of time', found == 1 and
          'the compiler did not finish in time: 1 s of the processor' in log,
          f'{found}: {log}')
    pipe = OUT / 'pipe.h'
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    source = OUT / 'waits.cl'
    source.write_text('#include "pipe.h"\nkernel void k() {}\n')
    with subprocess.Popen([CC, '-o', '/dev/null', source]) as compiler:
        clang = wait_for(lambda: children(compiler.pid))
        check('clang starts', clang)
        if clang:
            compiler.kill()
            ended = wait_for(lambda: not is_running(clang[0]))
            check('clang ends', ended)
            if not ended:
                os.kill(clang[0], signal.SIGKILL)
        compiler.kill()
    pipe.unlink()


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for test in messages, options, parameters, sandboxed, version_2, code, depfile, hostile, ends:
        begin = time.monotonic()
        test()
        print(f'{test.__name__}: {time.monotonic() - begin:.1f} s')
    return failures != 0


if __name__ == '__main__':
    sys.exit(main())
