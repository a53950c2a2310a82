# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Cases of the ward that need a kernel which can trace functions.  The guest is
# slow: this is no measure of speed.
# as: root
# timeout: 2400
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"
ward=${LIB%/*}/ward

# The layout of a build tree.
build=$(mktemp -d) || exit 1
mkdir -p "$build/analyzer" "$build/test/ward" "$build/test/fuse"
ln -s "$(command -v stepwell)" "$build/analyzer/"
ln -s /usr/libexec/stepwell "$build/recorder"
ln -s "$ward/programs" "$build/test/ward/"
ln -s "${LIB%/*}/workloads" "$build/test/"
ln -s "${LIB%/*}/workloads/fuse_stall" "$build/test/fuse/"

"$ward/run-ward" --build "$build" --jobs 1 --out "$CASE_OUT/out" \
	--table "$CASE_OUT/table.md" 'cause-*' io-many-files program-abort \
	'program-failed*' program-killed program-missing \
	>"$CASE_OUT/said" 2>"$CASE_OUT/verdicts"
while IFS=: read -r name verdict; do
	case $verdict in
	' skipped') skip "$(grep -E "^$name .*skipped" "$CASE_OUT/said" |
		tr -s ' ')" "$name" ;;
	*) is "$verdict" ' right' "$name" ;;
	esac
done <"$CASE_OUT/verdicts"
[ "$((passed_count + failed_count + skipped_count))" -ge 12 ] || {
	fail 'all cases were run'
	diag "$(tail -n 20 "$CASE_OUT/verdicts" "$CASE_OUT/said")"
}
[ "$failed_count" -eq 0 ] || diag "$(cat "$CASE_OUT/said")"

rm -rf "$build"
finish
