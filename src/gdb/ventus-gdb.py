# SPDX-License-Identifier: Apache-2.0
"""Commands of GDB for kernels on Ventus devices, beside those of "monitor":

    info warps, info lanes, info simt-stack, info barriers, info kernel
    info kernel-args [NAME]
    info image [NAME [X[,Y[,Z]] [COUNT]]]
    item X[,Y[,Z]]          the thread of a work-item
    info launches           launches that GDB can go back to
    launch N                to the beginning of one
    who-wrote EXPRESSION    the last writer of what it names, or ADDRESS SIZE
    connect-ventus PORT     connects to kernels that wait there

In expressions, also in those of conditions, work-items ask who they are as in kernels:
get_global_id(0) == 37.  print knows the components of vectors, v.x or v.hi; the value
of a function that finish returns from is shown; x/i shows custom instructions.
"""
import contextlib
import functools
import os
import re
import struct
import tempfile

import gdb
import gdb.disassembler


def in_words(say):
    """A function that GDB calls, whose errors are given to `say` as GDB words them.  If
    they left it, GDB would show Python's name or trace of them."""
    def guard(function):
        @functools.wraps(function)
        def run(*arguments):
            try:
                return function(*arguments)
            except KeyboardInterrupt:
                text = 'Quit'
            except (gdb.error, OSError) as error:
                text = str(error)
                if text.startswith('"monitor" command not supported'):
                    text = NOT_RUN
            return say(text)
        return run
    return guard


NOT_RUN = 'The program is not being run.'


def refuse(text):
    """For commands and functions: GDB shows the text of this exception alone."""
    raise gdb.GdbError(text)


def tell(text):
    """For what GDB calls when something has happened."""
    gdb.write(text + '\n', gdb.STDERR)


def leave(_text):
    """For what comes before a command of GDB's, which will say it."""


class Command(gdb.Command):
    """A command of this script, which does `run`."""

    @in_words(refuse)
    def invoke(self, argument, from_tty):
        self.run(argument, from_tty)


@in_words(leave)
def tell_thread():
    """Tells the stub which thread is selected.  GDB names it when it reads something
    that it does not know yet; after "info threads" it has named another."""
    pc = gdb.selected_frame().pc()
    gdb.selected_inferior().read_memory(pc, 1)
    gdb.execute('monitor this-thread', to_string=True)


def show(command):
    tell_thread()
    print(gdb.execute('monitor ' + command, to_string=True).rstrip(),
          flush=True)


def number(text, what):
    try:
        return int(text, 0)
    except ValueError:
        raise gdb.GdbError(f"found '{text.strip()}', expected {what}") from None


def start_of_operand(text, end):
    """Where the operand of the "." or "->" at `end` begins: a name, with calls, indices
    and members."""
    at, called = end, False
    while at:
        if text[at - 1] in ')]' and not (called and text[at - 1] == ')'):
            depth = 0
            while at:
                at -= 1
                depth += (text[at] in ')]') - (text[at] in '([')
                if not depth:
                    break
            called = text[at:at + 1] == '('
            continue
        name = re.search(r'[\w$]*$', text[:at])[0]
        joint = re.search(r'(\.|->)$', text[:at - len(name)])
        at -= len(name)
        if not name or not joint:
            break
        at, called = at - len(joint[0]), False
    return at


def is_vector(operand):
    try:
        kind = gdb.parse_and_eval(operand).type.strip_typedefs()
        return kind.code == gdb.TYPE_CODE_ARRAY
    except gdb.error:
        return False


def without_components(expression):
    """Components of vectors as variables of GDB.  The language of kernels is C for GDB,
    which gives the target no conditions with operators of OpenCL, and takes some of these
    wrongly."""
    parts = 0
    at = 0
    while True:
        found = re.compile(r'\.([A-Za-z]\w*)').search(expression, at)
        if not found:
            return expression
        start = start_of_operand(expression, found.start())
        operand = expression[start:found.start()]
        at = found.end()
        if not operand or not is_vector(operand):
            continue
        with opencl():
            value = gdb.parse_and_eval(expression[start:found.end()])
        gdb.set_convenience_variable(f'_part{parts}', value)
        expression = f'{expression[:start]}$_part{parts}{expression[at:]}'
        at = start
        parts += 1


def evaluate(expression):
    """The value of an expression that may have components of vectors."""
    try:
        return gdb.parse_and_eval(expression)
    except gdb.error as error:
        if 'not a structure' not in str(error):
            raise
    return gdb.parse_and_eval(without_components(expression))


@contextlib.contextmanager
def opencl():
    """GDB's language is OpenCL's; it warns of that."""
    before = gdb.parameter('language')
    gdb.execute('set language opencl', to_string=True)
    try:
        yield
    finally:
        gdb.execute(f'set language {before}', to_string=True)


class Shown(Command):
    """What the stub shows."""

    def __init__(self, name, command, doc):
        self.__doc__ = doc
        self.command = command
        super().__init__('info ' + name, gdb.COMMAND_STATUS)

    def run(self, argument, from_tty):
        show(f'{self.command} {argument}'.rstrip())


class Item(Command):
    """Selects the thread of a work-item by its global id: item X[,Y[,Z]]."""

    def __init__(self):
        super().__init__('item', gdb.COMMAND_RUNNING)

    def run(self, argument, from_tty):
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


class Launch(Command):
    """Goes to the beginning of a launch that "info launches" shows: launch N."""

    def __init__(self):
        super().__init__('launch', gdb.COMMAND_RUNNING)

    def run(self, argument, from_tty):
        said = gdb.execute('monitor launch ' + argument, to_string=True)
        if not said.startswith('continue'):
            raise gdb.GdbError(said.rstrip())
        # At a breakpoint "continue" is a step first, of a thread that is not there.
        passed = [each for each in gdb.breakpoints() or []
                  if each.enabled and each.type == gdb.BP_BREAKPOINT]
        for each in passed:
            each.enabled = False
        try:
            gdb.execute('continue', from_tty)
        finally:
            for each in passed:
                if each.is_valid():
                    each.enabled = True


class WhoWrote(Command):
    """The last writer of what an expression names: who-wrote a[3].
With two numbers: of the bytes at an address, who-wrote 0x90000000 4."""

    def __init__(self):
        super().__init__('who-wrote', gdb.COMMAND_DATA,
                         gdb.COMPLETE_EXPRESSION)

    def run(self, argument, from_tty):
        if re.fullmatch(r'\s*\w+\s+\w+\s*', argument):
            show('who-wrote ' + argument)
            return
        if not argument:
            raise gdb.GdbError('expected an expression, or ADDRESS SIZE')
        value = gdb.parse_and_eval(argument)
        if value.is_optimized_out or value.address is None:
            raise gdb.GdbError(f"'{argument}' is not in memory")
        show(f'who-wrote {int(value.address):#x} {value.type.sizeof}')


class Print(Command):
    """Prints the value of an expression: print[/FORMAT] EXPRESSION.
As GDB's own, and with the components of OpenCL's vectors: print v.x, v.s01, v.hi."""

    def __init__(self):
        super().__init__('print', gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument, from_tty):
        # "call" is what "print" was.
        try:
            gdb.execute('call ' + argument, from_tty)
            return
        except gdb.error as error:
            if 'not a structure' not in str(error):
                raise
        gdb.execute('call ' + without_components(argument), from_tty)


class Display:
    """Displays of components, which GDB evaluates in the language OpenCL."""

    def __init__(self):
        self.replaces = False

    @in_words(tell)
    def show(self):
        """A display was made: if it is one of these, another one takes its place."""
        rows = gdb.execute('info display', to_string=True).splitlines()
        found = rows and re.match(r'(\d+): +[yn]  (/\S+ )?(.*)', rows[-1])
        if self.replaces or not found or not self.is_component(found[3]):
            return
        self.replaces = True
        try:
            gdb.execute('undisplay ' + found[1])
            with opencl():
                said = gdb.execute(f'display{found[2] or " "}{found[3]}', to_string=True)
            print(said, end='', flush=True)
        finally:
            self.replaces = False

    @staticmethod
    def is_component(expression):
        try:
            gdb.parse_and_eval(expression)
        except gdb.error as error:
            return 'not a structure' in str(error)
        return False


class SomeLane(gdb.Function):
    """$_some_lane("CONDITION"): does it hold for an active work-item of the warp?  That
one is selected when the program stops.  GDB evaluates conditions that the stub cannot, as
those with components of vectors or numbers of floating point, and it does so for one
work-item alone."""

    name = 'some_lane'

    def __init__(self):
        super().__init__('_' + self.name)
        self.found = None

    @in_words(refuse)
    def invoke(self, *arguments):
        here = gdb.selected_thread()
        if len(arguments) != 1:
            raise gdb.GdbError(f'expected $_{self.name}("CONDITION")')
        if not here:
            raise gdb.GdbError(NOT_RUN)
        text = arguments[0].string()
        try:
            for thread in self.lanes(here):
                thread.switch()
                if bool(evaluate(text)):
                    self.found = thread
                    return 1
        finally:
            here.switch()
        return 0

    @staticmethod
    def lanes(here):
        """The threads of the active lanes of a thread's warp, it first."""
        def warp(thread):
            return re.sub(r' lane \d+.*', '', re.sub(r'item \S+ ', '', thread.details))
        mask = int(gdb.parse_and_eval('$mask'))
        return [here] + [
            each for each in reversed(gdb.selected_inferior().threads())
            if each.num != here.num and warp(each) == warp(here) and
            mask >> int(re.search(r' lane (\d+)', each.details)[1]) & 1]

    @in_words(tell)
    def take(self, breakpoint_):
        """A breakpoint is new or changed: is its condition one of these?"""
        condition, name = breakpoint_.condition, f'$_{self.name}('
        if not condition or condition.startswith(name) or \
                breakpoint_.type != gdb.BP_BREAKPOINT:
            return
        if not all(self.is_translated('1', each) <= self.is_translated(condition, each)
                   for each in breakpoint_.locations):
            text = condition.replace('\\', '\\\\').replace('"', '\\"')
            breakpoint_.condition = f'{name}"{text}")'

    @staticmethod
    def is_translated(condition, location):
        """Does GDB give the stub bytecode for it?"""
        try:
            place = '%s:%d' % location.source
            gdb.execute(f'maint agent -at {place}, {condition}', to_string=True)
        except (gdb.error, TypeError):  # a place without a line
            return False
        return True

    @in_words(tell)
    def select(self, _event=None):
        thread, self.found = self.found, None
        if thread and thread.is_valid():
            gdb.execute(f'thread {thread.num}')
            tell_thread()


class Result:
    """The value of a function that "finish" returns from: in v0 and the registers
    after it, 32 bits each (docs/abi.md), which GDB does not know.  There is none for a
    function that is inlined: its result is wherever the compiler has use for it."""

    def __init__(self):
        self.discard()

    def discard(self, _event=None):
        self.type = None    # of the function, if "finish" is on its way
        self.unknown = ''   # why its value is not known
        self.thread = None  # the number of its thread
        self.depth = 0      # how many frames there are when it has returned
        self.to = None      # to which pc; None: it is inlined

    @in_words(leave)
    def before(self):
        self.discard()
        tell_thread()
        frame = gdb.selected_frame()
        function, caller = frame.function(), frame.older()
        back = 'Reverse' in gdb.execute('show exec-direction', to_string=True)
        if back or not function or not caller:
            return
        result = function.type.target().strip_typedefs()
        if result.code == gdb.TYPE_CODE_VOID:
            return
        self.thread, self.depth = gdb.selected_thread().num, self.frames(caller)
        if frame.type() == gdb.INLINE_FRAME:
            self.unknown = f'{function.name} is inlined'
        else:
            self.to = caller.pc()
        if result.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            self.unknown = f'{function.name} returns a structure, in memory'
        self.type = result

    @in_words(tell)
    def show(self, _event):
        """The program has stopped: in the caller, or before it came there."""
        frame = gdb.newest_frame()
        here = self.type and gdb.selected_thread().num == self.thread and \
            self.frames(frame) == self.depth and self.to in (None, frame.pc())
        if here and self.unknown:
            print(f'Value returned is not known: {self.unknown}', flush=True)
        elif here:
            gdb.set_convenience_variable('result', self.value())
            said = gdb.execute('call $result', to_string=True)
            print('Value returned is ' + said.rstrip(), flush=True)
        self.discard()

    @staticmethod
    def frames(frame):
        n = 0
        while frame:
            n, frame = n + 1, frame.older()
        return n

    def value(self):
        one, frame, at, bits = self.type, gdb.newest_frame(), 0, b''
        if one.code == gdb.TYPE_CODE_ARRAY:
            one = one.target()
        while len(bits) < self.type.sizeof:
            words = b''
            while len(words) < one.sizeof:
                word = int(frame.read_register(f'v{at}')) & 0xffffffff
                words += struct.pack('<I', word)
                at += 1
            bits += words[:one.sizeof]
        return gdb.Value(bits, self.type)


class Instructions(gdb.disassembler.Disassembler):
    """Instructions in the words of the stub, which knows the custom ones."""

    def __init__(self):
        super().__init__('ventus')
        self.known = {}  # (length, text) by the two words from there on

    def __call__(self, info):
        words = self.words(info)
        if words not in self.known:
            rows = self.ask(info.address) or []
            ends = [int(re.search('0x[0-9a-f]+', row)[0], 16) for row in rows]
            if not rows or ': ' not in rows[0]:
                return None
            length = ends[1] - ends[0] if len(rows) > 1 else len(words)
            text = re.sub(' +', '\t', rows[0].rsplit(': ', 1)[1].strip(),
                          count=1)
            self.known[words] = length, text
        return gdb.disassembler.DisassemblerResult(*self.known[words])

    @staticmethod
    @in_words(leave)
    def ask(address):
        return gdb.execute(f'monitor dis {address:#x} 2',
                           to_string=True).splitlines()

    @staticmethod
    def words(info):
        try:
            return bytes(info.read_memory(8))
        except gdb.MemoryError:
            return bytes(info.read_memory(4))


class Connect(Command):
    """Connects to kernels that wait on a port of this host: connect-ventus PORT.

The first launch may be long in coming, so this waits."""

    def __init__(self):
        super().__init__('connect-ventus', gdb.COMMAND_RUNNING)

    def run(self, argument, from_tty):
        wanted = 'a port from 1 to 65535'
        port = number(argument, wanted)
        if not 0 < port < 65536:
            raise gdb.GdbError(f"found '{argument}', expected {wanted}")
        for command in ['set remotetimeout 1000000',
                        f'target remote 127.0.0.1:{port}',
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

    @in_words(tell)
    def want(self, event):
        """Before the stop is shown, if GDB is not waiting for the target now; else
        they are read after it."""
        if not event.new_objfile.filename.startswith('target:/ventus/'):
            return
        self.wanted = True
        try:
            self.read()
        except gdb.error:
            self.wanted = True

    @in_words(tell)
    def read_late(self, _event):
        self.read()

    def read(self):
        if not self.wanted:
            return
        self.wanted = False
        define_sizes()
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


def define_macro(name, x, y, z):
    gdb.execute(f'macro define get_{name}(d) '
                f'((d) == 0 ? {x} : (d) == 1 ? {y} : {z})')


def define_ids():
    """OpenCL's functions of a work-item, for expressions."""
    for name, register in [('global_id', 'gid'), ('local_id', 'lid'),
                           ('group_id', 'group')]:
        define_macro(name, *(f'${register}_{axis}' for axis in 'xyz'))


def define_sizes():
    """Those of a launch."""
    said = gdb.execute('monitor kernel', to_string=True)
    found = re.search(r'global \((\d+),(\d+),(\d+)\) local '
                      r'\((\d+),(\d+),(\d+)\) offset \((\d+),(\d+),(\d+)\)',
                      said)
    if not found:
        return
    n = [int(x) for x in found.groups()]
    define_macro('global_size', *n[:3])
    define_macro('local_size', *n[3:6])
    define_macro('global_offset', *n[6:])
    define_macro('num_groups', *(-(-n[i] // n[i + 3]) for i in range(3)))


for each in ['step', 'stepi', 'next', 'nexti', 'continue', 'finish']:
    tell_before('reverse-' + each)
RESULT = Result()
gdb.execute('define hook-finish\npython RESULT.before()\nend')
gdb.events.stop.connect(RESULT.show)
gdb.events.exited.connect(RESULT.discard)
define_ids()
gdb.disassembler.register_disassembler(Instructions())
SOURCES = Sources()
gdb.events.new_objfile.connect(SOURCES.want)
gdb.events.stop.connect(SOURCES.read_late)
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
Print()
DISPLAY = Display()
gdb.execute('define hookpost-display\npython DISPLAY.show()\nend')
WhoWrote()
SOME_LANE = SomeLane()
gdb.events.stop.connect(SOME_LANE.select)
gdb.events.breakpoint_created.connect(SOME_LANE.take)
gdb.events.breakpoint_modified.connect(SOME_LANE.take)
Connect()
gdb.execute('set print thread-events off')
