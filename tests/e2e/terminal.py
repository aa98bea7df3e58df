# SPDX-License-Identifier: Apache-2.0
"""A command whose standard error is a terminal."""
import os
import pty
import signal
import subprocess
import threading

END = b'\0end of the command\0'  # what no command writes


def run(command, enough=None, **options):
    """The status of the command and what it writes on standard error.

    enough: says of that text whether the command gets SIGINT; None: it never does.

    The test's own copy of the command's side stays open until everything is
    read: once the last copy of a pseudo-terminal's side is closed, a read of
    the other side may fail though text is still in the queue.  So the end is a
    mark that the test writes behind the command's text.

    command: the words; options: subprocess.Popen's (not stderr).
    Raises OSError where there are no pseudo-terminals.
    """
    main, side = pty.openpty()
    with subprocess.Popen(command, stderr=side, **options) as child:
        def mark():
            child.wait()
            os.write(side, END)
        marker = threading.Thread(target=mark)
        marker.start()
        text = b''
        while not text.endswith(END):
            text += os.read(main, 4096)
            if enough and enough(text):
                child.send_signal(signal.SIGINT)
                enough = None
        marker.join()
    os.close(side)
    os.close(main)
    return child.returncode, text.removesuffix(END)
