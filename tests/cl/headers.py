#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The dispatch table from headers of both forms.

    headers.py GEN.py CL_FOLDER ABSENT.txt EXTENSION.def

Since 2023 CL/cl_icd.h has no types; they are in cl_function_types.h, and the table has
pointers to them.  The system's headers, rewritten from the old form into the new one,
give the same table.  Entries of a version after ours are absent from it, and those of
ours are there also where the headers are older."""
import difflib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

GEN, CL, FACTS = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
ENTRY = 'clGetKernelSuggestedLocalWorkSize'
END = '} cl_icd_dispatch;'
NEWEST = f'''
  /* OpenCL 3.1 */
#ifdef CL_VERSION_3_1
  {ENTRY}_t *{ENTRY};
#else
  void *{ENTRY};
#endif
'''
LATER = '  /* OpenCL 3.2 */\n  clLater_t *clLater;\n'
OLD = re.compile(r'typedef\s+([\w\s]+?[\s*]*)\(CL_API_CALL \*cl_api_(\w+)\)'
                 r'\((.*?)\)[^();]*;', re.S)


def made(folder):
    to = folder / 'table.c'
    subprocess.run([sys.executable, GEN, folder, *FACTS, to], check=True)
    return to.read_text(encoding='utf-8')


def main():
    header = (CL / 'cl_icd.h').read_text(encoding='utf-8')
    if 'cl_api_clGetPlatformIDs' not in header:
        print('the headers of the system have the new form already')
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in CL.glob('*.h'):
            shutil.copy(file, folder)
        before = made(folder)
        types = ''.join(f'typedef {r} CL_API_CALL\n{n}_t({p});\n'
                        for r, n, p in OLD.findall(header)
                        if not re.search('D3D1|DX9', n))  # of other headers
        types += 'typedef cl_int CL_API_CALL clLater_t(cl_uint n);\n'
        table = re.sub(r'cl_api_(\w+)\s+(\w+);', r'\1_t *\2;',
                       OLD.sub('', header))
        newest = table.replace(END, NEWEST + END)
        table = table.replace(END, LATER + END)
        (folder / 'cl_icd.h').write_text(table, encoding='utf-8')
        (folder / 'cl_function_types.h').write_text(types, encoding='utf-8')
        after = made(folder)
        (folder / 'cl_icd.h').write_text(newest, encoding='utf-8')
        whole = made(folder)
    absent = '    .header.clLater = (void *)(uintptr_t)dispatch_absent_code,\n'
    if after.count(absent) != 2 or after.replace(absent, '') != before:
        sys.stdout.writelines(difflib.unified_diff(
            before.splitlines(True), after.splitlines(True), n=0))
        return 1
    # The same entry, after the table of an older header or in a newer one.
    added = before.replace(f'    void *{ENTRY};\n', '') \
        .replace(f'    .{ENTRY} ', f'    .header.{ENTRY} ')
    if added == before or whole != added:
        sys.stdout.writelines(difflib.unified_diff(
            added.splitlines(True), whole.splitlines(True), n=0))
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
