# SPDX-License-Identifier: Apache-2.0
"""What a batch of GDB shows, where GDB and the program share one pipe."""
import re


def shown_by_gdb(text):
    """`text` without the line by which a program says that GDB has killed it: GDB keeps
    its last lines until it exits, so that they come before or after that line."""
    return re.sub(r'^.*ended by the debugger\n', '', text, flags=re.M)
