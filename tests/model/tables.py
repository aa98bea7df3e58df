# SPDX-License-Identifier: Apache-2.0
"""Tables that a measurement prints and a page of the documentation holds."""
import contextlib
import io
import sys


@contextlib.contextmanager
def table(name, path):
    """What is printed inside is printed, and with a path it replaces what stands
    there between the lines <!-- NAME --> and <!-- end -->."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        yield
    text = out.getvalue()
    print(text)
    if path:
        write(name, path, text)


def write(name, path, text):
    with open(path, encoding='utf-8') as f:
        page = f.read()
    begin, end = f'<!-- {name} -->\n', '<!-- end -->'
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        sys.exit(f'{path}: expected a line {begin.strip()!r}, and {end!r} '
                 'behind it')
    with open(path, 'w', encoding='utf-8') as f:
        f.write(f'{before}{begin}{text.strip()}\n{end}{after}')
