#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a newcomer meets: quickstart without root, without sudo, with one that
# refuses, in a folder that others may not enter; and nothing left behind.
# The build, the packages and the programs are stand-ins.
# shellcheck disable=SC2016 # what is written into scripts
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
srcdir=${abs_top_srcdir:-$(dirname "$0")/..}
nobody=()
if [ "$(id -u)" -eq 0 ]; then
	nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	"${nobody[@]}" true 2>/dev/null || {
		echo "skip: root cannot be another user here"
		exit 77
	}
fi
# Every program of this machine but these.
mkdir "$work/tools" "$work/sudo"
cp -s /usr/bin/* "$work/tools" 2>/dev/null
cd "$work/tools" || exit 99
rm -f sudo apt-get dpkg-query make gcc clang apt-cache

script()	# FILE: from standard input
{
	cat >"$1"
	chmod 755 "$1"
}
script dpkg-query <<END
#!/bin/sh
[ -e "$work/any/packages" ] && echo 'install ok installed'
END
script apt-get <<END
#!/bin/sh
echo "apt-get \$*" >>"$work/any/apt"
case "\$*" in
*--version*) exit ;;
*install*) : >"$work/any/packages" ;;
esac
END
script apt-cache <<END
#!/bin/sh
echo 'Depends: clang-21 (>= 21~), libc6'
END
# It is installed where configure was told to.
script make <<'END'
#!/bin/sh
case "$*" in
*install*)
	mkdir -p installed/bin installed/etc
	cp ../stepwell installed/bin
	echo 'rules:' >installed/etc/stepwell.yaml
	;;
esac
END
script "$work/sudo/sudo" <<END
#!/bin/sh
echo "sudo \$*" >>"$work/any/sudo"
[ ! -e "$work/any/refuse" ] || {
	echo 'sudo: a password is required' >&2
	exit 1
}
exec "\$@"
END

# The programs that are built: settings that cannot be read are an error.
fresh()	# MODE: of the folder around the checkout
{
	rm -rf "${work:?}/any" "${work:?}/home"
	mkdir -m 777 "$work/any"
	mkdir -p "$work/home/top" "$work/home/tmp"
	cp "$srcdir/quickstart" "$work/home/top"
	script "$work/home/top/configure" <<<'#!/bin/sh'
	script "$work/home/top/stepwell" <<END
#!/bin/sh
cat "\${STEPWELL_CONF:-$work/home/top/build/installed/etc/stepwell.yaml}" \
	>/dev/null || exit 1
scratch=\$(mktemp -d) && rmdir "\$scratch" || exit 1
echo "\$(id -u) \$1 \$HOME"
[ "\$(id -u)" -ne 65534 ] || [ ! -e "$work/any/fail" ]
END
	if [ ${#nobody[@]} -gt 0 ] && [ "$1" = 755 ]; then
		chown -R 65534:65534 "$work/home"
	fi
	chmod "$1" "$work/home"
}

# quickstart PATH [COMMAND-TO-BECOME...]: $text, $status
quickstart()
{
	local path=$1
	shift
	text=$(cd / && "$@" env PATH="$path" HOME="$work/home" \
		TMPDIR="$work/home/tmp" STEPWELL_CONF= \
		sh "$work/home/top/quickstart" 2>&1)
	status=$?
}

# The list in quickstart, as find_missing() puts it into one line.
line="apt-get install --no-install-recommends $(awk -F = '
	/^packages_(build|story)="/ { here = 1 }
	here { print $NF }
	/"$/ { here = 0 }' "$srcdir/quickstart" | tr -d '"' | xargs)"
without=$work/tools
with=$work/sudo:$work/tools

fresh 755
quickstart "$without" "${nobody[@]}"
is "neither root nor sudo: fails, with all that is to be typed" "1 $line" \
	"$status $(tail -n 1 <<<"$text")"
is "  and no word of the network" 0 "$(grep -c network <<<"$text")"

: >"$work/any/refuse"
quickstart "$with" "${nobody[@]}"
is "sudo refuses: likewise" "1 $line" "$status $(tail -n 1 <<<"$text")"
is "  and no word of the network" 0 "$(grep -c network <<<"$text")"
is "  after one question" 1 "$(wc -l <"$work/any/sudo")"

fresh 755
quickstart "$with" "${nobody[@]}"
is "sudo grants: installed, built and recorded" 0 "$status"
is "  with all packages at once" 1 \
	"$(grep -c ' install ' "$work/any/apt")"
is "  down to what to type next" 1 "$(grep -c 'What to type' <<<"$text")"

fresh 755
: >"$work/any/packages"
quickstart "$without" "${nobody[@]}"
is "no root, no sudo, the packages there: ends well" 0 "$status"
is "  and asks for nothing" no \
	"$([ -e "$work/any/apt" ] && echo yes || echo no)"

if [ ${#nobody[@]} -gt 0 ]; then
	chmod -R go-w "$work/home"
	chown -R 0:0 "$work/home"
	quickstart "$without" "${nobody[@]}"
	is "a folder of another: fails, and says whose it is not" "1 1" \
		"$status $(grep -c 'cannot be written by' <<<"$text")"

	fresh 700
	: >"$work/any/packages"
	quickstart "$without"
	is "root in a home of mode 0700: ends well" 0 "$status"
	is "  having recorded as nobody as well" 2 \
		"$(grep -c '^65534 ' <<<"$text")"
	folder=$(sed -n 's/^65534 run //p' <<<"$text")
	is "  in a folder of its own, that is removed" "yes no" \
		"$([ -n "$folder" ] && echo yes) $([ -e "$folder" ] &&
		echo yes || echo no)"
	is "  and nothing is left in that of root" "" \
		"$(ls "$work/home/tmp")"

	: >"$work/any/fail"
	quickstart "$without"
	folder=$(sed -n 's/^65534 run //p' <<<"$text")
	is "the recording of nobody fails: so it ends" 1 "$status"
	is "  and its folder is removed" "yes no" \
		"$([ -n "$folder" ] && echo yes) $([ -e "$folder" ] &&
		echo yes || echo no)"
else
	echo "ok - skip: not root: what root does in a closed folder"
fi
tally
