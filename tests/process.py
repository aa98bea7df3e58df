# SPDX-License-Identifier: Apache-2.0
"""What another process does, as /proc shows it: tests wait for it instead of for a time."""
import os
import time
from pathlib import Path

HANGS_S = 900  # as in cmake/ventus.cmake


def wait_for(condition):
    """Waits until it holds, for as long as a test may take; does it?"""
    end = time.monotonic() + HANGS_S
    while not (held := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return held


def children(pid):
    try:
        text = Path(f'/proc/{pid}/task/{pid}/children').read_text(encoding='utf-8')
    except OSError:
        return []
    return [int(word) for word in text.split()]


def is_running(pid):
    """Is it there, and no zombie?"""
    try:
        stat = Path(f'/proc/{pid}/stat').read_text(encoding='utf-8')
    except OSError:
        return False
    return stat.rsplit(')', 1)[1].split()[0] not in 'ZX'


def catches(pid, number):
    """Has the process a handler of this signal?"""
    try:
        status = Path(f'/proc/{pid}/status').read_text(encoding='utf-8')
    except OSError:
        return False
    return bool(int(status.split('SigCgt:')[1].split()[0], 16) >> (number - 1) & 1)


def launch_s(pid):
    """Seconds of the processor that the threads have used which the process has begun:
    those of a device, that run its launches."""
    ticks = 0
    for stat in Path(f'/proc/{pid}/task').glob('*/stat'):
        try:
            words = stat.read_text(encoding='utf-8').rsplit(')', 1)[1].split()
        except OSError:
            continue  # it has ended
        ticks += int(words[11]) + int(words[12]) if stat.parent.name != str(pid) else 0
    return ticks / os.sysconf('SC_CLK_TCK')


def computes(pid):
    """Waits until a launch runs that takes long.  Before it those threads have used some
    milliseconds, and no other load on the host counts."""
    return wait_for(lambda: launch_s(pid) > 0.3)


def parent(pid):
    """The parent of a process; 0: it has ended."""
    try:
        stat = Path(f'/proc/{pid}/stat').read_text(encoding='utf-8')
    except OSError:
        return 0
    state, number = stat.rsplit(')', 1)[1].split()[:2]
    return 0 if state in 'ZX' else int(number)


def compilers(pid):
    """The compiler that stays loaded for an application, which is no child of it, and the
    processes that it has forked from itself."""
    words, found = b'\0--serve\0%d\0' % pid, []
    for line in Path('/proc').glob('[0-9]*/cmdline'):
        try:
            if line.read_bytes().endswith(words) and parent(line.parent.name):
                found.append(int(line.parent.name))
        except OSError:
            continue
    return found
