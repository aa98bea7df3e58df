# SPDX-License-Identifier: Apache-2.0
"""Commands of GDB for kernels on Ventus devices, beside those of "monitor":

    info warps, info lanes, info simt-stack, info barriers, info kernel
    info kernel-args [NAME]
    info image [NAME [X[,Y[,Z]] [COUNT]]]
    item X[,Y[,Z]]          the thread of a work-item
    info launches           launches that GDB can go back to
    launch N                to the beginning of one
    connect-ventus PORT     connects to kernels that wait there
"""
import os
import re
import tempfile

import gdb


def tell_thread():
    """Tells the stub which thread is selected.  GDB names it when it reads something
    that it does not know yet; behind "info threads" it has named another."""
    try:
        pc = gdb.selected_frame().pc()
        gdb.selected_inferior().read_memory(pc, 1)
        gdb.execute('monitor this-thread', to_string=True)
    except gdb.error:
        pass  # nothing runs: the command says so


def show(command):
    tell_thread()
    print(gdb.execute('monitor ' + command, to_string=True).rstrip(),
          flush=True)


def number(text, what):
    try:
        return int(text, 0)
    except ValueError:
        raise gdb.GdbError(f"found '{text.strip()}', expected {what}") from None


class Shown(gdb.Command):
    """What the stub shows."""

    def __init__(self, name, command, doc):
        self.__doc__ = doc
        self.command = command
        super().__init__('info ' + name, gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        show(f'{self.command} {argument}'.rstrip())


class Item(gdb.Command):
    """Selects the thread of a work-item by its global id: item X[,Y[,Z]]."""

    def __init__(self):
        super().__init__('item', gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        ids = [number(x, 'X[,Y[,Z]], global ids: item 37')
               for x in argument.split(',')]
        if not 1 <= len(ids) <= 3:
            raise gdb.GdbError(f'found {len(ids)} numbers, expected X[,Y[,Z]]')
        wanted = 'item (%d,%d,%d)' % tuple(ids + [0] * (3 - len(ids)))
        rows = gdb.execute('info threads', to_string=True)
        for row in rows.splitlines():
            found = re.match(r'[* ] +(\d+) ', row)
            if found and wanted in row:
                gdb.execute('thread ' + found.group(1), from_tty)
                return
        raise gdb.GdbError(f'no {wanted} runs now')


class Launch(gdb.Command):
    """Goes to the beginning of a launch that "info launches" shows: launch N."""

    def __init__(self):
        super().__init__('launch', gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        said = gdb.execute('monitor launch ' + argument, to_string=True)
        if not said.startswith('continue'):
            raise gdb.GdbError(said.rstrip())
        gdb.execute('continue', from_tty)


class Connect(gdb.Command):
    """Connects to kernels that wait on a port of this host: connect-ventus PORT.

The first launch may be long in coming, so this waits."""

    def __init__(self):
        super().__init__('connect-ventus', gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        port = number(argument, 'a port from 1 to 65535')
        for command in ['set remotetimeout 1000000',
                        f'target remote localhost:{port}',
                        'set remotetimeout 60', 'sharedlibrary']:
            gdb.execute(command, to_string=True)
        SOURCES.read()
        print('Before the first instruction of:')
        show('kernel')


class Sources:
    """Sources that exist in the program alone, as files for GDB."""

    def __init__(self):
        self.folder = None
        self.wanted = False

    def want(self, event):
        """Before the stop is shown, if GDB is not waiting for the target now; else
        they are read behind it."""
        if not event.new_objfile.filename.startswith('target:/ventus/'):
            return
        self.wanted = True
        try:
            self.read()
        except gdb.error:
            self.wanted = True

    def read(self, _event=None):
        if not self.wanted:
            return
        self.wanted = False
        names = gdb.execute('monitor sources', to_string=True).splitlines()
        for name in names:
            if os.path.exists(name) or name in ('', '.', '..'):
                continue
            if not self.folder:
                self.folder = tempfile.TemporaryDirectory(prefix='ventus-')
            to = os.path.join(self.folder.name, os.path.basename(name))
            gdb.execute(f'remote get /ventus/source/{name} {to}',
                        to_string=True)
        if self.folder:  # discards the text of others of this name
            gdb.execute('directory ' + self.folder.name, to_string=True)


def tell_before(command):
    gdb.execute(f'define hook-{command}\npython tell_thread()\nend',
                to_string=True)


for each in ['step', 'stepi', 'next', 'nexti', 'continue', 'finish']:
    tell_before('reverse-' + each)
SOURCES = Sources()
gdb.events.new_objfile.connect(SOURCES.want)
gdb.events.stop.connect(SOURCES.read)
for each in [
        ('warps', 'warps', 'All warps: active lanes, state, place.'),
        ('lanes', 'lanes', 'The work-items of the current warp.'),
        ('simt-stack', 'stack', 'The SIMT stack of the current warp.'),
        ('barriers', 'barriers', 'Which warps wait at a barrier.'),
        ('kernel', 'kernel', 'The launch: sizes, memory.'),
        ('kernel-args', 'args', 'The arguments of the kernel, by name.'),
        ('image', 'image', 'Image arguments: formats, and pixels of one from X,Y,Z on.'),
        ('launches', 'launches', 'Launches that GDB can go back to.')]:
    Shown(*each)
Item()
Launch()
Connect()
gdb.execute('set print thread-events off')
