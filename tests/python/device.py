#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The driver from Python: the tests of tests/dev/*.c, on the same programs.

    device.py FOLDER   with kernels.elf and other.elf"""
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import numpy as np

import ventus
from ventus.kernel import library

PROGRAMS = Path(sys.argv.pop(1))
U32 = np.uint32


def load(d, name='kernels'):
    return d.load((PROGRAMS / f'{name}.elf').read_bytes(), name)


class Memory(unittest.TestCase):
    def test_arrays_go_in_and_out(self):
        with ventus.Device() as d:
            for dtype in ('i1', 'u2', 'i4', 'f4', 'f8', 'c8', 'f2', 'bool'):
                a = np.arange(60).reshape(3, 4, 5).astype(dtype)
                b = d.buffer(a)
                self.assertEqual(b.dtype, a.dtype)
                np.testing.assert_array_equal(b.read(), a)
                np.testing.assert_array_equal(np.asarray(b), a)
            b = d.buffer(np.arange(24).reshape(4, 6).T)  # not contiguous
            np.testing.assert_array_equal(b.read(), np.arange(24).reshape(4, 6).T)
            self.assertEqual((b.shape, len(b), b.nbytes), ((6, 4), 6, 192))

    def test_buffers_are_zero_and_keep_their_type(self):
        with ventus.Device() as d:
            b = d.empty((2, 3), np.int16)
            self.assertEqual(b.read().tolist(), [[0, 0, 0], [0, 0, 0]])
            b.write([[1, 2, 3], [4, 5, 6]])
            self.assertEqual(b.read()[1, 2], 6)
            with self.assertRaisesRegex(ventus.Error, 'expected int16, found float64'):
                b.write(np.ones(6))
            with self.assertRaisesRegex(ventus.Error, r'expected 6 elements '
                                        r'\(2, 3\), found 5 \(5,\)'):
                b.write(np.ones(5, np.int16))
            with self.assertRaisesRegex(ventus.Error, 'plain bytes'):
                d.empty(3, object)

    def test_big_endian_arrays_are_converted(self):
        """Their bytes went to the device as they were: 1 became 16777216."""
        pair = np.dtype([('a', '>i2'), ('b', '>f4')])
        with ventus.Device() as d:
            for a in (np.arange(3, dtype='>i4'), np.arange(3, dtype='>f8'),
                      np.array([(1, 2.5), (-3, 4)], pair)):
                b = d.buffer(a)
                np.testing.assert_array_equal(b.read(), a)
                self.assertEqual(b.dtype, a.dtype.newbyteorder('<'))
            b = d.empty(2, '>u4')
            b.fill(1)
            raw = d.empty(2, '<u4')
            raw.copy_from(b)
            self.assertEqual(raw.read().tolist(), [1, 1])

    def test_numbers_that_the_type_cannot_hold_are_refused(self):
        """They became infinite, or lost their upper bits."""
        with ventus.Device() as d:
            reals, numbers = d.empty(2, np.float32), d.empty(2, np.int16)
            for buffer, values, word in ((reals, [1, 1e300], '1e.300'),
                                         (reals, np.array([1, -1e39]), '-1e.39'),
                                         (numbers, [1, 32768], '32768')):
                with self.assertRaisesRegex(ventus.Error, f'can hold, found {word}'):
                    buffer.write(values)
            reals.write([np.inf, np.nan])
            self.assertEqual(str(reals.read()), '[inf nan]')
            numbers.write([-32768, 32767])
            self.assertEqual(numbers.read().tolist(), [-32768, 32767])

    def test_fills_and_copies(self):
        with ventus.Device() as d:
            a, b = d.empty(1000, U32), d.empty(1000, U32)
            a.fill(0xdeadbeef)
            self.assertTrue((a.read() == 0xdeadbeef).all())
            b.copy_from(a)
            self.assertTrue((b.read() == 0xdeadbeef).all())
            with self.assertRaisesRegex(ventus.Error, '4000 bytes'):
                b.copy_from(d.empty(999, U32))

    def test_an_empty_array_is_a_buffer(self):
        with ventus.Device() as d:
            self.assertEqual(d.buffer(np.zeros(0, U32)).read().tolist(), [])

    def test_freed_buffers_and_closed_devices_are_errors(self):
        d = ventus.Device()
        x, y = d.empty(4), d.empty(4)
        program = load(d)
        x.free()
        x.free()
        for use in (x.read, lambda: x.fill(1),
                    lambda: program['put'](x, 1, global_size=1)):
            with self.assertRaisesRegex(ventus.Error, 'the buffer is freed'):
                use()
        d.close()
        d.close()
        y.free()
        for use in (lambda: d.empty(4), lambda: d.setting('num_sm'),
                    lambda: load(d), y.read):
            with self.assertRaisesRegex(ventus.Error, 'the device is closed'):
                use()
        with self.assertRaises(ventus.Error):
            program['put'](None, 1, global_size=1)

    def test_no_memory_left_is_an_error_with_our_words(self):
        with ventus.Device(memory_size='1M') as d:
            with self.assertRaisesRegex(ventus.Error, 'no room for 4194304 bytes'):
                d.empty(1 << 20, U32)


class Settings(unittest.TestCase):
    def test_presets_keys_and_engines(self):
        self.assertIn('chisel', ventus.presets())
        keys = {k.name: k for k in ventus.keys()}
        self.assertEqual(keys['num_thread'].unit, 'lanes')
        self.assertEqual(keys['engine'].choices, ('sim', 'model'))
        engines = {e.name: e for e in ventus.engines()}
        self.assertIn('counts cycles', engines['model'].capabilities)
        self.assertNotIn('counts cycles', engines['sim'].capabilities)

    def test_settings_are_stronger_than_the_preset(self):
        with ventus.Device('chisel', num_sm=3, join_check=False,
                           settings={'local_size': '64K'}) as d:
            self.assertEqual(d.setting('num_sm'), 3)
            self.assertEqual(d.setting('join_check'), 0)
            self.assertEqual(d.setting('local_size'), 65536)
            self.assertEqual(d.setting('num_thread'), 8)
            self.assertTrue(d.counts_cycles)
            with self.assertRaisesRegex(ventus.Error, "no setting 'num_sms'"):
                d.setting('num_sms')

    def test_wrong_ones_are_refused_in_the_drivers_words(self):
        with self.assertRaisesRegex(ventus.Error, 'chisell.*chisel'):
            ventus.Device('chisell')
        with self.assertRaisesRegex(ventus.Error, 'num_thread'):
            ventus.Device(num_thread=7)


    def test_execution_says_why_it_interprets(self):
        with ventus.Device(num_thread=4, execution='auto') as d:
            x = d.empty(16, U32)
            load(d)['put'](x, 1, global_size=1, local_size=1)
            share = d.native_share()
            self.assertEqual(share.native, 0)
            self.assertIn('less than 8 threads', share.why)
        with ventus.Device() as d:
            self.assertEqual(d.native_share(), (0, 0, ''))
        with self.assertRaisesRegex(ventus.Error, 'execution = native: .*num_thread'):
            ventus.Device(num_thread=4, execution='native')
        with self.assertRaisesRegex(ventus.Error, 'engine = model interprets'):
            ventus.Device('chisel', engine='model', execution='native')


class Programs(unittest.TestCase):
    def test_two_programs_at_one_address(self):
        with ventus.Device() as d:
            a, b = load(d), load(d, 'other')
            x = d.empty(16, U32)
            for i in range(1, 5):
                a['put'](x, i, global_size=1, local_size=1)
                self.assertEqual(x.read()[0], i)
                b['put'](x, 0, global_size=1, local_size=1)
                self.assertEqual(x.read()[0], 1000 + i)
            a.unload()
            with self.assertRaisesRegex(ventus.Error, 'unloaded'):
                a['put'](x, 1, global_size=1)

    def test_kernels_have_names_and_needs(self):
        with ventus.Device() as d:
            p = load(d)
            self.assertEqual({k.name for k in p}, set(p.kernels))
            self.assertEqual((p.put.sgprs, p.put.vgprs), (16, 4))
            self.assertEqual(p.locals.local_B, 20)
            self.assertEqual(p.stack.private_B, 64)
            self.assertIn('put', p.describe(p.put.entry))
            with self.assertRaisesRegex(ventus.Error,
                                        r"no kernel 'nobody' \(put, spin, "):
                p['nobody']
            with self.assertRaises(AttributeError):
                p.nobody  # pylint: disable=pointless-statement

    def test_what_is_no_program_is_refused(self):
        with ventus.Device() as d:
            with self.assertRaisesRegex(ventus.Error, 'x.elf: not an ELF file'):
                d.load(b'#!/bin/sh\n', 'x.elf')


class Launches(unittest.TestCase):
    def test_partial_warps_and_groups_stop_at_the_grid(self):
        with ventus.Device() as d:
            put, x = load(d)['put'], d.empty(200, U32)
            for n in (1, 44, 87, 130):
                x.fill(7)
                put(x, n, global_size=n, local_size=40)
                found = x.read()
                self.assertTrue((found[:n] == n).all())
                self.assertTrue((found[n:] == 7).all())

    def test_metadata_is_as_the_manual_says(self):
        with ventus.Device() as d:
            x, knl = d.empty(16, U32), load(d)['knl']
            knl(x, global_size=(6, 5, 4), local_size=(3, 5, 2),
                offset=(10, 20, 30))
            found = x.read().tolist()
            self.assertEqual(found[0], knl.entry)
            self.assertEqual(found[2:12], [3, 6, 5, 4, 3, 5, 2, 10, 20, 30])

    def test_local_arguments_lie_behind_stacks_and_static_memory(self):
        with ventus.Device() as d:
            x, k = d.empty(16, U32), load(d)['locals']
            k(x, 9, ventus.Local(100), global_size=64, local_size=64)
            self.assertEqual(x.read()[:3].tolist(),
                             [9, 0x70000000, 0x70000000 + 2 * 1024 + 128])
            with self.assertRaisesRegex(
                    ventus.Error, 'needs 133248 bytes of local memory'):
                k(x, 9, ventus.Local(128 << 10), global_size=64, local_size=64)

    def test_faults_name_everything_and_leave_the_device_usable(self):
        with ventus.Device(max_instructions=100000, bounds='strict') as d:
            p, x = load(d), d.empty(1024, U32)
            with self.assertRaises(ventus.LaunchError) as caught:
                p['far'](x, 4096, global_size=64, local_size=32, stats=True)
            self.assertIn('0 bytes past the end of argument 0, 4096 bytes',
                          str(caught.exception))
            fault = caught.exception.fault
            self.assertEqual((fault.kind, fault.address, fault.group, fault.warp),
                             ('access to unmapped memory', 0x90001000, (0, 0, 0), 0))
            self.assertIn('far+0xc (', fault.place)
            self.assertIn('sw', fault.insn)
            self.assertGreater(caught.exception.result.stats.warp_instructions, 0)
            for name, words in (('code', 'access without permission'),
                                ('odd', 'misaligned access to 0x90000001'),
                                ('spin', 'limit exceeded: max_instructions')):
                with self.assertRaisesRegex(ventus.LaunchError, words):
                    p[name](x, 4096, global_size=64, local_size=32)
            p['put'](x, 5, global_size=64, local_size=64)
            self.assertEqual(x.read()[63], 5)

    def test_wrong_launches_are_refused(self):
        with ventus.Device() as d, ventus.Device() as other:
            put, x = load(d)['put'], d.empty(4, U32)
            for size in (0, -1, (), (1, 2, 3, 4), 1.5, '8', (1, 'a'), None):
                with self.assertRaisesRegex(ventus.Error, 'global_size: expected'):
                    put(x, 1, global_size=size)
            with self.assertRaisesRegex(ventus.Error, 'local_size: expected 2'):
                put(x, 1, global_size=(8, 8), local_size=8)
            with self.assertRaisesRegex(ventus.Error, '2000 work-items'):
                put(x, 1, global_size=2000, local_size=2000)
            with self.assertRaisesRegex(ventus.Error, 'of another device'):
                put(other.empty(4), 1, global_size=1)
            with self.assertRaisesRegex(ventus.Error, "'put': argument 1: "
                                        'expected a Buffer, a number.*found dict'):
                put(x, {}, global_size=1)
            with self.assertRaisesRegex(ventus.Error, 'expected -2147483648'):
                put(x, 1 << 32, global_size=1)

    def test_numbers_become_words(self):
        with ventus.Device() as d:
            put, x = load(d)['put'], d.empty(1, U32)
            for given, word in ((5, 5), (-1, 0xffffffff), (1 << 31, 1 << 31),
                                (1.0, 0x3f800000), (True, 1),
                                (np.float32(2), 0x40000000),
                                (np.int32(-2), 0xfffffffe), (b'\1\2\3\4', 0x04030201),
                                (np.array([7], U32), 7)):
                put(x, given, global_size=1)
                self.assertEqual(x.read()[0], word, repr(given))

    def test_launches_run_in_order_of_submission(self):
        with ventus.Device() as d:
            put, x = load(d)['put'], d.empty(1000, U32)
            launches = [put.submit(x, i, global_size=1000) for i in range(20)]
            results = [launch.wait() for launch in launches]
            self.assertEqual(len(results), 20)
            self.assertTrue((x.read() == 19).all())
            self.assertEqual(launches[3].wait(), results[3])  # again
            self.assertTrue(launches[3].done)

    def test_a_device_may_be_closed_while_launches_run(self):
        d = ventus.Device()
        put, x = load(d)['put'], d.empty(1 << 16, U32)
        launch = put.submit(x, 3, global_size=1 << 16)
        d.close()
        self.assertTrue(launch.done)
        self.assertIsNotNone(launch.wait())

    def test_many_threads_may_launch(self):
        with ventus.Device() as d:
            put, wrong = load(d)['put'], []

            def work(number):
                x = d.empty(256, U32)
                for i in range(10):
                    put(x, 100 * number + i, global_size=256)
                    if not (x.read() == 100 * number + i).all():
                        wrong.append(number)
            threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(wrong, [])


class Counting(unittest.TestCase):
    def test_cycles_and_counters(self):
        with ventus.Device('chisel', num_sm=2) as d:
            put, x = load(d)['put'], d.empty(256, U32)
            r = put(x, 1, global_size=256, local_size=64)
            self.assertEqual(sum(s['issued'] for s in r.sm), r.counters['issued'])
            self.assertEqual(r.stats.warp_instructions % 32, 0)  # of 32 warps
            self.assertEqual(r.stats.workgroups, 4)
            self.assertEqual(r.stats.stores_unit, 32)
            self.assertEqual(sum(w for w, _ in r.stats.classes.values()),
                             r.stats.warp_instructions)
            self.assertEqual(r.device_ns, r.cycles * 1000 // d.setting('clock_mhz'))
            self.assertIsNone(put(x, 1, global_size=8, stats=False).stats)

    def test_the_functional_machine_counts_no_cycles(self):
        with ventus.Device() as d:
            put, x = load(d)['put'], d.empty(256, U32)
            r = put(x, 1, global_size=256)
            self.assertEqual((r.cycles, r.counters, r.sm, r.stats), (0, {}, [], None))
            self.assertEqual(put(x, 1, global_size=256, stats=True)
                             .stats.workgroups, 256 // put_group(d, put))

    def test_issues_are_told(self):
        with ventus.Device('chisel', num_sm=1) as d:
            put, x, seen = load(d)['put'], d.empty(8, U32), []
            r = put(x, 1, global_size=8, on_issue=lambda *i: seen.append(i))
            self.assertEqual(len(seen), r.counters['issued'])
            self.assertEqual([i[0] for i in seen], sorted(i[0] for i in seen))
            self.assertEqual({i[1] for i in seen}, {0})


def put_group(d, put):
    """The workgroup that a launch of 256 gets, by a launch that counts."""
    x = d.empty(256, U32)
    return 256 // put(x, 1, global_size=256, stats=True).stats.workgroups


class Notebooks(unittest.TestCase):
    """What _repr_html_ returns, which a notebook shows, is a whole page part."""

    def shown(self, result):
        opened = []

        class Reader(HTMLParser):
            def handle_starttag(self, tag, attrs):
                opened.append(tag)

            def handle_endtag(self, tag):
                assert opened.pop() == tag

        Reader().feed(text := result._repr_html_())
        self.assertEqual(opened, [])
        return text

    def test_a_result_is_a_table(self):
        with ventus.Device('chisel') as d:
            put, x = load(d)['put'], d.empty(64, U32)
            text = self.shown(put(x, 1, global_size=64))
            for words in ('cycles', 'device', 'warp instructions', 'counters that'):
                self.assertIn(words, text)

    def test_a_functional_result_has_no_cycles(self):
        with ventus.Device() as d:
            put, x = load(d)['put'], d.empty(64, U32)
            text = self.shown(put(x, 1, global_size=64))
            self.assertNotIn('cycles', text)
            self.assertIn('host', text)

    def test_what_a_kernel_says_is_no_markup(self):
        fault = ventus.Fault('a <b> kind', 0, 0, (0, 0, 0), 0, 0, None, 'k (a&b.cl:1)',
                             'lw')
        text = self.shown(ventus.Result(0, {}, [], None, '<script>', 0, 0, fault))
        self.assertIn('a &lt;b&gt; kind at k (a&amp;b.cl:1)', text)
        self.assertIn('<pre>&lt;script&gt;</pre>', text)


class Steps(unittest.TestCase):
    def test_registers_of_each_step(self):
        with ventus.Device(num_thread=8) as d:
            put, x = load(d)['put'], d.empty(16, U32)
            stored = []
            for step in put.steps(x, 77, global_size=16, local_size=16):
                if step.text.startswith('vsw12.v'):
                    stored.append((step.warp, step.v[1].tolist(),
                                   step.addresses.tolist(), step.access_B))
                    self.assertEqual(step.lanes.tolist(), [True] * 8)
                if step.text.startswith('lw      x6, 4(x10)'):
                    self.assertEqual(step.x[6], 77)
                    self.assertEqual(len(step.addresses), 1)
            self.assertEqual(sorted(s[0] for s in stored), [0, 1])
            for warp, values, addresses, size in stored:
                self.assertEqual((values, size), ([77] * 8, 4))
                self.assertEqual(addresses, [x.address + 32 * warp + 4 * i
                                             for i in range(8)])
            self.assertTrue((x.read() == 77).all())

    def test_leaving_the_loop_ends_the_launch(self):
        with ventus.Device() as d:
            p = load(d)
            for i, step in enumerate(p['spin'].steps(d.empty(1), 1, global_size=1)):
                if i == 100:
                    break
            with self.assertRaisesRegex(ventus.Error, 'until the next step'):
                step.x  # pylint: disable=pointless-statement
            self.assertIn('spin', p.describe(step.pc))
            p['put'](d.empty(1, U32), 1, global_size=1)

    def test_what_a_hook_raises_ends_the_launch(self):
        with ventus.Device() as d:
            def on_step(step):
                raise KeyError(step.pc)
            for kernel in ('spin', 'put'):
                with self.assertRaises(KeyError):
                    load(d)[kernel](d.empty(64, U32), 1, global_size=1,
                                    on_step=on_step)

    def test_what_a_hook_raises_before_submit_returns_ends_the_launch(self):
        with ventus.Device() as d:
            spin, raised = load(d)['spin'], threading.Event()
            submit = library().dev_submit

            def late(*args):
                ticket = submit(*args)
                raised.wait()
                return ticket

            def on_step(step):
                raised.set()
                raise KeyError(step.pc)
            with mock.patch.object(library(), 'dev_submit', late):
                with self.assertRaises(KeyError):
                    spin(d.empty(1), 1, global_size=1, on_step=on_step)

    def test_a_fault_ends_the_loop_with_its_error(self):
        with ventus.Device() as d:
            with self.assertRaisesRegex(ventus.LaunchError, 'unmapped'):
                for _ in load(d)['far'].steps(d.empty(1, U32), 4096, global_size=1):
                    pass


class Stops(unittest.TestCase):
    def test_stop_says_where_the_warps_are(self):
        for preset in ('default', 'chisel'):
            with ventus.Device(preset, deadlock=10**12) as d:
                launch = load(d)['spin'].submit(d.empty(1), 1, global_size=64,
                                                stats=True)
                begin = time.process_time()
                while time.process_time() < begin + 0.3:  # it computes, and we wait
                    time.sleep(0.01)
                self.assertFalse(launch.done)
                self.assertEqual(launch.progress[0], 0)
                launch.stop()
                with self.assertRaisesRegex(ventus.LaunchError,
                                            '(?s)stopped.*warp 0.* at 0x8') as caught:
                    launch.wait()
                self.assertEqual(caught.exception.fault.kind, 'stopped')
                self.assertGreater(
                    caught.exception.result.stats.warp_instructions, 0)

    def test_interrupt_ends_a_launch(self):
        # A shell's background job starts with the signal ignored.
        code = ('import signal, sys, ventus\n'
                'signal.signal(signal.SIGINT, signal.default_int_handler)\n'
                'with ventus.Device() as d:\n'
                '    p = d.load(open(sys.argv[1], "rb").read())\n'
                '    try:\n'
                '        print("runs", flush=True)\n'
                '        p["spin"](d.empty(1), 1, global_size=1)\n'
                '    except KeyboardInterrupt:\n'
                '        print("interrupted")\n')
        with subprocess.Popen([sys.executable, '-B', '-c', code,
                               PROGRAMS / 'kernels.elf'], text=True,
                              stdout=subprocess.PIPE) as process:
            self.assertEqual(process.stdout.readline(), 'runs\n')
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.communicate()[0], 'interrupted\n')
            self.assertEqual(process.returncode, 0)


class Records(unittest.TestCase):
    def test_traces_and_reports(self):
        with tempfile.TemporaryDirectory() as folder:
            names = {kind: f'{folder}/{kind}' for kind in
                     ('trace', 'konata', 'events', 'json', 'report')}
            with ventus.Device('chisel') as d:
                d.record(**names)
                load(d)['put'](d.empty(64, U32), 1, global_size=64)
            for kind, first in (('trace', '{'), ('konata', 'Kanata'),
                                ('json', '{"name":"put"'),
                                ('report', '<!DOCTYPE html>')):
                text = Path(names[kind]).read_text()
                self.assertTrue(text.startswith(first), (kind, text[:40]))
            self.assertGreater(Path(names['events']).stat().st_size, 100)

    def test_what_cannot_be_recorded_is_an_error(self):
        with ventus.Device() as d:
            with self.assertRaisesRegex(ventus.Error, 'profile'):
                d.record(report='/tmp/never.html')
        with ventus.Device('chisel') as d:
            with self.assertRaisesRegex(ventus.Error, '/no/where'):
                d.record(report='/no/where')


if __name__ == '__main__':
    unittest.main()
