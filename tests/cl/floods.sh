#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A compiler that lists its open files, of which ls itself has 3, then prints
# more than any log is.
ls /proc/self/fd | tr '\n' ' '
head -c 40000000 /dev/zero | tr '\0' x
