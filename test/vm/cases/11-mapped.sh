# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Mapped files in use are memory that is needed; files that are read once are
# not.  The kernel's refaults decide, under its own limits.
# as: root alice
# timeout: 900
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"

mib=$((1 << 20))
mapped=$((700 * mib))
file=$CASE_OUT/mapped
run_options=(--mem 2G)

# floor: print the minimum that may be advised
floor()
{
	query 's["memory"]["floor_bytes"]'
}

# refaults: count file pages that were reclaimed and needed again
refaults()
{
	local values

	values=$(column series.memory workingset_refault_file)
	echo $(($(tail -n 1 <<<"$values") - $(head -n 1 <<<"$values")))
}

# The first run creates the file, whose pages then belong to another user: give
# it to this one.  The page cache must be empty, or it is charged to earlier
# readers.
w_map "$file" 700 0.1
chown "$CASE_AS" "$file"
sync
echo 3 >/proc/sys/vm/drop_caches

record hot w_map "$file" 700 8 --truth "$truth"
is "$status" 0 'mapped and hot: the command runs'
is "$(of_truth mapped_bytes)" $mapped 'mapped and hot: 700 MiB are'
is "$(of_truth resident_bytes)" $mapped 'mapped and hot: all of it in memory'
touches=$(of_truth touches)
is_between "$(floor)" $mapped $((mapped + 64 * mib)) \
	'mapped and hot: nothing below it is advised'
is "$(query '(s["memory"].get("need_upper_bytes") or 1 << 40) >= 700 << 20')" \
	True 'mapped and hot: the high end is none, or holds it'
diag "mapped and hot: need $(query 's["memory"]["need_bytes"]') to" \
	"$(query 's["memory"].get("need_upper_bytes")'), floor $(floor)," \
	"$touches touches"
diag "$(finding memory.over_allocated 'f["sentence"]')"

# The advice must be enough: the same run again, under that limit.
limit=$(finding memory.over_allocated 'f["sentence"]' |
	sed -n 's/.*--mem=\([0-9]*[MG]\).*/\1/p')
record_options=(--memory-max "$limit")
record advised w_map "$file" 700 8 --truth "$truth"
is "$status" 0 "under the --mem=$limit that is advised: the command runs"
is_between "$(of_truth touches)" $((touches / 3)) $((touches * 100)) \
	"under the --mem=$limit that is advised: it gets as far"
is "$(query 's["memory"]["need_is_lower_bound"]')" False \
	"under the --mem=$limit that is advised: it needed no more"
diag "under the --mem=$limit that is advised: $(of_truth touches) touches"

# A limit that would not have been enough: it causes pressure.
echo 3 >/proc/sys/vm/drop_caches
record_options=(--memory-max 256M)
run_options=()
record squeezed w_map "$file" 700 8 --truth "$truth"
is "$status" 0 'squeezed: the command runs'
is_between "$(of_truth touches)" 0 $((touches / 2)) \
	'squeezed: it gets less than half as far'
is_between "$(refaults)" 10000 1000000000 \
	'squeezed: the kernel sees pages that are wanted again'
is_between "$(floor)" $((200 * mib)) $((257 * mib)) \
	'squeezed: all that the limit let it have was needed'
is "$(query 's["memory"]["need_is_lower_bound"]')" True \
	'squeezed: it needed more than was seen'
is "$(finding memory.over_allocated 'f["sentence"]')" None \
	'squeezed: no less is advised'
matches "$(finding memory.near_limit 'f["sentence"]')" \
	'evicted pages of these files that were needed again' 'squeezed: which is said'
diag "squeezed: need $(query 's["memory"]["need_bytes"]'), floor $(floor)," \
	"$(of_truth touches) touches, $(refaults) refaults"
diag "$(finding memory.near_limit 'f["sentence"]')"

# A similar case: as much page cache, read once and not needed again.
echo 3 >/proc/sys/vm/drop_caches
record_options=()
run_options=(--mem 2G)
record once w_map "$file" 700 4 --read
is "$status" 0 'read once: the command runs'
is_between "$(query 's["memory"]["peak_bytes"]')" $((690 * mib)) \
	$((1024 * mib)) 'read once: the page cache holds it'
is_between "$(floor)" 0 $((40 * mib)) 'read once: it is no need'
matches "$(finding memory.over_allocated 'f["sentence"]')" 'MiB' \
	'read once: less is advised'
diag "$(finding memory.over_allocated 'f["sentence"]')"
rm -f "$file"
finish
