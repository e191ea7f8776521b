#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures the plans of this folder on the GPU of this machine: run.sh OUT [--dry-run]. It ends by itself within 200
# seconds. OUT gets a table for each plan (scripts/measured/run_plans.py), device.txt and run.log.
set -u
begun=$SECONDS
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: run.sh OUT [--dry-run]" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
dry=${2:-}
exec > >(tee "$out/run.log") 2>&1
cd "$here"

plans=()
for each in new corpus second others; do [ -e $each.plan ] && plans+=($each.plan); done

say() { echo "[$((SECONDS - begun)) s] $*"; }

find_tool() { # name, places
  command -v "$1" && return
  for place in "${@:2}"; do [ -x "$place" ] && { echo "$place"; return; }; done
}

nvcc=$(find_tool nvcc /usr/local/cuda/bin/nvcc /usr/local/cuda-*/bin/nvcc)
ncu=$(find_tool ncu /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu /usr/local/cuda-*/bin/ncu \
  /usr/local/cuda*/nsight-compute-*/ncu)
python=
for each in python3 /usr/bin/python3 python3.12; do
  "$each" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2> /dev/null && { python=$each; break; }
done
say "nvcc ${nvcc:-none}, ncu ${ncu:-none}, python ${python:-none}"
watch=
if command -v nvidia-smi > /dev/null; then # which device, and how fast it is from time to time
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,temperature.gpu,power.draw --format=csv -l 8 \
    >> "$out/device.txt" 2>&1 &
  watch=$!
fi

say "compiling launch.cpp"
work=$(mktemp -d)
libraries=()
cuda=$(dirname "$(dirname "$(readlink -f "${nvcc:-/usr/local/cuda/bin/nvcc}")")")
for folder in "$cuda"/lib64 "$cuda"/lib64/stubs "$cuda"/lib/stubs "$cuda"/targets/x86_64-linux/lib/stubs /usr/local/nvidia/lib64; do
  [ -d "$folder" ] && libraries+=("-L$folder")
done
compile() { "$@" launch.cpp -o "$work/launch" "${libraries[@]}" -lcuda -lpthread; }
if compile g++ -std=c++17 -O1 -I"$cuda/include" -I"$cuda/targets/x86_64-linux/include"; then say "compiled by g++"
elif [ -n "$nvcc" ] && compile "$nvcc" -std=c++17 -O1 -x cu; then say "compiled by nvcc"
else say "launch.cpp does not compile: the one that was compiled before is taken"; cp launch "$work/launch"
fi

if [ "$dry" = --dry-run ]; then
  printf '#!/bin/bash\nexec "%s" "%s/pretend_profiler.py" %s -- "$@"\n' "$python" "$here" "${plans[*]}" > "$work/ncu"
  chmod +x "$work/ncu"
  ncu=$work/ncu
fi
left=$((195 - (SECONDS - begun)))
PYTHONUNBUFFERED=1 timeout -k 5 $((left + 3)) "$python" run_plans.py "$out" "${plans[@]}" --ncu "$ncu" --launcher "$work/launch" \
  --seconds "$left"
status=$?
[ -z "$watch" ] || { kill "$watch"; cat "$out/device.txt"; }
say "ended with status $status"
rm -rf "$work"
exit $status
