#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# numpy arrays in and out, and cycles.
"${PYTHON:-python3}" -c 'import numpy' 2>/dev/null || {
    echo "no python3-numpy"
    exit 77
}
"${PYTHON:-python3}" - <<'END'
import numpy as np
import ventus

source = '''kernel void scale(global float *x, float f)
{ x[get_global_id(0)] *= f; }'''
with ventus.Device('chisel') as d:
    x = d.buffer(np.arange(64, dtype=np.float32))
    r = d.compile(source)['scale'](x, 2.0, global_size=64, local_size=32)
    assert (x.read() == 2 * np.arange(64)).all()
    assert r.cycles > 0 and r.counters['issued'] > 0
    print(r.cycles, 'cycles')
END
