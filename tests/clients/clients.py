# SPDX-License-Identifier: Apache-2.0
"""The clients: how each is run, and how its output becomes results.

A client is a function of a Bench (run.py) that returns {test: result}, where
a result is pass, fail or skip.  What must pass is in docs/clients.md.
"""
import bz2
import functools
import json
import re
import tempfile
import xml.etree.ElementTree
from pathlib import Path
from typing import Callable, NamedTuple

import darktable
import ffmpeg
import wheels


class Run(NamedTuple):
    status: int
    raw: bytes

    @property
    def out(self):
        """The text, without colours."""
        return re.sub(r'\x1b\[[0-9;]*m', '',
                      self.raw.decode(errors='replace'))


class Client(NamedTuple):
    packages: str  # of Debian
    run: Callable
    wheels: str    # of PyPI, with their versions; none: no virtual environment
    sources: str   # the same as source archives, for what no wheel has


CLIENTS = {}


def client(name, packages, wheels='', sources=''):
    """Names a function, or one with its arguments, as a client."""
    def add(function):
        CLIENTS[name] = Client(packages, function, wheels, sources)
        return function
    return add


def verdict(right):
    return 'pass' if right else 'fail'


# ---- clinfo ----

@client('clinfo', 'clinfo')
def clinfo(bench):
    full, short = bench.run('clinfo'), bench.run('clinfo', '-l')
    errors = re.search(r'error (-\d|:)|: error', full.out)
    return {
        'clinfo': verdict(full.status == 0 and not errors),
        'clinfo -l': verdict(short.status == 0 and
                             len(short.out.split('Platform #')) == 2 and
                             len(short.out.split('Device #')) == 2),
        'type GPU': verdict(re.search(r'Device Type +GPU$', full.out, re.M)),
    }


# ---- clFFT: it checks itself ----

def clfft(bench, commands):
    results = {}
    for command in commands:
        run = bench.run('clFFT-client', '-a', '-p', '1', *command.split())
        results[command] = verdict(
            run.status == 0 and 'Internal Client Test *****PASS*****'
            in run.out)
    return results


@client('clfft', 'clfft-client')
def clfft_few(bench):
    return clfft(bench, ['-x 256', '-x 64 -y 32'])


@client('clfft-sizes', 'clfft-client')
def clfft_sizes(bench):
    """One to three dimensions; 2, 3, 5 and mixed factors; both precisions,
    both directions, in place and out of place, complex and real."""
    sizes = ['-x 2', '-x 64', '-x 81', '-x 125', '-x 360', '-x 1024',
             '-x 4096', '-x 3000', '-x 65536', '-x 100 -b 7',
             '-x 16 -y 16', '-x 27 -y 25', '-x 60 -y 48', '-x 256 -y 128',
             '-x 8 -y 8 -z 8', '-x 9 -y 15 -z 10', '-x 32 -y 16 -z 20']
    kinds = ['', '--double', '--inv', '-o', '--double --inv -o']
    planar = ['--inLayout 2 --outLayout 2', '-o --inLayout 5 --outLayout 3',
              '-o --inLayout 3 --outLayout 5 --inv',
              '--double -o --inLayout 5 --outLayout 3']
    return clfft(bench,
                 [f'{s} {k}'.strip() for s in sizes for k in kinds] +
                 [f'{s} {k}' for s in ('-x 240', '-x 48 -y 30',
                                       '-x 8 -y 12 -z 10') for k in planar])


# ---- clBLAST's own tests, against the CBLAS of the system ----

def clblast(bench, routines, timeout=600):
    """A result for each routine and precision.  SHA: single half and so on;
    the number of cases is part of a name, so that none gets lost."""
    results = {}
    for routine in routines:
        run = bench.run(f'clblast_test_{routine}', timeout=timeout)
        parts = re.split(r"Starting tests for the '(\w+)' routine", run.out)
        for name, text in zip(parts[1::2], parts[2::2]):
            counts = [int(n) for n in re.findall(
                r'^ +(\d+) test\(s\) (?:passed|failed)$', text, re.M)]
            if 'All tests skipped' in text:
                results[name] = 'skip'
            else:
                results[f'{name} {sum(counts)}'] = verdict(
                    len(counts) >= 2 and not any(counts[1::2])
                    and any(counts))
        if run.status != 0 or len(parts) < 3:
            results[f'{routine}: exit status {run.status}'] = 'fail'
    return results


def clblast_client(name, routines, **more):
    client(name, 'clblast-tests')(
        functools.partial(clblast, routines=routines.split(), **more))


clblast_client('clblast', 'xscal xaxpy')
clblast_client('clblast-level1', 'xswap xcopy xdot xdotu xdotc xnrm2 xasum '
               'xamax')
clblast_client('clblast-level2', 'xgemv xgbmv xhemv xhbmv xhpmv xsymv xsbmv '
               'xspmv xtrmv xtbmv xtpmv xtrsv xger xgeru xgerc xher xhpr '
               'xher2 xhpr2 xsyr xspr xsyr2 xspr2')
clblast_client('clblast-level3', 'xgemm xsymm xhemm xsyrk xherk xsyr2k xher2k '
               'xtrmm xtrsm', timeout=1500)
clblast_client('clblast-extra', 'xomatcopy xhad xim2col xcol2im xaxpybatched '
               'xgemmbatched xgemmstridedbatched xconvgemm', timeout=1500)


# ---- piglit ----

def piglit(bench, *selection):
    """A result for each test, or for each of its sub-tests if it has some."""
    out = Path(tempfile.mkdtemp(dir=bench.folder)) / 'piglit'
    bench.run('piglit', 'run', '-j', '2', *selection, 'cl', out, timeout=2400)
    with bz2.open(out / 'results.json.bz2') as f:
        tests = json.load(f)['tests']
    results = {}
    for name, test in tests.items():
        parts = {sub: result for sub, result in
                 (test.get('subtests') or {}).items() if sub != '__type__'}
        for sub, result in parts.items() or [('', test['result'])]:
            results[f'{name}@{sub}' if sub else name] = \
                result if result in ('pass', 'skip') else 'fail'
    return results


client('piglit-build', 'piglit')(
    lambda bench: piglit(bench, '-t', '^program@build'))
client('piglit-store', 'piglit')(
    lambda bench: piglit(bench, '-t', 'execute@store@'))


client('piglit', 'piglit')(piglit)


# ---- Python ----

PYTHON = '/usr/bin/python3'
EXAMPLES = Path('/usr/share/doc/python-pyopencl-doc/examples')


@client('pyopencl-examples', 'python3-pyopencl python-pyopencl-doc')
def pyopencl_examples(bench):
    """The last lines are differences, which must be none, and numbers."""
    expected = {'demo.py': '0.0', 'demo_elementwise.py': '0.0',
                'demo_array.py': '0.0', 'narray.py': '[1 1 1 1 1]'}
    results = {}
    for name, last in expected.items():
        run = bench.run(PYTHON, EXAMPLES / name)
        lines = run.out.strip().splitlines() or ['']
        results[name] = verdict(run.status == 0 and lines[-1] == last)
    return results


def pytest(bench, *arguments, python=PYTHON, **more):
    """A result for each test; xfail counts as skipped.  Parameters that name
    the platform are left out of a test's name."""
    report = bench.folder / 'report.xml'
    run = bench.run(python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider',
                    f'--junitxml={report}', *arguments, timeout=3600, **more)
    if not report.exists():
        return {f'pytest: exit status {run.status}': 'fail'}
    results = {}
    for case in xml.etree.ElementTree.parse(report).iter('testcase'):
        name = case.get('classname').rsplit('.', 1)[-1] + '.' + \
            re.sub(r"<context factory for .*?>>", 'device', case.get('name'))
        kinds = {child.tag for child in case}
        results[name] = 'skip' if 'skipped' in kinds else \
            verdict(not kinds & {'failure', 'error'})
    return results


@client('pyopencl-tests',
        'python3-pyopencl python-pyopencl-doc python3-pytest python3-mako '
        'python3-scipy')
def pyopencl_tests(bench):
    tests = sorted(p.name for p in EXAMPLES.glob('test_*.py'))
    results = {}
    for name in tests:
        results.update(pytest(bench, EXAMPLES / name))
    return results


@client('gpyfft', 'python3-gpyfft python3-pytest')
def gpyfft(bench):
    return pytest(bench, '--pyargs', 'gpyfft')


@client('silx', 'python3-silx python3-pyopencl python3-pytest python3-scipy')
def silx(bench):
    return pytest(bench, '--pyargs', 'silx.opencl')


# ---- OpenMM: forces on each of its platforms, compared ----

@client('openmm', 'python3-simtk libopenmm-plugins')
def openmm(bench):
    run = bench.run(PYTHON, '-m', 'openmm.testInstallation')
    return {'OpenCL': verdict('OpenCL' in run.out and
                              re.search(r'OpenCL [^0-9]*Successfully computed',
                                        run.out)),
            'forces': verdict(run.status == 0 and 'Reference vs. OpenCL: '
                              in run.out and 'All differences are within '
                              'tolerance' in run.out)}


# ---- ViennaCL: a program of ours, for the package has none ----

@client('viennacl', 'libviennacl-dev ocl-icd-opencl-dev g++')
def viennacl(bench):
    """Compiled with -O1: headers of 5 MB, and it is the device that counts."""
    program = bench.folder / 'viennacl'
    source = Path(__file__).with_name('viennacl.cpp')
    compiled = bench.run('g++', '-O1', '-w', '-DCL_TARGET_OPENCL_VERSION=120',
                         '-o', program, source, '-lOpenCL')
    if compiled.status != 0:
        return {f'compiles: {compiled.out[-400:]}': 'fail'}
    run = bench.run(program)
    results = dict(re.findall(r'^(\w+ \S+) (pass|fail)$', run.out, re.M))
    if run.status != 0:
        results[f'exit status {run.status}'] = 'fail'
    return results


# ---- hashcat ----

@client('hashcat', 'hashcat')
def hashcat(bench):
    """It tests each kernel on a known hash, then a mask that holds the word.
    Its kernels include files by a macro with a path, not by -I."""
    hashes = {
        '0 MD5': (0, '900150983cd24fb0d6963f7d28e17f72'),
        '100 SHA1': (100, 'a9993e364706816aba3e25717850c26c9cd0d89d'),
    }
    results = {}
    for name, (mode, digest) in hashes.items():
        run = bench.run('hashcat', '-m', str(mode), '-a', '3',
                        '--potfile-disable', '--session', 'clients',
                        '--outfile', bench.folder / f'found.{mode}',
                        '--backend-ignore-cuda', digest, '?l?l?l',
                        reads='/usr/share/hashcat/OpenCL')
        found = bench.folder / f'found.{mode}'
        word = found.read_text().strip() if found.exists() else ''
        results[name] = verdict(run.status == 0 and 'Self-test failed'
                                not in run.out and word == f'{digest}:abc')
    return results


# ---- ffmpeg: its filters, beside another implementation's ----

@client('ffmpeg', 'ffmpeg pocl-opencl-icd oclgrind')
def ffmpeg_filters(bench):
    return {name: verdict(same)
            for name, same in ffmpeg.filters(bench).items()}


# ---- OpenCV: its OpenCL path, beside the one for processors ----

def opencv(bench, python):
    """Four operations have another algorithm for processors: angles from a
    polynomial, places in steps of 1/32 pixel, other orders of sums.  Another
    OpenCL implementation says what these give."""
    script = Path(__file__).with_name('opencv.py')
    fresh = {'OPENCV_OPENCL_CACHE_ENABLE': '0'}  # no binaries of another build
    ours, cpu, pocl, stats = (
        bench.folder / name
        for name in ('ours.npz', 'cpu.npz', 'pocl.npz', 'stats.json'))
    runs = [bench.run(python, script, 'opencl', ours, variables=fresh,
                      options=['--json', stats]),
            bench.run(python, script, 'cpu', cpu, on='cpu'),
            bench.run(python, script, 'opencl', pocl, 'cartToPolar', 'phase',
                      'calcOpticalFlowFarneback', 'warpPerspective',
                      on='pocl')]
    if any(run.status for run in runs):
        return {f'exit status {[run.status for run in runs]}': 'fail'}
    compared = bench.run(python, script, 'compare', ours, cpu, pocl, on='cpu')
    results = dict(re.findall(r'^(.+): (pass|fail)$', compared.out, re.M))
    # What OpenCV cannot compile or start it does on the processor instead.
    if stats.exists():
        kernels = json.loads(stats.read_text())['kernels']
        results['79 kernels'] = verdict(
            len(kernels) >= 79 and not any(k['failed'] for k in kernels))
    return results


@client('opencv', 'python3-opencv pocl-opencl-icd')
def opencv_debian(bench):
    return opencv(bench, PYTHON)


@client('opencv-wheel', 'pocl-opencl-icd', 'opencv-python-headless==5.0.0.93 numpy==2.4.6')
def opencv_wheel(bench):
    return opencv(bench, bench.python)


# ---- darktable: with OpenCL, and without ----

@client('darktable', 'darktable')
def darktable_raw(bench):
    """It compiles all its kernels before it uses one, and falls back to the
    processor if one does not compile or a step fails."""
    darktable.write_dng(bench.folder / 'in.dng')
    run, ours = darktable.develop(bench, 'ours.pfm', '--conf', 'opencl=TRUE',
                                  '-d', 'opencl', '-d', 'perf')
    _, theirs = darktable.develop(bench, 'theirs.pfm', '--disable-opencl',
                                  on='cpu')
    steps = re.findall(r"processed `([^']+)' on GPU", run.out)
    return {
        'kernels': verdict('opencl is AVAILABLE' in run.out),
        'raw picture': verdict(darktable.alike(ours, theirs)),
        **{step: 'pass' for step in steps},
    }


# ---- clpeak ----

@client('clpeak', 'clpeak')
def clpeak(bench):
    """A figure for each width of each kind of arithmetic and transfer.  It
    starts 2048 workgroups of the largest size for each SM, 30 times a figure:
    on the smallest machine that takes minutes, on the default one hours."""
    run = bench.run('clpeak', timeout=1800,
                    settings='num_sm=1:num_warp=1:num_thread=4:'
                    'memory_size=4M')
    results = {'to the end': verdict(run.status == 0)}
    section = ''
    for line in run.out.splitlines():
        title = re.match(r' {4}(\w[^:]*?)( \(\w+\))?$', line)
        figure = re.match(r' {6,8}(\w[^:]*?) +: [0-9.]+$', line)
        single = re.match(r' {4}(\w.*latency) +: [0-9.]+ us$', line)
        if title:
            section = title[1]
        elif figure:
            results[f'{section}: {figure[1]}'] = 'pass'
        elif single:
            results[single[1]] = 'pass'
    return results


# ---- Libraries of PyPI that have no tests in their wheels ----

def arrays(bench, library, **more):
    """A program of ours runs operations of the library, and compares."""
    run = bench.run(bench.python, Path(__file__).with_name('arrays.py'), library, **more)
    results = dict(re.findall(r'^(.+) (pass|fail)$', run.out, re.M))
    if run.status != 0 or not results:
        results[f'exit status {run.status}'] = 'fail'
    return results


def arrays_client(library, packages, **more):
    client(library, '', packages)(functools.partial(arrays, library=library, **more))


arrays_client('pyclesperanto', 'pyclesperanto==0.25.1 numpy==2.4.6 scipy==1.17.1')
# Qrack leaves less than some 17 qubits to the processor, and does not wait for
# each command, by default.
arrays_client('pyqrack', 'pyqrack==2.30.2 numpy==2.4.6',
              variables={'QRACK_PSTRIDEPOW': '1', 'QRACK_OCL_SYNC': '1'})
arrays_client('halide', 'halide==21.0.0 numpy==2.4.6')
# Some of their packages are source archives only, all in Python.
arrays_client('loopy', 'loopy==2025.2 pyopencl==2026.1.4 numpy==2.4.6 cgen==2025.1 '
              'genpy==2022.1 codepy==2025.1 --no-binary=cgen,genpy,codepy')
arrays_client('reikna', 'reikna==0.8.0 pyopencl==2026.1.4 numpy==1.26.4 '
              'funcsigs==1.0.2 --no-binary=reikna')


# ---- tinygrad: the tests of its source archive ----

@client('tinygrad', 'clang-19', 'tinygrad==0.14.0 numpy==2.4.6 pytest==9.2.0',
        'tinygrad==0.14.0')
def tinygrad(bench):
    """Constants are computed on the processor, which needs a compiler."""
    return pytest(bench, *(bench.venv / 'source').glob('*/test/test_tiny.py'),
                  python=bench.python,
                  variables={'DEV': 'CL', 'CC': 'clang-19', 'CACHELEVEL': '0'})


# ---- DPC++: SPIR-V and memory shared with the host ----

DPCTL = 'dpctl==0.22.1 dpcpp-cpp-rt==2026.2.0 numpy==2.4.6 pytest==9.2.0'


def dpcpp(bench, *tests):
    """Tests of packages that use DPC++'s runtime.  They need memory shared with the
    host, so that they are for devices of version 2."""
    if bench.args.device == 'default':
        return {'needs shared memory': 'skip'}
    return pytest(bench, '--pyargs', *tests, python=bench.python,
                  variables={'ONEAPI_DEVICE_SELECTOR': 'opencl:*',
                             'LD_LIBRARY_PATH': str(bench.venv / 'lib')})


@client('dpctl', '', DPCTL)
def dpctl(bench):
    """The tests of dpctl that use a queue."""
    files = ('sycl_usm sycl_queue_memcpy sycl_program sycl_kernel_submit '
             'sycl_event sycl_timer raw_kernel_arg work_group_memory '
             'work_group_memory_opencl utils').split()
    return dpcpp(bench, *(f'dpctl.tests.test_{name}' for name in files))


@client('dpnp', '', DPCTL + ' dpnp==0.20.0')
def dpnp(bench):
    return dpcpp(bench, 'dpnp.tests.test_sum', 'dpnp.tests.test_outer')


# ---- ggml: each operation of a network, compared with the processor's ----

# Operations, and which of their cases: all, or those whose parameters are these.
OPERATIONS = (('SOFT_MAX,RMS_NORM,L2_NORM,SUM_ROWS,MEAN,CUMSUM,SOLVE_TRI,DIAG,TRI,GEGLU,'
               'SWIGLU,GELU,SILU,TANH,EXP,REPEAT', ''),
              ('MUL_MAT', 'm=16,n=1,k=256'))


@client('ggml', 'cmake ninja-build g++ ocl-icd-opencl-dev opencl-c-headers', '',
        'llama-cpp-python==0.3.36')
def ggml(bench):
    """The part of llama.cpp that it needs is built once, in some minutes; it takes only
    devices whose name has that of a vendor it knows."""
    source, = (bench.venv / 'source').glob('*/vendor/llama.cpp')
    build, program = bench.venv / 'build', bench.venv / 'test-backend-ops'
    (source / 'ggml/ggml.pc.in').touch()  # the archive lacks it
    libraries = [build / 'src', build / 'src/ggml-opencl']
    message = wheels.built(
        bench.venv, program,
        ('cmake', '-S', source / 'ggml', '-B', build, '-G', 'Ninja',
         '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_CXX_FLAGS_RELEASE=-O1',
         '-DGGML_OPENCL=ON', '-DGGML_OPENCL_USE_ADRENO_KERNELS=OFF',
         '-DGGML_NATIVE=OFF', '-DGGML_CCACHE=OFF', '-DGGML_BUILD_EXAMPLES=OFF',
         '-DGGML_BUILD_TESTS=OFF'),
        ('cmake', '--build', build),
        ('g++', '-std=c++17', f'-I{source}/ggml/include',
         source / 'tests' / (program.name + '.cpp'), '-o', program,
         *(f'-L{name}' for name in libraries),
         *(f'-Wl,-rpath,{name}' for name in libraries),
         '-lggml', '-lggml-base', '-lpthread'))
    if message:
        return {f'builds: {message[-400:]}': 'fail'}
    results, missing = {}, 0
    for operations, parameters in OPERATIONS:
        run = bench.run(program, 'test', '-b', 'GPUOpenCL', '-o', operations, '-p',
                        parameters, timeout=3600,
                        settings='device_name=Ventus for Intel',
                        variables={'GGML_OPENCL_KERNEL_CACHE_DIR': str(bench.folder)})
        for test, result in re.findall(
                r'^  (\w+\(.*?\)): .*?(OK|FAIL|not supported)', run.out, re.M):
            if result == 'not supported':
                missing += 1
            elif results.get(test) != 'fail':  # some are there more than once
                results[test] = verdict(result == 'OK')
        if run.status != 0:
            results[f'{operations}: exit status {run.status}'] = 'fail'
    results[f'not supported: {missing}'] = 'skip'
    return results
