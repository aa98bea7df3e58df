#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: report.py VENTUS

`ventus report --text`: each number of its tables against sums that are made here, of
files with several launches and kernels; and what it prints for kernels that only one
file has.
"""
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

VENTUS = sys.argv[1]
SOURCE = """kernel void {}(global const int *a, global int *b)
{{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < 4; k++)
        s += a[{}];
    b[i] = s;
}}
"""
ARGS = '--grid 128 --local 32 --arg iota:2048 --arg zeros:128'


def launch(folder, kernel, index, *more):
    path = folder / f'{kernel}.cl'
    path.write_text(SOURCE.format(kernel, index), encoding='utf-8')
    p = subprocess.run([VENTUS, 'exec', '--model', 'chisel', '--json', '--stats',
                        '--hot', path, *ARGS.split(), *more], check=True,
                       capture_output=True, text=True)
    return json.loads(p.stdout)


def write(path, launches):
    path.write_text(''.join(json.dumps(r) + '\n' for r in launches),
                    encoding='utf-8')


def report(*args):
    return subprocess.run([VENTUS, 'report', '--text', *args], check=True,
                          capture_output=True, text=True).stdout


def causes_of(launches):
    total = Counter()
    for r in launches:
        for cause in r['causes']:
            total[cause] += r['counters'][cause]
    return +total


def lines_of(launches):
    """{source: Counter(cause: slots)}; issued instructions are under ''"""
    lines = {}
    for r in launches:
        for h in r['lines']:
            of = lines.setdefault(h['source'], Counter())
            of.update(dict(zip(r['causes'], h['slots'])))
            of['all'] += sum(h['slots'])
            of[''] += h['issued']
    return lines


def table(text, head):
    """Rows below the line that begins with `head`, up to an empty one."""
    rows = text.split(f'\n  {head}', 1)[1].split('\n')[1:]
    return rows[:rows.index('')] if '' in rows else rows


def check_one(path, launches):
    text = report(path)
    cycles = sum(r['cycles'] for r in launches)
    plural = 'es' if len(launches) != 1 else ''
    assert text.startswith(f"{launches[0]['name']}: {cycles} cycles in "
                           f'{len(launches)} launch{plural}\n'), text
    rows = dict(r.split() for r in table(text, 'issue slots'))
    assert {k: int(v) for k, v in rows.items()} == causes_of(launches), rows
    lines = lines_of(launches)
    causes = causes_of(launches)
    whole = sum(causes.values()) - causes['no_warp']
    shown = table(text, ' share')
    assert len(shown) == min(20, len(lines))
    for row in shown:
        share, slots, issued, why, most = row.split()[:5]
        source = next(s for s in lines if s and row.endswith(' ' + s[:48]))
        of = lines[source]
        assert (int(slots), int(issued)) == (of['all'], of['']), row
        assert abs(float(share[:-1]) - 100 * of['all'] / whole) <= .051, row
        waits = Counter({k: v for k, v in of.items()
                         if k not in ('', 'all', 'issued')})
        assert of[why] == waits.most_common(1)[0][1], (row, of)
        assert abs(int(most[:-1]) - 100 * of[why] / of['all']) <= .51, row
    sizes = [int(row.split()[1]) for row in shown]
    assert sizes == sorted(sizes, reverse=True)


def check_advice(path):
    """That of the longest launch, in its order; a rule without a line or a bound."""
    rules = [{'rule': 'a', 'file': 'x/k.cl', 'line': 7, 'pc': 4, 'cause': 'lines',
              'change': 'transpose', 'gain': 3.25,
              'shown': '9 cycles with --set x'},
             {'rule': 'b', 'cause': 'few warps', 'change': 'start more'}]
    write(path, [{'name': 'k', 'cycles': n, 'counters': {}, 'advice': advice}
                 for n, advice in ((5, rules[1:]), (9, rules), (8, []))])
    text = report(path)
    assert text.endswith(
        f'\n  what would help\n  at most   3.25x  k.cl:7: lines\n{"":19}transpose\n'
        f'{"":19}9 cycles with --set x\n{"":19}few warps\n{"":19}start more\n'), text
    write(path, [{'name': 'k', 'cycles': 5, 'counters': {}}])
    assert 'what would help' not in report(path)


def check_no_rule(folder, launched):
    """A launch with a profile says so; the page has the same words."""
    write(folder / 'none.json', [launched | {'advice': []}])
    assert report(folder / 'none.json').endswith(
        '\n  what would help\n  no rule found anything\n')


def check_share(folder):
    """That of `exec --hot` is that of the report."""
    p = subprocess.run([VENTUS, 'exec', '--model', 'chisel', '--hot', folder / 'sum.cl',
                        *ARGS.split()], check=True, capture_output=True, text=True)
    def shares(text):
        return [row.split()[:3] for row in table(text, ' share')]
    assert shares(p.stdout) == shares(report(folder / 'one.json')), p.stdout


def check_characters(folder):
    """Source lines were cut in the middle of a character, and shown with what commands a
    terminal."""
    path = folder / 'wide.cl'
    for comment in 'ö\x1b[2J\u009b' + 'ö' * 40, 'xö' + '漢字' * 20, 'xyö' + '😀' * 20:
        path.write_text(f'kernel void k(global int *a)\n{{ a[get_global_id(0)] /* {comment} */'
                        ' += 1; }\n', encoding='utf-8')
        command = [VENTUS, 'exec', '--model', 'chisel', '--hot', path, *'--grid 64 --arg '
                   'iota:64'.split()]
        hot = subprocess.run(command, check=True, capture_output=True).stdout
        with open(folder / 'wide.json', 'wb') as out:
            subprocess.run(command + ['--json'], check=True, stdout=out)
        text = subprocess.run([VENTUS, 'report', '--text', folder / 'wide.json'], check=True,
                              capture_output=True).stdout
        for shown in hot, text:
            shown = shown.decode('utf-8')  # which is UTF-8
            assert 'a[get_global_id(0)] /*' in shown and 'ö' in shown, shown
            assert '\x1b' not in shown and '\u009b' not in shown, shown


def check_run(folder, launches):
    """The file of `run --json`: kernels in one object, with their launches."""
    kernels = [{'name': r['name'], 'launches': 3, 'cycles': r['cycles'],
                'counters': r['counters']} for r in launches]
    whole = '{"kernels":[\n' + ',\n'.join(
        json.dumps(k, separators=(',', ':')) for k in kernels) + '\n]}\n'
    # `run` begins a line before the counters of each kernel.
    for lines in whole, whole.replace(',"counters"', ',\n"counters"'):
        (folder / 'run.json').write_text(lines, encoding='utf-8')
        text = report(folder / 'run.json')
        for r in launches:
            assert f"{r['name']}: {r['cycles']} cycles in 3 launches\n" in text, text
        rows = dict(r.split() for r in table(text, 'issue slots'))
        assert {k: int(v) for k, v in rows.items()} == causes_of(launches[:1]), rows
    none = whole
    for r in launches:
        none = none.replace(f'"cycles":{r["cycles"]}', '"cycles":0')
    (folder / 'run.json').write_text(none, encoding='utf-8')
    p = subprocess.run([VENTUS, 'report', folder / 'run.json'], check=False,
                       capture_output=True, text=True)
    assert p.returncode == 1 and 'no launch that counted cycles' in p.stderr, p


def check_records_without(folder, launched):
    """What a record lacks is said; once it was taken for 0, in differences, too."""
    bare = {k: launched[k] for k in ('name', 'cycles', 'ok')}
    write(folder / 'all.json', [launched])
    write(folder / 'bare.json', [bare])
    write(folder / 'mixed.json', [launched, bare])
    said = ('no counters{}: record with --stats', 'no lines{}: record with --hot')
    text = report(folder / 'bare.json')
    assert all(s.format('') in text for s in said) and 'issue slots' not in text, text
    text = report(folder / 'mixed.json')
    assert all(s.format(' in 1 of its 2 launches') in text for s in said), text
    for base, now, who in (('bare', 'all', ' in the base'), ('all', 'bare', ' now')):
        text = report(folder / f'{base}.json', folder / f'{now}.json')
        assert all(s.format(who) in text for s in said), text
        assert ' 0 ' not in text and 'times as fast' in text, text


def check_two(folder, base, now):
    write(folder / 'base.json', base)
    write(folder / 'now.json', now)
    text = report(folder / 'base.json', folder / 'now.json')
    before, after = (sum(r['cycles'] for r in x) for x in (base, now))
    assert f'{before} cycles before, {after} now: {before / after:.3f} times' in text
    old, new = causes_of(base), causes_of(now)
    rows = {r.split()[0]: [int(n) for n in r.split()[1:]]
            for r in table(text, 'issue slots')}
    assert rows == {k: [old[k], new[k], new[k] - old[k]]
                    for k in old.keys() | new.keys()}, rows
    old, new = lines_of(base), lines_of(now)
    all_ = old.keys() | new.keys()
    none = Counter()
    differ = {s for s in all_ if old.get(s, none)['all'] != new.get(s, none)['all']}
    shown = table(text, 'line ')
    assert len(shown) == min(20, len(differ)), (len(shown), len(differ))
    for row in shown:
        words = row.split()
        source = next(s for s in all_ if s and row.endswith(' ' + s[:48]))
        a, b = old.get(source, none), new.get(source, none)
        assert [int(n) for n in words[1:4]] == [a['all'], b['all'],
                                                b['all'] - a['all']], row
        assert int(words[5]) == b[words[4]] - a[words[4]], row
        most = max(abs(b[c] - a[c]) for c in now[0]['causes'])
        assert abs(int(words[5])) == most, (row, most)
        assert ('new: ' in row) == (source not in old), row
        assert ('gone: ' in row) == (source not in new), row


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        near = launch(folder, 'sum', 'i + 128 * k')
        few = launch(folder, 'sum', 'i + 128 * k', '--set', 'num_warp=4')
        far = launch(folder, 'far', '16 * i + k') | {'name': 'sum'}
        other = launch(folder, 'other', 'i + k')
        write(folder / 'one.json', [near])
        check_one(folder / 'one.json', [near])
        check_share(folder)
        check_characters(folder)
        check_no_rule(folder, near)
        check_run(folder, [near, other])
        check_records_without(folder, near)
        write(folder / 'sum.json', [near, few, far])
        check_one(folder / 'sum.json', [near, few, far])
        check_two(folder, [near], [far])
        check_two(folder, [near, far, far], [few, few])
        write(folder / 'other.json', [other])
        text = report(folder / 'one.json', folder / 'other.json')
        assert text == (f"other: {other['cycles']} cycles, not in the base\n\n"
                        f"sum: {near['cycles']} cycles before, no launch now\n")
        check_advice(folder / 'advice.json')
        for r in (near, far):
            r.pop('lines')
        write(folder / 'one.json', [near])
        assert 'no lines: record with --hot' in report(folder / 'one.json')
        assert 'what would help' not in report(folder / 'bare.json')
    print('report: ok')


if __name__ == '__main__':
    main()
