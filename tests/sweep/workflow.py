#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workflow of `ventus sweep --snakemake`: on this machine, and by Slurm.

    workflow.py VENTUS EXAMPLES local|slurm

By Slurm: one node, whose daemons are started here on the loopback interface, and
a job that is killed half way.  77: a program is not installed."""
import csv
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VENTUS, EXAMPLES, WHERE = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
HANGS_S = 900  # as in cmake/ventus.cmake
NEEDED = {'local': ['snakemake'],
          'slurm': ['snakemake', 'slurmctld', 'slurmd', 'sbatch']}

SLURM = '''ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPort={port}
SlurmdPort={other}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
'''


def plan(folder, values, grid):
    """vecadd on the cycle-level machine, a point for each value."""
    shutil.copy(EXAMPLES / 'vecadd.s', folder)
    (folder / 'plan.ini').write_text(f'''[sweep]
model = rtl-verilog
[keys]
fpu_cycles = {values}
[program vecadd]
exec = vecadd.s --grid {grid} --local 32 --arg fiota:{grid}
    --arg fiota:{grid} --arg zeros:{grid}
''', encoding='utf-8')
    subprocess.run([VENTUS, 'sweep', 'plan.ini', '--snakemake', 'flow'],
                   cwd=folder, check=True, capture_output=True)


def records(folder):
    return {p.stem: p.stat().st_mtime_ns
            for p in (folder / 'plan.sweep/points').glob('*.json')}


def check_table(folder, points):
    with open(folder / 'plan.sweep/table.csv', newline='',
              encoding='utf-8') as f:
        rows = list(csv.DictReader(f))
    assert len(rows) == points, rows
    assert all(r['status'] == 'ok' and int(r['cycles']) > 0 for r in rows)


def snakemake(folder, *args):
    # Snakemake is Debian's, for Debian's Python.
    env = dict(os.environ, PATH='/usr/bin:/bin:/usr/sbin:/sbin',
               HOME=str(folder), XDG_CACHE_HOME=str(folder / 'cache'))
    return subprocess.Popen(['snakemake', *args], cwd=folder / 'flow', env=env,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True)


def finish(process):
    out, _ = process.communicate()
    assert process.returncode == 0, out
    return out


def local(folder):
    plan(folder, '1..4', 64)
    finish(snakemake(folder, '--cores', '2'))
    check_table(folder, 4)
    before = records(folder)
    assert 'Nothing to be done' in finish(snakemake(folder, '--cores', '2'))
    # A mark that is lost runs nothing again: the record is there.
    (folder / 'flow/done' / next(iter(before))).unlink()
    finish(snakemake(folder, '--cores', '2'))
    assert records(folder) == before


def free_ports():
    sockets = [socket.socket() for _ in range(2)]
    for s in sockets:
        s.bind(('127.0.0.1', 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_for(condition, what):
    end = time.monotonic() + HANGS_S
    while not (found := condition()):
        assert time.monotonic() < end, what
        time.sleep(0.2)
    return found


def running_job():
    out = subprocess.run(['squeue', '-h', '-t', 'R', '-o', '%i %M'],
                         check=False, capture_output=True, text=True).stdout
    return [line.split()[0] for line in out.splitlines()]


def by_slurm(folder):
    points = 6
    plan(folder, f'1..{points}', 65536)
    process = snakemake(folder, '--profile', 'slurm')
    wait_for(lambda: len(records(folder)) >= 2, 'no records')
    before = records(folder)
    job = wait_for(running_job, 'no job runs')[-1]
    subprocess.run(['scancel', job], check=True)
    finish(process)
    check_table(folder, points)
    after = records(folder)
    assert len(after) == points
    assert all(after[key] == stamp for key, stamp in before.items())
    logs = list((folder / 'flow').glob('slurm-*.log'))
    killed = [p for p in logs if 'CANCELLED' in p.read_text(encoding='utf-8')]
    assert len(killed) == 1 and len(logs) == points + 1, logs


def slurm(folder):
    own = folder / 'slurm'
    for name in ('state', 'spool'):
        (own / name).mkdir(parents=True)
    port, other = free_ports()
    conf = own / 'slurm.conf'
    conf.write_text(SLURM.format(host=socket.gethostname(), folder=own,
                                 port=port, other=other), encoding='utf-8')
    os.environ['SLURM_CONF'] = str(conf)
    subprocess.run(['slurmctld', '-c'], check=True)
    try:
        wait_for(lambda: subprocess.run(
            ['scontrol', 'ping'], check=False, capture_output=True,
            text=True).stdout.count('is UP'), 'no slurmctld')
        subprocess.run(['slurmd'], check=True)
        wait_for(lambda: subprocess.run(
            ['sinfo', '-h', '-o', '%T'], check=False, capture_output=True,
            text=True).stdout.strip() == 'idle', 'the node is not idle')
        by_slurm(folder)
    finally:
        for name in ('slurmd', 'slurmctld'):
            pid = own / f'{name}.pid'
            if pid.exists():
                os.kill(int(pid.read_text(encoding='utf-8')), signal.SIGTERM)
        time.sleep(1)


def main():
    os.environ['PATH'] = '/usr/bin:/usr/sbin:' + os.environ['PATH']
    missing = [p for p in NEEDED[WHERE] if not shutil.which(p)]
    if missing or (WHERE == 'slurm' and os.getuid() != 0):
        print(f'skipped: {" ".join(missing) or "Slurm is started by root"}')
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        (local if WHERE == 'local' else slurm)(Path(name))
    print(f'{WHERE}: all points once')


if __name__ == '__main__':
    main()
