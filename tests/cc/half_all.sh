#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# half_all.sh VENTUS CC_COMPILE HALF_DEV FILE.cl [OPTION...]
set -eu
ventus=$1 compiler=$2 device=$3 file=$4
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$compiler" "$@" -o "$folder/k.o" "$file"
"$ventus" link -o "$folder/k.elf" "$folder/k.o"
"$device" "$folder/k.elf"
