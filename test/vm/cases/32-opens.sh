# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Opened files of a program are counted if functions can be traced, and very
# many small ones are reported.
# as: root
# timeout: 600
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"

folder=$(mktemp -d) || exit 1
cat >"$folder/opens" <<'TEXT'
import sys, time
folder, truth, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
end = time.monotonic() + seconds
count = 0
while time.monotonic() < end:
    name = f"{folder}/{count % 5000}"
    with open(name, "w") as file:
        file.write("one line")
    with open(name) as file:
        file.read()
    count += 1
with open(truth, "w") as file:
    file.write(f"opens={2 * count}\n")
TEXT

record tiny python3 -S "$folder/opens" "$folder" "$truth" 20
opens=$(of_truth opens)
opened=$(query 'sum(p.get("opens", -1) for p in r["programs"] if p["name"].startswith("python3"))')
# Files that Python opens at its start.
is_between "$opened" "$opens" $((opens + 300)) 'opens of a program'
is_between "$(query 's["io"].get("opens")')" "$opens" $((opens + 400)) \
	'opens of the step'
matches "$(finding io.many_files 'f["sentence"]')" \
	'python3.* opened [0-9]+ files a second' 'many small files are named'

record few w_cpu 3 1
is_between "$(query 's["io"].get("opens")')" 1 50 'a program that computes'
is "$(finding io.many_files 'f["sentence"]')" None \
	'a program that computes is not blamed'

# Files of another program are not counted.
python3 -S "$folder/opens" "$folder" "$CASE_OUT/other" 12 &
record beside w_cpu 6 1
wait
is_between "$(query 's["io"].get("opens")')" 1 50 "another program's files"

rm -rf "$folder"
finish
