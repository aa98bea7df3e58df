# SPDX-License-Identifier: Apache-2.0
"""Ventus in C from Python: a simulated GPGPU with numpy arrays.

    import numpy as np
    import ventus

    with ventus.Device('chisel') as d:
        scale = d.compile('''kernel void scale(global float *x, float f)
                             { x[get_global_id(0)] *= f; }''')['scale']
        x = d.buffer(np.arange(64, dtype=np.float32))
        r = scale(x, 2.0, global_size=64)
        print(r.cycles, r.counters['issued'], x.read())

Everything here is <ventus/dev.h> of the library libventus.so, whose words its
exceptions carry.  `Error` is the base of all of them.
"""
from ._library import Error, find_command, find_library, library
from .arguments import Local, Param
from .build import (Binary, BuildError, assemble, assemble_object, compile,
                    link)
from .device import (Buffer, Device, Engine, Key, NativeShare, engines, keys,
                     presets)
from .kernel import Kernel, Launch, Program
from .result import Fault, LaunchError, Result, Stats, Step

__version__ = library().version().decode()

__all__ = [
    'Binary', 'Buffer', 'BuildError', 'Device', 'Engine', 'Error', 'Fault',
    'Kernel', 'Key', 'Launch', 'LaunchError', 'Local', 'NativeShare', 'Param',
    'Program', 'Result', 'Stats', 'Step', 'assemble', 'assemble_object', 'compile',
    'engines', 'find_command', 'find_library', 'keys', 'link', 'presets',
]
