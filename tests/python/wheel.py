#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A wheel with the library inside works where no Ventus is installed.

    wheel.py FOLDER BUILD [--compile]   python/, and what has been built"""
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FOLDER, BUILD = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(FOLDER))
import build_backend  # noqa: E402

RUNS = """
import numpy as np
import ventus
from ventus import _library
assert 'prefix' in _library.find_library(), _library.find_library()
with ventus.Device('chisel', num_sm=1) as d:
    x = d.buffer(np.arange(8, dtype=np.float32))
    program = d.compile if {compiles} else d.assemble
    k = program({source!r})['k']
    r = k(x, global_size=8, local_size=8)
    print(x.read().tolist(), r.cycles > 0)
"""
CL = 'kernel void k(global float *x) { x[get_global_id(0)] += 1.5f; }'
ASM = """
    .globl k
k:  lw      t0, 0(a0)
    vid.v   v0
    vsll.vi v1, v0, 2
    vadd.vx v1, v1, t0
    vlw12.v v2, 0(v1)
    li      t1, 0x3fc00000      # 1.5
    vmv.v.x v3, t1
    vfadd.vv v2, v2, v3
    vsw12.v v2, 0(v1)
    ret
"""


def unpack(wheel, folder):
    """As pip does: a program may be started, a file may be read."""
    subprocess.run([sys.executable, '-m', 'venv', '--system-site-packages',
                    '--without-pip', folder], check=True)
    site = next(Path(folder).glob('lib/*/site-packages'))
    with zipfile.ZipFile(wheel) as z:
        for entry in z.infolist():
            path = Path(z.extract(entry, site))
            path.chmod(entry.external_attr >> 16 & 0o777)
    return Path(folder) / 'bin' / 'python', site


def install(wheel, folder):
    pip = [sys.executable, '-m', 'pip']
    if subprocess.run([*pip, '--version'], capture_output=True,
                      check=False).returncode:
        return unpack(wheel, folder)
    subprocess.run([sys.executable, '-m', 'venv', '--system-site-packages',
                    '--without-pip', folder], check=True)
    python = Path(folder) / 'bin' / 'python'
    subprocess.run([*pip, '--python', python, 'install', '--no-index', '--no-deps',
                    '--ignore-installed', '-q', wheel], check=True,
                   capture_output=True)
    return python, next(Path(folder).glob('lib/*/site-packages'))


def main():
    compiles = '--compile' in sys.argv
    # Nothing of the tree that built it, and no ventus in PATH.
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith(('VENTUS_', 'PYTHON'))}
    environment['PATH'] = '/usr/bin:/bin'
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = folder / build_backend.build_wheel(folder, {'library': BUILD})
        assert 'any' not in wheel.name, wheel
        python, site = install(wheel, folder / 'env')
        environment['VENTUS_CACHE_DIR'] = str(folder / 'cache')
        code = RUNS.format(compiles=compiles, source=CL if compiles else ASM)
        p = subprocess.run([python, '-c', code], capture_output=True, text=True,
                           cwd=folder, env=environment, check=False)
        wanted = f'{[i + 1.5 for i in range(8)]} True\n'
        assert (p.returncode, p.stdout) == (0, wanted), p
        command = site / 'ventus/prefix/bin/ventus'
        said = subprocess.run([command, 'info'], capture_output=True, text=True,
                              env=environment, check=True).stdout
        assert 'chisel' in said and str(BUILD) not in said, said
        p = subprocess.run([python, '-c', 'import sys, ventus_command; '
                            "sys.argv[1:] = ['isa', 'vadd.vv']; "
                            'ventus_command.main()'], capture_output=True,
                           text=True, env=environment, cwd=folder, check=True)
        assert 'vadd.vv' in p.stdout, p
        # Without it the wheel is for any machine.
        pure = build_backend.build_wheel(folder, {'library': 'no'})
        assert pure.endswith('py3-none-any.whl'), pure
        assert (folder / pure).stat().st_size < 1 << 20
        try:
            build_backend.build_wheel(folder, {'library': str(folder)})
        except FileNotFoundError as reason:
            assert 'expected a folder where' in str(reason)
        else:
            raise AssertionError('a folder without a build is taken')
    print(f'{wheel.name}: ok')


if __name__ == '__main__':
    if not shutil.which('cmake'):
        print('no cmake')
        sys.exit(77)
    main()
