#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: page.py VENTUS EXAMPLES

Pages of `ventus report` and `ventus sweep` in headless Chromium, with the network
cut off: each is drawn at four widths from 320 to 3840 pixels, without errors, and
nothing leaves its card.  77: there is no Chromium.
"""
import html
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, EXAMPLES = sys.argv[1], Path(sys.argv[2])
WIDTHS = (320, 800, 1920, 3840)
ARGS = '--grid 1024 --local 32 --arg fiota:1024 --arg fiota:1024 ' \
       '--arg zeros:1024'

# What is wider than its card, outside of a part that scrolls.
PROBE = '''<script>
const outside = [];
const scrolls = e => {
  for (let p = e.parentElement; p && p.tagName !== 'SECTION'; p = p.parentElement)
    if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return true;
  return false;
};
document.querySelectorAll('section, .tile, header').forEach(card => {
  const c = card.getBoundingClientRect();
  if (c.width && c.right > innerWidth + 1) outside.push('card');
  card.querySelectorAll('*').forEach(e => {
    const r = e.getBoundingClientRect();
    if (r.width && !scrolls(e) && r.right > c.right + 1)
      outside.push(e.tagName + ' ' + e.textContent.trim().slice(0, 30));
  });
});
if (document.documentElement.scrollWidth > innerWidth + 1) outside.push('page');
parent.document.body.dataset.result = document.body.dataset.shown + '|' +
  innerWidth + '|' + outside.slice(0, 9).join('; ');
</script>'''


def make_pages(folder):
    """Paths of the pages."""
    shutil.copy(EXAMPLES / 'vecadd.s', folder)
    for name, more in (('a', ''), ('b', '--set num_warp=4')):
        out = subprocess.run(
            [VENTUS, 'exec', '--model', 'chisel', '--json', '--stats', '--hot',
             'vecadd.s', *ARGS.split(), *more.split()], cwd=folder, check=True,
            capture_output=True).stdout
        (folder / f'{name}.json').write_bytes(out)
    (folder / 'plan.ini').write_text(f'''[sweep]
model = rtl-verilog chisel
[keys]
num_warp = 4 8
fpu_cycles = 2 5
[program vecadd]
exec = vecadd.s {ARGS[:22]}
    {ARGS[22:]}
''', encoding='utf-8')
    for command in ('report a.json -o one.html',
                    'report a.json b.json -o two.html', 'sweep plan.ini'):
        subprocess.run([VENTUS, *command.split()], cwd=folder, check=True,
                       capture_output=True)
    return [folder / 'one.html', folder / 'two.html',
            folder / 'plan.sweep/index.html']


def look(folder, page, width):
    """In a frame of that width: the window itself is at least 500 wide."""
    inner = page.read_text(encoding='utf-8').replace('</body>', '') \
        .replace('</html>', '') + PROBE
    outer = folder / 'frame.html'
    outer.write_text('<!DOCTYPE html><body><iframe style="border:0" '
                     f'width={width} height=900 srcdoc="{html.escape(inner)}">'
                     '</iframe>', encoding='utf-8')
    p = subprocess.run(
        ['chromium', '--headless', '--no-sandbox', '--disable-gpu',
         f'--user-data-dir={folder}/profile', '--enable-logging=stderr',
         '--host-resolver-rules=MAP * ~NOTFOUND', '--window-size=4000,1000',
         '--virtual-time-budget=3000', '--dump-dom', outer.as_uri()],
        check=False, capture_output=True, text=True, timeout=300)
    errors = re.findall(r'CONSOLE.*[Ee]rror.*', p.stderr)
    found = re.search(r'data-result="([^"]*)"', p.stdout)
    assert found and not errors, (page.name, width, errors)
    shown, inside, outside = html.unescape(found[1]).split('|')
    assert shown != 'undefined' and int(inside) == width, found[1]
    assert not outside, (page.name, width, outside)


def main():
    if not shutil.which('chromium'):
        print('skipped: no chromium')
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for page in make_pages(folder):
            for width in WIDTHS:
                look(folder, page, width)
    print(f'3 pages, {len(WIDTHS)} widths')


if __name__ == '__main__':
    main()
