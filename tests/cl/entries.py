#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is there a test of each entry of the API, of each of its error codes, and of
all that platform and device say?

usage: entries.py CL_ICD_H CODES SRC_CL TEST.c...

Entries are those of the loader's table, and those of extensions that CODES names; CODES is codes.txt.  A test calls an
entry; it expects a code in FAILS(code, entry(...)) or REFUSES(code, ...), and four
codes in COMMON(entry, ...), see codes_memory.c and codes_image.c, or five in
RECORDING(entry, ...), see command_buffer.c; those of COMMAND_CODES stand in semaphore.c.  What is said
are the queries that SRC_CL answers; a test names each.
"""
import re
import sys
from pathlib import Path

# Types of other systems, which the header does not have here.
LEFT_OUT = re.compile('D3D1|DX9')

COMMON = {'INVALID_COMMAND_QUEUE', 'INVALID_MEM_OBJECT', 'INVALID_CONTEXT',
          'INVALID_EVENT_WAIT_LIST'}

COMMAND_CODES = {'INVALID_COMMAND_QUEUE', 'INVALID_VALUE', 'INVALID_SEMAPHORE_KHR',
                 'INVALID_CONTEXT', 'INVALID_EVENT_WAIT_LIST',
                 'EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST'}

RECORDING = {'INVALID_COMMAND_BUFFER_KHR', 'INVALID_COMMAND_QUEUE', 'INVALID_OPERATION',
             'INVALID_VALUE', 'INVALID_SYNC_POINT_WAIT_LIST_KHR'}

header, codes, sources, *tests = map(Path, sys.argv[1:])
body = header.read_text(encoding='utf-8')
body = body.split('struct _cl_icd_dispatch {', 1)[1].split('}', 1)[0]
entries = [e for e in re.findall(r'cl_api_\w+\s+(\w+);', body)
           if not LEFT_OUT.search(e)]
wanted = {}
for line in codes.read_text(encoding='utf-8').splitlines():
    if line and not line.startswith('#'):
        name, *rest = line.split()
        wanted[name] = rest
entries += [e for e in re.findall(r'^ENTRY\((\w+),', (
    sources.parent / 'abi' / 'extension.def').read_text(encoding='utf-8'), re.M)
    if e in wanted]
text = '\n'.join(t.read_text(encoding='utf-8') for t in tests)

# A program of clLinkProgram comes even with an error: its log says why.
expected = set(re.findall(r'\b(?:FAILS|REFUSES)\(\s*CL_(\w+),\s*(?:d->)?(\w+)\(',
                          text))
expected |= {(code, entry) for entry, code in re.findall(
    r'= d->(\w+)\([^;]*;\s*CHECK_EQ\(code, CL_(\w+)\)', text)}
expected |= {(code, entry) for entry in re.findall(r'\bCOMMON\((\w+),', text)
             for code in COMMON}
expected |= {(code, entry) for entry in re.findall(r'\bRECORDING\((\w+),', text)
             for code in RECORDING}
expected |= {(code, entry) for entry in re.findall(r'\bCOMMAND_CODES\((\w+)\)', text)
             for code in COMMAND_CODES}
expected |= set(re.findall(r'\bFAILS_ON\(\s*CL_(\w+),\s*(\w+),', text))
called = set(re.findall(r'\b(cl[A-Z]\w+)\(', text)) | {e for _, e in expected}

missing = [f'{e}: not in {codes.name}' for e in entries if e not in wanted]
missing += [f'{e}: no such entry' for e in wanted if e not in entries]
missing += [f'{e}: no test calls it' for e in wanted if e not in called]
missing += [f'{e}: no test expects CL_{code}' for e in wanted
            for code in wanted[e] if (code, e) not in expected]
said = ''.join(path.read_text(encoding='utf-8') for path in (
    sources / 'platform' / name
    for name in ('device_table.h', 'device_info.c', 'platform.c')))
said = re.findall(r'(?:ROW\(|case )(CL_(?:DEVICE|PLATFORM)_\w+)[,:]', said)
named = set(re.findall(r'\bCL_\w+', text)) | {
    f'CL_DEVICE_{kind}_VECTOR_WIDTH_{name}' for kind in ('PREFERRED', 'NATIVE')
    for name in re.findall(r'\bWIDTH\("\w+", (\w+)\)', text)}
missing += [f'{name}: no test asks' for name in said if name not in named]
count = sum(map(len, wanted.values()))
print(*missing, sep='\n')
print(f'{len(entries)} entries, {count} codes, {len(said)} queries, {len(missing)} without a test')
sys.exit(bool(missing))
