#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus sweep`: what it runs, what it keeps, what it writes.

    sweep.py VENTUS EXAMPLES [PROGRAM]

PROGRAM is an OpenCL program that launches a kernel; none without the runtime.
Cycles are compared with those of `ventus exec`, started here one by one."""
import ast
import csv
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from process import children, wait_for  # noqa: E402

VENTUS, EXAMPLES, PROGRAM = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
ARGS = ('--grid 64 --local 8 --arg fiota:64 --arg fiota:64 '
        '--arg zeros:64')
PLAN = f'''; a comment
[sweep]
model = rtl-verilog chisel
[keys]
num_warp = 4..8*2     ; 4 8
fpu_cycles = 2 5
[program vecadd]
exec = vecadd.s {ARGS[:20]}
    {ARGS[20:]}
'''


def sweep(folder, *args, status=0):
    p = subprocess.run([VENTUS, 'sweep', 'plan.ini', *args], cwd=folder,
                       check=False, capture_output=True, text=True)
    assert p.returncode == status, (args, p.returncode, p.stdout, p.stderr)
    return p


def summary(folder, *args, status=0):
    out = json.loads(sweep(folder, '--json', *args, status=status).stdout)
    return out['ran'], out['kept'], out['failed']


def table(folder):
    with open(folder / 'plan.sweep/table.csv', newline='',
              encoding='utf-8') as f:
        return list(csv.DictReader(f))


def records(folder):
    return sorted((folder / 'plan.sweep/points').glob('*.json'))


def new_folder(parent, plan=PLAN):
    folder = Path(tempfile.mkdtemp(dir=parent))
    shutil.copy(EXAMPLES / 'vecadd.s', folder)
    (folder / 'plan.ini').write_text(plan, encoding='utf-8')
    return folder


def test_the_matrix_is_what_exec_gives(parent):
    folder = new_folder(parent)
    assert summary(folder) == (8, 0, 0)
    rows = table(folder)
    assert len(rows) == 8
    seen = set()
    for row in rows:
        seen.add((row['preset'], row['num_warp'], row['fpu_cycles']))
        p = subprocess.run(
            [VENTUS, 'exec', '--model', row['preset'], '--json', '--set',
             f"num_warp={row['num_warp']}", '--set',
             f"fpu_cycles={row['fpu_cycles']}", 'vecadd.s', *ARGS.split()],
            cwd=folder, check=True, capture_output=True, text=True)
        assert json.loads(p.stdout)['cycles'] == int(row['cycles']), row
        assert row['kernel'] == 'vecadd' and row['status'] == 'ok'
        assert row['version'] and row['commit'] and row['host']
        assert float(row['seconds']) > 0 and len(row['tools']) == 64
        assert row['command'].startswith('ventus exec --model ')
    assert seen == {(p, w, f) for p in ('rtl-verilog', 'chisel')
                    for w in ('4', '8') for f in ('2', '5')}
    page = (folder / 'plan.sweep/index.html').read_text(encoding='utf-8')
    assert 'http' not in page and '"fpu_cycles"' in page
    # The command of a record gives it again.
    record = json.loads(records(folder)[0].read_text(encoding='utf-8'))
    again = subprocess.run([VENTUS, *record['command'].split()[1:]],
                           cwd=folder, check=True, capture_output=True,
                           text=True)
    assert json.loads(again.stdout)['counters'] == \
        record['launches'][0]['counters']


def test_a_metric_hides_no_column(parent):
    folder = new_folder(parent)
    sweep(folder)
    columns = [name for name in table(folder)[0] if '.' not in name]
    assert {'program', 'status', 'cycles', 'seconds'} < set(columns)
    for name in columns:
        (folder / 'plan.ini').write_text(f'{PLAN}[metrics]\n{name} = 1\n', encoding='utf-8')
        assert 'expected another name' in sweep(folder, status=1).stderr, name


def test_what_it_has_is_not_run_again(parent):
    folder = new_folder(parent)
    summary(folder)
    stamp = {p: p.stat().st_mtime_ns for p in records(folder)}
    assert summary(folder) == (0, 8, 0)
    assert stamp == {p: p.stat().st_mtime_ns for p in records(folder)}
    # Names and comments are not content, nor is the order.
    (folder / 'plan.ini').write_text(
        PLAN.replace('program vecadd', 'program other')
        .replace('rtl-verilog chisel', 'chisel rtl-verilog')
        .replace('2 5', '5 2'), encoding='utf-8')
    assert summary(folder) == (0, 8, 0)
    # A new value is.
    (folder / 'plan.ini').write_text(PLAN.replace('2 5', '2 5 7'),
                                     encoding='utf-8')
    assert summary(folder) == (4, 8, 0)
    # So is the kernel's file.
    with open(folder / 'vecadd.s', 'a', encoding='utf-8') as f:
        f.write('\n# changed\n')
    assert summary(folder) == (12, 0, 0)


def test_a_preset_file_counts_by_its_settings(parent):
    plan = PLAN.replace('rtl-verilog chisel', 'own.ini').replace('2 5', '5')
    folder = new_folder(parent, plan)
    own = folder / 'own.ini'
    own.write_text('[machine]\nnum_sm = 2\n', encoding='utf-8')
    assert summary(folder) == (2, 0, 0)
    own.write_text('; comment\n[machine]\nnum_sm = 2\n', encoding='utf-8')
    assert summary(folder) == (0, 2, 0)
    own.write_text('[machine]\nnum_sm = 1\n', encoding='utf-8')
    assert summary(folder) == (2, 0, 0)


def test_listed_files_count(parent):
    plan = PLAN.replace('exec =', 'files = more.inc\nexec =')
    folder = new_folder(parent, plan)
    p = sweep(folder, status=1)
    assert "file './more.inc' is not there" in p.stderr, p.stderr
    (folder / 'more.inc').write_text('1', encoding='utf-8')
    assert summary(folder) == (8, 0, 0)
    (folder / 'more.inc').write_text('2', encoding='utf-8')
    assert summary(folder) == (8, 0, 0)


def test_points_that_are_the_same_run_once(parent):
    folder = new_folder(parent, PLAN.replace('2 5', '5 5 5'))
    out = json.loads(sweep(folder, '--json').stdout)
    assert (out['points'], out['ran']) == (4, 4), out
    assert len(records(folder)) == 4 and len(table(folder)) == 12


def test_failed_points_are_recorded_and_retried(parent):
    folder = new_folder(parent)
    shutil.move(folder / 'vecadd.s', folder / 'away.s')
    assert summary(folder, status=1) == (8, 0, 8)
    assert summary(folder, status=1) == (0, 8, 8)
    assert all(r['status'] == 'failed' and 'vecadd.s' in r['error']
               for r in table(folder))
    (folder / 'vecadd.s').write_text('nonsense\n', encoding='utf-8')
    assert summary(folder, status=1) == (8, 0, 8)
    assert summary(folder, '--retry', status=1) == (8, 0, 8)
    shutil.move(folder / 'away.s', folder / 'vecadd.s')
    assert summary(folder) == (8, 0, 0)
    assert summary(folder, '--retry') == (0, 8, 0)


def long_plan(parent):
    folder = new_folder(parent, f'''[sweep]
device = default
[keys]
num_warp = 4 8 16
[program vecadd]
exec = vecadd.s {ARGS}
[program spin]
exec = spin.s --grid 1 --local 1 --limit 1000000000000
''')
    text = (EXAMPLES / 'vecadd.s').read_text(encoding='utf-8')
    (folder / 'spin.s').write_text(spin_from(text), encoding='utf-8')
    return folder


def spin_from(text):
    """vecadd, which jumps to itself before it does anything."""
    head, label, rest = text.partition('vecadd:\n')
    assert label
    return head + label + '1:  j 1b\n' + rest


def test_an_interrupt_loses_nothing(parent):
    folder = long_plan(parent)
    for end in (signal.SIGINT, signal.SIGTERM):
        p = subprocess.Popen([VENTUS, 'sweep', 'plan.ini', '--jobs', '2'],
                             cwd=folder, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        assert wait_for(lambda: has_two_left(folder, p))
        mine = children(p.pid)
        p.send_signal(end)
        _, err = p.communicate()
        assert p.returncode == 1 and 'interrupted' in err, err
        assert len(records(folder)) == 3
        assert not any(alive(pid) for pid in mine)
    states = [json.loads(line)['state'] for line in
              sweep(folder, '--list', '--json').stdout.splitlines()]
    assert states == ['ok'] * 3 + ['missing'] * 3, states
    assert not list((folder / 'plan.sweep/running').iterdir())


def test_a_kill_loses_nothing(parent):
    folder = long_plan(parent)
    p = subprocess.Popen([VENTUS, 'sweep', 'plan.ini', '--jobs', '2',
                          '--quiet'], cwd=folder)
    assert wait_for(lambda: has_two_left(folder, p))
    mine = children(p.pid)
    p.kill()
    p.wait()
    for pid in mine:
        os.kill(pid, signal.SIGKILL)
    (folder / 'plan.ini').write_text(
        (folder / 'plan.ini').read_text(encoding='utf-8')
        .replace('1000000000000', '1000'), encoding='utf-8')
    assert summary(folder, status=1) == (3, 3, 3)
    assert 'limit' in table(folder)[3]['error'] or \
        'instructions' in table(folder)[3]['error'], table(folder)[3]['error']


def test_a_point_has_a_limit_of_time(parent):
    folder = long_plan(parent)
    plan = folder / 'plan.ini'
    text = plan.read_text(encoding='utf-8')
    plan.write_text(text.split('[program spin]')[0], encoding='utf-8')
    assert summary(folder) == (3, 0, 0)  # they have the time that they need
    plan.write_text(text.replace('[keys]', 'time_limit = 1\n[keys]'), encoding='utf-8')
    assert summary(folder, status=1) == (3, 3, 3)
    assert all('limit of time' in r['error'] for r in table(folder)[3:])


def test_two_at_once_share_the_work(parent):
    folder = new_folder(parent, PLAN.replace('2 5', '1..10'))
    both = [subprocess.Popen([VENTUS, 'sweep', 'plan.ini', '--json'],
                             cwd=folder, stdout=subprocess.PIPE, text=True)
            for _ in range(2)]
    out = [json.loads(p.communicate()[0]) for p in both]
    assert [p.returncode for p in both] == [0, 0]
    assert sum(o['ran'] for o in out) == 40, out
    assert all(o['ran'] + o['kept'] == 40 for o in out), out


def test_one_point(parent):
    folder = new_folder(parent)
    keys = [json.loads(line)['key'] for line in
            sweep(folder, '--list', '--json').stdout.splitlines()]
    assert not (folder / 'plan.sweep').exists()  # nothing is run, or made
    sweep(folder, '--point', keys[3], '--quiet')
    assert [p.stem for p in records(folder)] == [keys[3]]
    p = sweep(folder, '--point', '0' * 64, status=1)
    assert 'no point' in p.stderr
    # the digits that --list shows are enough, if they are of one point
    shown = [k for k in keys if k[:12] in sweep(folder, '--list').stdout]
    assert shown == keys
    sweep(folder, '--point', keys[1][:12], '--quiet')
    assert sorted(p.stem for p in records(folder)) == sorted([keys[1], keys[3]])
    assert 'no point' in sweep(folder, '--point', '', status=1).stderr
    sweep(folder, '--collect', '--quiet')
    assert [r['status'] for r in table(folder)].count('not run') == 6


def test_points_without_a_result_are_missing(parent):
    """--collect counted them as kept."""
    folder = new_folder(parent, PLAN.replace('2 5', '5 5 5'))
    key = json.loads(sweep(folder, '--list', '--json').stdout.splitlines()[0])['key']

    def collected():
        out = json.loads(sweep(folder, '--collect', '--json').stdout)
        return [out[name] for name in ('points', 'ran', 'kept', 'failed', 'missing')]

    assert collected() == [4, 0, 0, 0, 4]
    sweep(folder, '--point', key, '--quiet')
    assert collected() == [4, 0, 1, 0, 3]
    assert sweep(folder, '--collect').stdout.startswith(
        '4 points: 0 run, 1 kept, 0 failed, 3 missing\n')
    assert json.loads(sweep(folder, '--json').stdout)['missing'] == 0
    assert sweep(folder).stdout.startswith('4 points: 0 run, 4 kept, 0 failed\n')
    record = records(folder)[0]
    record.write_text(record.read_text(encoding='utf-8').replace('"ok"', '"failed"'),
                      encoding='utf-8')
    assert collected() == [4, 0, 4, 1, 0]


def test_host_programs(parent):
    if subprocess.run([VENTUS, 'run', '--', 'true'], check=False,
                      capture_output=True).returncode:
        return  # built without the OpenCL runtime
    folder = new_folder(parent, "[sweep]\nmodel = chisel\n[program none]\n"
                        "run = true\n[program ends]\nrun = sh -c 'exit 3'\n"
                        "[program gone]\nrun = ./not-there\n")
    assert summary(folder, status=1) == (3, 0, 3)
    none, ends, gone = table(folder)
    # No launch is no result; a status is one; the command may be given again.
    assert (none['error'], none['exit']) == ('no launch of a kernel', '0')
    assert ends['exit'] == '3' and 'No such file' in gone['error']
    assert none['command'] == ('ventus run --model chisel --json launches.json '
                               '-- true')


def test_a_workflow_names_each_point_once(parent):
    """Its Python part is read as Python; workflow.py runs it where Snakemake is."""
    folder = new_folder(parent, PLAN.replace('4..8*2', '4 8 4')) / 'with "quotes"'
    shutil.copytree(folder.parent, folder)
    assert summary(folder) == (8, 0, 0)
    sweep(folder, '--snakemake', 'flow')
    text = (folder / 'flow/Snakefile').read_text(encoding='utf-8')
    values = {node.targets[0].id: ast.literal_eval(node.value)
              for node in ast.parse(text[:text.index('CALL =')]).body
              if isinstance(node, ast.Assign)}
    assert sorted(values['KEYS']) == sorted({p.stem for p in records(folder)})
    assert Path(values['PLAN']) == (folder / 'plan.ini').resolve()
    assert os.access(values['VENTUS'], os.X_OK)
    status = folder / 'flow/slurm/status.sh'
    assert os.access(status, os.X_OK)
    subprocess.run(['sh', '-n', status], check=True)
    (folder / 'file').write_text('')
    assert 'file' in sweep(folder, '--snakemake', 'file', status=1).stderr


def test_a_plan_with_a_zero_byte(parent):
    p = sweep(new_folder(parent, PLAN + '\0[program b]\n'), status=1)
    assert 'plan.ini: error: a zero byte' in p.stderr, p.stderr


METRICS = """[metrics]
energy = 0.3 * memory_B + 0.02 * lane_operations - -1
area = num_sm * (1.5 + num_warp / 4) ^ 2 / 2
worst = max(energy / area, max(sqrt(cycles), min(log2(num_warp), 1e9))) + rates.ipc
nothing = cycles / (num_sm - num_sm)
"""


def test_metrics_are_what_python_makes_of_them(parent):
    """Over keys that the plan sweeps and others, counters, and metrics before them."""
    folder = new_folder(parent, PLAN + METRICS)
    assert summary(folder) == (8, 0, 0)
    for row in table(folder):
        names = {'num_sm': 2, 'num_warp': int(row['num_warp']),
                 'cycles': int(row['cycles']), 'ipc': float(row['rates.ipc']),
                 'max': max, 'min': min, 'sqrt': math.sqrt, 'log2': math.log2}
        for counter in 'memory_B', 'lane_operations':
            names[counter] = int(row[f'counters.{counter}'])
        for line in METRICS.splitlines()[1:4]:
            name, text = line.replace('^', '**').replace('rates.', '').split(' = ')
            names[name] = eval(text, {}, names)  # pylint: disable=eval-used
            assert math.isclose(float(row[name]), names[name], rel_tol=1e-8), (line, row)
        assert row['nothing'] == ''


def test_a_host_program_has_rates(parent):
    """Over all launches of a kernel; those of one launch are what exec says."""
    if not PROGRAM:
        return
    folder = new_folder(parent, '[sweep]\nmodel = chisel\n[metrics]\nipc2 = rates.ipc * 2\n'
                        f'[program host]\nrun = {PROGRAM[0]}\n')
    p = sweep(folder)
    assert not p.stderr, p.stderr
    for row in table(folder):
        def number(name):
            return int(row[name if name == 'cycles' else f'counters.{name}'])
        assert row['status'] == 'ok' and number('cycles'), row
        rates = {'ipc': number('issued') / number('cycles'),
                 'memory_B_per_cycle': number('memory_B') / number('cycles'),
                 'lanes_per_vector': number('vector_lanes') / number('vector_issued'),
                 'requests_per_access': number('lsu_requests') / number('lsu_instructions')}
        for name, rate in rates.items():
            assert math.isclose(float(row[f'rates.{name}']), rate, abs_tol=1e-6), (name, row)
        assert math.isclose(float(row['ipc2']), 2 * rates['ipc'], abs_tol=2e-6), row
        assert 0 < float(row['rates.occupancy']) <= 1 and float(row['rates.memory_GB_per_s'])


def test_a_metric_without_a_value_is_told(parent):
    """The column was empty, and nothing was said."""
    folder = new_folder(parent, PLAN + '[metrics]\nipc2 = 2 * rates.ipcs\nmore = ipc2 + 1\n')
    p = sweep(folder)
    assert p.stderr == ("sweep: metric 'ipc2' has no value in 8 rows with a result: "
                        "no 'rates.ipcs' there\n"), p.stderr
    assert {row['ipc2'] for row in table(folder)} == {''}
    assert not sweep(folder, '--collect', '--quiet').stderr


def test_wrong_metrics(parent):
    folder = new_folder(parent)
    for line, said in (('a = memory_b', "did you mean 'memory_B'?"),
                       ('a = b + 1\nb = 1', "metric before this one, found 'b'"),
                       ('a = 1 +', "expected a number, a name or '('"),
                       ('a = (1', "expected ')'"), ('a = 1 2', 'expected an operator'),
                       ('a = system(1)', 'expected the function'),
                       ('a = max(1)', "expected ','"), ('a = 1..2', 'expected an operator'),
                       ('a = ' + 100 * '(', 'expected fewer parentheses'),
                       ('num_sm = 1', 'expected another name than that of a key'),
                       ('issued = 1', 'another name than that of a counter'),
                       ('cycles = 1', 'another name than that of a measured column'),
                       ('a = 1\na = 2', 'expected each metric once')):
        (folder / 'plan.ini').write_text(f'{PLAN}[metrics]\n{line}\n', encoding='utf-8')
        assert said in sweep(folder, status=1).stderr, line


def test_wrong_plans(parent):
    for text, message in (
            (PLAN.replace('num_warp', 'num_wrap'),
             "plan.ini:5: error: unknown key 'num_wrap'; did you mean "
             "'num_warp'?"),
            (PLAN.replace('4..8*2', '8..4'), 'plan.ini:5: error: expected a '
             "range that goes up, found '8..4'"),
            (PLAN.replace('4..8*2', '0'), 'plan.ini:5: error: num_warp is a '
             "number, 1 to 1024, found '0'"),
            (PLAN.replace('chisel', 'chisle'), "plan.ini:3: error: no preset "
             "'chisle', did you mean 'chisel'?"),
            (PLAN.replace('[program vecadd]', '[prog vecadd]'),
             "plan.ini:8: error: expected [sweep], [keys], [metrics] or "
             "[program NAME], found 'prog vecadd'"),
            (PLAN.split('[program')[0], 'expected [program NAME] with a '
             'command'),
            (PLAN.replace('model =', 'modle ='), "plan.ini:3: error: unknown "
             "key 'modle' in [sweep]; expected model, device, files, folder or "
             "time_limit, did you mean 'model'?"),
            (PLAN.replace('exec =', 'exce ='), "in [vecadd]; expected exec, run or "
             "files, did you mean 'exec'?"),
            (PLAN.replace('2 5', '1..32').replace('4..8*2', '1..1024') +
             '[program b]\nexec = a\n[program c]\nexec = b\n',
             'more than 100000 points')):
        p = sweep(new_folder(parent, text), status=1)
        assert message in p.stderr, (message, p.stderr)


def has_two_left(folder, process):
    """The points that end have ended, and two of those that do not are under way."""
    return len(records(folder)) == 3 and len(children(process.pid)) == 2


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def main():
    tests = [f for name, f in globals().items() if name.startswith('test_')]
    with tempfile.TemporaryDirectory() as parent:
        for test in tests:
            test(parent)
    print(f'{len(tests)} tests')


if __name__ == '__main__':
    main()
