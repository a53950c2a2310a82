#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart for a new user: without root, without sudo, with a sudo that
# refuses, in a folder that others may not enter; and nothing left behind.  The
# build, the packages and the programs are stand-ins.
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
# All programs of this machine except these.
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
case "\$*" in
*-s*) exec seq -f 'Inst package%g' 5 ;;
esac
echo "apt-get \$*" >>"$work/any/apt"
case "\$*" in
*--version*) exit ;;
*install*)
	: >"$work/any/packages"
	seq -f 'Unpacking package%g' 5
	;;
esac
END
script apt-cache <<END
#!/bin/sh
echo 'Depends: clang-21 (>= 21~), libc6'
END
# Pretends to build ten files; installed into the folder given to configure.
script make <<'END'
#!/bin/sh
case "$*" in
-n*) yes 'echo "  CC      " file.o;gcc file.c' | head -n 10 ;;
*V=0*) yes '  CC       file.o' | head -n 10 ;;
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

# The built programs: a recording is stored where "list" looks for it.
fresh()	# MODE: of the folder around the checkout
{
	rm -rf "${work:?}/any" "${work:?}/home"
	mkdir -m 777 "$work/any"
	mkdir -p "$work/home/top" "$work/home/tmp"
	cp "$srcdir/quickstart" "$work/home/top"
	script "$work/home/top/configure" <<<'#!/bin/sh'
	script "$work/home/top/stepwell" <<'END'
#!/bin/sh
state=${XDG_STATE_HOME:-$HOME/.local/state}/stepwell
mkdir -p "$state" || exit 1
case "$1 $*" in
"run "*" --output "*) ;;
"run "*) echo a run >"$state/story.stepwell" ;;
"list "*) exec cat "$state/story.stepwell" ;;
esac
echo "$(id -u) $1"
END
	if [ ${#nobody[@]} -gt 0 ] && [ "$1" = 755 ]; then
		chown -R 65534:65534 "$work/home"
	fi
	chmod "$1" "$work/home"
}

# quickstart PATH [COMMAND-TO-BECOME...]: sets $text and $status
quickstart()
{
	local path=$1
	shift
	text=$(cd / && "$@" env PATH="$path" HOME="$work/home" \
		TMPDIR="$work/home/tmp" XDG_STATE_HOME= \
		sh "$work/home/top/quickstart" 2>&1)
	status=$?
}

# The list in quickstart, as joined by find_missing().
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
is "  which works as it stands" "a run" "$(eval "$(sed -n \
	's/^  \(export PATH=\)/\1/p' <<<"$text")" && XDG_STATE_HOME='' \
	HOME=$work/home stepwell list)"
is "  with one report" 1 "$(grep -cE '^[0-9]+ (run|report)' <<<"$text")"
is "  in fewer lines than a screen has" yes \
	"$([ "$(wc -l <<<"$text")" -le 40 ] && echo yes || echo "$text")"
is "  says how far the build is, each fifth" "20 % 40 % 60 % 80 %" "$(
	grep -oE '^[0-9]+ % of 10 files' <<<"$text" | sed 's/ of.*//' |
	paste -sd' ')"
is "  and the installation" "20 % 40 % 60 % 80 %" "$(
	grep -oE '^[0-9]+ % of 5 packages' <<<"$text" | sed 's/ of.*//' |
	paste -sd' ')"
is "  names each folder that has something new" "" "$(
	find "$work/home" -newer "$work/any/apt" -type f |
	while read -r file; do
		grep -oE '^  /[^ ]*' <<<"$text" | while read -r folder; do
			[ "${file#"${folder#  }"/}" = "$file" ] || echo named
		done | grep -q named || echo "$file"
	done)"

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
	is "  and nothing is left in the folder for temporary files" "" \
		"$(ls "$work/home/tmp")"
else
	echo "ok - skip: not root: what root does in a closed folder"
fi
tally
