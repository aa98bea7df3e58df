# SPDX-License-Identifier: Apache-2.0
"""Array libraries of PyPI on OpenCL, compared with numpy and scipy.

    arrays.py LIBRARY

Prints a line "NAME pass" or "NAME fail" for each operation.  Inputs are made from
fixed seeds; an operation that raises fails, and its trace goes to standard error.
"""
import sys
import traceback

import numpy as np

RNG = np.random.default_rng(39)


def close(got, wanted, relative=1e-5):
    """Whether all differences are small beside the largest number wanted."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    return got.shape == wanted.shape and bool(
        np.max(np.abs(got - wanted), initial=0)
        <= relative * max(1.0, np.max(np.abs(wanted), initial=0)))


def pyclesperanto():
    """Filters and labels of pictures, beside those of scipy."""
    import pyclesperanto as cle
    from scipy import ndimage
    cle.select_device()
    flat, solid = RNG.random((40, 50), np.float32), RNG.random((9, 17, 20), np.float32)
    spots = (flat > 0.8).astype(np.uint8)
    ones = np.ones((3, 3), bool)
    yield 'gaussian_blur', lambda: close(
        cle.gaussian_blur(flat, sigma_x=1.5, sigma_y=1.5),
        ndimage.gaussian_filter(flat, 1.5, mode='nearest'))
    yield 'gaussian_blur 3D', lambda: close(
        cle.gaussian_blur(solid, sigma_x=1, sigma_y=1, sigma_z=1),
        ndimage.gaussian_filter(solid, 1, mode='nearest'))
    yield 'mean_box', lambda: close(
        cle.mean_box(flat, radius_x=1, radius_y=1),
        ndimage.uniform_filter(flat, 3, mode='nearest'))
    yield 'median_box', lambda: close(
        np.asarray(cle.median_box(flat, radius_x=1, radius_y=1))[1:-1, 1:-1],
        ndimage.median_filter(flat, 3)[1:-1, 1:-1])
    yield 'maximum_box', lambda: close(
        cle.maximum_box(flat, radius_x=1, radius_y=1),
        ndimage.maximum_filter(flat, 3, mode='nearest'))
    yield 'sum_of_all_pixels', lambda: close(cle.sum_of_all_pixels(solid), solid.sum())
    yield 'maximum_z_projection', lambda: close(
        cle.maximum_z_projection(solid), solid.max(axis=0))
    yield 'transpose_xy', lambda: close(cle.transpose_xy(flat), flat.T)
    yield 'greater_constant', lambda: close(
        cle.greater_constant(flat, scalar=0.8), spots)
    yield 'connected_component_labeling', lambda: close(
        np.max(cle.connected_component_labeling(spots, connectivity='box')),
        ndimage.label(spots, ones)[1])
    yield 'binary_dilate', lambda: close(
        cle.binary_dilate(spots, connectivity='box'),
        ndimage.binary_dilation(spots, ones).astype(np.uint8), 0)


def pyqrack():
    """Quantum circuits, beside the same on the processor."""
    from pyqrack import QrackSimulator

    def state(circuit, on_device):
        simulator = QrackSimulator(
            7, is_gpu=on_device, is_stabilizer_hybrid=False,
            is_schmidt_decompose_multi=False, is_binary_decision_tree=False)
        circuit(simulator)
        return np.array(simulator.out_ket())

    def entangled(q):
        q.h(0)
        for i in range(6):
            q.mcx([i], i + 1)

    def rotated(q):
        for i in range(7):
            q.h(i)
            q.r(1 + i % 3, 0.3 + i, i)
        for i in range(0, 6, 2):
            q.mcz([i, i + 1], i + 2 if i < 4 else 0)
            q.swap(i, 6 - i) if i != 3 else None

    def fourier(q):
        q.x(2)
        q.x(5)
        q.qft(list(range(7)))

    def adder(q):
        for i in range(4):
            q.h(i)
        q.add(5, [0, 1, 2, 3, 4, 5, 6])

    for name, circuit in (('entangled', entangled), ('rotated', rotated),
                          ('fourier', fourier), ('adder', adder)):
        def same(circuit=circuit):
            ours, theirs = state(circuit, True), state(circuit, False)
            # A circuit fixes its state but for a factor of absolute value 1.
            return abs(abs(np.vdot(ours, theirs)) - 1) < 1e-5
        yield name, same


def halide():
    """Pipelines with schedules for GPUs."""
    import halide as hl
    target = hl.get_host_target().with_feature(hl.TargetFeature.OpenCL)
    x, y, xi, yi = (hl.Var(name) for name in ('x', 'y', 'xi', 'yi'))
    image = RNG.random((48, 64), np.float32)
    grey = RNG.integers(0, 256, (48, 64)).astype(np.uint8)
    padded = np.pad(image, 1, mode='edge')
    rows = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / np.float32(3)

    def done(function, *sizes):
        out = function.realize(list(sizes), target)
        out.copy_to_host()
        return np.array(out)

    def blur(schedule):
        clamped = hl.BoundaryConditions.repeat_edge(hl.Buffer(image))
        across, down = hl.Func('across'), hl.Func('down')
        across[x, y] = (clamped[x - 1, y] + clamped[x, y] + clamped[x + 1, y]) / 3
        down[x, y] = (across[x, y - 1] + across[x, y] + across[x, y + 1]) / 3
        down.gpu_tile(x, y, xi, yi, 8, 8)
        schedule(across, down)
        return close(done(down, 64, 48),
                     (rows[:-2] + rows[1:-1] + rows[2:]) / np.float32(3))

    def product():
        a, b = RNG.random((32, 24), np.float32), RNG.random((24, 40), np.float32)
        k, f = hl.RDom([(0, 24)]), hl.Func('product')
        f[x, y] = 0.0
        f[x, y] += hl.Buffer(b)[x, k] * hl.Buffer(a)[k, y]
        f.gpu_tile(x, y, xi, yi, 8, 8)
        f.update().gpu_tile(x, y, xi, yi, 8, 8)
        return close(done(f, 40, 32), a @ b)

    def histogram():
        r, f = hl.RDom([(0, 64), (0, 48)]), hl.Func('histogram')
        f[x] = hl.u32(0)
        f[hl.i32(hl.Buffer(grey)[r.x, r.y])] += hl.u32(1)
        f.gpu_tile(x, xi, 64)
        f.update().atomic().gpu_tile(r.x, r.y, hl.RVar('a'), hl.RVar('b'), 16, 4)
        return close(done(f, 256), np.bincount(grey.ravel(), minlength=256), 0)

    yield 'blur, inlined', lambda: blur(lambda across, down: None)
    yield 'blur, in local memory', lambda: blur(
        lambda across, down: across.compute_at(down, x).gpu_threads(x, y))
    yield 'blur, two kernels', lambda: blur(
        lambda across, down: across.compute_root().gpu_tile(x, y, xi, yi, 16, 4))
    yield 'product of matrices', product
    yield 'histogram by atomics', histogram


def loopy():
    """Loops that become kernels, transformed in several ways."""
    import loopy as lp
    import pyopencl as cl
    queue = cl.CommandQueue(cl.create_some_context(interactive=False))
    a = RNG.random((48, 48)).astype(np.float32)
    b = RNG.random((48, 48)).astype(np.float32)
    version = (2018, 2)

    def run(kernel, **arguments):
        _, (out, *_) = kernel(queue, out_host=True, **arguments)
        return out

    def elementwise():
        kernel = lp.make_kernel('{[i]: 0<=i<n}', 'out[i] = 2*a[i] + sin(b[i])',
                                lang_version=version)
        kernel = lp.split_iname(kernel, 'i', 128, outer_tag='g.0', inner_tag='l.0')
        x, y = a.ravel(), b.ravel()
        return close(run(kernel, a=x, b=y), 2 * x + np.sin(y))

    def product(local):
        kernel = lp.make_kernel('{[i,j,k]: 0<=i,j,k<48}',
                                'out[i,j] = sum(k, a[i,k]*b[k,j])',
                                lang_version=version)
        kernel = lp.add_and_infer_dtypes(kernel, {'a': np.float32, 'b': np.float32})
        kernel = lp.split_iname(kernel, 'i', 16, outer_tag='g.0', inner_tag='l.1')
        kernel = lp.split_iname(kernel, 'j', 16, outer_tag='g.1', inner_tag='l.0')
        kernel = lp.split_iname(kernel, 'k', 16)
        if local:
            kernel = lp.add_prefetch(kernel, 'a', ['k_inner', 'i_inner'],
                                     fetch_outer_inames='i_outer,j_outer,k_outer',
                                     default_tag='l.auto')
            kernel = lp.add_prefetch(kernel, 'b', ['j_inner', 'k_inner'],
                                     fetch_outer_inames='i_outer,j_outer,k_outer',
                                     default_tag='l.auto')
        return close(run(kernel, a=a, b=b), a @ b)

    def sums():
        kernel = lp.make_kernel('{[i,j]: 0<=i,j<48}', 'out[i] = sum(j, a[i,j])',
                                lang_version=version)
        kernel = lp.split_iname(kernel, 'i', 16, outer_tag='g.0', inner_tag='l.0')
        return close(run(kernel, a=a), a.sum(axis=1))

    yield 'elementwise', elementwise
    yield 'product', lambda: product(False)
    yield 'product in local memory', lambda: product(True)
    yield 'sums of rows', sums


def reikna():
    """Computations of a thread, compiled from templates."""
    import reikna.cluda as cluda
    from reikna.algorithms import Reduce, Scan, Transpose, predicate_sum
    from reikna.fft import FFT
    from reikna.linalg import MatrixMul
    thread = cluda.ocl_api().Thread.create()

    def run(computation, shape, kind, *arguments):
        out = thread.array(shape, kind)
        computation.compile(thread)(out, *(thread.to_device(x) for x in arguments))
        return out.get()

    z = (RNG.random((6, 64)) + 1j * RNG.random((6, 64))).astype(np.complex64)
    a = RNG.random((30, 40)).astype(np.float32)
    b = RNG.random((40, 50)).astype(np.float32)
    whole = RNG.integers(0, 1000, (5, 700)).astype(np.int32)
    yield 'FFT', lambda: close(run(FFT(z, axes=(1,)), z.shape, z.dtype, z),
                               np.fft.fft(z), 1e-4)
    yield 'FFT of two axes', lambda: close(
        run(FFT(z), z.shape, z.dtype, z), np.fft.fft2(z), 1e-4)
    yield 'MatrixMul', lambda: close(
        run(MatrixMul(a, b), (30, 50), a.dtype, a, b), a @ b)
    yield 'Reduce', lambda: close(
        run(Reduce(whole, predicate_sum(whole.dtype), axes=(1,)), (5,), whole.dtype,
            whole), whole.sum(axis=1), 0)
    yield 'Scan', lambda: close(
        run(Scan(whole, predicate_sum(whole.dtype), axes=(1,), exclusive=False),
            whole.shape, whole.dtype, whole), whole.cumsum(axis=1), 0)
    yield 'Transpose', lambda: close(
        run(Transpose(a, axes=(1, 0)), (40, 30), a.dtype, a), a.T, 0)



LIBRARIES = {f.__name__: f for f in (pyclesperanto, pyqrack, halide, loopy, reikna)}


def main():
    for name, test in LIBRARIES[sys.argv[1]]():
        try:
            right = test()
        except Exception:  # pylint: disable=broad-except  # the operation fails
            traceback.print_exc()
            right = False
        print(f'{name} {"pass" if right else "fail"}', flush=True)


if __name__ == '__main__':
    main()
