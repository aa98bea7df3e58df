#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A matrix multiply in C on the tile machine: 64 x 64 x 256 bytes.
# usage: demo.sh [VENTUS], by default the one in PATH
set -eu
ventus=$(command -v "${1-ventus}") || {
    echo "$0: no ${1-ventus}: give its path, or have it in PATH" >&2
    exit 1
}
here=$(dirname "$0")
if ! command -v clang-19 >/dev/null || ! command -v ld.lld-19 >/dev/null; then
    echo "skipped: needs clang-19 and lld-19 (scripts/setup installs them)"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang-19 --target=riscv64 -march=rv64gc -mno-relax -O2 -ffreestanding \
    -nostdlib -fuse-ld=lld -I "$here/../../include" \
    -I "$(dirname "$ventus")/../include" "$here/start.S" \
    "$here/gemm.c" -o "$work/gemm.elf"
# Type 0 (signed bytes), M, N, K; A all 1, B all 2: each element is 2 * 256.
printf '\000\000\000\000\100\000\000\000\100\000\000\000\000\001\000\000' \
    >"$work/input"
head -c 16384 /dev/zero | tr '\000' '\001' >"$work/a"
head -c 16384 /dev/zero | tr '\000' '\002' >"$work/b"
"$ventus" tile run "$work/gemm.elf" --check --timing --stats \
    --load "input=$work/input" --load "a=$work/a" --load "b=$work/b" \
    --dump "output,16384=$work/out" 2>&1 | sed -n '1,4p'
echo "elements that are 512: $(od -An -v -t d4 -w4 "$work/out" |
    grep -cw 512) of 4096"
