#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pip install .` works without a network, and what it installs is whole.

    install.py FOLDER VERSION   of python/, of the project"""
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FOLDER, VERSION = Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(FOLDER))
import build_backend  # noqa: E402

# No index, and a proxy that is not there should pip ask one.
OFFLINE = {'PIP_NO_INDEX': '1', 'PIP_DISABLE_PIP_VERSION_CHECK': '1',
           'PIP_ROOT_USER_ACTION': 'ignore', 'PIP_NO_CACHE_DIR': '1',
           'https_proxy': 'http://127.0.0.1:9', 'http_proxy': 'http://127.0.0.1:9'}


def install(folder):
    """In an environment of its own, by the pip there is, isolated as it is by
    default; returns its Python.  Without pip by unpacking the wheel."""
    subprocess.run([sys.executable, '-m', 'venv', '--system-site-packages',
                    '--without-pip', folder], check=True)
    python = Path(folder) / 'bin' / 'python'
    environment = {**os.environ, **OFFLINE}
    environment.pop('PYTHONPATH', None)
    pip = [python, '-m', 'pip']
    if subprocess.run([*pip, '--version'], capture_output=True,
                      check=False).returncode == 0:
        done = subprocess.run([*pip, 'install', FOLDER], capture_output=True,
                              text=True, env=environment, check=False)
        if done.returncode:
            sys.exit(f'pip: {done.stdout}\n{done.stderr}')
    else:
        site = next(Path(folder).glob('lib/*/site-packages'))
        name = build_backend.build_wheel(folder)
        zipfile.ZipFile(Path(folder) / name).extractall(site)
    return python


def main():
    with tempfile.TemporaryDirectory() as folder:
        python = install(folder)
        environment = dict(os.environ)
        environment.pop('PYTHONPATH', None)
        said = subprocess.run(
            [python, '-c', 'import ventus; d = ventus.Device(); '
             'print(ventus.__file__, ventus.__version__, d.empty(3).read())'],
            capture_output=True, text=True, env=environment, cwd=folder,
            check=False)
        place, version, zeros = said.stdout.split(maxsplit=2)
        assert place.startswith(folder) and not said.stderr, said
        assert (version, zeros) == (VERSION, '[0. 0. 0.]\n'), said
        missing = [p.name for p in (FOLDER / 'ventus').glob('*.*')
                   if not (Path(place).parent / p.name).is_file()]
        assert not missing, missing
        one = Path(folder) / build_backend.build_wheel(folder)
        first = one.read_bytes()
        build_backend.build_wheel(folder)
        assert first == one.read_bytes(), 'a wheel differs from the last'
        build_backend.build_sdist(folder)
    # Without the library an import says what to do.
    environment = {**os.environ, 'VENTUS_LIBRARY': '/no/libventus.so'}
    said = subprocess.run([sys.executable, '-c', 'import ventus'],
                          capture_output=True, text=True, env=environment,
                          check=False)
    assert 'ImportError: cannot load /no/libventus.so' in said.stderr, said
    assert 'set VENTUS_LIBRARY' in said.stderr, said


if __name__ == '__main__':
    main()
