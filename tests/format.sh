#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Is every C file formatted?  With --fix: format them.
set -eu
cd "$(dirname "$0")/.."

if ! command -v clang-format-14 >/dev/null; then
    echo "skipped: no clang-format-14 (scripts/setup installs it)"
    exit 77
fi

# What git tracks or would track; without git, as in a tar file, what is there.
list_files() {
    git ls-files -co --exclude-standard -- '*.c' '*.h' 2>/dev/null ||
        find . -path ./build -prune -o -name '*.[ch]' -print
}

case "${1-}" in
--fix) options=-i ;;
*) options='--dry-run -Werror' ;;
esac
# shellcheck disable=SC2086  # a list of words; names in this tree have no spaces
list_files | while read -r name; do
    [ ! -f "$name" ] || echo "$name"
done | xargs clang-format-14 --style=file $options
