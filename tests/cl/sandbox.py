#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a source or a binary can reach through clBuildProgram and clLinkProgram:
no file but those of the include folders, by whatever way; and bitcode that ends
the compiler is a build error, after which the application goes on.  Nothing of it
is left of an application that was killed.

usage: sandbox.py SANDBOXED VENTUS_CC [FLIPS]
"""
import hashlib
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from process import compilers, is_running, parent, wait_for  # noqa: E402

SANDBOXED, CC = sys.argv[1], sys.argv[2]
FLIPS = int(sys.argv[3]) if len(sys.argv) > 3 else 24
INVALID_BINARY = -42  # which says that the compiler cannot read it
SECRET = 'int kept_apart = 20521;'
failures = 0


def check(condition, what):
    global failures
    if not condition:
        print(f'failed: {what}')
        failures += 1


def run(top, files=(), **more):
    """Builds files in one application; {file: (code, log)}."""
    listing = top / 'list'
    listing.write_text(''.join(f'{f}\n' for f in files))
    # The program that tells that the application goes on is in the cache.
    env = os.environ | {'FILES': str(listing),
                        'VENTUS_CACHE_DIR': str(top / 'cache')} | more
    done = subprocess.run([SANDBOXED], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, cwd=top / 'here')
    text = done.stdout.decode(errors='replace')
    check(done.returncode == 0, f'the application ended: {done.returncode}, '
          f'{text[-2000:]} {done.stderr.decode(errors="replace")[-2000:]}')
    found, at = {}, None
    names = {f'{f}: ': str(f) for f in files}
    for line in text.splitlines():
        start = next((n for n in names if line.startswith(n)), None)
        if start:
            at = names[start]
            found[at] = (int(line[len(start):]), '')
        elif at:
            found[at] = (found[at][0], found[at][1] + line + '\n')
    check(len(found) == len(files), f'{len(found)} of {len(files)} files')
    return found


def has_landlock(top):
    probe = top / 'probe.cl'
    probe.write_text('kernel void k(global int *x) { *x = 1; }\n')
    done = subprocess.run([CC, '-o', str(top / 'probe.elf'), str(probe)],
                          env=os.environ | {'VENTUS_SANDBOX': 'require'},
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(f'this kernel has not all: {done.stderr.strip()}')
    return done.returncode == 0


KERNEL = '\nkernel void k(global int *x) { *x = %s; }\n'


def reaching(secret):
    """Sources that would contain, or tell of, the file `secret`."""
    up = '../' * 12 + str(secret)[1:]
    yield 'include', f'#include "{secret}"' + KERNEL % 'kept_apart'
    yield 'angle', f'#include <{secret}>' + KERNEL % 'kept_apart'
    yield 'upwards', f'#include "{up}"' + KERNEL % 'kept_apart'
    yield 'next', f'#include_next "{secret}"' + KERNEL % 'kept_apart'
    yield 'import', f'#import "{secret}"' + KERNEL % 'kept_apart'
    yield 'macro', f'#define F "{secret}"\n#include F' + KERNEL % 'kept_apart'
    yield 'link', '#include "link.h"' + KERNEL % 'kept_apart'
    yield 'pragma', f'#pragma clang system_header\n#include "{secret}"' + \
        KERNEL % 'kept_apart'
    yield 'embed', f'constant char s[] = {{\n#embed "{secret}"\n}};' + \
        KERNEL % 's[0]'
    yield 'has_embed', f'#if !__has_embed("{secret}")\n#error none\n#endif' + \
        KERNEL % '1'
    yield 'incbin', '__asm__(".section .rodata\\nx: .incbin ' \
        f'\\"{secret}\\"");' + KERNEL % '1'
    yield 'incbin inside', 'kernel void k(global int *x) { ' \
        f'__asm__ volatile(".incbin \\"{secret}\\""); *x = 1; }}\n'
    yield 'include inside', 'kernel void k(global int *x) { ' \
        f'__asm__ volatile(".include \\"{secret}\\""); *x = 1; }}\n'
    yield 'line', f'#line 1 "{secret}"\nkernel void k() {{ error; }}\n'
    yield 'passwd', '#include "/etc/passwd"' + KERNEL % '1'
    yield 'self', '#include "/proc/self/environ"' + KERNEL % '1'


def files_elsewhere(top):
    secret = top / 'apart' / 'secret.h'
    (top / 'here' / 'link.h').symlink_to(secret)
    sources = []
    for name, text in reaching(secret):
        sources.append(top / 'here' / f'{name.replace(" ", "_")}.cl')
        sources[-1].write_text(text)
    for file, (code, log) in run(top, sources).items():
        # Whether it is there can be told, what is in it cannot.
        check(code != 0 or 'has_embed' in file, f'{file}: built')
        check('20521' not in log and 'root:' not in log, f'{file}: {log}')
    # The oracle of the oracle: without the sandbox they do reach it.
    reached = run(top, sources, VENTUS_SANDBOX='off')
    for name in ('include', 'angle', 'upwards', 'import', 'macro', 'link',
                 'pragma'):
        code, log = reached[str(top / 'here' / f'{name}.cl')]
        check(code == 0, f'{name} without a sandbox: {log}')


def files_here(top):
    """What may be read: folders of -I, the working folder, the setting."""
    (top / 'here' / 'h.h').write_text('#define N 1\n')
    (top / 'headers').mkdir()
    (top / 'headers' / 'i.h').write_text('#define M 2\n')
    source = top / 'here' / 'may.cl'
    source.write_text('#include "h.h"\n#include <i.h>\n' + KERNEL % '(N + M)')
    found = run(top, [source], OPTIONS=f'-I {top}/headers')[str(source)]
    check(found[0] == 0, f'include folders: {found}')
    source.write_text('#include "../apart/secret.h"' + KERNEL % 'kept_apart')
    code, log = run(top, [source])[str(source)]
    check(code != 0 and 'VENTUS_SANDBOX_READ' in log, f'a note: {log}')
    # It was "file not found" and nothing more.
    embeds = top / 'here' / 'embeds.cl'
    embeds.write_text('constant char s[] = {\n#embed "../apart/secret.h"\n};' +
                      KERNEL % 's[0]')
    code, log = run(top, [embeds])[str(embeds)]
    check(code != 0 and 'VENTUS_SANDBOX_READ' in log, f'a note: {log}')
    found = run(top, [source], VENTUS_SANDBOX_READ=f'/none:{top}/apart')
    check(found[str(source)][0] == 0, f'VENTUS_SANDBOX_READ: {found}')


def sealed(binary, bitcode):
    """The head of a binary before other bitcode (src/cl/program/binary.h)."""
    begin = struct.unpack_from('<I', binary, 8)[0]
    head = bytearray(binary[:begin])
    struct.pack_into('<I', head, 12, len(bitcode))
    head[36:68] = hashlib.sha256(bytes(head[28:36]) + bitcode).digest()
    return bytes(head) + bitcode


def flipped(top):
    """Bits of bitcode are flipped, as in a hostile binary."""
    path = top / 'object'
    run(top, OBJECT=str(path))
    binary = path.read_bytes()
    begin, size = struct.unpack_from('<II', binary, 8)
    bitcode = binary[begin:begin + size]
    check(sealed(binary, bitcode) == binary, 'the head of a binary')
    rng = random.Random(15)
    files = []
    for i in range(FLIPS):
        other = bytearray(bitcode)
        for _ in range(rng.randint(1, 3)):
            bit = rng.randrange(8 * size)
            other[bit // 8] ^= 1 << bit % 8
        files.append(top / f'flipped{i}')
        files[-1].write_bytes(sealed(binary, bytes(other)))
    # Cut off, and nothing but a head.
    for i, other in enumerate((bitcode[:size // 2], bitcode[:4])):
        files.append(top / f'cut{i}')
        files[-1].write_bytes(sealed(binary, other))
    found = run(top, files)
    for file, (code, log) in found.items():
        check(code in (0, INVALID_BINARY) or log.strip(),
              f'{file}: {code} without a reason')
    built = sum(code == 0 for code, _ in found.values())
    crashed = sum(crashes(top, file) for file in files)
    print(f'{len(files)} of flipped bits: {built} built, {crashed} crashed '
          'the compiler, the rest refused')


def crashes(top, file):
    done = subprocess.run([CC, '-o', str(top / 'output'), str(file)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode < 0


def little_memory(top):
    source = top / 'here' / 'memory.cl'
    source.write_text('// memory' + KERNEL % '1')
    code, log = run(top, [source], VENTUS_COMPILE_LIMIT_MB='64')[str(source)]
    check(code != 0 and log.strip(), f'64 MiB: {code} {log}')
    code, log = run(top, [source])[str(source)]
    check(code == 0, f'as much as usual: {log}')


def started_by(pid):
    """Those that run, and were started by it or by one of them."""
    found = []
    for stat in Path('/proc').glob('[0-9]*/stat'):
        child = int(stat.parent.name)
        if parent(child) == pid:
            found += [child, *started_by(child)]
    return found


def building(pid):
    """The processes that build for the application: compilers and clang."""
    loaded = compilers(pid)
    server = [p for p in loaded if parent(p) not in loaded]
    return [p for p in {*started_by(pid), *loaded,
                        *(q for p in loaded for q in started_by(p))} if p not in server]


def killed(top):
    """The compiler and clang, which wait for a pipe, end with the application;
    they went on to their limits."""
    pipe, source = top / 'here' / 'pipe.h', top / 'here' / 'waits.cl'
    os.mkfifo(pipe)
    source.write_text('#include "pipe.h"' + KERNEL % '1')
    (top / 'list').write_text(f'{source}\n')
    env = os.environ | {'FILES': str(top / 'list'),
                        'VENTUS_CACHE_DIR': str(top / 'cache')}
    with subprocess.Popen([SANDBOXED], env=env, stdout=subprocess.DEVNULL,
                          cwd=top / 'here') as application:
        pid = application.pid
        check(wait_for(lambda: len(building(pid)) >= 2), 'clang starts')
        started = [*building(pid), *compilers(pid)]
        application.kill()
    check(wait_for(lambda: not any(map(is_running, started))),
          'what it has started ends with the application')
    for left in filter(is_running, started):
        os.kill(left, signal.SIGKILL)
    pipe.unlink()


def main():
    with tempfile.TemporaryDirectory() as name:
        top = Path(os.path.realpath(name))
        for folder in 'here', 'apart':
            (top / folder).mkdir()
        (top / 'apart' / 'secret.h').write_text(f'constant {SECRET}\n')
        if has_landlock(top):
            files_elsewhere(top)
            files_here(top)
        flipped(top)
        little_memory(top)
        killed(top)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        print(f'{peak} MiB used at most')
    print(f'{failures} failures')
    return failures != 0


sys.exit(main())
