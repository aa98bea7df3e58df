#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The stub of `ventus exec --gdb` by its packets: an interrupt, what is no packet,
what is wrong in one, who may connect, and how fast it goes, forwards and back.

    protocol.py VENTUS KERNELS EXAMPLES [ITERATIONS [PROGRAM]]

ITERATIONS: 1e6; the speed of longer kernels.  PROGRAM: one with OpenCL."""
import os
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from process import children, computes  # noqa: E402

VENTUS, KERNELS, EXAMPLES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).resolve()
ITERATIONS = int(float(sys.argv[4])) if len(sys.argv) > 4 else 1000000


class Stub:
    """A kernel that waits for GDB, and a socket to it."""

    def __init__(self, kernel, *args, umask=-1):
        self.folder = tempfile.TemporaryDirectory()
        where = self.folder.name + '/socket'
        self.process = subprocess.Popen(
            [VENTUS, 'exec', str(KERNELS.resolve() / kernel), *args, '--gdb',
             'unix:' + where], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, umask=umask)
        self.process.stderr.readline()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(where)
        self.input = b''

    def send(self, data):
        self.socket.sendall(b'$%s#%02x' % (data, sum(data) % 256))

    def byte(self):
        if not self.input:
            self.input = self.socket.recv(65536)
        assert self.input, 'it hung up'
        one, self.input = self.input[:1], self.input[1:]
        return one

    def receive(self):
        while self.byte() != b'$':
            pass
        data = b''
        while (one := self.byte()) != b'#':
            data += one
        assert int(self.byte() + self.byte(), 16) == sum(data) % 256
        return data

    def ask(self, text):
        self.send(text.encode())
        data = self.receive()
        while data[:1] == b'O' and data != b'OK':
            data = self.receive()
        return data.decode('latin1')

    def end(self):
        self.socket.close()
        out, err = self.process.communicate()
        self.folder.cleanup()
        return self.process.returncode, out + err


def test_interrupt():
    s = Stub('endless.s', '--grid', '64', '--local', '64')
    assert s.ask('?').startswith('T05'), 'the first stop'
    s.ask('vCont?')
    s.send(b'qXfer:libraries:read::0,1000')
    s.receive()
    for resume in b'c', b'vCont;c':
        for seconds in 0, 0.2:  # before the kernel runs on, or while it runs
            s.send(resume)
            time.sleep(seconds)
            s.socket.sendall(b'\x03')
            assert s.receive().startswith(b'T02'), 'an interrupt stops'
    s.send(b'k')
    status, text = s.end()
    assert status == 1 and 'ended by the debugger' in text, text


def test_wrong_packets():
    s = Stub('count.s', '--grid', '64', '--local', '64', '--arg', 'zeros:64',
             '--arg', 'u32:10', '--show', '0')
    for data in ['m', 'mzz,4', 'm80000000', 'm80000000,ffffffffffffffff',
                 'p', 'pfffffff', 'P0', 'P0=1', 'P20=03000000', 'G00', 'M1,1:',
                 'Hg99999', 'Hc-5', 'T0', 'Z0,1,1', 'Z0,80000000,4;X5,00',
                 'Z2,0,ffffffffffff', 'vCont;q', 'vCont;s:fffffff', 'vCont;r1',
                 'qXfer:threads:read::zz', 'qThreadExtraInfo,999',
                 'vFile:pread:7,8,9', 'qRcmd,zz']:
        reply = s.ask(data)
        assert reply[:1] in 'EF' or data.startswith('qRcmd'), (data, reply)
    for data in ['x', 'vUnknown', 'qUnknown', 'QUnknown', 'Z9,0,0', '']:
        assert s.ask(data) == '', data
    s.socket.sendall(b'noise$bad#00$also')
    assert s.ask('qAttached') == '0', 'it reads on'
    assert s.ask('m70000000,4') == '00000000', 'local memory'
    assert s.ask('QStartNoAckMode') == 'OK'
    assert s.ask('D') == 'OK'
    status, text = s.end()
    assert status == 0 and text.count(' 10') == 64, text


def test_gdb_that_is_gone():
    """Killed while the kernel runs to a breakpoint, or stopped at one: it goes on."""
    for last in b'vCont;c', b'bc', b'm90000000,40', b'vCont;s:1':
        s = Stub('count.s', '--grid', '64', '--local', '64', '--arg',
                 'zeros:64', '--arg', 'u32:100000', '--show', '0')
        s.ask('QStartNoAckMode')
        s.ask('qXfer:libraries:read::0,1000')
        assert s.ask('Z0,80000030,4') == 'OK'  # in start code or kernel
        assert s.ask('Z0,8000005c,4') == 'OK'  # the label end
        s.send(last)
        status, text = s.end()
        assert status == 0 and text.count(' 100000') == 64, (last, text)


def test_limits_hold_without_gdb():
    """A kernel without end, whose GDB leaves or is killed, ends by the limit of time,
    which did not hold while it was stopped."""
    for last in 'D', None:
        s = Stub('endless.s', '--grid', '64', '--local', '64', '--set',
                 'max_ms=300')
        s.ask('QStartNoAckMode')
        s.ask('qXfer:libraries:read::0,1000')
        time.sleep(0.5)
        assert s.ask('vCont;s:1').startswith('T05'), 'no limit while debugged'
        if last:
            s.ask(last)
        status, text = s.end()
        assert status == 1 and 'max_ms' in text, text


def test_a_program_does_not_wait_for_a_gdb_that_has_ended():
    """`ventus debug` with one that never connects."""
    if len(sys.argv) < 6 or not sys.argv[5]:
        return
    p = subprocess.run([VENTUS, 'debug', '--debugger', 'true', '--',
                        sys.argv[5]], capture_output=True, text=True)
    assert p.returncode == 0 and 'all right' in p.stdout, p.stdout + p.stderr


def test_a_program_that_ends_before_its_first_launch():
    """`ventus debug` of what cannot start, of what launches nothing, and of a recording
    that is none: GDB, which waits for a launch, ends, and the status is the program's."""
    if len(sys.argv) < 6 or not sys.argv[5]:
        return
    for words, status in ((['--', './missing'], 1), (['--', 'true'], 0),
                          (['--', 'sh', '-c', 'exit 7'], 7),
                          (['--replay', 'missing.rec'], 1)):
        p = subprocess.run([VENTUS, 'debug', '--batch', *words],
                           stdin=subprocess.DEVNULL, capture_output=True,
                           text=True)
        assert p.returncode == status, (words, p.returncode, p.stderr)
        assert f'{words[1]} ended before its first launch' in p.stderr, p.stderr


def test_who_ends_debug_ends_its_children():
    """SIGTERM ends the program and GDB, which waits for it."""
    if len(sys.argv) < 6 or not sys.argv[5]:
        return
    with subprocess.Popen([VENTUS, 'debug', '--batch', '--', 'sleep', '1000'],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as debug:
        while len(pids := children(debug.pid)) < 2:
            time.sleep(0.05)
        debug.terminate()
        debug.communicate()  # all writers of its output are gone
    assert not any(Path(f'/proc/{pid}').exists() for pid in pids), pids


def test_who_may_connect():
    """This user by a path; this host by a port, which is no address of others."""
    s = Stub('count.s', '--grid', '32', '--local', '32', '--arg', 'zeros:32',
             '--arg', 'u32:1', umask=0)
    mode = os.stat(s.folder.name + '/socket').st_mode
    assert stat.S_IMODE(mode) == 0o600, oct(mode)
    s.ask('D')
    assert s.end()[0] == 0
    process = subprocess.Popen(
        [VENTUS, 'exec', str(KERNELS / 'endless.s'), '--grid', '32', '--local',
         '32', '--gdb', '0'], stderr=subprocess.PIPE, text=True)
    port = int(process.stderr.readline().rsplit(':', 1)[1])
    rows = [row.split() for name in ('tcp', 'tcp6')
            if Path('/proc/net/' + name).exists()
            for row in Path('/proc/net/' + name).read_text().splitlines()[1:]]
    listens = {row[1] for row in rows  # a row may come twice
               if row[3] == '0A' and row[1].endswith(':%04X' % port)}
    process.kill()
    process.communicate()
    assert listens == {'0100007F:%04X' % port}, listens


def test_nothing_listens_unasked():
    """A kernel that runs, and no socket of any kind in its process."""
    def sockets(pid):
        return [fd for fd in Path(f'/proc/{pid}/fd').iterdir()
                if os.readlink(fd).startswith('socket:')]
    command = [VENTUS, 'exec', str(KERNELS / 'endless.s'), '--grid', '32', '--local', '32']
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as plain:
        assert computes(plain.pid) and not sockets(plain.pid)
        plain.kill()
    with subprocess.Popen([*command, '--gdb', '0'], stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as asked:
        asked.stderr.readline()
        assert sockets(asked.pid)  # they would have been seen
        asked.kill()


def test_a_browser_is_no_gdb():
    """Requests of a web page, and connections that say nothing, do not get the stub."""
    process = subprocess.Popen(
        [VENTUS, 'exec', str(KERNELS / 'count.s'), '--grid', '32', '--local', '32',
         '--arg', 'zeros:32', '--arg', 'u32:7', '--show', '0', '--gdb', '0'],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    port = int(process.stderr.readline().rsplit(':', 1)[1])

    def connect():
        return socket.create_connection(('127.0.0.1', port))

    silent = [connect() for _ in range(3)]
    for request in (b'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
                    b'POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n$k#6b',
                    b'\x16\x03\x01\x02\x00', b'\0'):
        with connect() as browser:
            browser.sendall(request)
            try:
                assert browser.recv(100) == b'', request
            except ConnectionResetError:
                pass  # what it sent was not read
    s = Stub.__new__(Stub)
    s.process, s.socket, s.input = process, connect(), b''
    s.folder = tempfile.TemporaryDirectory()
    assert 'PacketSize' in s.ask('qSupported')
    assert s.ask('D') == 'OK'
    status, text = s.end()
    assert status == 0 and text.count(' 7') == 32, text
    for other in silent:
        other.close()


def test_back_and_forth():
    """What a work-item was is what it is, when it is there again."""
    for kernel, args in {
            'reduce.s': ['--grid', '256', '--local', '64', '--arg', 'iota:256',
                         '--arg', 'zeros:4', '--arg', 'local:256'],
            'divergent.s': ['--grid', '96', '--local', '32', '--arg',
                            'zeros:96'],
            'private.s': ['--grid', '64', '--local', '32', '--arg', 'iota:512',
                          '--arg', 'zeros:512']}.items():
        s = Stub(EXAMPLES / kernel, *args)
        s.ask('QStartNoAckMode')
        s.ask('qXfer:libraries:read::0,1000')
        assert s.ask('Hg3') == 'OK'
        been = [s.ask('g')]
        for _ in range(30 if kernel == 'private.s' else 60):
            reply = s.ask('vCont;s:3;c')
            assert reply.endswith('thread:3;'), (kernel, reply)
            been.append(s.ask('g'))
        for _ in range(2):
            for was in been[-2::-1]:
                s.ask('Hc3')
                assert 'replaylog' not in s.ask('bs')
                assert s.ask('g') == was, (kernel, 'back')
            for will in been[1:]:
                s.ask('vCont;s:3;c')
                assert s.ask('g') == will, (kernel, 'forth')
        s.ask('D')
        assert s.end()[0] == 0


def timed(s, text):
    begin = time.monotonic()
    reply = s.ask(text)
    assert reply[0] == 'T', reply
    return time.monotonic() - begin


def test_speed():
    n = ITERATIONS
    s = Stub('count.s', '--grid', '32', '--local', '32', '--arg', 'zeros:32',
             '--arg', f'u32:{n}')
    s.ask('QStartNoAckMode')
    s.ask('qXfer:libraries:read::0,1000')
    assert s.ask('Z0,8000005c,4') == 'OK'  # the label end
    assert s.ask('m90000000,4') == '00000000'
    forward = timed(s, 'vCont;c')
    assert int.from_bytes(bytes.fromhex(s.ask('m90000000,4')), 'little') == n
    back = [timed(s, 'bs') for _ in range(100)]
    step = [timed(s, 'vCont;s:1') for _ in range(100)]
    print(f'{5 * n / forward / 1e6:.1f} M instructions/s with a breakpoint '
          f'elsewhere; back {1000 * max(back):.1f} ms at most, '
          f'{1000 * sum(back) / len(back):.2f} ms on average; '
          f'{len(step) / sum(step):.0f} steps/s')
    start = time.monotonic()
    assert s.ask('z0,8000005c,4') == 'OK'
    assert s.ask('bc').startswith('T05replaylog:begin'), 'the launch begins'
    print(f'to the start of the launch {time.monotonic() - start:.2f} s')
    begin = time.monotonic()
    assert s.ask('vCont;r80000000,8000005c:1;c').startswith('T05')
    print(f'{5 * n / (time.monotonic() - begin) / 1e6:.1f} M instructions/s '
          'stepped in a range')
    s.ask('D')
    s.end()


for test in (test_interrupt, test_wrong_packets, test_gdb_that_is_gone,
             test_limits_hold_without_gdb,
             test_a_program_does_not_wait_for_a_gdb_that_has_ended,
             test_a_program_that_ends_before_its_first_launch,
             test_who_ends_debug_ends_its_children,
             test_who_may_connect, test_nothing_listens_unasked,
             test_a_browser_is_no_gdb, test_back_and_forth, test_speed):
    test()
    print(test.__name__)
