# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel of this package (PEP 517, PEP 660) by the standard library
alone: pip would have to download setuptools for an isolated build.

The wheel has the library, the commands and the device library inside if there is a
build to take them from: build/release of this source tree, or what
`--config-settings library=` says: a build folder; `build`, to build one now; `no`.
"""
import base64
import hashlib
import io
import os
import re
import shutil
import subprocess
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = 'ventus'
INSIDE = 'prefix'  # of the package: bin, lib, share
# Of an installation; the others are for C and for people.
TAKEN = ('bin/', 'lib/libventus-opencl.so', 'share/ventus/')
SOURCES = ('pyproject.toml', 'README.md', 'build_backend.py', 'ventus_command.py')


def version():
    text = (HERE / NAME / '_library.py').read_text()
    return re.search(r"^VERSION = '([0-9.]+)'", text, re.M).group(1)


def metadata():
    return (f'Metadata-Version: 2.1\nName: {NAME}\nVersion: {version()}\n'
            'Summary: OpenCL C and assembly on a simulated Ventus GPGPU, '
            'with numpy arrays\n'
            'License: Apache-2.0\nRequires-Python: >=3.9\n'
            'Requires-Dist: numpy\n'
            'Provides-Extra: plot\nRequires-Dist: matplotlib; extra == "plot"\n'
            'Description-Content-Type: text/markdown\n\n'
            + (HERE / 'README.md').read_text())


def info():
    return f'{NAME}-{version()}.dist-info'


def tag(bundled):
    if not bundled:
        return 'py3-none-any'
    return 'py3-none-' + re.sub('[-.]', '_', sysconfig.get_platform())


def information(bundled=False):
    """Path and contents of what a wheel says about itself."""
    files = {f'{info()}/METADATA': metadata().encode(),
             f'{info()}/WHEEL': (
                 'Wheel-Version: 1.0\nGenerator: build_backend\n'
                 f'Root-Is-Purelib: {str(not bundled).lower()}\n'
                 f'Tag: {tag(bundled)}\n').encode()}
    if bundled:
        files[f'{info()}/entry_points.txt'] = (
            b'[console_scripts]\nventus = ventus_command:main\n')
    return files


def modules():
    return {f'{NAME}/{path.name}': path.read_bytes()
            for path in sorted((HERE / NAME).iterdir())
            if path.suffix == '.py' or path.name == 'py.typed'}


def build_folder(settings):
    """The build whose files go into the wheel; None: there is none."""
    wanted = (settings or {}).get('library', '')
    tree = HERE.parent
    if wanted == 'no':
        return None
    if wanted == 'build':
        for command in (['cmake', '--preset', 'release'],
                        ['cmake', '--build', '--preset', 'release']):
            subprocess.run(command, cwd=tree, check=True)
    given = wanted not in ('', 'build')
    folder = Path(wanted) if given else tree / 'build' / 'release'
    if not (folder / 'cmake_install.cmake').is_file() or \
            not list(folder.glob('lib/libventus.so.*')):
        if given:
            raise FileNotFoundError(f'library={wanted}: expected a folder where '
                                    'Ventus in C has been built')
        return None
    return folder if shutil.which('cmake') else None


def is_taken(path):
    # Without links: the loader asks for the soname, libventus.so.MAJOR.MINOR.
    return path.startswith(TAKEN) or \
        re.fullmatch(r'lib/libventus\.so\.\d+\.\d+', path)


def installed(folder):
    """What `cmake --install` puts into a prefix, as files of the package."""
    if not folder:
        return {}
    script = HERE / 'ventus_command.py'
    files = {script.name: script.read_bytes()}
    with tempfile.TemporaryDirectory() as to:
        environment = {k: v for k, v in os.environ.items() if k != 'DESTDIR'}
        # Debian's library folder is that of its packages.
        subprocess.run(['cmake', '--install', folder, '--strip', '--prefix', to],
                       check=True, stdout=subprocess.DEVNULL, env=environment)
        for path in sorted(Path(to).rglob('*')):
            name = re.sub(r'^lib\w*/([\w-]+-linux-gnu/)?', 'lib/',
                          str(path.relative_to(to)))
            if path.is_file() and is_taken(name):
                files[f'{NAME}/{INSIDE}/{name}'] = path.read_bytes()
    return files


def write_wheel(folder, files, bundled=False):
    record = ''
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
        record += f'{path},sha256={digest.rstrip(b"=").decode()},{len(data)}\n'
    record += f'{info()}/RECORD,,\n'
    name = f'{NAME}-{version()}-{tag(bundled)}.whl'
    with zipfile.ZipFile(Path(folder) / name, 'w',
                         zipfile.ZIP_DEFLATED) as wheel:
        for path, data in {**files, f'{info()}/RECORD': record}.items():
            # The same bytes whenever it is made.
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            runs = f'/{INSIDE}/bin/' in path
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    del metadata_directory
    inside = installed(build_folder(config_settings))
    bundled = bool(inside)
    return write_wheel(wheel_directory, {**modules(), **inside,
                                         **information(bundled)}, bundled)


def build_editable(wheel_directory, config_settings=None,
                   metadata_directory=None):
    del config_settings, metadata_directory
    return write_wheel(wheel_directory, {f'{NAME}.pth': f'{HERE}\n'.encode(),
                                         **information()})


def build_sdist(sdist_directory, config_settings=None):
    del config_settings
    base = f'{NAME}-{version()}'
    files = {name: (HERE / name).read_bytes() for name in SOURCES}
    files.update(modules())
    files['PKG-INFO'] = metadata().encode()
    with tarfile.open(Path(sdist_directory) / f'{base}.tar.gz', 'w:gz',
                      format=tarfile.PAX_FORMAT) as out:
        for path, data in files.items():
            entry = tarfile.TarInfo(f'{base}/{path}')
            entry.size = len(data)
            out.addfile(entry, io.BytesIO(data))
    return f'{base}.tar.gz'
