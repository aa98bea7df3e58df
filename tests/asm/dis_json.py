#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ventus dis --json` says of each word what the file and the source have.

    dis_json.py VENTUS SOURCES"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ventus, root = sys.argv[1], Path(sys.argv[2])
failed = 0


def check(ok, what):
    global failed
    failed += not ok
    if not ok:
        print('failed:', what)


def run(*words, text=None):
    return subprocess.run([ventus, *map(str, words)], input=text,
                          capture_output=True, check=False)


def instructions(*words):
    done = run('dis', '--json', *words)
    check(done.returncode == 0 and not done.stderr, (words, done.stderr))
    return [i for s in json.loads(done.stdout)['sections']
            for i in s['instructions']]


def try_example(folder):
    source = root / 'examples' / 'vecadd.s'
    lines = source.read_text().splitlines()
    at = folder / 'k.o'
    run('as', '-g', '-o', at, source)
    found = instructions(at)
    image = b''.join(bytes.fromhex(i['bytes']) for i in found)
    check(image in at.read_bytes(), 'bytes are those of the file')
    text = subprocess.run([ventus, 'dis', '--bare', at], capture_output=True,
                          text=True, check=True).stdout
    shown = [line.split('#')[0].strip() for line in text.splitlines()
             if line.startswith('    ') and not line.startswith('    .')]
    check([' '.join(s.split()) for s in shown if 'j ' not in s and 'b' != s[0]] ==
          [' '.join(i['text'].split()) for i in found
           if 'j ' not in i['text'] and i['text'][0] != 'b'], 'the text of dis')
    for i in found:
        line = lines[i['source']['line'] - 1].split('#')[0]
        check(i['mnemonic'] in line, (i, line))
        check(i['source']['file'] == str(source), i)
        check(i['symbol'] == 'vecadd' and i['offset'] == i['address'], i)
        check(bytes.fromhex(i['bytes']) == b''.join(
            bytes.fromhex(w)[::-1] for w in i['words']), i)


def try_kinds(folder):
    at = folder / 'k.o'
    # By hand: regext with vd + 32, a branch over a word, no instruction, a
    # relocation, an operand with commas in brackets.
    run('as', '-march=ventus2', '-o', at, '-', text=b'''
a:  vmv.v.x v32, x4
    beq  x0, x0, b
    .word 0xffffffff
b:  lui  x5, %hi(far + 4)
    lw   x41, 0([x7:x6])
''')
    one, branch, none, address, pair = instructions(at)
    check(one['words'] == ['0010200b', '5e024057'] and
          one['operands'] == ['v32', 'x4'], one)
    check(branch['address'] == 8 and branch['target'] == 16, branch)
    check(branch['operands'][-1] == '0x10', branch)
    check(none['mnemonic'] == '.word' and none['operands'] == ['0xffffffff'] and
          (none['symbol'], none['offset']) == ('a', 12), none)
    check(address['symbol'] == 'b' and address['relocations'] ==
          ['%hi(far+4)'], address)
    check(pair['operands'] == ['x41', '0([x7:x6])'] and
          len(pair['words']) == 2, pair)
    raw = folder / 'raw'
    raw.write_bytes(bytes.fromhex('83220500'))
    word, = instructions('--raw=0x100', raw)
    check((word['address'], word['text']) == (256, 'lw      x5, 0(x10)'), word)
    check('source' not in word and 'symbol' not in word, word)


def try_refused(folder):
    bad = folder / 'bad'
    bad.write_bytes(b'no ELF')
    done = run('dis', '--json', bad)
    check(done.returncode == 1 and not done.stdout and
          b'not an ELF file' in done.stderr, done)
    done = run('dis', '--json', folder / 'x.metadata')
    check(done.returncode == 1 and b'--json is for ELF' in done.stderr, done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        try_example(Path(folder))
        try_kinds(Path(folder))
        try_refused(Path(folder))
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
