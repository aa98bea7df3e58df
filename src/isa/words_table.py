# SPDX-License-Identifier: Apache-2.0
"""Reads the tables whose instructions are one to four words or 16 bits long
(tile.isa explains the notation); on top of table.py, which reads ventus.isa.

What is more here: a row may have several words, named by their role, highest
first in memory; a field may have pieces in several words and copies that must
agree; values can be listed, and everything outside the list is refused.
"""
import re

from table import Group, Table

KINDS = ["x", "f", "v", "t", "s", "u", "hex", "hi", "b", "j", "csr", "vtype",
         "iorw", "rm", "vm", "aqrl", "list", "flag", "log2", "opt", "minus"]
QUIET = ("vm", "rm", "aqrl", "flag", "log2", "opt", "minus")


class List:
    """Names of values; `ours`: defined by this project, not the document."""

    def __init__(self, name, ours, prose):
        self.name, self.ours, self.prose = name, ours, prose
        self.names = []  # (value, name, prose), may name a value twice

    def values(self):
        return {v for v, _, _ in self.names}


class Field:
    """pieces and copies: (role, hi, lo), the pieces from high to low."""

    def __init__(self, name, kind, member):
        self.name, self.kind, self.member = name, kind, member
        self.pieces, self.copies, self.scale, self.add = [], [], 0, 0
        self.excluded, self.list, self.run, self.label = [], None, None, ""

    @property
    def width(self):
        return sum(hi - lo + 1 for _, hi, lo in self.pieces)

    @property
    def signed(self):
        return self.kind in ("s", "b", "j")

    def bits(self, role):
        found = 0
        for r, hi, lo in self.pieces + self.copies:
            if r == role:
                found |= (2 << hi) - (1 << lo)
        return found

    def restricted(self):
        return self.list is not None or bool(self.excluded)

    def allows(self, raw):
        if raw in self.excluded:
            return False
        return self.list is None or raw in self.list.values()

    def insert(self, raw, role):
        """The bits of word `role` when the field's bits are `raw`."""
        word, rest = 0, raw
        for r, hi, lo in reversed(self.pieces):
            n = hi - lo + 1
            if r == role:
                word |= (rest & ((1 << n) - 1)) << lo
            rest >>= n
        for r, hi, lo in self.copies:
            if r == role:
                word |= (raw & ((2 << (hi - lo)) - 1)) << lo
        return word


class Format:
    def __init__(self, name, fields, syntax):
        self.name, self.fields, self.syntax = name, fields, syntax


class Row:
    def __init__(self, name, mnemonic, fmt, lat, meaning, flags, prose):
        self.name, self.mnemonic, self.format = name, mnemonic, fmt
        self.lat, self.meaning, self.flags, self.prose = \
            lat, meaning, flags, prose
        self.more, self.roles, self.pictures = [], [], []
        self.versions = [1]
        self.ident = re.sub(r"\W", "_", name).upper()

    def word(self, i):
        """(match, mask) of the word at index i in memory."""
        p = self.pictures[i]
        return (int(p.replace(".", "0"), 2),
                int(p.replace("0", "1").replace(".", "0"), 2))

    @property
    def match(self):
        return self.word(0)[0]

    @property
    def mask(self):
        return self.word(0)[1]

    @property
    def bytes(self):
        return len("".join(self.pictures)) // 8


class WordsTable(Table):
    def __init__(self, path, constants=()):
        self.lists, self.constants = {}, dict(constants)
        self.own_constants = {}  # those that the table itself names
        self.name = None  # of the instruction set: prefix of what is made
        super().__init__(path)
        self.close()

    def keywords(self):
        return dict(super().keywords(), list=self.read_list,
                    isa=self.read_isa, constant=self.read_constant)

    def read_isa(self, text):
        self.name = text.split()[1]

    def read_constant(self, text):
        words = text.partition(";")[0].split()
        if len(words) != 3 or not re.fullmatch("[01]+", words[2]):
            self.fail("constant: expected NAME BITS ; prose")
        self.own_constants[words[1]] = self.constants.setdefault(words[1],
                                                                 words[2])

    def read_list(self, text):
        m = re.fullmatch(r"list (\w+)( ours)?\s*;(.*)", text)
        if not m:
            self.fail("list: expected NAME [ours] ; prose")
        if m[1] in self.lists:
            self.fail(f"list {m[1]} is here twice")
        self.lists[m[1]] = List(m[1], bool(m[2]), m[3].strip())
        return self.lists[m[1]]

    def read_more(self, text, last):
        if isinstance(last, List):
            self.read_names(text, last)
        elif last in self.rows and re.match(r"\s+\d\|", text):
            role, _, picture = text.strip().partition("|")
            self.read_word(self.rows[last], int(role), picture)
        else:
            super().read_more(text, last)

    def read_names(self, text, names):
        """One `VALUE NAME ; prose`, or many `VALUE NAME`."""
        head, semi, prose = text.partition(";")
        words = head.split()
        if len(words) % 2 or (semi and len(words) != 2):
            self.fail(f"list {names.name}: expected VALUE NAME ...")
        for value, name in zip(words[::2], words[1::2]):
            names.names.append((self.number(value, "value"),
                                "" if name == '""' else name, prose.strip()))

    def read_field(self, text):
        name, kind, member, attributes = self.split_field(text, KINDS)
        f = Field(name, kind, member)
        for word in attributes:
            self.read_attribute(f, word)
        for role in range(4):
            self.check_pieces(name, [(hi, lo) for r, hi, lo in
                                     f.pieces + f.copies if r == role])
        if kind == "list" and not f.list:
            self.fail(f"field {name}: which list?")
        self.fields[name] = f

    def read_attribute(self, f, word):
        m = re.fullmatch(r"(=?)(?:(\d)\.)?(\d+)(?::(\d+))?", word)
        key, _, value = word.partition("=")
        if m:
            piece = int(m[2] or 0), int(m[3]), int(m[4] or m[3])
            (f.copies if m[1] else f.pieces).append(piece)
        elif word.startswith("<<"):
            f.scale = self.number(word[2:], "scale")
        elif word.startswith("+"):
            f.add = self.number(word[1:], "sum")
        elif key == "not":
            f.excluded = [int(v) for v in value.split(",")]
        elif key == "list":
            f.list = self.look(self.lists, value, "list")
        elif key == "run":
            f.run = self.look(self.fields, value, "field")
        elif key == "label":
            f.label = value
        else:
            self.fail(f"unknown attribute '{word}'")

    def read_format(self, text):
        m = re.fullmatch(r'format\s+(\S+)\s+([^"]*)"([^"]*)"', text)
        if not m:
            self.fail('format: expected NAME FIELDS... "syntax"')
        fields = [self.look(self.fields, w, "field") for w in m[2].split()]
        for role in range(4):
            self.check_format(m[1], [(f.name, f.bits(role)) for f in fields])
        self.formats[m[1]] = Format(m[1], fields, m[3])

    def read_row(self, text):
        head, semi, prose = text.partition(";")
        m = re.fullmatch(r"(\S+?)(?:=(\S+))?\s+([01. ]*?)\s*@(\S+)\s+(\S+)\s+"
                         r"(\S+)\s+(\S+)\s*", head)
        if not m or not semi:
            self.fail("expected NAME[=MNEMONIC] [BITS] @FORMAT CLASS MEANING "
                      f"FLAGS ; prose, found '{text.split()[0]}'")
        fmt, flags = self.look_row(m[4], m[5], m[7])
        row = Row(m[1], m[2] or m[1], fmt, m[5], m[6], flags, prose.strip())
        self.add_row(row)
        if m[3].strip():
            self.read_word(row, 0, m[3])
        return m[1]

    def read_word(self, row, role, picture):
        for name, bits in self.constants.items():
            picture = re.sub(rf"\b{name}\b", bits, picture)
        picture = picture.replace(" ", "")
        if re.search("[^01.]", picture):
            self.fail(f"{row.name}: a bit is 0, 1 or .")
        if len(picture) not in (16, 32):
            self.fail(f"{row.name}: {len(picture)} bits, expected 32 or 16")
        if row.roles and role >= row.roles[-1]:
            self.fail(f"{row.name}: word {role} below word {row.roles[-1]}")
        row.roles.append(role)
        row.pictures.append(picture)

    # ---- checks of the whole table --------------------------------------------

    def close(self):
        if not self.name:
            self.fail("no 'isa NAME' line", 1)
        for row in self.rows.values():
            if not row.roles:
                self.fail(f"{row.name} has no words", row.line)
            self.check_fields(row)
            self.check_operands(row)
        rows = list(self.rows.values())
        for i, row in enumerate(rows):
            for other in rows[:i]:
                self.check_overlap(row, other)

    def check_operands(self, row):
        used = re.findall(r"{(\w+)}", row.mnemonic + " " + row.format.syntax)
        names = [f.name for f in row.format.fields]
        for name in used:
            if name not in names:
                self.fail(f"{row.name}: unknown operand '{name}'", row.line)
        for f in row.format.fields:
            if f.name not in used and f.kind not in QUIET:
                self.fail(f"{row.name}: operand '{f.name}' is missing",
                          row.line)

    def check_fields(self, row):
        for f in row.format.fields:
            for role, _, _ in f.pieces + f.copies:
                if role not in row.roles:
                    self.fail(f"{row.name}: {f.name} is in word {role}",
                              row.line)
        for i, role in enumerate(row.roles):
            mask, claimed = row.word(i)[1], 0
            for f in row.format.fields:
                if f.bits(role) & mask:
                    self.fail(f"{row.name}: operand {f.name} lies over fixed "
                              f"bits of word {role}", row.line)
                claimed |= f.bits(role)
            top = len(row.pictures[i])
            free = [b for b in range(top - 1, -1, -1)
                    if not (claimed | mask) >> b & 1]
            if free:
                self.fail(f"{row.name}: word {role}: no field for bits "
                          + " ".join(map(str, free)), row.line)

    def check_overlap(self, row, other):
        """Checks that no sequence matches two rows, or is the beginning of another."""
        common = list(zip(range(4), row.roles, other.roles))
        for i, _, _ in common:
            if len(row.pictures[i]) != len(other.pictures[i]):
                return
            (ma, ka), (mb, kb) = row.word(i), other.word(i)
            if (ma ^ mb) & ka & kb:
                return
        if self.excludes(row, other) or self.excludes(other, row):
            return
        self.fail(f"{row.name} overlaps {other.name} (line {other.line})",
                  row.line)

    def excludes(self, row, other):
        """Has `row` a restricted field with no value that `other` allows?"""
        for f in row.format.fields:
            if f.restricted() and not any(
                    self.possible(row, f, raw, other)
                    for raw in range(1 << f.width) if f.allows(raw)):
                return True
        return False

    @staticmethod
    def possible(row, f, raw, other):
        for i in range(min(len(row.roles), len(other.roles))):
            match, mask = other.word(i)
            bits = f.bits(row.roles[i])
            if (f.insert(raw, row.roles[i]) ^ match) & mask & bits:
                return False
        return True


__all__ = ["KINDS", "Group", "WordsTable"]
