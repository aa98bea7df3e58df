#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A compiler that dies.
echo "last words"
kill -ABRT $$
