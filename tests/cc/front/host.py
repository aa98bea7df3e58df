# SPDX-License-Identifier: Apache-2.0
"""Kernels on this machine: the front end's LLVM IR, compiled for the host.

Address spaces and the target go, kernels become C functions with pointers of
the host; what is left open (__ventus_*) the caller defines in C.  This tests
the front end and the device library without any code generator of ours.
"""
import re
import subprocess


def run(command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True,
                          **options)


def saturate(text):
    """Conversions to integers saturate on RISC-V, and libclc relies on it."""
    bits = {'float': 'f32', 'double': 'f64'}
    used = set()

    def call(match):
        sign, source, value, result = match.groups()
        name = f'@llvm.fpto{sign}i.sat.{result}.{bits[source]}'
        used.add(f'declare {result} {name}({source})\n')
        return f'= call {result} {name}({source} {value})'
    text = re.sub(r'= fpto([su])i (float|double) (\S+) to (i\d+)', call, text)
    return text + ''.join(sorted(used))


def compile_kernels(cc, clang, source, out, options=()):
    """FILE.cl to the object OUT."""
    text = run([cc, '--emit', 'll', '-o', '-', *options, source],
               stdout=subprocess.PIPE).stdout
    text = re.sub(r' addrspace\(\d\)', '', text)
    text = re.sub(r'^target .*$', '', text, flags=re.M)
    text = text.replace('spir_kernel', '').replace('.p1.', '.p0.')
    text = re.sub(r'\.p[1-4](?=[.(])', '.p0', text)
    text = saturate(text)
    text = re.sub(r'section "\.ventus\.printf", ', '', text)
    run([clang, '-x', 'ir', '-O1', '-w', '-fPIC', '-c', '-o', out, '-'],
        input=text)


def build(cc, sources, out, options=()):
    run([cc, '-O1', '-w', *options, *sources, '-o', out, '-lm'])
