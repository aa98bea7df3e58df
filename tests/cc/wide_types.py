#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bitcode with values that the compiler has no words for.

    wide_types.py VENTUS-CC

clang makes no integers of over 64 bits and no long double of OpenCL C, but an
object of bitcode may have them: each use is an error that names the line, the
kernel and the type, and nothing is written."""
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILER = sys.argv[1]
MODULE = """
target datalayout = "e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-\
v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir-unknown-unknown"
%s
define spir_kernel void @f(ptr addrspace(1) %%p, %s %%n)
    !dbg !4 !kernel_arg_addr_space !6 !kernel_arg_access_qual !7
    !kernel_arg_type !8 !kernel_arg_base_type !8 !kernel_arg_type_qual !9 {
%s
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!opencl.ocl.version = !{!5}
!ventus.options = !{!13}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1,
                             emissionKind: FullDebug)
!1 = !DIFile(filename: "wide.cl", directory: "")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3,
    type: !11, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{i32 1, i32 2}
!6 = !{i32 1, i32 0}
!7 = !{!"none", !"none"}
!8 = !{!"int*", !"int"}
!9 = !{!"", !""}
!10 = !DILocation(line: 7, column: 5, scope: !4)
!11 = !DISubroutineType(types: !12)
!12 = !{null}
!13 = !{i32 2, i32 1}
"""
# Type, code; None: taken.  Volatile, so that no optimisation removes them.
AT = ', !dbg !10'
CODE = [
    ('i64', None, '%x = load volatile i64, ptr addrspace(1) %p'),
    ('i33', None, '%x = load volatile i33, ptr addrspace(1) %p'),
    ('i65', 'i65', '%x = load volatile i65, ptr addrspace(1) %p'),
    ('i128', 'i128', '%x = load volatile i128, ptr addrspace(1) %p'),
    ('store', 'i128', 'store volatile i128 7, ptr addrspace(1) %p'),
    ('i8388607', 'i8388607',
     '%x = load volatile i8388607, ptr addrspace(1) %p'),
    ('vector', 'i128', '%x = load volatile <2 x i128>, ptr addrspace(1) %p'),
    ('array', 'i96', '%x = load volatile [2 x i96], ptr addrspace(1) %p'),
    ('struct', 'i128',
     '%x = load volatile {i32, [3 x {i8, i128}]}, ptr addrspace(1) %p'),
    ('fp128', 'fp128', '%x = load volatile fp128, ptr addrspace(1) %p'),
    ('x86_fp80', 'x86_fp80',
     '%x = load volatile x86_fp80, ptr addrspace(1) %p'),
    # As wide as half, and another format.
    ('bfloat', 'bfloat', '%x = load volatile bfloat, ptr addrspace(1) %p'),
    ('scalable', 'x i32>',
     '%x = load volatile <vscale x 2 x i32>, ptr addrspace(1) %p'),
]
failed = 0


def check(what, ok, *more):
    global failed
    if not ok:
        failed += 1
        print('failed:', what, *more)


def compile_module(folder, text):
    bitcode, out = folder / 'wide.bc', folder / 'wide.elf'
    out.unlink(missing_ok=True)
    subprocess.run(['llvm-as-19', '-o', bitcode], input=text, text=True,
                   check=True)
    done = subprocess.run([COMPILER, '-o', out, bitcode], capture_output=True,
                          text=True)
    return done, out.exists()


def refuses(folder, what, text, *words):
    done, written = compile_module(folder, text)
    check(what, done.returncode == 1 and not written and
          all(w in done.stderr for w in words), done.returncode, done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, found, code in CODE:
            text = MODULE % ('', 'i32', '  ' + code + AT)
            if found:
                refuses(folder, name, text, 'wide.cl:7:5: error:', "'f'",
                        found, 'not supported')
                continue
            done, written = compile_module(folder, text)
            check(name, done.returncode == 0 and written, done.stderr)
        refuses(folder, 'parameter', MODULE % ('', 'i128', ''), "'f'", 'i128')
        # A global whose bytes an initialiser of 128 bits gives.
        refuses(folder, 'initialiser', MODULE % (
            '@g = addrspace(2) constant [2 x i128] [i128 1, i128 2]', 'i32',
            '  %a = getelementptr i32, ptr addrspace(2) @g, i32 %n\n'
            f'  %x = load volatile i32, ptr addrspace(2) %a{AT}'), 'i128')
    print(f'{failed} failed')
    sys.exit(failed != 0)


main()
