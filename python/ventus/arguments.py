# SPDX-License-Identifier: Apache-2.0
"""Arguments of kernels: Python and numpy values to the C interface."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, List, NamedTuple

import numpy as np

from . import _abi
from ._library import Error

if TYPE_CHECKING:
    from .kernel import Kernel


class Local(NamedTuple):
    """Local memory for a kernel: so many bytes for each workgroup."""
    size: int


class Param(NamedTuple):
    """A parameter of a kernel, as its file records it."""
    name: str  # '' if not recorded, as the type's
    type_name: str  # 'float*', 'int4'
    kind: str  # 'value', 'global', 'constant', 'local', 'image', 'sampler'
    size_B: int  # in the argument buffer
    align_B: int


KINDS = ('value', 'global', 'constant', 'local', 'image', 'sampler')
POINTERS = ('global', 'constant', 'image')

# OpenCL C's scalar types.
TYPES = {
    'char': 'i1', 'uchar': 'u1', 'bool': 'u1', 'short': 'i2', 'ushort': 'u2',
    'int': 'i4', 'uint': 'u4', 'long': 'i8', 'ulong': 'u8', 'size_t': 'u4',
    'half': 'f2', 'float': 'f4', 'double': 'f8',
}


def little_endian(kind: np.dtype) -> np.dtype:
    """The type with the order of bytes of the device."""
    return kind.newbyteorder('<')


def _scalar_type(param: Param | None, value: Any) -> np.dtype:
    """Of a Python number: as the kernel says, else 4 bytes."""
    if param is None or not param.type_name:
        default = 'f4' if isinstance(value, float) else 'i4'
        size = param.size_B if param else 4
        return np.dtype(f'{default[0]}{size}')
    name = param.type_name
    code = TYPES.get(name)
    if code is None or np.dtype(code).itemsize != param.size_B:
        is_unsigned = name.startswith('u') or name.startswith('unsigned')
        code = f'{"u" if is_unsigned else "i"}{param.size_B}'
        if param.size_B not in (1, 2, 4, 8) or name.rstrip('0123456789') != name:
            raise Error(f'a value of type {name} has {param.size_B} bytes: pass '
                        f'a numpy array or bytes')
    return np.dtype(code)


def convert(given: np.ndarray, wanted: np.dtype) -> np.ndarray:
    """The array with another type of its kind; Error: a number is beyond its range.
    TypeError: it is of another kind."""
    with np.errstate(over='ignore'):
        data = given.astype(wanted, casting='same_kind', copy=False)
    if data is given or data.dtype.kind not in 'iufc':
        return data
    is_real = data.dtype.kind in 'fc'
    lost = np.isfinite(given) & ~np.isfinite(data) if is_real else data != given
    if lost.any():
        raise Error(f'expected numbers that {wanted} can hold, found '
                    f'{given[lost].flat[0]}')
    return data


def number_bytes(param: Param | None, value: Any) -> bytes:
    """The bytes of a Python number; Error: the type cannot hold it."""
    wanted = _scalar_type(param, value)
    if isinstance(value, float) and wanted.kind != 'f':
        raise Error(f'expected a number of type {param.type_name}, '
                    f'found {value!r}' if param else f'found {value!r}')
    if wanted.kind == 'f':
        try:
            return convert(np.asarray(value), wanted).tobytes()
        except (OverflowError, TypeError):  # an int beyond every float
            raise Error(f'expected a number that {wanted} can hold, found '
                        f'{value!r}') from None
    low = np.iinfo(wanted).min
    if wanted.itemsize <= 4 and not (param and param.type_name):
        low = -(1 << (8 * wanted.itemsize - 1))
        high = (1 << (8 * wanted.itemsize)) - 1  # int or uint: not recorded
    else:
        high = np.iinfo(wanted).max
    if not low <= value <= high:
        raise Error(f'expected {low} to {high}, found {value}')
    return int(value & ((1 << 8 * wanted.itemsize) - 1)).to_bytes(
        wanted.itemsize, 'little')


def _describe(kernel: 'Kernel', i: int, param: Param | None) -> str:
    name = f" '{param.name}'" if param and param.name else ''
    return f"kernel '{kernel.name}': argument {i}{name}"


def _value_bytes(param: Param | None, value: Any) -> bytes:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value).astype(little_endian(value.dtype)).tobytes()
    if isinstance(value, (bool, int, float, np.bool_)):
        return number_bytes(param, value)
    raise Error(f'expected a Buffer, a number, a numpy value, bytes, Local or '
                f'None, found {type(value).__name__}')


def argument(kernel: 'Kernel', i: int, value: Any, keep: List[Any]
             ) -> _abi.DevArg:
    """Argument i of a launch; what it points to is added to `keep`."""
    from .device import Buffer
    param = kernel.params[i] if i < len(kernel.params) else None
    is_pointer = param is not None and param.kind in POINTERS
    try:
        if isinstance(value, Local):
            return _abi.DevArg(kind=_abi.ARG_LOCAL, size=value.size)
        if isinstance(value, Buffer):
            if value.device is not kernel.program.device:
                raise Error('a Buffer of another device')
            return _abi.DevArg(kind=_abi.ARG_BUFFER, size=4,
                               address=value.address)
        if value is None:
            return _abi.DevArg(kind=_abi.ARG_BUFFER, size=4)
        if is_pointer:
            raise Error(f'expected a Buffer or None for {param.type_name}, '
                        f'found {type(value).__name__}')
        if param and param.kind == 'local':
            raise Error(f'expected Local(bytes), found {type(value).__name__}')
        data = ctypes.create_string_buffer(_value_bytes(param, value))
    except Error as reason:
        raise Error(f'{_describe(kernel, i, param)}: {reason}') from None
    keep.append(data)
    return _abi.DevArg(kind=_abi.ARG_BYTES, size=len(data) - 1,
                       bytes=ctypes.cast(data, ctypes.c_void_p))


def arguments(kernel: 'Kernel', values: tuple, keep: List[Any]) -> Any:
    """All of them, as an array for ventus_dev_launch."""
    n = len(kernel.params)
    if n and len(values) != n:
        names = ', '.join(f'{p.type_name} {p.name}'.strip()
                          for p in kernel.params)
        raise Error(f"kernel '{kernel.name}': expected {n} arguments ({names}), "
                    f'found {len(values)}')
    return (_abi.DevArg * len(values))(
        *(argument(kernel, i, v, keep) for i, v in enumerate(values)))
