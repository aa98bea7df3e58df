#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus exec` and `ventus info`: what they print and refuse.

    exec.py VENTUS SOURCE_TREE
"""
import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import process  # noqa: E402
import terminal  # noqa: E402

VENTUS, TREE = sys.argv[1], Path(sys.argv[2])
VECADD = str(TREE / 'examples/vecadd.s')
ARGS = ['--arg', 'iota:8', '--arg', 'iota:8', '--arg', 'zeros:8']
LAUNCH = ['--grid', '8', '--local', '8']
failures = []


def check(what, ok, shown=''):
    if not ok:
        failures.append(f'{what}: {shown}')


def run(*args):
    return subprocess.run([VENTUS, *map(str, args)], text=True,
                          capture_output=True, check=False)


def refuse(status, words, *args):
    """The command fails with that status and these words on stderr."""
    done = run(*args)
    check(' '.join(map(str, args[1:])),
          done.returncode == status and words in done.stderr,
          f'status {done.returncode}, {done.stderr.strip()!r}; '
          f'expected {words!r}')


def write(path, text):
    path.write_text(text)
    return path


def good(tmp):
    done = run('exec', VECADD, *LAUNCH, *ARGS, '--show', '2:i32')
    check('show', done.stdout.split() == ['0:', *(str(2 * i)
                                                  for i in range(8))],
          done.stdout + done.stderr)
    out = tmp / 'c.bin'
    done = run('exec', VECADD, *LAUNCH, *ARGS, '--dump', f'2={out}', '--stats')
    check('dump', out.read_bytes()[:8] == b'\0\0\0\0\2\0\0\0', 'bytes')
    check('stats', 'SIMT efficiency' in done.stdout, done.stdout)
    rows = re.findall(r'^  (\w+) +(\d+) +([\d.]+)% +(\d+)$', done.stdout, re.M)
    done = run('exec', VECADD, *LAUNCH, *ARGS, '--json', '--stats')
    result = json.loads(done.stdout)
    # A launch under --check runs in another loop, which has the same statistics.
    for program, args in (VECADD, ARGS), (TREE / 'examples/divergent.s',
                                          ['--arg', 'zeros:8']):
        both = [run('exec', program, *LAUNCH, *args, '--stats',
                    *more).stdout.split('  host:')[0]  # its time
                for more in ((), ('--check',))]
        check('stats of --check', both[0] == both[1] and 'warp' in both[0], both)
    check('json', result['ok'] and result['stats']['workgroups'] == 1, result)
    check('classes', sum(c['warp'] for c in result['stats']['classes'].values()
                         ) == result['stats']['warp_instructions'], result)
    all_of = result['stats']['warp_instructions']
    check('rows of classes', sorted(rows) == sorted(
        (name, str(c['warp']), f"{100 * c['warp'] / all_of:.1f}",
         str(c['thread'])) for name, c in result['stats']['classes'].items()
        if c['warp']), (rows, result))
    log = tmp / 'log'
    run('exec', VECADD, '--grid', '64', '--local', '64', '--arg', 'iota:64',
        '--arg', 'iota:64', '--arg', 'zeros:64', '--log', log)
    text = log.read_text()
    check('log', text.startswith('core   0: 0x80000000 (0x80602173) csrr'),
          text[:100])
    check('log of both warps', 'core   1: 3 0x' in text, text[:100])
    run('exec', VECADD, '--grid', '200', '--arg', 'iota:200', '--arg',
        'iota:200', '--arg', 'zeros:200', '--log', log)
    text = log.read_text()
    check('log with a local size that was chosen: 128, 72',
          text.count(' endprg ') == 4 + 3, text[:100])
    edges = str(TREE / 'tests/sim/edges.s')
    run('exec', edges, '--grid', '10,7', '--local', '4,4', '--lanes', '4',
        '--arg', 'zeros:128', '--log', log)
    check('log of warps that exist: 2 groups of 4, 2 of 3, 2 of 2',
          log.read_text().count(' endprg ') == 18, log.read_text()[-300:])
    done = run('exec', link(tmp, VECADD), *LAUNCH, *ARGS)
    check('a linked program', done.returncode == 0, done.stderr)


def deep_stack(tmp):
    """The depth of the stack in hexadecimal, as upstream's logs have it."""
    body, ends = '', ''
    for level in range(1, 13):
        body += (f'    vmv.v.i v2, {level}\n'
                 f'9:  auipc t1, %pcrel_hi(.Le{level})\n'
                 '    setrpc zero, t1, %pcrel_lo(9b)\n'
                 f'    vblt v1, v2, .Le{level}\n')
        ends = f'.Le{level}: join\n{ends}'
    source = write(tmp / 'deep.s', '.ventus_kernel deep, sgpr=16, vgpr=4\n'
                   f'deep:\n    vid.v v1\n{body}{ends}    ret\n')
    log = tmp / 'deep.log'
    done = run('exec', source, '--grid', '16', '--local', '16', '--lanes',
               '16', '--log', log)
    text = log.read_text()
    depths = set(re.findall(r'stack size: (\w+)', text))
    # Each branch pushes one side; those of fewer lanes go first.
    check('depths of the stack', done.returncode == 0 and
          {'9', 'a', 'b', 'c'} <= depths and '10' not in depths,
          f'{done.stderr} {sorted(depths)}')


def wide_stores(tmp):
    """Those of 96 and 128 bits were printed with a width from behind a table."""
    stores = '\n'.join(f"""    pre_m_{bits} 0
    vsw12.v v4, 0(v2)""" for bits in (64, 96, 128))
    source = write(tmp / 'wide.s', f"""
    .ventus_kernel wide, sgpr=16, vgpr=16
wide:
    lw      t0, 0(a0)
    vid.v   v2
    vsll.vi v2, v2, 4
    vadd.vx v2, v2, t0
    vid.v   v4
    vadd.vi v5, v4, 3
    vadd.vi v6, v4, 5
    vadd.vi v7, v4, 7
{stores}
    ret
""")
    log = tmp / 'wide.log'
    done = run('exec', source, '--grid', '4', '--local', '4', '--lanes', '4',
               '-march=ventus2', '--arg', 'zeros:16', '--log', log)
    found = re.findall(r'mem 0x[0-9a-f]{7}0 0x(\w{16,})', log.read_text())
    values = [''.join(f'{lane + k:08x}' for k in (7, 5, 3, 0)[4 - words:])
              for words in (2, 3, 4) for lane in range(4)]
    check('wide stores', done.returncode == 0 and found == values,
          f'{done.stderr}{found}, expected {values}')


def floats(tmp):
    """fiota makes floats: vecadd adds them as such."""
    out = tmp / 'sum.bin'
    run('exec', VECADD, *LAUNCH, '--arg', 'fiota:8', '--arg', 'fiota:8',
        '--arg', 'zeros:8', '--dump', f'2={out}')
    check('fiota', struct.unpack('<8f', out.read_bytes()) ==
          tuple(2.0 * i for i in range(8)), out.read_bytes())


# Three workgroups end at once, the last one never.
THREE_END = """
        .globl spin
        spin: csrr t0, gidx
        li t1, 3
        1: beq t0, t1, 1b
        ret
        """


def progress(tmp):
    """On a terminal, a launch that takes long says how far it is."""
    source = write(tmp / 'spin.s', THREE_END)
    command = [VENTUS, 'exec', str(source), '--grid', '128', '--local', '32',
               '--threads', '1', '--set', 'deadlock=1000000000000']
    three = re.compile(rb'\rspin: 3 of 4 workgroups, 75 %, [0-9.]+/s, \d+ s left')
    try:
        status, text = terminal.run(command, three.search)
    except OSError as why:  # a root without /dev/pts
        print(f'progress is not tested: {why}')
        return
    check('progress', status == 130 and three.search(text), text)
    source.write_text('.globl spin\nspin: j spin\n')

    def rises(text):
        counts = [float(n) for n in re.findall(
            rb'\rspin: 0 of 4 workgroups, 0 %, ([0-9.]+) M instructions, [0-9.]+ s', text)]
        return len(counts) > 2 and counts[0] < counts[-1]
    for machine in ['--device', 'default'], ['--model', 'chisel']:
        status, text = terminal.run(command + machine, rises)
        check(f'{machine}: progress without an end', status == 130 and rises(text), text)
    source.write_text(THREE_END)
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as child:
        process.wait_for(lambda: process.launch_s(child.pid) > 1)
        child.send_signal(signal.SIGINT)
        err = child.communicate()[1]
    check('no progress without a terminal', '\r' not in err and
          'workgroup 3 (3,0,0)' in err, err)


def link(tmp, source, *options):
    for path, name in ((source, 'k'), (TREE / 'lib/start.S', 's')):
        run('as', *options, '-o', tmp / f'{name}.o', path)
    run('link', '-o', tmp / 'k.elf', tmp / 's.o', tmp / 'k.o')
    return tmp / 'k.elf'


def bad_command_lines():
    refuse(2, 'expected FILE.cl, FILE.spv, FILE.s, FILE.elf or', 'exec')
    refuse(2, 'expected --grid', 'exec', VECADD)
    refuse(2, "--grid: expected X[,Y[,Z]], found '8x'", 'exec', VECADD,
           '--grid', '8x')
    refuse(2, "argument 'fun:3': expected buf:FILE, zeros:N", 'exec', VECADD,
           *LAUNCH, '--arg', 'fun:3')
    refuse(2, "argument 'u32:-1': expected 0 to 4294967295", 'exec',
           VECADD, *LAUNCH, '--arg', 'u32:-1')
    refuse(2, 'argument 3 is no buffer', 'exec', VECADD, *LAUNCH, *ARGS,
           '--show', '3')
    refuse(2, 'unrecognized option', 'exec', VECADD, '--gird', '8')
    refuse(2, '--dump-mem: expected ADDR,SIZE=FILE', 'exec', VECADD,
           '--dump-mem', '5')
    refuse(2, '--dump-mem: expected ADDR,SIZE=FILE', 'exec', 'c.metadata',
           '--dump-mem', '0x90000000,99999999999=f')
    refuse(2, "--dump: expected N=FILE, found '-1=f'", 'exec', VECADD, *LAUNCH,
           *ARGS, '--dump', '-1=f')
    refuse(2, "--show: expected a type u32, i32, f32, u64, i64 or f64, found 'u8'",
           'exec', VECADD, *LAUNCH, *ARGS, '--show', '2:u8')
    refuse(1, 'nothing: error: cannot read', 'exec', VECADD, *LAUNCH, '--arg',
           'buf:nothing')


def other_commands(tmp):
    """What is wrong is said under the command's own name."""
    obj = tmp / 'vecadd.o'
    run('as', '-o', obj, VECADD)
    refuse(1, "-e: expected a symbol of an object or an address, found 'vecad', did "
           "you mean 'vecadd'?", 'link', '-e', 'vecad', '-o', tmp / 'l.elf', obj)
    check('link -e of nothing', not (tmp / 'l.elf').exists(), 'a program')
    # The program had no start code: it began at the kernel, with a0 = 0.
    for words, status in ((), 0), (('-nostartfiles',), 1), (('-e', 'vecadd'), 1), \
            (('-e', '_start'), 0):
        elf = tmp / 'linked.elf'
        run('link', *words, '-o', elf, obj)
        done = run('exec', elf, *LAUNCH, *ARGS, '--show', '2')
        check(f'link {words} and exec', done.returncode == status and
              ('0 2 4 6 8 10 12 14' in done.stdout) == (status == 0),
              done.stdout + done.stderr)
    for entry in 'vecadd', '0x80000000':
        done = run('link', '-e', entry, '-o', tmp / 'l.elf', obj)
        check(f'link -e {entry}', done.returncode == 0 and not done.stderr,
              done.stderr)
    refuse(2, "as: -D: expected NAME[=VALUE], found '3x=5'", 'as', '-D', '3x=5',
           VECADD)
    refuse(2, "tile: --pes: '9' is not a number from 1 to 4", 'tile', 'run',
           '--pes', '9', 'k.elf')
    refuse(2, "replay: expected a file, found '-'", 'replay', '-')
    refuse(2, "sweep: expected the file of a plan, found '-'", 'sweep', '-')
    refuse(2, "debug: --port: cannot listen on 'abc'", 'debug', '--port', 'abc', '--',
           'true')
    refuse(2, "debug: --launches: expected MiB of memory, found '-5'", 'debug',
           '--launches', '-5', '--', 'true')
    done = run('isa', '0xffffffff', '0x0010200b')
    check('isa of no instruction', done.returncode == 1 and
          done.stdout.splitlines()[0].endswith('no instruction of version 1') and
          len(done.stdout.splitlines()) == 2, done.stdout)
    done = subprocess.run([VENTUS, 'exec', '-', '-x', 's', '--grid', '1'], input='',
                          text=True, capture_output=True, check=False)
    check('no kernel', done.returncode == 1 and
          '<stdin>: expected a kernel, found none' in done.stderr, done.stderr)


def options_without_effect():
    """What would be ignored is refused."""
    kernel = ['exec', VECADD, *LAUNCH, *ARGS]
    refuse(2, '-x is for standard input', *kernel, '-x', 's')
    for option in ['--log-dir', '.'], ['--dump-mem', '0x90000000,4=f']:
        refuse(2, '--log-dir and --dump-mem are for cases', *kernel, *option)
    for option in ['--hot'], ['--trace', 'f'], ['--konata', 'f'], \
            ['--events', 'f'], ['--report', 'f']:
        refuse(2, 'need an engine that profiles', *kernel, *option)
        refuse(2, 'need an engine that profiles', 'exec', 'c.metadata', *option)
    refuse(2, '--issues needs an engine that counts cycles', *kernel, '--issues', 'f')
    refuse(2, '--coherence needs an engine that counts cycles', *kernel, '--coherence',
           'rcc')
    for option in ['--trace-sm', 0], ['--trace-kernel', 'k'], \
            ['--trace-cycles', '1:2']:
        refuse(2, 'need --trace, --konata or --events', *kernel, '--model', 'chisel',
               *option)
    for wrong in '4294967296', '-1', '+1', ' 1', '':  # was the SM 0, or 1, or 4294967295
        refuse(2, '--trace-sm: expected the number of an SM', *kernel, '--model', 'chisel',
               '--konata', 'f', '--trace-sm', wrong)
    refuse(2, 'FROM not above TO, TO above 0', *kernel, '--model', 'chisel', '--konata',
           'f', '--trace-cycles', '0:0')
    refuse(2, '--jobs 4294967297: expected 1 to', 'sweep', 'plan.ini', '--jobs', '4294967297')
    for wrong in '-1', '99999999999999999999':  # was the address 0xffffffff
        refuse(2, '--raw: expected an address', 'dis', f'--raw={wrong}', 'f')
    refuse(2, '--dump-mem: expected ADDR,SIZE=FILE', 'exec', 'c.metadata', '--dump-mem',
           '-18446744073709551600,4=f')
    for option in ['--grid', 8], ['--local', 8], ['--offset', 8], \
            ['--arg', 'zeros:1'], ['--show', 0], ['--dump', '0=f']:
        refuse(2, 'for kernels, not for cases', 'exec', 'c.metadata', *option)
    for option in ['--seed', '-1'], ['--arg', '99999999999999999999'], \
            ['--limit', '-1'], ['--dump', 'input,-1=f'], ['--dump', 'input,x=f']:
        refuse(2, 'is not a number from', 'tile', 'run', 'k.elf', *option)
    refuse(2, "--load: expected AT=FILE, found 'x'", 'tile', 'run', 'k.elf',
           '--load', 'x')
    refuse(2, "--dump: expected AT,SIZE=FILE, found 'x=f'", 'tile', 'run',
           'k.elf', '--dump', 'x=f')
    refuse(2, 'a0 to a7 are taken', 'tile', 'run', 'k.elf',
           *(9 * ['--arg', 1]))
    refuse(2, '-o is of as and dis', 'tile', 'run', 'k.elf', '-o', 'f')
    refuse(2, 'run has options', 'tile', 'dis', 'k.elf', '--check')


def engine_by_a_setting(tmp):
    """What needs cycles or profiles asks the engine, not for --model."""
    ini = write(tmp / 'model.ini', '[machine]\nengine = model\n')
    for option in ['--set', 'engine=model'], ['--device', ini], \
            ['--model', 'default']:
        for wanted in ['--hot'], ['--issues', tmp / 'i'], ['--events', tmp / 'e']:
            done = run('exec', VECADD, *LAUNCH, *ARGS, *option, *wanted)
            check(f'{option} {wanted}', done.returncode == 0, done.stderr)
    refuse(2, 'need an engine that profiles', 'exec', VECADD, *LAUNCH, *ARGS,
           '--model', 'default', '--set', 'engine=sim', '--hot')
    refuse(1, "no preset 'nothing' (presets: ", 'exec', VECADD, *LAUNCH, *ARGS,
           '--device', 'nothing', '--hot')
    if 'no libventus-opencl' in run('run', '--', 'true').stderr:
        return
    report = ['--report', tmp / 'r', '--', 'true']
    refuse(2, 'need a device whose engine profiles', 'run', *report)
    for devices in 'lanes8,default:engine=model', 'chisel':
        done = run('run', '--device', devices, *report)
        check(f'run --device {devices}', done.returncode == 0, done.stderr)


def bad_settings(tmp):
    refuse(1, "unknown key 'num_thraed'; did you mean 'num_thread'?", 'exec',
           VECADD, *LAUNCH, *ARGS, '--set', 'num_thraed=8')
    refuse(1, 'power of two', 'exec', VECADD, *LAUNCH, *ARGS, '--lanes', 5)
    refuse(1, "an SM has room for 64 (num_warp * num_thread); the preset "
           "'default' has for 1024", 'exec', VECADD, '--grid', 256, '--local',
           256, '--device', 'chisel', '--arg', 'fiota:256', '--arg',
           'fiota:256', '--arg', 'zeros:256')
    refuse(1, "no preset 'nobody' (presets: chisel, ", 'exec', VECADD, *LAUNCH, *ARGS, '--device',
           'nobody')
    ini = write(tmp / 'd.ini', '[machine]\nnum_thread = 8\nnum_worp = 8\n')
    refuse(1, f"{ini}:3: unknown key 'num_worp'; did you mean 'num_warp'?",
           'exec', VECADD, *LAUNCH, *ARGS, '--device', ini)
    refuse(1, 'did you mean', 'info', '--device', ini)


def standard_output(tmp):
    """- is standard output, and text for people then goes to standard error."""
    model = ['exec', VECADD, *LAUNCH, *ARGS, '--model', 'chisel']
    for option in '--issues', '--trace', '--konata', '--events', '--log', '--report':
        kind = ['exec', VECADD, *LAUNCH, *ARGS] if option == '--log' else model
        run(*kind, option, tmp / 'f')
        done = run(*kind, option, '-', '--show', '2', '--stats')
        check(f'{option} -', done.returncode == 0 and
              done.stdout == (tmp / 'f').read_text() and
              '0: 0 2 4' in done.stderr and 'SIMT efficiency' in done.stderr and
              not Path('-').exists(), done.stdout[:200] + done.stderr)
    refuse(2, "exec: --trace and --konata would write one file, '-'", *model,
           '--trace', '-', '--konata', '-')
    refuse(2, "exec: --trace and --konata would write one file, 'same'", *model,
           '--trace', 'same', '--konata', 'same')
    if 'no libventus-opencl' in run('run', '--', 'true').stderr:
        return
    for option in '--trace', '--json', '--log':
        refuse(2, f"run: {option}: expected a file, found '-': standard output is "
               "the program's", 'run', '--model', 'chisel', option, '-', '--', 'true')


def kernel_of_trace(tmp):
    model = ['exec', VECADD, *LAUNCH, *ARGS, '--model', 'chisel', '--trace', tmp / 't']
    done = run(*model, '--trace-kernel', 'vecad')
    check('--trace-kernel', done.returncode == 0 and done.stderr ==
          "ventus: note: --trace-kernel: no launch had a kernel 'vecad', did you "
          "mean 'vecadd'?\n", done.stderr)
    done = run(*model, '--trace-kernel', 'vecadd')
    check('the kernel of the trace', done.stderr == '', done.stderr)


def refused_launch(tmp):
    """It leaves files as they are."""
    kept = write(tmp / 'kept', 'as it was')
    for option in '--trace', '--konata', '--events', '--issues', '--report':
        refuse(1, 'are above 32 bits', 'exec', VECADD, '--grid', 4294967295, '--offset', 8,
               *ARGS, '--model', 'chisel', option, kept)
        check(f'{option} of a refused launch', kept.read_text() == 'as it was',
              kept.read_text())


def idle_lanes(tmp):
    """A workgroup of 5 work-items on lanes that all run: the buffers have 5 words."""
    five = ['--grid', '5', '--local', '5', '--arg', 'iota:5', '--arg', 'iota:5',
            '--arg', 'zeros:5', '--show', '2']
    said = 'lane 5 has no work-item: this machine runs all lanes (all_lanes = yes)'
    warned = ("exec: warning: kernel 'vecadd': 8 lanes run for a workgroup of 5 "
              'work-items (all_lanes = yes)')
    for machine in 'engine=sim', 'engine=model':
        on = ['--device', 'rtl-verilog', '--set', machine, '--set', 'bounds=strict']
        done = run('exec', VECADD, *five, *on, '--json')
        fault = json.loads(done.stdout)['fault']
        check(f'{machine}: a lane without a work-item',
              done.returncode == 1 and fault['lane'] == 5 and 'item' not in fault
              and said in done.stderr and done.stderr.count(warned) == 1
              and 'work-item (' not in done.stderr, done.stderr)
        done = run('exec', VECADD, *five, *on, '--set', 'all_lanes=no')
        check(f'{machine}: work-items only', done.returncode == 0 and
              done.stdout.split() == ['0:', '0', '2', '4', '6', '8'] and
              not done.stderr, done.stdout + done.stderr)
    whole = ['exec', VECADD, *LAUNCH, *ARGS, '--device', 'rtl-verilog']
    check('a full warp', run(*whole).stderr == '', run(*whole).stderr)
    # The last workgroup has 8 work-items, and two warps as the others.
    done = run('exec', VECADD, '--grid', '24', '--local', '16', '--device',
               'rtl-verilog', *(3 * ['--arg', 'zeros:32']))
    check('a warp without work-items', done.returncode == 0 and
          '16 lanes run for a workgroup of 8 work-items' in done.stderr,
          done.stderr)
    done = run('exec', VECADD, *five, '--device', 'rtl-verilog', '--set', 'engine=sim',
               '--check')
    check('a finding names the lane', done.returncode == 1 and
          'by lane 5 of warp 0, which has no work-item (all_lanes = yes), of '
          'work-group (0,0,0)' in done.stderr, done.stderr)


def bad_programs(tmp):
    refuse(1, 'No such file', 'exec', tmp / 'nothing.s', *LAUNCH)
    source = write(tmp / 'bad.s', 'bad:\n    vadd.vv v1, x7, v2\n')
    refuse(1, 'bad.s:2:', 'exec', source, *LAUNCH)
    elf = link(tmp, VECADD)
    image = elf.read_bytes()
    short = tmp / 'short.elf'
    short.write_bytes(image[:100])
    refuse(1, 'short.elf: ', 'exec', short, *LAUNCH)
    refuse(1, 'not a linked RISC-V program', 'exec', tmp / 'k.o', *LAUNCH)
    (tmp / 'x86.elf').write_bytes(Path('/bin/true').read_bytes())
    refuse(1, 'not a linked RISC-V program', 'exec', tmp / 'x86.elf', *LAUNCH)
    refuse(1, "no kernel 'vecsub'", 'exec', VECADD, 'vecsub', *LAUNCH, *ARGS)
    refuse(1, 'built for version 1', 'exec', elf, *LAUNCH, *ARGS, '--set',
           'isa=v2')
    refuse(1, 'built for version 1 of the instruction set, the device has 2',
           'exec', elf, *LAUNCH, *ARGS, '--device', 'ventus2')
    # --set isa=v1 would not help: version 1 has less memory than the preset
    refuse(1, 'the device has 2 (use a preset of version 1)', 'exec', elf, *LAUNCH,
           *ARGS, '--device', 'ventus2')
    far = TREE / 'tests/sim/v2_fault_far.s'
    refuse(1, 'access to unmapped memory to 0x240000000', 'exec', far, *LAUNCH,
           '--device', 'ventus2', '--set', 'bounds=strict', '--arg', 'zeros:1342177280')
    refuse(1, 'built for version 2 of the instruction set, the device has 1',
           'exec', link(tmp, far, '-march=ventus2'), *LAUNCH, '--arg',
           'zeros:1', '--device', 'default')


def bad_cases(tmp):
    def case(words):
        return write(tmp / 'c.metadata', '\n'.join(words) + '\n')

    def numbers(*values):
        return [w for v in values for w in (f'{v & 0xffffffff:08x}',
                                            f'{v >> 32:08x}')]
    (tmp / 'c.data').write_text('')
    refuse(1, 'c.metadata:1:', 'exec', case(['8000000g']))
    refuse(1, 'c.metadata:', 'exec', case(numbers(0x80000000, 0, 1)))
    head = [0x80000000, 0, 1, 1, 1, 8, 4, 0x90024000, 0x1000, 0x1000, 64, 64,
            0x90004000]
    refuse(1, 'c.data:', 'exec', case(numbers(*head, 1, 0x90000000, 64, 64)))
    refuse(1, 'access to unmapped memory', 'exec', case(numbers(*head, 0)))
    head[5] = 7
    refuse(1, 'num_thread is a power of two', 'exec', case(numbers(*head, 0)))
    head[5:7] = [8, 0]
    refuse(1, 'c.metadata:14: error: the number of warps is 0x0', 'exec',
           case(numbers(*head, 0)))


def object_beside(tmp):
    """A case whose program is in object.riscv alone, and a kernel's result."""
    def number(v):
        return f'{v & 0xffffffff:08x}\n{v >> 32:08x}\n'
    source = write(tmp / 'one.s', """
        .globl _start
        _start: la t0, value
        lw t1, 0(t0)
        li t0, 0x90000000
        sw t1, 0(t0)
        endprg
        .data
        value: .word 0x12345678
        """)
    run('as', '-o', tmp / 'one.o', source)
    run('link', '-o', tmp / 'object.riscv', tmp / 'one.o')
    case = write(tmp / 'o.metadata', ''.join(map(number, (
        0x80000000, 0, 1, 1, 1, 8, 1, 0x90001000, 0x1000, 0x1000, 64, 64,
        0x90002000, 2, 0x90000000, 0x90001000, 4, 64, 4, 64))))
    write(tmp / 'o.data', '00000000\n' * 17)
    out = tmp / 'o.bin'
    done = run('exec', case, '--dump-mem', f'0x90000000,4={out}')
    check('object.riscv', done.returncode == 0 and
          out.read_bytes() == b'\x78\x56\x34\x12', done.stderr)
    (tmp / 'o.log').symlink_to('/dev/full')
    for path, *option in (('/dev/full', '--log', '/dev/full'),
                          ('/dev/full', '--model', 'rtl-verilog', '--issues',
                           '/dev/full'), (tmp / 'o.log', '--log-dir', tmp)):
        refuse(1, f'exec: error: {path}: cannot be written', 'exec', case,
               *option)
    (tmp / 'object.riscv').write_bytes(b'\x7fELF')
    refuse(1, 'object.riscv: ', 'exec', case)
    (tmp / 'object.riscv').unlink()


def info_base(tmp, values):
    """A file is based on a preset, or on a file beside it; what it sets differs."""
    own = write(tmp / 'own.ini', 'base = chisel\n[machine]\nnum_sm = 4\n')
    check('base of a preset', values(own) == values('chisel') | {'num_sm': 4}, own)
    folder = tmp / 'folder'
    folder.mkdir(exist_ok=True)
    more = write(folder / 'more.ini', '[machine]\nbase = ../own.ini\nnum_warp = 4\n')
    check('base of a file', values(more) ==
          values('chisel') | {'num_sm': 4, 'num_warp': 4}, more)
    for text, said in (
            ('base = wrong.ini\n', 'expected a base that is not based on this file'),
            ('[machine]\nnum_sm = 4\nbase = chisel\n', 'base comes before all settings'),
            ('base = chisel\nbase = chisel\n', 'base comes before all settings'),
            ('base = chisle\n', "wrong.ini:1: no preset 'chisle'"),
            ('[pipeline]\nbase = chisel\n', "unknown key 'base'")):
        wrong = write(tmp / 'wrong.ini', text)
        refuse(1, said, 'info', '--device', wrong)


def info_ini(tmp):
    """Each preset as a file has the same values, and fits 110 columns."""
    def values(device):
        settings = json.loads(run('info', '--json', '--device', device).stdout)
        return {s['name']: s['value'] for s in settings['settings']}
    for preset in json.loads(run('info', '--json').stdout)['presets']:
        done = run('info', '--ini', preset)
        ini = write(tmp / 'preset.ini', done.stdout)
        check(f'info --ini {preset}', values(ini) == values(preset) and
              max(map(len, done.stdout.splitlines())) <= 110, done)
        ini = write(tmp / 'listed.ini', run('info', preset).stdout)
        check(f'info {preset} is an ini file', values(ini) == values(preset), preset)
    info_base(tmp, values)
    check('info --ini', run('info', '--ini').stdout ==
          run('info', '--ini', '--device', 'default').stdout, 'no default')
    refuse(2, '--ini and --json exclude each other', 'info', '--ini', '--json')
    refuse(1, "no preset 'chisle', did you mean 'chisel'?", 'info', '--ini',
           'chisle')


def info():
    done = run('info', '--json')
    settings = json.loads(done.stdout)
    names = [s['name'] for s in settings['settings']]
    check('info', 'num_thread' in names and 'default' in settings['presets'],
          done.stdout)
    words = {s['name']: (s['value'], s.get('choices')) for s in settings['settings']}
    check('info --json: values are what --set takes',
          words['isa'] == ('v1', ['v1', 'v2']) and words['engine'][0] in words['engine'][1]
          and words['one_group'][0] in (True, False)
          and words['num_thread'] == (32, None), words)
    done = run('info', '--config', '--device', 'lanes8')
    check('info --config', re.search(r'^num_thread += 8 ', done.stdout, re.M),
          done.stdout)
    for line in (r'num_thread .*\(lanes, 1 to 64, a power of two\)',
                 r'local_size .*\(bytes, 1K to 256M\)',
                 r'local_banks .*\(0 to 64, a power of two\)',
                 r'scheduler .*\(rr fixed lrr gto two_level random\)',
                 r'one_group .* a time', r'max_ms .*\(ms\)',
                 r'deadlock .*\(cycles, at least 100\)'):
        check('info --config: what may be set',
              re.search(f'^{line}$', done.stdout, re.M), done.stdout)
    check('info PRESET', run('info', 'lanes8').stdout == done.stdout,
          'differs from --config --device')
    refuse(1, 'no-such', 'info', 'no-such')
    refuse(2, "unexpected 'chisel'", 'info', 'lanes8', 'chisel')
    for command in ('exec', 'info'):
        done = run(command, '--help')
        check(f'{command} --help', done.returncode == 0 and
              f'ventus {command}' in done.stdout, done.stdout)


def main():
    os.environ.pop('VENTUS_LLD', None)
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        good(tmp)
        deep_stack(tmp)
        wide_stores(tmp)
        floats(tmp)
        progress(tmp)
        bad_command_lines()
        options_without_effect()
        other_commands(tmp)
        engine_by_a_setting(tmp)
        bad_settings(tmp)
        standard_output(tmp)
        kernel_of_trace(tmp)
        refused_launch(tmp)
        idle_lanes(tmp)
        bad_programs(tmp)
        bad_cases(tmp)
        object_beside(tmp)
        info()
        info_ini(tmp)
    print('\n'.join(failures + [f'{len(failures)} failed']))
    return failures != []


if __name__ == '__main__':
    sys.exit(main())
