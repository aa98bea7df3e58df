# SPDX-License-Identifier: Apache-2.0
"""The changes that scripts/mutate makes: found in the tokens of a C file.

A mutant is a dict: file, line (from 1), column (from 0), kind, old and new
text there, and the line before and after.
"""

import re

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*(?![.\w]))
  | (?P<float>(?:\d*\.\d+|\d+\.?)(?:[eEpP][+-]?\d+)?\w*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=
      |[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
""", re.X | re.S)

BINARY = {
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"],
    "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["|"],
    "&&": ["||"], "||": ["&&"], "<": ["<=", ">="], "<=": ["<", ">"],
    ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "+=": ["-="], "-=": ["+="], "*=": ["+="], "/=": ["*="], "|=": ["&="],
    "&=": ["|="], "^=": ["|="], "<<=": [">>="], ">>=": ["<<="],
    "++": ["--"], "--": ["++"],
}
UNARY = {"!", "~", "-"}
ASSERTS = {"assert", "static_assert", "_Static_assert"}
TYPES = set("""void char short int long float double signed unsigned bool
    _Bool size_t ssize_t struct union enum const static extern inline volatile
    register typedef""".split())
NO_STATEMENT = {"if", "for", "while", "do", "switch", "else", "return", "goto",
                "case", "default"}


def lex(text):
    """[kind, text, offset] of the code, without comments, preprocessor lines
    and asserts."""
    gone = blank(text)
    tokens = [(m.lastgroup, m.group(), m.start())
              for m in TOKEN.finditer(gone) if m.lastgroup != "comment"]
    kept, i = [], 0
    while i < len(tokens):
        if tokens[i][1] in ASSERTS:
            i = closing(tokens, i + 1) + 1
            continue
        kept.append(tokens[i])
        i += 1
    return kept


def blank(text):
    """Spaces instead of preprocessor lines."""
    lines, inside = text.split("\n"), False
    for n, line in enumerate(lines):
        if inside or line.lstrip().startswith("#"):
            inside = line.endswith("\\")
            lines[n] = " " * len(line)
    return "\n".join(lines)


def closing(tokens, i):
    """Of the bracket that opens at i."""
    depth = 0
    while i < len(tokens):
        if tokens[i][1] in "([{":
            depth += 1
        elif tokens[i][1] in ")]}":
            depth -= 1
            if depth == 0:
                return i
        i += 1
    return len(tokens) - 1


def is_operand(token):
    """Whether an operator after it has two operands."""
    kind, text, _ = token
    return (kind in ("number", "float", "string") or text in (")", "]")
            or (kind == "word" and text not in NO_STATEMENT
                and text not in TYPES and text != "sizeof"))


def changes(text):
    """(kind, offset, old, new) of all."""
    tokens = lex(text)
    for i, (kind, word, at) in enumerate(tokens):
        before = tokens[i - 1] if i else ("op", ";", 0)
        if kind == "number" and before[1] not in ("[",):
            yield from constants(word, at)
        elif word in ("true", "false"):
            yield "constant", at, word, "false" if word == "true" else "true"
        elif kind == "op":
            yield from operators(word, at, before)
        elif word in ("if", "while") and i + 1 < len(tokens):
            yield from conditions(text, tokens, i)
        if before[1] in (";", "{", "}", ")", "else", ":"):
            yield from statements(text, tokens, i, before)


def constants(word, at):
    digits = re.match(r"0[xX][0-9a-fA-F]+|\d+", word).group()
    base = (16 if digits[:2] in ("0x", "0X") else
            8 if len(digits) > 1 and digits[0] == "0" else 10)
    value, suffix = int(digits, base), word[len(digits):]
    for new in {value + 1, max(0, value - 1)} - {value}:
        shown = hex(new) if base == 16 else str(new)
        yield "constant", at, word, shown + suffix


def operators(word, at, before):
    if is_operand(before) or word in ("++", "--"):
        for new in BINARY.get(word, ()):
            yield "operator", at, word, new
    elif word in UNARY:
        yield "operator", at, word, " "


def conditions(text, tokens, i):
    end = closing(tokens, i + 1)
    at, stop = tokens[i + 1][2], tokens[end][2] + 1
    old = text[at:stop]
    yield "condition", at, old, f"(!{old})"
    yield "condition", at, old, f"(0 && {old})"
    if tokens[i][1] == "if":
        yield "condition", at, old, f"(1 || {old})"


def statements(text, tokens, i, before):
    """An expression statement, break or continue that begins at i."""
    kind, word, at = tokens[i]
    if before[1] == ")" and not after_control(tokens, i - 1):
        return
    if before[1] == ":" and not after_case(tokens, i - 1):
        return
    if (kind != "word" and word not in ("*", "++", "--")) \
            or word in TYPES or word in NO_STATEMENT:
        return
    end, depth, acts = i, 0, word in ("break", "continue", "++", "--")
    while end < len(tokens):
        t = tokens[end][1]
        if t in "([{":
            depth += 1
            acts |= t == "("
        elif t in ")]}":
            depth -= 1
            if depth < 0:
                return
        elif t == ";" and depth == 0:
            break
        acts |= t in ("=", "++", "--") or t in BINARY and t.endswith("=") \
            and t not in ("<=", ">=", "==", "!=")
        end += 1
    # Two words in a row, or a word, a star and a word, declare.
    second = tokens[i + 1] if i + 1 < len(tokens) else ("op", ";", 0)
    if kind == "word" and second[0] == "word" or not acts \
            or end == len(tokens):
        return
    old = text[at:tokens[end][2]]
    yield "statement", at, old, "\n" * old.count("\n")


def after_control(tokens, i):
    """Whether the bracket that closes at i is that of if, for, while."""
    depth = 0
    while i >= 0:
        if tokens[i][1] in ")]":
            depth += 1
        elif tokens[i][1] in "([":
            depth -= 1
            if depth == 0:
                return tokens[i - 1][1] in ("if", "for", "while", "switch")
        i -= 1
    return False


def after_case(tokens, i):
    """Whether the colon at i ends a label of a switch."""
    while i >= 0 and tokens[i][1] not in (";", "{", "}", "?"):
        if tokens[i][1] in ("case", "default"):
            return True
        i -= 1
    return False


def of_file(path, text):
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines, n = text.split("\n"), 0
    for kind, at, old, new in sorted(changes(text), key=lambda c: c[1]):
        while starts[n + 1] <= at:
            n += 1
        column = at - starts[n]
        whole = "\n".join(lines[n:n + 1 + old.count("\n")])
        yield {"file": path, "line": n + 1, "column": column, "kind": kind,
               "old": old, "new": new, "before": whole,
               "after": whole[:column] + new + whole[column + len(old):]}


def find(text, m):
    """Where it is in a text that may have moved since: nearest to its line.
    None: no longer there.  Corrects the line."""
    lines = text.split("\n")
    span = m["before"].count("\n") + 1
    at = [n for n in range(len(lines))
          if "\n".join(lines[n:n + span]) == m["before"]]
    if not at:
        return None
    n = min(at, key=lambda n: abs(n + 1 - m["line"]))
    m["line"] = n + 1
    return sum(len(line) + 1 for line in lines[:n]) + m["column"]


def apply(text, m):
    at = find(text, m)
    return text[:at] + m["new"] + text[at + len(m["old"]):]
