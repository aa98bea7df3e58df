#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the dispatch tables and the log of calls from the loader's header.

usage: gen.py CL_FOLDER absent.txt extension.def OUTPUT.c HEADER.h...

CL/cl_icd.h has the order of the table and, until 2023, the type of every entry; later
headers have the types in cl_function_types.h and beside the functions of extensions.
CL/cl.h has the names of constants, grouped by comments that name their type.  HEADER.h
declare the functions of extension.def, and have names of constants, too.  From these:
the table itself, the entries of absent.txt, those of extensions, and the log of calls.
"""
import re
import sys
from pathlib import Path

TYPEDEF = re.compile(
    r'typedef\s+([\w\s]+?[\s*]*)\(\s*CL_API_CALL\s*\*\s*cl_api_(\w+)\)\s*'
    r'\((.*?)\)\s*(?:CL_API_SUFFIX\w+)?\s*;', re.S)
FUNCTION = re.compile(  # cl_int CL_API_CALL clFlush_t(cl_command_queue)
    r'typedef\s+([\w\s*]+?)\s*CL_API_CALL\s*(cl\w+)_t\s*\((.*?)\)\s*;', re.S)
DECLARED = re.compile(  # CL_API_ENTRY cl_int CL_API_CALL usm_free(...)
    r'(?:CL_API_ENTRY\s+)?(\w+(?:\s*\*)?)\s*CL_API_CALL\s+(\w+)\((.*?)\)\s*;', re.S)
LATER = re.compile(r'/\* OpenCL 3\.[2-9]')  # than what we have
# The entries of OpenCL 3.1, in the order of the table; headers before 2026 end with 3.0.
NEWEST = {'clGetKernelSuggestedLocalWorkSize':
          ('cl_int', 'cl_command_queue command_queue, cl_kernel kernel, '
           'cl_uint work_dim, const size_t *global_work_offset, '
           'const size_t *global_work_size, size_t *suggested_local_work_size')}
MORE = ['cl_function_types.h', 'cl_ext.h', 'cl_gl.h', 'cl_egl.h']
CHECKS = {
    'cl_context': ('OBJECT_CONTEXT', 'CL_INVALID_CONTEXT'),
    'cl_command_queue': ('OBJECT_QUEUE', 'CL_INVALID_COMMAND_QUEUE'),
    'cl_kernel': ('OBJECT_KERNEL', 'CL_INVALID_KERNEL'),
    'cl_device_id': ('OBJECT_DEVICE', 'CL_INVALID_DEVICE'),
    'cl_mem': ('OBJECT_MEM', 'CL_INVALID_MEM_OBJECT'),
}
LISTS = {'global_work_offset': 'work_dim', 'global_work_size': 'work_dim',
         'local_work_size': 'work_dim', 'buffer_origin': '3',
         'host_origin': '3', 'src_origin': '3', 'dst_origin': '3',
         'region': '3', 'origin': '3'}
NUMBERS = {'cl_uint', 'size_t', 'cl_ulong', 'cl_GLuint', 'cl_bool',
           'unsigned int', 'cl_GLenum', 'cl_gl_texture_info',
           'cl_gl_context_info', 'cl_mem_info_intel', 'cl_mem_advice_intel',
           'cl_external_semaphore_handle_type_khr'}
SIGNED = {'cl_int', 'cl_GLint', 'int'}


class Param:
    """`type name`, or a type with the name in a comment or without one."""

    def __init__(self, text, index):
        text = ' '.join(text.split())
        self.function = '(' in text
        comment = re.findall(r'/\* ?(\w+)', text)
        bare = ' '.join(re.sub(r'/\*.*?\*/', '', text).split())
        match = re.fullmatch(r'(.*?[\s*])(\w+)(\[\d*\])?', bare)
        if self.function:
            found = re.search(r'CL_CALLBACK ?\* ?(\w+)', bare)
            self.name = (found and found[1]) or \
                (comment[0] if comment else f'arg{index}')
            self.decl = re.sub(r'CL_CALLBACK ?\* ?\w*',
                               'CL_CALLBACK *' + self.name, bare, count=1)
            self.type = 'function'
        elif comment or not match or match[2] in ('int', 'cl_event'):
            self.name = comment[-1] if comment else f'arg{index}'
            self.type = bare.strip()
            self.decl = f'{self.type} {self.name}'
        else:
            self.name, self.type = match[2], match[1].strip()
            if match[3]:
                self.type += ' *'
            self.decl = f'{self.type} {self.name}'
        self.type = re.sub(r'\s*\*', ' *', self.type).strip()


def split_params(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == '(') - (c == ')')
        if c == ',' and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    parts = [p for p in parts if p.strip() not in ('', 'void')]
    return [Param(p, i) for i, p in enumerate(parts)]


def read_plain(path):
    plain = re.sub(r'//.*', '', path.read_text(encoding='utf-8'))
    return re.sub(r'#if defined\(_WIN32\)((?!#endif).)*?#else', '', plain,
                  flags=re.S)


def read_entries(cl):
    """{name: (result, params)} and the names in the order of the table."""
    plain = read_plain(cl / 'cl_icd.h')
    later = [read_plain(cl / more) for more in MORE if (cl / more).exists()]
    found = FUNCTION.findall('\n'.join(later)) + TYPEDEF.findall(plain)
    types = {name: (' '.join(result.split()), split_params(params))
             for result, name, params in found}
    types |= {name: (result, split_params(params))
              for name, (result, params) in NEWEST.items()}
    body = re.split(r'}\s*cl_icd_dispatch;', plain.split(
        'struct _cl_icd_dispatch {', 1)[1], maxsplit=1)[0]
    order = re.findall(r'(?:cl_api_(\w+)\s+|(\w+)_t\s*\*\s*)(\w+);', body)
    assert order and all(c in (a, b) for a, b, c in order)
    order = [c for _, _, c in order]
    assert all(c in types or re.search('D3D1|DX9', c) for c in order)
    for name in re.findall(r'\w+(?=;)', ''.join(LATER.split(body)[1:])):
        types.pop(name, None)  # the table says that it is absent
    return types, order


def read_extensions(path, headers, types):
    """[(entry, function, its type or None)] of extension.def."""
    declared = {name: (' '.join(result.split()), split_params(params))
                for header in headers
                for result, name, params in DECLARED.findall(read_plain(header))}
    return [(entry, function, declared.get(function) or types.get(function))
            for entry, function in re.findall(r'^ENTRY\((\w+), (\w+)\)',
                                              path.read_text(encoding='utf-8'), re.M)]


def read_absent(path, extensions):
    """{entry: (code, reason)}; a reason names no extension that there is."""
    there = set(re.findall(r'^EXTENSION\((\w+)', extensions.read_text(encoding='utf-8'),
                           re.M))
    rows = {}
    for line in path.read_text(encoding='utf-8').splitlines():
        if line and not line.startswith('#'):
            name, code, reason = line.split(None, 2)
            rows[name] = (code, reason)
            for word in there.intersection(reason.split()):
                sys.exit(f'{path}: {name}: {extensions.name} has {word}')
    return rows


def read_names(header):
    """{type: [names]} of the constants in a header, and the types of bits.

    A heading begins a group; a remark about reserved values is inside of one.
    """
    names, bits, current = {}, set(), None
    for line in header.splitlines():
        comment = re.match(r'/\* (cl_\w+)(?: and (cl_\w+))?( - bitfield)?',
                           line)
        define = re.match(r'#define (CL_\w+)\s+(\(?[-\w]+)', line)
        if comment:
            current = [t for t in comment.groups()[:2] if t]
            if comment[3]:
                bits.update(current)
        elif line.startswith('/*') and 'reserved' not in line.lower():
            current = [] if 'error codes' not in line.lower() else ['code']
        elif define and current:
            for name in current:
                names.setdefault(name, []).append(define[1])
    return names, bits


def params_text(params):
    return ', '.join(p.decl for p in params) or 'void'


def head(result, name, params):
    return f'CL_API_ENTRY {result} CL_API_CALL\n{name}({params_text(params)})'


def write_absent(out, types, rows):
    for name, (code, reason) in rows.items():
        result, params = types[name]
        last = params[-1].name if params else ''
        used = params[:1] if params[0].type in CHECKS else []
        out.append(head(result, name, params) + '\n{')
        for p in params[len(used):]:
            if p.name != 'errcode_ret':
                out.append(f'    (void){p.name};')
        object_type, bad = CHECKS.get(params[0].type, (None, None))
        refuse = f'cl_answer({code}, "{reason}")'
        if code == '-':
            out.append(f'    (void){params[0].name};')
            if result != 'void':
                out.append('    return NULL;')
        elif object_type:
            out.append(f'    cl_int code = object_is({params[0].name}, '
                       f'{object_type}) ? {refuse}\n        : cl_refuse_plain({bad});')
        else:
            out.append(f'    cl_int code = {refuse};')
        if code != '-' and last == 'errcode_ret':
            out.append('    if (errcode_ret)\n        *errcode_ret = code;\n'
                       '    return NULL;')
        elif code != '-':
            out.append('    return code;')
        out.append('}\n')


def name_row(cast, name):
    """A row of a name, if the header defines it: later versions have more."""
    return f'#ifdef {name}\n    {{ {cast}{name}, "{name}" }},\n#endif\n'


def write_names(out, names, used):
    for kind in sorted(used):
        rows = ''.join(name_row('(uint64_t)', n)
                       for n in dict.fromkeys(names[kind]))
        out.append(f'static const struct log_name names_{kind}[] = {{\n'
                   f'{rows}    {{ 0, NULL }}\n}};\n')


def log_param(p, names, bits):
    arg = f'&call, "{p.name}", '
    if p.type in names:
        how = 'log_bits' if p.type in bits else 'log_named'
        return f'{how}({arg}(uint64_t){p.name}, names_{p.type});'
    if p.type in NUMBERS:
        return f'log_number({arg}(uint64_t){p.name});'
    if p.type in SIGNED:
        return f'log_signed({arg}{p.name});'
    if p.type == 'const char *':
        return f'log_string({arg}{p.name});'
    if p.type == 'const size_t *' and p.name in LISTS:
        return f'log_sizes({arg}{p.name}, {LISTS[p.name]});'
    if p.type == 'cl_event *':
        return f'log_event({arg}{p.name});'
    if p.function:
        return f'log_flag({arg}{p.name} != NULL);'
    return f'log_pointer({arg}(const void *){p.name});'


def write_log(out, entries, names, bits):
    for name, function, (result, params) in entries:
        errcode = bool(params) and params[-1].name == 'errcode_ret'
        call = f'{function}({", ".join(p.name for p in params)})'
        out.append('static ' + head(result, 'log_' + name, params) + '\n{')
        out.append('    struct log_call call;')
        if errcode:
            out.append('    cl_int code_;\n    if (!errcode_ret)\n'
                       '        errcode_ret = &code_;')
        out.append(f'    log_begin(&call, "{name}");')
        out.append(f'    {call};' if result == 'void' else
                   f'    {result} result_ = {call};')
        shown = params[:-1] if errcode else params
        out += [f'    {log_param(p, names, bits)}' for p in shown]
        if result == 'cl_int':
            out.append('    log_end_code(&call, result_);')
        elif errcode:
            out.append('    log_end_handle(&call, result_, *errcode_ret);')
        elif result == 'void':
            out.append('    log_end_void(&call);')
        else:
            out.append('    log_end_pointer(&call, result_);')
        if result != 'void':
            out.append('    return result_;')
        out.append('}\n')


def write_table(out, types, order, prefix, table):
    """The header's table, and after it the entries that it lacks, as a newer one has
    them.  D3D and DX9 have no types here: their entries are void pointers, and so may be
    those of the newest version."""
    more = [name for name in NEWEST if name not in order]
    pointers = ''.join(f'    void *{name};\n' for name in more)
    out.append(f'static const struct {{\n    cl_icd_dispatch header;\n{pointers}}} '
               f'all_{table} = {{')
    for name in order + more:
        value = prefix + name
        if name not in types:
            returns = 'handle' if name.startswith('clCreate') else 'code'
            value = f'(void *)(uintptr_t)dispatch_absent_{returns}'
        elif name in NEWEST:
            value = f'(void *)(uintptr_t){value}'
        out.append(f'    .{"" if name in more else "header."}{name} = {value},')
    out.append('};\n')
    out.append(f'const cl_icd_dispatch *const {table} = &all_{table}.header;\n')


def write_extensions(out, extensions):
    out.append('const struct dispatch_extension dispatch_extensions[] = {')
    for entry, function, typed in extensions:
        logged = 'log_' + entry if typed else function
        out.append(f'    {{ "{entry}", (dispatch_entry *){function},\n'
                   f'      (dispatch_entry *){logged} }},')
    out.append('    { NULL, NULL, NULL },\n};\n')


INCLUDES = '''/* Made by src/cl/gen.py; do not edit. */
#include "cl/api.h"

#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

#include "cl/dispatch.h"
#include "cl/kernel/kernel.h"
#include "cl/log.h"
#include "cl/object.h"

#pragma GCC diagnostic ignored "-Wpedantic"
'''


def main():
    cl, absent, definition, output, *headers = map(Path, sys.argv[1:])
    types, order = read_entries(cl)
    names, bits = read_names('\n'.join(
        path.read_text(encoding='utf-8')
        for path in [cl / 'cl.h', cl / 'cl_ext.h', *headers]))
    extensions = read_extensions(definition, headers, types)
    named = [*order, *(name for name in NEWEST if name not in order)]
    entries = [(name, name, types[name]) for name in named if name in types]
    entries += [row for row in extensions if row[2] and row[0] not in named]
    used = {p.type for _, _, (_, params) in entries for p in params
            if p.type in names}
    out = [INCLUDES + ''.join(f'#include "cl/{h}"\n' for h in headers)]
    write_absent(out, types, read_absent(absent, definition))
    write_names(out, names, used)
    codes = ''.join(name_row('(uint64_t)(int64_t)', n) for n in names['code'])
    out.append(f'const struct log_name log_codes[] = {{\n{codes}'
               '    { 0, NULL }\n};\n')
    write_log(out, entries, names, bits)
    write_table(out, types, order, '', 'dispatch_direct')
    write_table(out, types, order, 'log_', 'dispatch_logged')
    write_extensions(out, extensions)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text('\n'.join(out), encoding='utf-8')


if __name__ == '__main__':
    main()
