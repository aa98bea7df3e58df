# SPDX-License-Identifier: Apache-2.0
"""The tables of decode.c: which row a word is (Lookup) and where its operands
are (shapes).  Nothing here depends on the order of the rows."""

# ---- look-up (lookup.h) -----------------------------------------------------
# The first index is opcode and funct3; the second those bits of 31:25 that
# any remaining row fixes; the third those of 24:15 that still distinguish rows
# (the unary groups).  Each entry has the bits that the next index takes, none for
# most, so that all words take the same path, without a branch.  The row is compared
# with the word at the end.  So entries that no legal word reaches may hold
# anything, and the parts of a table fill each other's gaps.

FIRST = 1024
LEVELS = ((25, 7), (15, 10))  # of the second and third look: (lowest, width)


def spread(row, low, mask):
    """The values of the masked bits in the words of a row."""
    fixed, value = row.mask >> low & mask, row.match >> low & mask
    free = v = mask & ~fixed
    values = [v | value]
    while v:
        v = (v - 1) & free
        values.append(v | value)
    return values


def split(rows, low, mask):
    """{value of the masked bits: the rows that can have it}"""
    parts = {}
    for r in rows:
        for v in spread(r, low, mask):
            parts.setdefault(v, []).append(r)
    return parts


def asked(rows, low, width):
    """The bits that distinguish the rows."""
    mask = 0
    for r in rows if len(rows) > 1 else ():
        mask |= r.mask >> low & (1 << width) - 1
    return mask


class Lookup:
    """The tables that lead from a word to leaf(rows), the rows that it may
    be."""

    def __init__(self, rows, leaf):
        self.leaf, self.seen, self.nodes, self.leaves = leaf, {}, {}, {}
        first = {(word & 0x7f) << 3 | word >> 12: self.node(bucket, 0)
                 for word, bucket in split(rows, 0, 0x707f).items()}
        self.nodes.update(first)  # below FIRST

    def node(self, rows, level):
        """(base, mask) of the part of the next table where these rows go."""
        low, width = LEVELS[level]
        mask = asked(rows, low, width)
        parts = split(rows, low, mask).items()
        if level == 0:
            part = {v: self.node(p, 1) for v, p in parts}
            return self.place(part, self.nodes, FIRST), mask
        return self.place({v: self.leaf(p) for v, p in parts},
                          self.leaves, 0), mask

    def place(self, part, table, base):
        """The lowest base at which the part overlaps free or equal entries only."""
        part = tuple(sorted(part.items()))
        if part not in self.seen:
            while any(table.get(base + i, e) != e for i, e in part):
                base += 1
            table.update((base + i, e) for i, e in part)
            self.seen[part] = base
        return self.seen[part]

    def tables(self, name):
        """The struct lookup in C; both arrays as long as any node reaches, even
        one that is read as another level's."""
        size = max([b + mask for b, mask in self.nodes.values()]
                   + [*self.nodes, *self.leaves]) + 1
        nodes = ["{ %d, %d }" % self.nodes.get(i, (0, 0)) for i in range(size)]
        leaves = [self.leaves.get(i, 0) for i in range(size)]
        return c_array(f"static const struct lookup_node {name}_nodes[]",
                       nodes, 8) \
            + c_array(f"static const uint32_t {name}_leaves[]", leaves) \
            + [f"static const struct lookup {name} = "
               f"{{ {name}_nodes, {name}_leaves }};"]


def c_array(declaration, values, per_line=12):
    out = [f"{declaration} = {{"]
    for i in range(0, len(values), per_line):
        out.append("    " + ", ".join(str(v) for v in
                                      values[i:i + per_line]) + ",")
    return out + ["};"]


# ---- operands ---------------------------------------------------------------
# Most formats need no code of their own.  decode.c moves the word by a few
# fixed distances, and one that the shape names, masks each result, and has the
# members of struct ventus_isa_insn in four 32-bit parts (PARTS).  The same for all
# words: a switch over the formats costs a mispredicted jump on nearly every
# word of a program that has not been seen before.

# member: (part, where in the part, lowest bit in the word)
PARTS = {"aqrl": (0, 0, 25),
         "d": (1, 0, 7), "1": (1, 8, 15), "2": (1, 16, 20), "3": (1, 24, 27),
         "vm": (3, 0, 25), "rm": (3, 8, 12), "aux": (3, 16, 20)}
IMM = 2  # the part of the immediate, of pieces
DISTANCES = (3, 4, 7, 25, -4)  # to the right; struct shape has a mask for each
TARGET = {"d": "in->reg[0]", "1": "in->reg[1]", "2": "in->reg[2]",
          "3": "in->reg[3]"}
TYPES = {"imm": "int32_t", "aux": "uint16_t", "ext": "uint16_t",
         "spare": "uint16_t"}


def shape(fmt):
    """The members of struct shape for a format, or None if it has none:
    {distance: [mask of each part]}, distance of the immediate's top piece, its
    mask, the bit that is its sign."""
    masks = {d: [0, 0, 0, 0] for d in DISTANCES}
    own = (0, 0, 0)
    for f in fmt.fields:
        hi, lo = f.pieces[0]
        part, at, low = PARTS.get(f.member, (None, 0, 0))
        if f.member == "imm":
            own = immediate(f, masks)
            if not own:
                return None
        elif part is None or lo - f.scale != low or len(f.pieces) > 1:
            return None
        else:
            masks[low - at][part] |= \
                ((1 << hi - lo + 1) - 1) << at + f.scale
    return masks, *own


def immediate(f, masks):
    """Adds the pieces of an immediate to the masks; the distance of its top
    piece, the mask of what moves by it, and its sign; or None.

    What comes down from bit 31 fills everything above it.  A sign elsewhere is
    spread by arithmetic."""
    hi, lo = f.pieces[0]
    n = hi - lo + 1
    at = f.width + f.scale - n  # where the top piece goes
    fills = f.signed and hi == 31
    sign = 1 << (at + n - 1) if f.signed and not fills else 0
    own = ((1 << (32 - at if fills else n)) - 1) << at
    # A sign bit alone may move beyond its position; its copies fill the rest.
    near = range(lo - at, 32 if fills and n == 1 else lo - at + 1)
    right = next((r for r in near if r >= 0 and any(
        r == l - a for _, l, a in below(f))), max(lo - at, 0))
    if right not in near:
        return None
    for bits, l, a in below(f):
        if l - a == right:
            own |= bits << a
        elif l - a in masks:
            masks[l - a][IMM] |= bits << a
        else:
            return None
    return right, own, sign


def below(f):
    """(mask, lowest bit in the word, lowest bit in the value) of all pieces
    but the top one."""
    at = f.width + f.scale - (f.pieces[0][0] - f.pieces[0][1] + 1)
    for hi, lo in f.pieces[1:]:
        n = hi - lo + 1
        at -= n
        yield (1 << n) - 1, lo, at


def vector(values):
    return "{ " + ", ".join(f"{v:#x}" if v else "0" for v in values) + " }"


def shape_text(fmt):
    """The initializer of a struct shape, or None."""
    s = shape(fmt)
    if s is None:
        return None
    masks, right, own, sign = s
    members = [f".right = {right}"]
    for d in DISTANCES:
        if any(masks[d]):
            name = f"by_{d}" if d > 0 else f"up_{-d}"
            members.append(f".{name} = {vector(masks[d])}")
    for name, m in (("own", own), ("sign", sign)):
        if m:
            members.append(f".{name} = {vector([0, 0, m, 0])}")
    return "{ " + ", ".join(members) + " }"


def extraction(f):
    """C expression for the value of field f in `w`, as written."""
    parts, under = [], f.width + f.scale
    for i, (hi, lo) in enumerate(f.pieces):
        n = hi - lo + 1
        under -= n
        if i == 0 and f.signed:  # sign comes down from the top piece
            part = f"(uint32_t)((int32_t)(w << {31 - hi}) >> {31 - hi + lo})"
        else:
            part = f"((w >> {lo}) & 0x{(1 << n) - 1:x})"
        parts.append(f"{part} << {under}" if under else part)
    return " | ".join(parts)


def extract(formats):
    """The function that decodes the formats without a shape."""
    out = ["/* Fills the members that the fields of the other formats name. */",
           "static void", "extract(uint32_t w, unsigned format, "
           "struct ventus_isa_insn *in)", "{", "    switch (format) {"]
    for i, f in enumerate(formats):
        out.append(f"    case {i}: /* {f.name} */")
        for x in f.fields:
            target = TARGET.get(x.member, f"in->{x.member}")
            kind = TYPES.get(x.member, "uint8_t")
            out.append(f"        {target} = ({kind})({extraction(x)});")
        out.append("        break;")
    return out + ["    }", "}", ""]


def operands(t):
    """shapes and extract(); {format: its shape, or OTHER + case of extract}"""
    shapes, others = [], []
    for f in t.formats.values():
        text = shape_text(f)
        if text is None:
            others.append(f)
        elif text not in shapes:
            shapes.append(text)
    index = {f.name: len(shapes) + others.index(f) if f in others
             else shapes.index(shape_text(f)) for f in t.formats.values()}
    out = [f"enum {{ OTHER = {len(shapes)} }};", "",
           "static const struct shape shapes[] = {"]
    return index, out + [f"    {s}," for s in shapes] + ["};", ""] \
        + extract(others)


def tables(t):
    """src/isa/isa_decode.inc"""
    op = {name: i for i, name in enumerate(t.rows, 1)}
    index, out = operands(t)

    def leaf(rows):
        if len(rows) > 1:
            raise ValueError("bits 31:12 and 6:0 do not tell apart " +
                             ", ".join(r.name for r in rows))
        return op[rows[0].name] | index[rows[0].format.name] << 16

    out += ["static const struct row rows[VENTUS_ISA_OP_COUNT] = {",
            "    { 1, 0 }, /* none: no word */"]
    out += [f"    {{ {r.match:#010x}, {r.mask:#010x} }}, /* {r.name} */"
            for r in t.rows.values()]
    out += ["};", ""]
    for v in (1, 2):
        rows = [r for r in t.rows.values() if v in r.versions]
        out += Lookup(rows, leaf).tables(f"v{v}") + [""]
    return "\n".join(out)
