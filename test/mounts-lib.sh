# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Run the test again, as "TEST inside", in a mount namespace where nobody else
# sees its mounts.  Sourced before lib.sh; $unshare_more has further options of
# unshare(1).

# skip WHY
skip()
{
	echo "skip: $1"
	exit 77
}

if [ "${1-}" != inside ]; then
	[ "$(id -u)" -eq 0 ] || skip "only root can mount here"
	# Only the root of a mount namespace can be made private, and in a
	# chroot that is not "/": nsenter goes there.
	# shellcheck disable=SC2016,SC2206
	apart=(unshare ${unshare_more-} --mount --propagation unchanged sh -c '
		nsenter --mount=/proc/self/ns/mnt mount --make-rprivate / &&
		exec "$0" "$@"')
	"${apart[@]}" true 2>/dev/null ||
		skip "no mount namespace can be made here"
	exec "${apart[@]}" "$0" inside
fi

# own_run: a node's recorder below a /run that nobody else sees, with what lib.sh
# and node-lib.sh have: the plugin keeps there what nobody listens for.
own_run()
{
	local tests=${BASH_SOURCE[0]%/*}

	mount -t tmpfs none /run || exit 99
	. "$tests/lib.sh"
	run=/run/stepwell
	# shellcheck disable=SC2034 # of node-lib.sh
	drop=$run/drop
	. "$tests/node-lib.sh"
}
