#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: page.py VENTUS EXAMPLES [PICTURES]

Pages of `ventus report` and `ventus sweep` in headless Chromium, with the network
cut off: each is drawn at four widths from 320 to 3840 pixels, light and dark, without
errors; nothing leaves its card, and text stands out from what is behind it.  Reports are looked at in each choice of launches.  Pictures of all are kept
in the folder PICTURES, if it is given.  77: there is no Chromium.
"""
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import SCHEMES, chromium, console_errors, need_chromium

VENTUS, EXAMPLES = sys.argv[1], Path(sys.argv[2])
PICTURES = sys.argv[3] if len(sys.argv) > 3 else None
WIDTHS = (320, 768, 1400, 3840)
ARGS = '--grid 1024 --local 32 --arg fiota:1024 --arg fiota:1024 ' \
       '--arg zeros:1024'

# What is wider than its card, outside of a part that scrolls; text whose contrast is
# below 3 (WCAG 1.4.3 for large text); text of charts that is scaled, smaller than 11
# pixels or on another text.
PROBE = '''<script>
const wrong = new Set();
const choice = document.getElementById('pick');
const scrolls = e => {
  for (let p = e.parentElement; p && p.tagName !== 'SECTION'; p = p.parentElement)
    if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return true;
  return false;
};
const colour = text => (text.match(/[\\d.]+/g) || []).map(Number);
const light = c => {
  const f = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  return .2126 * f(c[0]) + .7152 * f(c[1]) + .0722 * f(c[2]);
};
const behind = e => {
  for (; e; e = e.parentElement) {
    const c = colour(getComputedStyle(e).backgroundColor);
    if (c.length === 3) return c;
  }
  return [255, 255, 255];
};
// The last rectangle of a chart that a text is on.
const painted = (svg, text) => {
  const x = (text.left + text.right) / 2, y = (text.top + text.bottom) / 2;
  const on = [...svg.querySelectorAll('rect')].map(e => [e, e.getBoundingClientRect()])
    .filter(([, b]) => b.left < x && x < b.right && b.top < y && y < b.bottom).pop();
  return on && colour(getComputedStyle(on[0]).fill);
};
const contrast = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
const look = () => {
  document.querySelectorAll('section, .tile, header').forEach(card => {
    const c = card.getBoundingClientRect();
    if (c.width && c.right > innerWidth + 1) wrong.add('card');
    card.querySelectorAll('*').forEach(e => {
      const r = e.getBoundingClientRect();
      if (r.width && !scrolls(e) && (r.right > c.right + 1 || r.left < c.left - 1))
        wrong.add('outside: ' + e.tagName + ' ' + e.textContent.trim().slice(0, 30));
      const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
      if (!own || !r.width) return;
      const style = getComputedStyle(e), svg = e.closest('svg');
      const text = colour(svg ? style.fill : style.color);
      const ground = (svg && painted(svg, r)) || behind(e);
      if (text.length === 3 && contrast(light(text), light(ground)) < 3)
        wrong.add('contrast: ' + e.textContent.trim().slice(0, 30));
      const scale = svg && svg.getScreenCTM();
      if (scale && Math.abs(scale.a - 1) > .01) wrong.add('scaled: ' + svg.parentElement.id);
    });
  });
  document.querySelectorAll('svg').forEach(svg => {
    const all = [...svg.querySelectorAll('text')].filter(e => e.textContent)
      .map(e => [e, e.getBoundingClientRect()]);
    all.forEach(([e, a], i) => {
      if (parseFloat(getComputedStyle(e).fontSize) < 11)
        wrong.add('small: ' + e.textContent.slice(0, 30));
      all.slice(i + 1).forEach(([f, b]) => {
        if (choice) return; // lines of time have labels in their bars
        if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
          wrong.add('overlap: ' + e.textContent.slice(0, 20) + ' / ' + f.textContent.slice(0, 20));
      });
    });
  });
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.add('page');
};
// Bars are named by the whole of preset and program.
const names = [...document.querySelectorAll('#bars rect title')].map(e => e.textContent.replace(/: [^:]*$/, ''));
const labels = [...document.querySelectorAll('#bars text')].map(e => e.textContent).join(' ');
names.filter(n => !labels.includes(n)).forEach(n => wrong.add('label: ' + n));
if (byId('lk') && !document.querySelector('#lines polyline')) wrong.add('no line');
const shown = [];
for (let i = 0; i < (choice ? choice.length : 1); i++) {
  if (choice) {
    choice.value = i;
    choice.onchange();
  }
  look();
  shown.push(document.body.dataset.shown);
}
parent.document.body.dataset.result = JSON.stringify({ shown, width: innerWidth,
  dark: light(behind(document.body)) < .2, wrong: [...wrong] });
</script>'''


def make_pages(folder):
    """Paths of the pages."""
    shutil.copy(EXAMPLES / 'vecadd.s', folder)
    for name, more in (('a', ''), ('b', '--set num_warp=4')):
        out = subprocess.run(
            [VENTUS, 'exec', '--model', 'chisel', '--json', '--stats', '--hot',
             'vecadd.s', *ARGS.split(), *more.split()], cwd=folder, check=True,
            capture_output=True, text=True).stdout
        # A program with three launches of two kernels.
        other = out.replace('"name":"vecadd"', '"name":"another_kernel"')
        (folder / f'{name}.json').write_text(out + other + out,
                                             encoding='utf-8')
    (folder / 'plan.ini').write_text(f'''[sweep]
model = rtl-verilog chisel
[keys]
num_warp = 4 8
fpu_add_cycles = 2 5
[metrics]
area = num_sm * (1 + num_warp / 8)
[program addition_of_two_vectors]
exec = vecadd.s {ARGS[:22]}
    {ARGS[22:]}
''', encoding='utf-8')
    for command in ('report a.json -o one.html',
                    'report a.json b.json -o two.html', 'sweep plan.ini'):
        subprocess.run([VENTUS, *command.split()], cwd=folder, check=True,
                       capture_output=True)
    return [folder / 'one.html', folder / 'two.html',
            folder / 'plan.sweep/index.html']


def look(folder, page, width, scheme):
    """In a frame of that width: the window itself is at least 500 wide."""
    inner = page.read_text(encoding='utf-8').replace('</body>', '') \
        .replace('</html>', '') + PROBE
    outer = folder / 'frame.html'
    outer.write_text('<!DOCTYPE html><meta name="color-scheme" content="light dark">'
                     '<body style="margin:0"><iframe style="border:0" '
                     f'width={width} height=900 srcdoc="{html.escape(inner)}">'
                     '</iframe>', encoding='utf-8')
    p = chromium(folder, scheme, '--window-size=4000,1000', '--dump-dom',
                 outer.as_uri())
    errors = console_errors(p)
    found = re.search(r'data-result="([^"]*)"', p.stdout)
    at = (page.name, width, scheme)
    assert found and not errors, (at, errors)
    result = json.loads(html.unescape(found[1]))
    assert result['width'] == width, (at, result)
    assert result['dark'] == (scheme == 'dark'), (at, result)
    assert not result['wrong'], (at, result['wrong'])
    return result['shown']


def keep(folder, page, width, scheme):
    """A picture of the whole page, for people."""
    picture = f'{PICTURES}/{page.stem}-{width}-{scheme}.png'
    chromium(folder, scheme, f'--window-size={width},3600',
             f'--screenshot={picture}', page.as_uri())


def main():
    need_chromium()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for page in make_pages(folder):
            for width in WIDTHS:
                for scheme in SCHEMES:
                    shown = look(folder, page, width, scheme)
                    if PICTURES:
                        keep(folder, page, width, scheme)
            if page.name != 'index.html':
                assert shown == ['all launches', 'vecadd', 'vecadd',
                                 'another_kernel', 'vecadd'], shown
    print(f'3 pages, {len(WIDTHS)} widths, light and dark')


if __name__ == '__main__':
    main()
