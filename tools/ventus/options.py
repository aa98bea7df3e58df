#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: options.py c DEF KINDS OUT.h OUT.c    the tables of getopt, and --help
       options.py man DEF KINDS FOLDER       writes the lists of options in FOLDER/*.1
       options.py check DEF KINDS FOLDER     whether they are written

DEF is options.def, whose head describes it; KINDS is src/sanitize/kinds.def.  A manual
page has the lists between `.\\" options GROUP...`, without a group all, or
`.\\" synopsis`, and `.\\" end of options`.
"""
import re
import sys
import textwrap
from pathlib import Path

WIDTH = 79        # of --help
COLUMN = 22       # of its texts, at most
END = '.\\" end of options\n'


class Option:
    def __init__(self, group, commands, spelling, help_lines, manual):
        self.group, self.commands, self.spelling = group, commands, spelling
        self.help, self.manual = help_lines, manual
        self.forms = spelling.split(', ')

    def letter(self):
        """The letter that getopt returns; None: the option has a number."""
        for form in self.forms:
            if re.match(r'-\w( |$)', form):
                return form[1]
        return None


class Table:
    def __init__(self, text, kinds):
        self.options, self.headings, self.properties = [], {}, {}
        self.kinds = kinds
        group = None
        lines = [line for line in text.split('\n') if not line.startswith('#')]
        i = 0
        while i < len(lines):
            line, i = lines[i], i + 1
            if line.startswith('% '):
                name, *commands = line[2:].split()
                self.properties[name] = commands
            elif line.startswith('= '):
                group, _, self.headings[group] = line[2:].partition(' ')
            elif line.startswith('@ '):
                commands, _, spelling = line[2:].partition(': ')
                end = i
                while end < len(lines) and not re.match('[@=%] ', lines[end]):
                    end += 1
                body = [entry for entry in lines[i:end] if entry]
                dash = body.index('-')
                self.options.append(Option(group, commands.split(), spelling,
                                           body[:dash], body[dash + 1:]))
                i = end
            elif line:
                sys.exit(f'options.def: unexpected line: {line}')

    def commands(self):
        return sorted({c for o in self.options for c in o.commands})

    def of(self, command):
        return [o for o in self.options if command in o.commands]

    def has(self, prop, command):
        return command in self.properties.get(prop, [])


def kinds_of(text):
    """Names of kinds: all, and those of kernels."""
    rows = re.findall(r'^(\w+)_KIND\(\w+, "(\w+)"', text, re.M)
    return ([name for _, name in rows],
            [name for whose, name in rows if whose == 'SANITIZE'])


def expand(table, text, before=''):
    every, kernels = table.kinds
    return text.replace('[CHECKS]', before + f'{" , " if before else ", "}'.join(every)
                        ).replace('[KERNEL-CHECKS]', before +
                                  f'{" , " if before else ", "}'.join(kernels))


# ------------------------------------------------------------------ C

def constant(name):
    return 'OPT_' + name.upper().replace('-', '_')


def getopt_forms(option, one_dash):
    """What getopt needs: letters, and (name, has argument, value)."""
    letters, names = '', []
    # `-o, --output FILE`: the argument stands after the last spelling, and is of all.
    takes = any(re.match(r'-[\w-]+[ =]', form) for form in option.forms)
    for form in option.forms:
        double = re.match(r'--([a-z][a-z-]*)(\[?)(=?)( ?)', form)
        if double:
            kind = ('optional_argument' if double[2] else
                    'required_argument' if double[3] or double[4] else 'no_argument')
            names.append((double[1], kind))
        elif re.match(r'-\w$', form):
            letters += form[1] + (':' if takes else '')
        elif re.match(r'-\w ', form):
            letters += form[1] + ':'
        elif one_dash:  # -march=VERSION, -nostartfiles
            name = re.match(r'-([a-z]+)', form)[1]
            names.append((name, 'required_argument' if '=' in form else 'no_argument'))
        elif form.startswith('-'):  # a letter, and the rest is its argument
            letters += form[1] + ':'
    return letters, names


def help_text(table, command):
    options = table.of(command)
    width = min(max(len(o.spelling) for o in options) + 4, COLUMN)
    out, group = '', None
    for o in options:
        if group and o.group != group:
            out += '\n'
        if o.group != group and table.headings[o.group]:
            out += table.headings[o.group] + '\n'
        group = o.group
        text = expand(table, ' '.join(h for h in o.help if h[0] != ' '))
        head = f'  {o.spelling}'
        head += ' ' * max(width - len(head), 2)
        out += textwrap.fill(text, WIDTH, initial_indent=head,
                             subsequent_indent=' ' * width, break_long_words=False,
                             break_on_hyphens=False) + '\n'
        for line in o.help:
            if line[0] == ' ':
                out += ' ' * width + line.rstrip() + '\n'
    return out


def c_string(text):
    return '\n'.join('    "' + line.replace('\\', '\\\\').replace('"', '\\"') + '\\n"'
                     for line in text.rstrip('\n').split('\n'))


def write_c(table, header, source):
    numbers, body = set(), ''
    for command in table.commands():
        one_dash, letters, rows = table.has('one-dash', command), '', ''
        for o in table.of(command):
            more, names = getopt_forms(o, one_dash)
            letters += more
            for name, kind in names:
                value = o.letter()
                if not value:
                    numbers.add(constant(name))
                rows += (f'    {{ "{name}", {kind}, NULL, ' +
                         (f"'{value}'" if value else constant(name)) + ' },\n')
        rows += "    { \"help\", no_argument, NULL, 'h' },\n    { 0 },\n"
        stop = '+' if table.has('stop', command) else ''
        letters = stop + ''.join(dict.fromkeys(re.findall(r'\w:?', letters + 'h')))
        body += (f'\nstatic const struct option {command}_names[] = {{\n{rows}}};\n\n'
                 f'const struct command_options options_{command} = {{\n'
                 f'    "{letters}", {command}_names, {str(one_dash).lower()},\n'
                 f'{c_string(help_text(table, command))}\n}};\n')
    head = '/* Made by options.py from options.def. */\n'
    header.write_text(
        head + '#pragma once\n\n#include "command.h"\n\nenum option_number {\n'
        '    OPT_BEFORE = 255,\n' + ''.join(f'    {n},\n' for n in sorted(numbers)) +
        '};\n\n' + ''.join(f'extern const struct command_options options_{c};\n'
                           for c in table.commands()), encoding='utf-8')
    source.write_text(head + '#include "option_list.h"\n\n#include <getopt.h>\n'
                      '#include <stddef.h>\n' + body, encoding='utf-8')


# --------------------------------------------------------------- mdoc

def mdoc_argument(text):
    """N[:TYPE] as `Ar n Ns Op : Ns Ar type`."""
    out, macro, joined = [], None, False
    for token in re.findall(r"[A-Z][A-Z-]*(?:\.html)?|[a-z0-9_]+|.", text):
        if token == ']':
            continue
        if token == '|':
            out.append('|')
            joined = False
            continue
        if joined:
            out.append('Ns')
        kind = ('Ar' if token[0].isupper() else 'Cm' if token[0].isalnum() else
                'Op' if token == '[' else None)
        if kind == 'Op':
            out.append('Op')
            macro, joined = None, False
            continue
        if kind and (kind != macro or joined):
            out.append(kind)
        macro = kind
        out.append(token.lower() if kind == 'Ar' else token)
        joined = True
    return ' '.join(out)


def mdoc_option(option):
    out = []
    for form in option.forms:
        m = re.match(r'-(-[a-z][a-z-]*|[A-Za-z](?:[a-z0-9-]*[a-z0-9])?-?)(.*)$', form)
        if not m:
            out.append(form)
            continue
        name, rest = m[1], m[2]
        if rest.startswith(' '):
            out.append(f'Fl {name} {mdoc_argument(rest[1:])}')
        elif rest:
            out.append(f'Fl {name} Ns {mdoc_argument(rest)}')
        else:
            out.append(f'Fl {name}')
    # Op ends with the line, Oo with Oc.
    return ' , '.join([re.sub(r'Op (.*)', r'Oo \1 Oc', form) for form in out[:-1]] +
                      out[-1:])


def mdoc_list(table, command, groups):
    return ''.join(
        f'.It {mdoc_option(o)}\n' +
        ''.join(expand(table, line, '.Cm ') + '\n' for line in o.manual)
        for o in table.of(command) if not groups or o.group in groups)


def mdoc_page(table, command, text):
    """The page with its lists, and the groups that it lacks."""
    shown = set()

    def fill(m):
        if m[1].startswith('synopsis'):
            return m[0][:m.end(1) + 1 - m.start()] + ''.join(
                f'.Op {mdoc_option(o)}\n' for o in table.of(command)) + END
        groups = m[1].split()[1:]
        shown.update(groups or {o.group for o in table.of(command)})
        return (m[0][:m.end(1) + 1 - m.start()] + mdoc_list(table, command, groups) +
                END)

    text = re.sub(r'^\.\\" ((?:options|synopsis).*)\n(?s:.*?)' + re.escape(END), fill,
                  text, flags=re.M)
    return text, {o.group for o in table.of(command)} - shown


def pages(table, folder, writes):
    wrong = 0
    for command in table.commands():
        path = folder / f'ventus-{command}.1'
        old = path.read_text(encoding='utf-8')
        text, lacks = mdoc_page(table, command, old)
        if lacks:
            print(f'{path.name}: no list of options {", ".join(sorted(lacks))}')
        if text != old and writes:
            path.write_text(text, encoding='utf-8')
        elif text != old:
            print(f'{path.name}: not what options.def says: options.py man writes it')
        wrong += bool(lacks) or (text != old and not writes)
    print(f'{len(table.options)} options, {len(table.commands())} pages, {wrong} errors')
    return wrong > 0


def main():
    verb, definition, kinds, *to = sys.argv[1:]
    table = Table(Path(definition).read_text(encoding='utf-8'),
                  kinds_of(Path(kinds).read_text(encoding='utf-8')))
    if verb == 'c':
        write_c(table, Path(to[0]), Path(to[1]))
        return 0
    return pages(table, Path(to[0]), verb == 'man')


if __name__ == '__main__':
    sys.exit(main())
