#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A compiler that tells its limits of processor time, once it has them.
while [ "$(ulimit -St)" = unlimited ]; do :; done
sh -c 'echo "soft $(ulimit -St), hard $(ulimit -Ht)"'
exit 1
