#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: console.py VENTUS EXAMPLES [OPENCL_PROGRAM]

The script of each page that options of exec, replay, report, run and sweep write ends
without an error on its console, in headless Chromium; each part of the page has
something in it, or says why not.  77: there is no Chromium.
"""
import html
import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import chromium, console_errors, need_chromium

VENTUS, EXAMPLES = sys.argv[1], Path(sys.argv[2]).resolve()
PROGRAM = [Path(p).resolve() for p in sys.argv[3:4]] + ['--n', '100']
TOGETHER = 20  # pages of one browser, each in a frame
KERNEL = [EXAMPLES / 'vecadd.s', '--grid', '64', '--local', '16', '--arg', 'iota:64',
          '--arg', 'iota:64', '--arg', 'zeros:64']
PARTS = ('tiles', 'advice', 'stalls', 'timeline', 'roofline', 'units', 'memory', 'sms',
         'source', 'machine', 'linememory', 'lines', 'insns', 'all')
# Each choice of launches is drawn; parts without anything in them, and what is shown.
PROBE = '''<script>{
const empty = [], choice = document.getElementById('pick');
let shown = '';
for (let i = 0; i < Math.max(choice ? choice.length : 0, 1); i++) {
  if (choice && choice.length) { choice.value = i; choice.onchange(); }
  for (const id of choice ? PARTS : [])
    if (!document.getElementById(id).textContent.trim()) empty.push(`${i}: ${id}`);
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll('script').forEach(e => e.remove());
  shown += copy.innerHTML;
}
frameElement.dataset.result = JSON.stringify({ empty, shown });
}</script></body>'''.replace('PARTS', json.dumps(PARTS))


def ventus(*args, ok=True):
    p = subprocess.run([VENTUS, *args], check=False, capture_output=True, text=True)
    assert not ok or p.returncode == 0, (args, p.stderr)
    return p.stdout


def look(folder, pages):
    """`pages`: each with what its text has in it."""
    outer = folder / 'frames.html'
    outer.write_text('<!DOCTYPE html><body>' + ''.join(
        f'<iframe title="{page.name}" width=1200 srcdoc="' + html.escape(
            page.read_text(encoding='utf-8').replace('</body>', PROBE)) + '"></iframe>'
        for page, _ in pages), encoding='utf-8')
    p = chromium(folder, 'light', '--dump-dom', outer.as_uri())
    assert not console_errors(p), ([page.name for page, _ in pages], console_errors(p))
    results = {html.unescape(name): json.loads(html.unescape(result)) for name, result in
               re.findall(r'<iframe title="([^"]*)"[^>]*?data-result="([^"]*)"', p.stdout)}
    for page, said in pages:
        assert page.name in results, (page.name, 'its script did not end')
        r = results[page.name]
        assert not r['empty'], (page.name, r['empty'])
        numbers = re.findall(r'="[^"]*(?:NaN|undefined|Infinity)[^"]*"|'
                             r'>[^<]*(?:NaN|undefined|Infinity)[^<]*<', r['shown'])
        assert not numbers, (page.name, numbers[:3])
        for word in said:
            assert word in r['shown'], (page.name, word)


def subsets(options):
    return itertools.chain.from_iterable(
        itertools.combinations(options, n) for n in range(len(options) + 1))


def pages_of_exec(folder):
    """Any of the other options beside --report; the page has all of its parts."""
    run = ['exec', '--model', 'chisel', *KERNEL]
    for i, more in enumerate(subsets(('--hot', '--stats', '--json',
                                      '--trace', '--record'))):
        page = folder / f'exec-{i}.html'
        files = [x for o in more for x in
                 ([o, folder / f'x{o}'] if o in ('--trace', '--record') else [o])]
        ventus(*run, '--report', page, *files)
        yield page, ('of issue slots used', 'instructions per cycle')
    page = folder / 'replay.html'
    ventus('replay', folder / 'x--record', '--report', page, '--model', 'chisel')
    yield page, ('of issue slots used',)
    page = folder / 'limit.html'
    ventus(*run, '--report', page, '--limit', '5', ok=False)
    yield page, ()


def records(folder):
    """{options: file}, of one launch each, and one of all of them."""
    made = {}
    for more in subsets(('--stats', '--hot')):
        made[more] = folder / f'record{"".join(more)}.json'
        made[more].write_text(ventus('exec', '--model', 'chisel', *KERNEL, '--json',
                                     *more), encoding='utf-8')
    made['all'] = folder / 'record-all.json'
    made['all'].write_text(''.join(made[m].read_text(encoding='utf-8')
                                   for m in list(made) if m != 'all'), encoding='utf-8')
    counters = json.loads(made[('--stats',)].read_text(encoding='utf-8'))['counters']
    made['run'] = folder / 'run.json'
    made['run'].write_text('{"kernels":[\n' + json.dumps(
        {'name': 'vecadd', 'launches': 2, 'cycles': 9000, 'counters': counters}) +
        '\n]}\n', encoding='utf-8')
    return made


def pages_of_report(folder):
    made = records(folder)
    lacks = {m: not (m in ('run', 'all') or m) for m in made}
    for i, (m, path) in enumerate(made.items()):
        page = folder / f'report-{i}.html'
        ventus('report', path, '-o', page)
        yield page, ('record with --stats',) if lacks[m] else ()
    for i, (m, n) in enumerate(itertools.product(made, made)):
        page = folder / f'two-{i}.html'
        ventus('report', made[m], made[n], '-o', page)
        yield page, ('has no counters',) if lacks[m] or lacks[n] else ()


def page_of_sweep(folder):
    (folder / 'plan.ini').write_text('[sweep]\nmodel = rtl-verilog\n[keys]\n'
                                     'num_warp = 4 8\n[program vecadd]\nexec = ' +
                                     ' '.join(map(str, KERNEL)) + '\n',
                                     encoding='utf-8')
    ventus('sweep', folder / 'plan.ini')
    yield folder / 'plan.sweep' / 'index.html', ()


def pages_of_run(folder):
    """Of several kernels; the records of `run --json`, too."""
    for i, more in enumerate(subsets(('--hot', '--stats', '--json'))):
        page, record = folder / f'run-{i}.html', folder / f'run-{i}.json'
        files = [x for o in more for x in ([o, record] if o == '--json' else [o])]
        ventus('run', '--model', 'chisel', '--report', page, *files, '--', *PROGRAM)
        yield page, ('of issue slots used',)
        if '--json' in more:
            page = folder / f'run-{i}-json.html'
            ventus('report', record, '-o', page)
            yield page, ('of issue slots used', 'record with --hot')


def main():
    need_chromium()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        pages = list(itertools.chain(pages_of_exec(folder), pages_of_report(folder),
                                     page_of_sweep(folder),
                                     pages_of_run(folder) if sys.argv[3:] else ()))
        for i in range(0, len(pages), TOGETHER):
            look(folder, pages[i:i + TOGETHER])
    print(f'{len(pages)} pages without an error')


if __name__ == '__main__':
    main()
