#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a user does with the packages, from installing them to removing them; run
# by `scripts/package --try` as root of a bare Debian, where it finds both in /tmp.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C HOME=/root
cd /tmp

step() {
    echo "try-package: $*"
}

must_be() {
    [ "$1" = "$2" ] || {
        echo "try-package: error: found '$1', expected '$2'" >&2
        exit 1
    }
}

step install
apt-get -qq update
apt-get -qq -y install --no-install-recommends ./ventus.deb ./python3-ventus.deb \
    gcc libc6-dev opencl-c-headers ocl-icd-opencl-dev pkg-config man-db \
    >install.log 2>&1 || {
    tail -20 install.log >&2
    exit 1
}
dpkg --verify ventus python3-ventus

step the program and its libraries
ventus --version
ventus info | grep -q ' chisel$'
ldconfig -p | grep -q 'libventus.so.0'

step an OpenCL program through the system\'s loader
gcc -DCL_USE_DEPRECATED_OPENCL_1_2_APIS client.c -o client -lOpenCL
must_be "$(./client)" 'Ventus default: right'
ventus run --stats -- ./client

step a kernel and a C program of the examples
must_be "$(ventus exec --model chisel --grid 8 --local 8 --arg fiota:8 \
    --arg fiota:8 --arg zeros:8 --show 2:f32 \
    /usr/share/doc/ventus/examples/vecadd.s | grep -c '14')" 1
# shellcheck disable=SC2046  # a list of words
gcc /usr/share/doc/ventus/examples/c/cycles.c -o cycles \
    $(pkg-config --cflags --libs ventus)
ldd cycles | grep -q 'libventus.so.0.*=> /'

step manual pages
for page in /usr/share/man/man1/ventus*.1.gz; do
    name=$(basename "$page" .1.gz)
    must_be "$(whatis "$name" | sed 's/ .*//')" "$name"
    man "$name" >/dev/null
done

step completions
# shellcheck disable=SC2016  # for the other shell
must_be "$(bash -c '. /usr/share/bash-completion/completions/ventus
    COMP_WORDS=(ventus rep) COMP_CWORD=1; _ventus; echo "${COMPREPLY[*]}"
    COMP_WORDS=(ventus run --konat) COMP_CWORD=2; _ventus; echo "${COMPREPLY[*]}"
    COMP_WORDS=(ventus run --device chisel2) COMP_CWORD=3; _ventus
    echo "${COMPREPLY[*]}"')" 'replay report
--konata
chisel2'

step Python
python3 -c 'import ventus
assert "chisel" in ventus.presets()
with ventus.Device("chisel") as d:
    kernel = d.compile("kernel void f(global int *x)"
                       "{ x[get_global_id(0)] = 7; }")["f"]
    x = d.empty(64, "i4")
    print(kernel(x, global_size=64).cycles, "cycles")
    assert (x.read() == 7).all()'

step journeys
journeys/run /usr/share/doc/ventus/examples

step remove
[ -e /etc/OpenCL/vendors/ventus.icd ]
apt-get -qq -y remove ventus python3-ventus >remove.log 2>&1
for left in /usr/bin/ventus /etc/OpenCL/vendors/ventus.icd \
    /usr/lib/python3/dist-packages/ventus; do
    [ ! -e "$left" ] || {
        echo "try-package: error: $left is still there" >&2
        exit 1
    }
done
step all done
