#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Specialization constants on the command line of `ventus exec` and `ventus cc`.

    spec_constants.py VENTUS

A module stores constants of each type as 64 bits; Python's struct says which bits a
value has.  Ends with 77 if there is no spirv-as.
"""
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77

# SpecId: the constant's type and default.
CONSTANTS = {1: ('bool', 'True'), 2: ('bool', 'False'), 3: ('i8', '5'), 4: ('i16', '6'),
             5: ('i32', '7'), 6: ('i64', '8'), 7: ('f16', '1.5'), 8: ('f32', '2.5'),
             9: ('f64', '3.5')}
WIDTHS = {'i8': 8, 'i16': 16, 'i32': 32, 'i64': 64, 'f16': 16, 'f32': 32, 'f64': 64}

# Values that are given, and the format of struct that has their bits.
GIVEN = [
    {1: 'false', 2: 'true', 3: '-3', 4: '0xfffe', 5: '-2147483648',
     6: '18446744073709551615', 7: '-0.1', 8: '0.1', 9: '-1e300'},
    {1: '0', 2: '1', 3: '255', 4: '-32768', 5: '4294967295', 6: '-1', 7: '65519.99',
     8: 'inf', 9: '5e-324'},
    {7: '6e-8', 8: '1e-40'}, {7: '-6.1e-05'}, {7: '2049'}, {7: '2051'}, {7: '0.33325'},
    {},
]
WRONG = [
    ('5', "--spec-constant '5': expected ID=VALUE"),
    ('=5', "--spec-constant '=5': expected ID=VALUE"),
    ('10=1', "--spec-constant '10=1': the module has no specialization constant 10"),
    ('1=yes', "--spec-constant '1=yes': expected true or false (1 byte)"),
    ('3=256', "--spec-constant '3=256': expected an integer of its size (1 byte)"),
    ('3=-129', "--spec-constant '3=-129': expected an integer of its size (1 byte)"),
    ('4=1.5', "--spec-constant '4=1.5': expected an integer of its size (2 bytes)"),
    ('8=1.5x', "--spec-constant '8=1.5x': expected a number (4 bytes)"),
]


def module(bits):
    lines = ['OpCapability Addresses', 'OpCapability Kernel', 'OpCapability Int64',
             'OpCapability Int16', 'OpCapability Int8', 'OpCapability Float16',
             'OpCapability Float64', f'OpMemoryModel Physical{bits} OpenCL',
             'OpEntryPoint Kernel %k "k"']
    lines += [f'OpDecorate %c{i} SpecId {i}' for i in CONSTANTS]
    lines += ['%void = OpTypeVoid', '%bool = OpTypeBool']
    lines += [f'%{t} = OpType{"Int" if t[0] == "i" else "Float"} {w}' +
              (' 0' if t[0] == 'i' else '') for t, w in WIDTHS.items()]
    for i, (kind, value) in CONSTANTS.items():
        lines.append(f'%c{i} = OpSpecConstant{value} %bool' if kind == 'bool' else
                     f'%c{i} = OpSpecConstant %{kind} {value}')
    lines += ['%ptr = OpTypePointer CrossWorkgroup %i64', '%one = OpConstant %i64 1',
              '%zero = OpConstant %i64 0', '%type = OpTypeFunction %void %ptr']
    lines += [f'%at{i} = OpConstant %i32 {i - 1}' for i in CONSTANTS]
    lines += ['%k = OpFunction %void None %type', '%out = OpFunctionParameter %ptr',
              '%entry = OpLabel']
    for i, (kind, _) in CONSTANTS.items():
        word = f'%c{i}'
        if kind[0] == 'f':
            lines.append(f'%b{i} = OpBitcast %i{WIDTHS[kind]} {word}')
            word = f'%b{i}'
        if kind == 'bool':
            lines.append(f'%w{i} = OpSelect %i64 {word} %one %zero')
        elif WIDTHS[kind] < 64:
            lines.append(f'%w{i} = OpUConvert %i64 {word}')
        else:
            lines.append(f'%w{i} = OpBitcast %i64 {word}')
        lines += [f'%p{i} = OpInBoundsPtrAccessChain %ptr %out %at{i}',
                  f'OpStore %p{i} %w{i} Aligned 8']
    return '\n'.join(lines + ['OpReturn', 'OpFunctionEnd', ''])


def bits_of(kind, text):
    if kind == 'bool':
        return int(text in ('true', '1', 'True'))
    if kind[0] == 'i':
        return int(text, 0) & ((1 << WIDTHS[kind]) - 1)
    form = {'f16': 'e', 'f32': 'f', 'f64': 'd'}[kind]
    unsigned = {'e': 'H', 'f': 'I', 'd': 'Q'}[form]
    return struct.unpack(f'<{unsigned}', struct.pack(f'<{form}', float(text)))[0]


def run(ventus, path, version, words, folder):
    out = folder / 'out.bin'
    command = [ventus, 'exec', path, 'k', f'-march=ventus{version}', '--device',
               'default' if version == 1 else 'ventus2', '--grid', '1', '--arg',
               f'zeros:{2 * len(CONSTANTS)}', '--dump', f'0={out}']
    for word in words:
        command += ['--spec-constant', word]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    return list(struct.unpack(f'<{len(CONSTANTS)}Q', out.read_bytes()))


def main():
    ventus = sys.argv[1]
    if not shutil.which('spirv-as') or not shutil.which('llvm-spirv-15'):
        print('skipped: no spirv-as or llvm-spirv-15')
        return SKIPPED
    errors = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for version in 1, 2:
            text, path = folder / 'k.spvasm', folder / 'k.spv'
            text.write_text(module(32 * version), encoding='utf-8')
            subprocess.run(['spirv-as', '--target-env', 'spv1.0', '-o', path, text],
                           check=True)
            for given in GIVEN:
                got = run(ventus, path, version,
                          [f'{i}={value}' for i, value in given.items()], folder)
                want = [bits_of(kind, given.get(i, value))
                        for i, (kind, value) in CONSTANTS.items()]
                if got != want:
                    errors.append(f'version {version}, {given}: {got}, expected {want}')
            for word, message in WRONG:
                got = run(ventus, path, version, [word], folder)
                if not isinstance(got, str) or message not in got:
                    errors.append(f'{word}: {got}, expected {message}')
        source = folder / 'k.cl'
        source.write_text('kernel void k() {}\n', encoding='utf-8')
        done = subprocess.run([ventus, 'cc', '--spec-constant', '1=2', source],
                              capture_output=True, text=True)
        if done.returncode != 1 or 'is for a SPIR-V module' not in done.stderr:
            errors.append(f'a source: {done.returncode}: {done.stderr}')
    print('\n'.join(errors) or 'all constants are as given')
    return bool(errors)


if __name__ == '__main__':
    sys.exit(main())
