#!/usr/bin/env bash
# Installs the build tree into a scratch prefix and builds the outside project on it.
#   run.sh BUILD_DIR SOURCE_OF_PROJECT
set -euo pipefail
build=$1 project=$2
scratch=$(mktemp -d --tmpdir "pmusim consumer-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
# All headers are in one folder, and every header of the project that they include is installed.
include=$scratch/prefix/include
strays=$(find "$include" -mindepth 1 -maxdepth 1 ! -name pmusim)
[ -z "$strays" ] || { echo "headers beside include/pmusim: $strays"; exit 1; }
while read -r header; do
  [ -f "$include/$header" ] || [ -f "$include/pmusim/$header" ] || { echo "an installed header includes $header, which is not"; exit 1; }
done < <(grep -rhoE '^#include "(models|pmusim|perfmon)/[^"]+"' "$include" | cut -d'"' -f2 | sort -u)
# Doxygen reports nothing about the installed headers.
if command -v doxygen >/dev/null; then
  { cat "$build/reference/Doxyfile" && printf 'INPUT = "%s"\nGENERATE_HTML = NO\nGENERATE_XML = YES\nOUTPUT_DIRECTORY = "%s"\n' \
      "$include" "$scratch"; } >"$scratch/Doxyfile"
  doxygen "$scratch/Doxyfile" >"$scratch/doxygen.log" 2>&1 || { head -20 "$scratch/doxygen.log"; exit 1; }
elif [ -n "${PMUSIM_REQUIRE_TOOLS:-}" ]; then
  echo "doxygen is missing"
  exit 1
fi
# Folders that the user chooses are below the prefix, unless they are absolute.
root=$(dirname "$0")/../../..
for libdir in lib lib64 "$scratch/elsewhere"; do
  chosen=$scratch/chosen
  rm -rf "$chosen"
  cmake -G Ninja -S "$root" -B "$chosen" -DCMAKE_INSTALL_PREFIX=/opt/p -DCMAKE_INSTALL_LIBDIR="$libdir" \
    -DPMUSIM_BUILD_TESTBENCH=OFF >/dev/null
  wanted=/opt/p/$libdir
  [ "${libdir#/}" = "$libdir" ] || wanted=$libdir
  grep -q "\"$wanted/pkgconfig\"\|DESTINATION \"\${CMAKE_INSTALL_PREFIX}/$libdir/pkgconfig\"" "$chosen/cmake_install.cmake" ||
    { echo "CMAKE_INSTALL_LIBDIR=$libdir: pmuencoder.pc is not installed in $wanted/pkgconfig"; exit 1; }
  case $libdir in
    /*) grep -qx 'prefix=/opt/p' "$chosen/pmuencoder.pc" ;;
    *) grep -qx 'prefix=${pcfiledir}/../..' "$chosen/pmuencoder.pc" ;;
  esac && grep -qx 'includedir=${prefix}/include' "$chosen/pmuencoder.pc" ||
    { echo "CMAKE_INSTALL_LIBDIR=$libdir:"; cat "$chosen/pmuencoder.pc"; exit 1; }
done
cmake -G Ninja -S "$project" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$scratch/build" >/dev/null
count=$("$scratch/build/consumer")
[ "$count" = "2 2 1" ] || { echo "consumer counted '$count' instead of '2 2 1'"; exit 1; }
printf '! isa ppc\n1000 48000008 T 1008\n1008 60000000\n' >"$scratch/branch.txt"
taken=$("$scratch/build/consumer_trace" "$scratch/branch.txt")
[ "$taken" = "2 1" ] || { echo "consumer_trace counted '$taken' instead of '2 1'"; exit 1; }
events=$("$scratch/build/consumer_c")
[ "$events" = many ] || { echo "consumer_c found '$events' events"; exit 1; }
# A program for Tru64 UNIX builds with pkg-config alone, and a C program with the static encoder library.
if command -v pkg-config >/dev/null; then
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name pmuencoder.pc)") pkg-config --static --cflags --libs pmuencoder)
  # pkg-config writes a blank in a path as a shell reads it.
  eval "cc \"\$project/encode.c\" ${flags/-lpmuencoder/-l:libpmuencoder.a} -o \"\$scratch/static\""
  [ "$("$scratch/static")" = many ] || { echo "a program with the static library does not run"; exit 1; }
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name pmusim-pfm.pc)") pkg-config --cflags --libs pmusim-pfm)
  eval "cc \"\$scratch/prefix/share/doc/pmusim-doc/examples/pfm/count.c\" $flags -o \"\$scratch/tru64\""
  PMUSIM_PFM_TRACE="$scratch/prefix/share/pmusim/isa-traces/recorded/alpha-listwalk.pmt" "$scratch/tru64" |
    grep -q '^counter 0: [1-9]' || { echo "a program for Tru64 UNIX does not count"; exit 1; }
fi
# The device is loaded before any program, so it must not need SystemC, whose library requires an entry point in the
# program.
device=$(find "$scratch/prefix" -name libpmusim-pfm-device.so)
[ -n "$device" ] || { echo "no libpmusim-pfm-device.so"; exit 1; }
if readelf -d "$device" | grep NEEDED | grep systemc; then echo "libpmusim-pfm-device.so needs SystemC"; exit 1; fi
# The first program of the guide builds as installed; scripts/test-packages builds the whole platform.
guide=$scratch/prefix/share/doc/pmusim-doc/examples/platform/guide
cmake -G Ninja -S "$guide" -B "$scratch/guide" -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
cmake --build "$scratch/guide" >/dev/null
first=$(SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 "$scratch/guide/first-interrupt" | head -1)
[ "$first" = "51 ns: the line is up, the counter has 1" ] || { echo "the guide's program prints '$first'"; exit 1; }
# Every page that a page links to is installed.
doc=$scratch/prefix/share/doc/pmusim-doc
while IFS=: read -r page link; do
  link=${link#"]("}
  [ -e "$(dirname "$page")/$link" ] || { echo "${page#"$doc"/} links to $link, which is not installed"; exit 1; }
done < <(grep -roE --include='*.md' '\]\([^):# ]+\.(md|csv|json|svg|png)' "$doc")
"$scratch/prefix/bin/pmusim" --version | grep -q '^pmusim [0-9]' || { echo "installed pmusim does not run"; exit 1; }
# The installed command runs on its own: it counts an event by name, and records with the plugin or simulator beside it.
installed() { env -u PMUSIM_PLUGIN -u PMUSIM_DATA PMUSIM_CACHE=off "$scratch/prefix/bin/pmusim" "$@"; }
traces=$(dirname "$0")/../../../isa-traces
installed run -t itanium2 --trace "$traces/recorded/ia64-pipelined.pmt" -e CPU_CYCLES --format csv | grep -q CPU_CYCLES ||
  { echo "installed pmusim does not count"; exit 1; }
# It validates on the installed traces, and reports an error if there are none.
installed validate -t alpha-ev4 --only PF_DCACHE --jobs 1 >/dev/null || { echo "installed pmusim does not validate"; exit 1; }
share=$scratch/prefix/share/pmusim
mv "$share" "$share.away" && mkdir "$share"
installed validate -t alpha-ev4 2>"$scratch/error" && { echo "validated traces from elsewhere"; exit 1; }
grep -q "no traces for target alpha-ev4 below $share" "$scratch/error" || { cat "$scratch/error"; exit 1; }
rmdir "$share" && mv "$share.away" "$share"
needs() {  # Returns 1 if a tool is missing, or fails if PMUSIM_REQUIRE_TOOLS is set.
  for tool; do
    command -v "$tool" >/dev/null && continue
    [ -z "${PMUSIM_REQUIRE_TOOLS:-}" ] || { echo "$tool is missing"; exit 1; }
    return 1
  done
}
if needs ia64-linux-gnu-as ia64-linux-gnu-ld; then
  installed trace capture --isa ia64 "$traces/programs/ia64/sieve-O2.s" -o "$scratch/ia64.pmt" | grep -q "exit status"
fi
if needs i686-linux-gnu-gcc qemu-i386; then
  echo 'void _start(void) { __asm__ volatile("int $0x80" : : "a"(1), "b"(7)); }' >"$scratch/seven.c"
  i686-linux-gnu-gcc -O1 -static -nostdlib -fno-pie -no-pie -o "$scratch/seven" "$scratch/seven.c"
  installed trace capture --isa i386 "$scratch/seven" -o "$scratch/i386.pmt" | grep -q "exit status 7"
fi
echo "1 passed, 0 failed"
