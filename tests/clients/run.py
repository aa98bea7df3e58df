#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Other people's OpenCL programs, from Debian packages and PyPI, on this build.

    run.py [--ventus PATH] [--device NAME] [--on pocl] [--verbose]
           [--json FILE] [--write PAGE] CLIENT...
    run.py --all [--device NAME] [--jobs N] [--json FILE] [--write PAGE] [CLIENT...]
    run.py --list

What each client has to pass is in docs/clients.md and nowhere else: the table
"The clients" says how many tests on each device, the table "Expected failures"
which ones fail or are skipped, where, and why.  A test that fails against it, or does not run
any more, fails the client; one that passes against it is shown.  A client
that fails does not stop the others.  Exit status: 0 as published, 1 not, 77
if nothing fails but a package is not installed.  What comes from PyPI is put into
a virtual environment beside the build, once.

--device runs it on one device, `default` without; --all runs all clients, or
those that are named, and without --device on all devices.  --on pocl runs the client there instead, to see what another does.
--write puts the counts and times into a page like docs/results/clients.md.
"""
import argparse
import fnmatch
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import clients
import wheels

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'scripts'))
import results as pages  # pylint: disable=wrong-import-position

COLUMNS = ('client', 'device', 'pass', 'fail', 'skip', 'processor s', 'wall s', *pages.RUN)
# One of each version of the instruction set, by column of "The clients".
DEVICES = {'default': 2, 'ventus2': 3}
ICD = {'pocl': '/etc/OpenCL/vendors/pocl.icd',
       'oclgrind': '/usr/lib/oclgrind/liboclgrind-rt-icd.so'}


def table(heading):
    """The rows of the table below a heading of docs/clients.md."""
    text = (ROOT / 'docs/clients.md').read_text(encoding='utf-8')
    text = text.split(f'## {heading}\n', 1)[1].split('\n## ', 1)[0]
    rows = [[cell.strip(' `') for cell in line.strip('|').split(' | ')]
            for line in text.splitlines() if line.startswith('|')]
    return rows[2:]


class Bench:
    """What a client gets to work with: a folder, and a way to run programs."""

    def __init__(self, args, folder, venv):
        self.args, self.folder, self.venv = args, folder, venv
        self.python = venv / 'bin/python'

    def environment(self, on):
        """The client's own home, so that it neither finds nor leaves a
        thing; our compiled kernels are kept, to be fast the second time.
        hashcat looks for its sessions in XDG_DATA_HOME or in the home that
        the system has for the user, and two of one name exclude each other."""
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(('VENTUS_', 'OCL_', 'POCL_', 'PYOPENCL_'))
               or k == 'VENTUS_CACHE_DIR'}
        home = self.folder / 'home'
        home.mkdir(exist_ok=True)
        env.update(HOME=str(home), XDG_CACHE_HOME=str(home / '.cache'),
                   XDG_DATA_HOME=str(home / '.local/share'),
                   LC_ALL='C.UTF-8', PYOPENCL_NO_CACHE='1', NO_COLOR='1')
        if on in ICD:
            env['OCL_ICD_VENDORS'] = ICD[on]
            env['OPENCV_OPENCL_DEVICE'] = ':CPU:'  # it wants a GPU otherwise
        return env

    def run(self, *command, timeout=600, on=None, settings='', options=(),
            reads='', variables=None, **more):
        """Runs a program, on another implementation or none (cpu) if asked
        to, or with other settings of our device, with options of `ventus
        run`, and more variables in its environment; its kernels may include
        files of the folder `reads`.  out: both of its streams."""
        on = on or self.args.on
        words = [str(word) for word in command]
        if on == 'ventus':
            device = self.args.device + (f':{settings}' if settings else '')
            choice = ['--device', device, *(str(word) for word in options)]
            words = [str(self.args.ventus), 'run', *choice, '--'] + words
        environment = self.environment(on)
        environment.update(variables or {})
        if reads:
            environment['VENTUS_SANDBOX_READ'] = reads
        more.setdefault('cwd', self.folder)
        more.setdefault('stderr', subprocess.STDOUT)
        try:
            done = subprocess.run(words, env=environment,
                                  stdin=subprocess.DEVNULL, timeout=timeout,
                                  stdout=subprocess.PIPE, **more)
            out, status = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            out, status = late.stdout or b'', -1
            out += f'\nended after {timeout} s\n'.encode()
        if self.args.verbose:
            text = out[-20000:].decode(errors='replace')
            print(f'$ {" ".join(words)}\n{text}\nexit status {status}')
        return clients.Run(status, out)


def missing_packages(client):
    names = client.packages.split()
    found = subprocess.run(
        ['dpkg-query', '-W', '-f', '${db:Status-Status} ${Package}\n', *names],
        capture_output=True, text=True, check=False).stdout.splitlines() \
        if shutil.which('dpkg-query') else []
    return [name for name in names if f'installed {name}' not in found]


def published(device):
    """{client: (passes, [(pattern, result), ...])}"""
    known = [row for row in table('Expected failures')
             if row[2] in ('both', device)]
    return {row[0]: (int(row[DEVICES[device]]),
                     [(k[1], k[3]) for k in known if k[0] == row[0]])
            for row in table('The clients')}


def compare(name, device, results):
    """What is not as published: lines that say so, and how many are bad."""
    passes, known = published(device)[name]
    lines, bad = [], 0
    for test, result in sorted(results.items()):
        expected = next((e for pattern, e in known
                         if fnmatch.fnmatchcase(test, pattern)), 'pass')
        if result == expected:
            continue
        bad += result == 'fail' or expected == 'pass'
        lines.append(f'unexpected {result}: {test}')
    passed = sum(result == 'pass' for result in results.values())
    if passed != passes:
        bad += passed < passes
        lines.append(f'{passes} passes published')
    return lines, bad


def run_client(args, name):
    """Runs one client here, prints what is not as published; a report."""
    client, title = clients.CLIENTS[name], f'{name} on {args.device}'
    missing = missing_packages(client)
    if missing:
        print(f'{title}: skipped, packages not installed: '
              f'{" ".join(missing)}; run scripts/setup build check check-all clients')
        return {'status': 77, 'missing': missing}
    venv = args.ventus.parents[1] / 'clients' / name
    missing = wheels.ready(venv, client.wheels, client.sources) \
        if client.wheels or client.sources else ''
    if missing:
        print(f'{title}: skipped, cannot install {missing}')
        return {'status': 77, 'missing': [missing]}
    start, before = time.monotonic(), resource.getrusage(
        resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(prefix='clients.') as folder:
        results = client.run(Bench(args, Path(folder), venv))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = time.monotonic() - start
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines, bad = compare(name, args.device, results)
    for line in lines:
        print(f'{title}: {line}')
    counts = {r: sum(v == r for v in results.values())
              for r in ('pass', 'fail', 'skip')}
    print(f'{title}: {counts["pass"]} pass, {counts["fail"]} fail, '
          f'{counts["skip"]} skipped: '
          + ('NOT as published' if bad else 'as published')
          + f' ({wall:.0f} s, {cpu:.0f} s of processor)')
    return {'status': 1 if bad else 0, **counts, 'wall_s': round(wall, 1),
            'cpu_s': round(cpu, 1), 'unexpected': lines, 'results': results}


class Job:
    """One client on one device, in a process of its own."""

    def __init__(self, args, device, name, folder):
        self.device, self.name = device, name
        self.title, self.start = f'{name} on {device}', time.monotonic()
        self.report = folder / f'{name}.{device}.json'
        self.out = open(folder / f'{name}.{device}.out', 'w+b')
        words = [sys.executable, __file__, '--ventus', args.ventus,
                 '--device', device, '--on', args.on, '--json', self.report,
                 name]
        self.process = subprocess.Popen(
            [str(word) for word in words], stdin=subprocess.DEVNULL,
            stdout=self.out, stderr=subprocess.STDOUT)

    def result(self):
        """What it printed, and its report; one that ends without is bad."""
        with self.out:
            self.out.seek(0)
            text = self.out.read().decode(errors='replace')
        try:
            return text, json.loads(
                    self.report.read_text())[self.device][self.name]
        except (OSError, ValueError, KeyError):
            status = self.process.returncode
            return (f'{text}{self.title}: ended with status {status}\n',
                    {'status': 1})


def show_progress(running, done, total):
    """On a terminal, the last line says what is going on."""
    if sys.stdout.isatty():
        now = time.monotonic()
        words = ', '.join(f'{j.title} {now - j.start:.0f} s' for j in running)
        print(f'\r\x1b[K[{done}/{total}] {words}', end='', flush=True)


def run_all(args, devices, names):
    """Runs clients, --jobs at a time; {device: {client: report}}.  Those with
    the most tests go first, so that none of these is left over at the end."""
    passes = {d: {name: row[0] for name, row in published(d).items()}
              for d in devices}
    waiting = sorted(((d, name) for d in devices for name in names),
                     key=lambda job: -passes[job[0]][job[1]])
    total_jobs, start = len(waiting), time.monotonic()
    print(f'{len(names)} clients on {" and ".join(devices)}, {args.jobs} at a '
          'time; docs/clients.md says what each has to pass, and about how '
          'long it takes', flush=True)
    reports, running = {d: {} for d in devices}, []
    with tempfile.TemporaryDirectory(prefix='clients.') as folder:
        while waiting or running:
            while waiting and len(running) < args.jobs:
                running.append(Job(args, *waiting.pop(0), Path(folder)))
            show_progress(running, total_jobs - len(waiting) - len(running),
                          total_jobs)
            time.sleep(0.5)
            for job in [j for j in running if j.process.poll() is not None]:
                running.remove(job)
                text, reports[job.device][job.name] = job.result()
                clear = '\r\x1b[K' if sys.stdout.isatty() else ''
                print(clear + text, end='', flush=True)
    for device, of in reports.items():
        show_total(device, of)
    print(f'{time.monotonic() - start:.0f} s')
    return reports


def show_total(device, reports):
    total = {key: sum(report.get(key, 0) for report in reports.values())
             for key in ('pass', 'fail', 'skip', 'cpu_s')}
    bad = [name for name, r in reports.items() if r['status'] == 1]
    print(f'{len(reports)} clients on {device}: {total["pass"]} pass, '
          f'{total["fail"]} fail, {total["skip"]} skipped: '
          + (f'NOT as published: {" ".join(bad)}' if bad else 'as published')
          + f' ({total["cpu_s"]:.0f} s of processor)')


def arguments():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument('--ventus', default=ROOT / 'build/release/bin/ventus',
                    type=lambda text: Path(text).resolve())
    ap.add_argument('--device', choices=list(DEVICES),
                    help='the device; without: default, or all with --all')
    ap.add_argument('--on', choices=['ventus', *ICD], default='ventus')
    ap.add_argument('--list', action='store_true',
                    help='names of the clients, and their packages')
    ap.add_argument('--all', action='store_true',
                    help='all clients, or these on all devices')
    ap.add_argument('--jobs', type=int, default=1, metavar='N',
                    help='run N clients at a time')
    ap.add_argument('--json', type=Path, metavar='FILE',
                    help='write a report: {device: {client: {status, pass, '
                         'fail, skip, wall_s, cpu_s, unexpected, results}}}')
    ap.add_argument('--write', type=Path, metavar='PAGE',
                    help='put counts and times into this page')
    ap.add_argument('--verbose', action='store_true',
                    help='show what the programs print')
    ap.add_argument('client', nargs='*')
    args = ap.parse_args()
    for name in args.client:
        if name not in clients.CLIENTS:
            ap.error(f"no client '{name}'; --list shows them")
    listed = set(published('default'))
    if set(clients.CLIENTS) != listed:
        ap.error('docs/clients.md has other clients than clients.py: ' +
                 ' '.join(set(clients.CLIENTS) ^ listed))
    return args


def main():
    args = arguments()
    if args.list:
        for name, client in clients.CLIENTS.items():
            print(f'{name:20} {client.packages} {client.wheels} {client.sources}'.rstrip())
        return 0
    names = args.client or list(clients.CLIENTS) * args.all
    devices = [args.device] if args.device else \
        list(DEVICES) if args.all else ['default']
    args.device = devices[0]
    if args.write:  # before a run of hours
        pages.lines_of(args.write, COLUMNS)
    reports = run_all(args, devices, names) if args.all or args.jobs > 1 \
        else {args.device: {name: run_client(args, name) for name in names}}
    if args.json:
        args.json.write_text(json.dumps(reports, indent=1) + '\n')
    if args.write and args.on == 'ventus':
        run = pages.of_this_run(args.ventus)
        pages.update(args.write, COLUMNS, 2, [
            (name, device, r['pass'], r['fail'], r['skip'], round(r['cpu_s']),
             round(r['wall_s']), *run)
            for device, of in reports.items() for name, r in of.items() if 'pass' in r])
    codes = [report['status'] for of in reports.values()
             for report in of.values()]
    return 1 if 1 in codes else max(codes, default=0)


if __name__ == '__main__':
    sys.exit(main())
