#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A compiler that dies within a line.
printf 'the\nlast words'
kill -ABRT $$
