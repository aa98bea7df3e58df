#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# emulate.sh PROGRAM: puts a script in its place that runs it under qemu-aarch64.
# The program finds its files from its own path, so it stays in the same folder.  Tests
# of the heap (tests/heap.h) need no caches of threads, and cannot start themselves again.
set -eu
mv "$1" "$1.aarch64"
cat >"$1" <<'END'
#!/bin/sh
exec qemu-aarch64 -E GLIBC_TUNABLES=glibc.malloc.tcache_count=0 \
    -L /usr/aarch64-linux-gnu "$0.aarch64" "$@"
END
chmod +x "$1"
