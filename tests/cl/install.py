#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` puts in place works from there, and from another
place that it is moved to.

usage: install.py CMAKE BUILD CC CLIENT.c
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

CMAKE, BUILD, CC, CLIENT = sys.argv[1:]
failures = 0

DRIVER = r'''
#include <stdio.h>
#include <ventus/dev.h>
int main(void)
{
    struct ventus_dev *d = ventus_dev_open(NULL);
    if (!d)
        return puts(ventus_dev_message()), 1;
    printf("%d lanes\n", (int)ventus_dev_setting(d, "num_thread"));
    ventus_dev_close(d);
    return 0;
}
'''


def check(condition, what):
    global failures
    if not condition:
        print(f'failed: {what}')
        failures += 1


def run(*args, **more):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(('VENTUS_', 'OCL_'))} | more
    try:
        r = subprocess.run([str(a) for a in args], capture_output=True,
                           text=True, env=env)
    except FileNotFoundError as e:
        return 127, str(e)
    return r.returncode, r.stdout + r.stderr


def try_prefix(prefix, program, icd):
    cache = prefix.parent / 'cache'
    status, out = run(prefix / 'bin/ventus', 'run', '--', program,
                      XDG_CACHE_HOME=str(cache))
    check(status == 0 and out == 'Ventus default: right\n', f'run: {out}')
    check(cache.exists(), 'a cache')
    if icd:
        status, out = run(program, VENTUS_CACHE='0',
                          OCL_ICD_VENDORS=str(prefix / 'etc/OpenCL/vendors/'))
        check(status == 0 and out == 'Ventus default: right\n', f'icd: {out}')
    status, out = run(prefix / 'bin/ventus', 'info')
    check(str(prefix) in out and 'lanes8' in out, f'info: {out}')


def try_library(prefix, folder):
    """A program with our headers and our library, by way of pkg-config."""
    source = folder / 'driver.c'
    source.write_text(DRIVER, encoding='utf-8')
    found = list(prefix.glob('lib/**/ventus.pc'))
    check(len(found) == 1, 'a pkg-config file')
    status, out = run('pkg-config', '--cflags', '--libs', 'ventus',
                      PKG_CONFIG_PATH=str(found[0].parent))
    if status == 127:
        return
    flags = out.split()
    program = prefix / 'bin/driver'
    status, out = run(CC, source, '-o', program, *flags)
    check(status == 0, f'library: {out}')
    status, out = run(program,
                      LD_LIBRARY_PATH=str(found[0].parent.parent))
    check(out == '32 lanes\n', f'driver: {out}')


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    prefix = folder / 'one'
    status, out = run(CMAKE, '--install', BUILD, '--prefix', prefix)
    check(status == 0, f'install: {out}')
    outside = [line for line in out.splitlines()
               if 'Installing: ' in line and name not in line]
    check(not outside, f'written elsewhere: {outside}')
    doc = 'share/doc/ventus'
    for file in ('include/ventus/dev.h', 'share/man/man1/ventus-run.1',
                 f'{doc}/docs/asm.md', f'{doc}/docs/tutorials/first-kernel.md',
                 f'{doc}/examples/vecadd.s', f'{doc}/examples/c/CMakeLists.txt'):
        check((prefix / file).is_file(), file)
    check(not (prefix / doc / 'examples/opencl/CMakeLists.txt').exists(),
          'a CMakeLists.txt of the build')
    program = folder / 'client'
    status, out = run(CC, CLIENT, '-o', program, '-lOpenCL', '-Wno-deprecated',
                      '-DCL_USE_DEPRECATED_OPENCL_1_2_APIS')
    check(status == 0, f'client: {out}')
    try_prefix(prefix, program, True)
    try_library(prefix, folder)
    prefix.rename(folder / 'two')
    try_prefix(folder / 'two', program, False)
print(f'{failures} failures')
sys.exit(failures != 0)
