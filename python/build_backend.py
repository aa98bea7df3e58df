# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel of this package (PEP 517, PEP 660) by the standard library
alone: pip would have to download setuptools for an isolated build."""
import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = 'ventus'
SOURCES = ('pyproject.toml', 'README.md', 'build_backend.py')


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


def information():
    """Path and contents of what a wheel says about itself."""
    return {f'{info()}/METADATA': metadata().encode(),
            f'{info()}/WHEEL': b'Wheel-Version: 1.0\nGenerator: build_backend\n'
                               b'Root-Is-Purelib: true\nTag: py3-none-any\n'}


def modules():
    return {f'{NAME}/{path.name}': path.read_bytes()
            for path in sorted((HERE / NAME).iterdir())
            if path.suffix == '.py' or path.name == 'py.typed'}


def write_wheel(folder, files):
    record = ''
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
        record += f'{path},sha256={digest.rstrip(b"=").decode()},{len(data)}\n'
    record += f'{info()}/RECORD,,\n'
    name = f'{NAME}-{version()}-py3-none-any.whl'
    with zipfile.ZipFile(Path(folder) / name, 'w',
                         zipfile.ZIP_DEFLATED) as wheel:
        for path, data in {**files, f'{info()}/RECORD': record}.items():
            # The same bytes whenever it is made.
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    del config_settings, metadata_directory
    return write_wheel(wheel_directory, {**modules(), **information()})


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
