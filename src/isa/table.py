# SPDX-License-Identifier: Apache-2.0
"""Reads an instruction table (ventus.isa explains the notation) and checks it.

Everything wrong is a TableError that begins with file:line.  Python's standard
library only; no output is made here (gen.py does that).
"""
import re

KINDS = ["x", "v", "a", "s", "u", "b", "j", "hi", "csr", "vtype", "iorw",
         "barrier", "rm", "vm", "aqrl", "ext", "exti", "opt"]
MEMBERS = ["d", "1", "2", "3", "imm", "aux", "vm", "rm", "aqrl", "ext",
           "pair", "abs", "neg", "hint", "spare"]
RELOCS = ["none", "I", "S", "B", "J", "U"]
DERIVED = {"prefix", "masked", "accum"}
WORD = 32


class TableError(Exception):
    pass


class Field:
    """An operand field: pieces of the word, high to low, and its attributes."""

    def __init__(self, name, kind, member, pieces, scale, attrs):
        self.name, self.kind, self.member = name, kind, member
        self.pieces, self.scale = pieces, scale
        self.out = "out" in attrs or "inout" in attrs
        self.read = "out" not in attrs
        self.inout, self.pair = "inout" in attrs, "pair" in attrs
        self.wide, self.reloc = "wide" in attrs, attrs.get("reloc", "none")
        self.bits = 0
        for hi, lo in pieces:
            self.bits |= (2 << hi) - (1 << lo)
        self.width = sum(hi - lo + 1 for hi, lo in pieces)

    @property
    def signed(self):
        return self.kind in ("s", "b", "j")

    def limits(self):
        """Smallest and largest value, and the step between values."""
        step = 1 << self.scale
        if self.signed:
            return (-(1 << (self.width - 1)) * step,
                    ((1 << (self.width - 1)) - 1) * step, step)
        return 0, ((1 << self.width) - 1) * step, step

    def insert(self, value):
        value >>= self.scale
        word = 0
        for hi, lo in reversed(self.pieces):
            n = hi - lo + 1
            word |= (value & ((1 << n) - 1)) << lo
            value >>= n
        return word


class Format:
    def __init__(self, name, fields, syntax, log, others):
        self.name, self.fields = name, fields
        self.syntax, self.log, self.others = syntax, log, others


class Row:
    def __init__(self, name, picture, fmt, versions, lat, meaning, flags, prose):
        self.name, self.format, self.versions = name, fmt, versions
        self.lat, self.meaning, self.flags = lat, meaning, flags
        self.prose, self.more, self.picture = prose, [], picture
        self.match = int(picture.replace(".", "0"), 2)
        self.mask = int(picture.replace("0", "1").replace(".", "0"), 2)
        self.ident = re.sub(r"\W", "_", name)


class Alias:
    """fixed: list of (Field, value or Field)."""

    def __init__(self, name, syntax, row, fixed, printed):
        self.name, self.syntax, self.row = name, syntax, row
        self.fixed, self.printed = fixed, printed


class Group:
    def __init__(self, title, std):
        self.title, self.std, self.prose, self.rows = title, std, [], []


class Relation:
    """to: {name of a row: name of the row that it is related to}"""

    def __init__(self, prose):
        self.prose, self.to = prose, {}


class Table:
    def __init__(self, path):
        self.path, self.line = path, 0
        self.flags, self.classes, self.csrs = {}, {}, []
        self.fields, self.formats = {}, {}
        self.rows, self.aliases, self.groups = {}, [], []
        self.units = []
        self.relations = {}  # {name: Relation}
        with open(path, encoding="utf-8") as f:
            self.read(f.read().split("\n"))

    def fail(self, message, line=None):
        raise TableError(f"{self.path}:{line or self.line}: {message}")

    def look(self, table, key, what):
        if key not in table:
            self.fail(f"unknown {what} '{key}'")
        return table[key]

    def number(self, text, what):
        try:
            return int(text, 0)
        except ValueError:
            self.fail(f"{what}: expected a number, found '{text}'")

    def keywords(self):
        """The first words of lines that are no rows, and their readers."""
        return {"flag": self.read_flag, "class": self.read_class,
                "csr": self.read_csr, "field": self.read_field,
                "format": self.read_format, "alias": self.read_alias,
                "relation": self.read_relation}

    def read_more(self, text, last):
        """An indented line: prose of the row or group above it."""
        if last is None:
            self.fail("prose without an instruction above it")
        target = self.rows[last].more if last in self.rows \
            else self.groups[-1].prose
        target.append(text.strip())

    def read(self, lines):
        keyword = self.keywords()
        last = None  # what an indented line belongs to
        for self.line, text in enumerate(lines, 1):
            if not text.strip() or text.lstrip().startswith("#"):
                last = None if not text.strip() and last in self.rows else last
            elif text.startswith("=="):
                last = self.read_group(text)
            elif text[0].isspace():
                self.read_more(text, last)
            else:
                word = text.split()[0]
                if word in keyword:
                    last = keyword[word](text)
                else:
                    last = self.read_row(text)

    def read_flag(self, text):
        words = text.split(None, 2)
        if len(words) != 3:
            self.fail("flag: expected NAME meaning")
        self.flags[words[1]] = words[2]

    def read_class(self, text):
        head, _, prose = text.partition(";")
        words = head.split()
        if len(words) != 5:
            self.fail("class: expected NAME UNIT CYCLES INTERVAL ; prose")
        _, name, unit, cycles, interval = words
        if name in self.classes:
            self.fail(f"class {name} is here twice")
        if unit not in self.units:
            self.units.append(unit)
        self.classes[name] = (unit, self.number(cycles, "cycles"),
                              self.number(interval, "interval"), prose.strip())

    def read_csr(self, text):
        head, _, prose = text.partition(";")
        words = head.split()
        if len(words) != 4 or words[3] not in ("ro", "rw"):
            self.fail("csr: expected NAME NUMBER ro|rw ; prose")
        self.csrs.append((words[1], self.number(words[2], "csr number"),
                          words[3] == "ro", prose.strip()))

    def split_field(self, text, kinds):
        """Name, kind, member and the other words of a line `field`."""
        words = text.split()
        if len(words) < 5:
            self.fail("field: expected NAME KIND MEMBER BITS...")
        _, name, kind, member = words[:4]
        if kind not in kinds:
            self.fail(f"unknown kind '{kind}'")
        if name in self.fields:
            self.fail(f"field {name} is here twice")
        return name, kind, member, words[4:]

    def check_pieces(self, name, pieces):
        """Checks that the pieces (hi, lo) are in the word and disjoint."""
        used = 0
        for hi, lo in pieces:
            bits = (2 << hi) - (1 << lo)
            if hi >= WORD or lo > hi or used & bits:
                self.fail(f"field {name}: piece {hi}:{lo} is not possible")
            used |= bits

    def read_field(self, text):
        name, kind, member, attributes = self.split_field(text, KINDS)
        if member not in MEMBERS:
            self.fail(f"unknown member '{member}'")
        pieces, scale, attrs = [], 0, {}
        for word in attributes:
            if re.fullmatch(r"\d+(:\d+)?", word):
                hi, _, lo = word.partition(":")
                pieces.append((int(hi), int(lo or hi)))
            elif word.startswith("<<"):
                scale = self.number(word[2:], "scale")
            elif word in ("out", "inout", "pair", "wide"):
                attrs[word] = True
            elif word.startswith("reloc=") and word[6:] in RELOCS:
                attrs["reloc"] = word[6:]
            else:
                self.fail(f"unknown attribute '{word}'")
        self.check_pieces(name, pieces)
        self.fields[name] = Field(name, kind, member, pieces, scale, attrs)

    def check_syntax(self, syntax, fields, fixed=()):
        names = [f.name for f in fields]
        used = [n.rstrip("#") for n in re.findall(r"{(\w+#?)}", syntax)]
        for name in used:
            if name not in names:
                self.fail(f"unknown operand '{name}' in \"{syntax}\"")
        for f in fields:
            if f.name not in used and f.name not in fixed \
                    and f.kind not in ("vm", "rm", "aqrl", "opt"):
                self.fail(f"operand '{f.name}' is missing in \"{syntax}\"")

    def check_format(self, name, fields):
        """fields: (name, bits of one word)"""
        if name in self.formats:
            self.fail(f"format {name} is here twice")
        used = 0
        for field, bits in fields:
            if used & bits:
                self.fail(f"format {name}: {field} overlaps another field")
            used |= bits

    def read_format(self, text):
        words = re.findall(r'"[^"]*"|\S+', text)
        _, name, rest = words[0], words[1], words[2:]
        fields, syntax, log, others, mode = [], None, None, [], None
        for word in rest:
            if word in ("log", "or") and syntax is not None:
                mode = word
            elif word.startswith('"'):
                word = word.strip('"')
                if syntax is None:
                    syntax = word
                elif mode == "log":
                    log = word
                else:
                    others.append(word)
            else:
                fields.append(self.look(self.fields, word, "field"))
        if syntax is None:
            self.fail(f"format {name}: no syntax")
        self.check_format(name, [(f.name, f.bits) for f in fields])
        for s in [syntax] + ([log] if log else []):
            self.check_syntax(s, fields)
        for s in others:
            self.check_syntax(s, fields, [f.name for f in fields])
        self.formats[name] = Format(name, fields, syntax, log, others)

    def read_group(self, text):
        m = re.fullmatch(r"== (\S.*?)(?:\s+\[(\S+)\])?\s*", text)
        if not m:
            self.fail("group: expected '== title [extension]'")
        self.groups.append(Group(m[1], m[2]))
        return m[1]

    def look_row(self, fmt, lat, flags):
        """The format and the set of flags that a row names."""
        flags = set() if flags == "-" else set(flags.split(","))
        self.look(self.classes, lat, "class")
        for flag in flags:
            self.look(self.flags, flag, "flag")
        return self.look(self.formats, fmt, "format"), flags

    def add_row(self, row):
        if not self.groups:
            self.fail("an instruction before the first '== group'")
        if row.name in self.rows:
            self.fail(f"{row.name} is here twice")
        row.line = self.line
        self.rows[row.name] = row
        self.groups[-1].rows.append(row)
        return row.name

    def read_row(self, text):
        head, semi, prose = text.partition(";")
        m = re.fullmatch(r"(\S+)\s+([01. ]+?)\s+@(\S+)\s+([12]+)\s+(\S+)\s+"
                         r"(\S+)\s+(\S+)\s*", head)
        if not m or not semi:
            self.fail("expected NAME BITS @FORMAT VERSIONS CLASS MEANING "
                      f"FLAGS ; prose, found '{text.split()[0]}'")
        name, picture = m[1], m[2].replace(" ", "")
        if len(picture) != WORD:
            self.fail(f"{name}: {len(picture)} bits, expected {WORD}")
        fmt, flags = self.look_row(m[3], m[5], m[7])
        for flag in flags & DERIVED:
            self.fail(f"flag '{flag}' is found by the generator")
        row = Row(name, picture, fmt, [int(v) for v in m[4]], m[5], m[6],
                  flags, prose.strip())
        self.add_row(row)
        self.check_fields(row)
        self.check_overlap(row)
        self.derive_flags(row)
        return name

    def check_fields(self, row):
        claimed = 0
        for f in row.format.fields:
            if f.bits & row.mask:
                self.fail(f"{row.name}: operand {f.name} lies over fixed bits")
            claimed |= f.bits
        free = ~(claimed | row.mask) & 0xffffffff
        if free:
            self.fail(f"{row.name}: no field for bits "
                      + " ".join(str(i) for i in range(31, -1, -1)
                                 if free >> i & 1))

    def check_overlap(self, row):
        for other in self.rows.values():
            both = row.mask & other.mask
            if other is not row and (row.match ^ other.match) & both == 0 \
                    and set(row.versions) & set(other.versions):
                self.fail(f"{row.name} overlaps {other.name} "
                          f"(line {other.line})")

    def derive_flags(self, row):
        if self.classes[row.lat][0] == "prefix":
            row.flags.add("prefix")
        if any(f.kind == "vm" for f in row.format.fields):
            row.flags.add("masked")
        if any(f.inout for f in row.format.fields):
            row.flags.add("accum")

    def read_alias(self, text):
        m = re.fullmatch(r'alias\s+(\S+)\s+"([^"]*)"\s+=\s+(\S+)(.*)', text)
        if not m:
            self.fail('alias: expected NAME "syntax" = ROW FIELD=VALUE...')
        row = self.look(self.rows, m[3], "instruction")
        own = {f.name: f for f in row.format.fields}
        fixed, printed = [], False
        for word in m[4].split():
            if word == "print":
                printed = True
                continue
            name, eq, value = word.partition("=")
            if not eq:
                self.fail(f"expected FIELD=VALUE, found '{word}'")
            field = self.look(own, name, "operand")
            fixed.append((field, own[value] if value in own
                          else self.number(value, name)))
        self.check_syntax(m[2], row.format.fields, [f.name for f, _ in fixed])
        self.aliases.append(Alias(m[1], m[2], row, fixed, printed))

    def same_meaning(self, first, second):
        """Rows of one format, each with the first of the other format that has the
        same meaning."""
        for row in self.rows.values():
            if row.format is not first:
                continue
            for other in self.rows.values():
                if other.format is second and other.meaning == row.meaning:
                    yield row.name, other.name
                    break

    def relation_pairs(self, word):
        """What FROM>TO, FROM<>TO or @FORMAT>@FORMAT relates: (row, row)..."""
        m = re.fullmatch(r"(@?)([^<>]+)(<?)>\1([^<>]+)", word)
        if not m:
            self.fail(f"relation: expected FROM>TO, found '{word}'")
        if m[1]:
            return list(self.same_meaning(self.look(self.formats, m[2], "format"),
                                          self.look(self.formats, m[4], "format")))
        names = [self.look(self.rows, n, "instruction").name for n in (m[2], m[4])]
        return [tuple(names)] + [tuple(names[::-1])] * bool(m[3])

    def read_relation(self, text):
        head, _, prose = text.partition(";")
        words = head.split()
        if len(words) < 3 or (words[1] in self.relations) == bool(prose):
            self.fail("relation: expected NAME FROM>TO... and once ; prose")
        relation = self.relations.setdefault(words[1], Relation(prose.strip()))
        for word in words[2:]:
            for a, b in self.relation_pairs(word):
                if relation.to.setdefault(a, b) != b:
                    self.fail(f"relation {words[1]}: {a} has {relation.to[a]} already")
