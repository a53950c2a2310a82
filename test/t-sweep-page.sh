#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The HTML page of a large night: small enough for a mail, without scripts or
# external resources, and with a text for each picture.
# shellcheck disable=SC2154 # what lib.sh and sweep-lib.sh set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"
sweep_site
cat >"$work/nodes.csv" <<EOF
node,cpus,memory_gib,price_per_hour,currency,as_of
rack0*,32,128,1.61,EUR,2026-01-08
rack1*,64,256,3.05,EUR,2026-01-09
rack2*,128,512,5.90,EUR,2026-01-09
EOF
echo "node_catalogue: $work/nodes.csv" >>"$work/settings.yaml"

jobs_of -f "$fixtures/sweep/large.awk" >"$work/jobs"
SACCT_JOBS=$work/jobs "$stepwell" sweep --from 2026-11-21 \
	--html "$work/page.html" >"$work/out" 2>"$work/err"
is 'a night of 1,000 nodes: ok' 0 $?
SACCT_JOBS=$work/jobs "$stepwell" sweep --from 2026-11-21 --json \
	>"$work/out" 2>"$work/err"
is 'it has so many nodes and groups' 'True True' \
	"$(value '"%s %s" % (d["nodes"]["count"] >= 1000, len(d["groups"]) >= 200)')"
size=$(stat -c %s "$work/page.html")
is "the page has 100 KB at most ($size)" yes \
	"$([ "$size" -le 102400 ] && echo yes)"
cat >"$work/look.py" <<'EOF'
import re, sys, xml.dom.minidom

text = open(sys.argv[1], encoding="utf-8").read()
page = xml.dom.minidom.parseString(text)
elements = page.getElementsByTagName("*")

def words(element):
    return "".join(n.data if n.nodeType == n.TEXT_NODE else words(n)
                   for n in element.childNodes
                   if n.nodeType in (n.TEXT_NODE, n.ELEMENT_NODE)).strip()

ids = {e.getAttribute("id"): e for e in elements if e.hasAttribute("id")}

def is_named(svg):
    names = svg.getAttribute("aria-labelledby").split()
    return (svg.getAttribute("role") == "img" and names and
            all(name in ids and words(ids[name]) for name in names))

loads = ("src", "srcset", "href", "xlink:href", "action", "data", "poster",
         "formaction", "background", "ping")
print({
    "scripts": sum(e.tagName in ("script", "iframe", "object", "embed", "link",
                                 "base", "form", "img") for e in elements),
    "handlers": sum(k.startswith("on") for e in elements
                    for k in e.attributes.keys()),
    "requests": sum(k in loads and not v.startswith("#") for e in elements
                    for k, v in e.attributes.items()),
    "fetching styles": len(re.findall(r"url\(|@import|image-set|@font-face",
                                      text)),
    "refreshing": sum(e.getAttribute("http-equiv").lower() == "refresh"
                      for e in elements),
    "pictures without words": sum(not is_named(e)
                       for e in page.getElementsByTagName("svg")),
    "tables without caption": sum(not t.getElementsByTagName("caption")
                       for t in page.getElementsByTagName("table")),
    "head cells without scope": sum(not h.getAttribute("scope")
                       for h in page.getElementsByTagName("th")),
}, file=sys.stdout)
print(len(page.getElementsByTagName("svg")) > 4)
EOF
is 'nothing runs, nothing is fetched, all pictures have words' \
	"{'scripts': 0, 'handlers': 0, 'requests': 0, 'fetching styles': 0, 'refreshing': 0, 'pictures without words': 0, 'tables without caption': 0, 'head cells without scope': 0}
True" "$(python3 "$work/look.py" "$work/page.html" 2>&1)"
# Verify that the test detects violations.
sed 's|<main>|<main><img src="http://a/b"/><svg role="img"></svg><p onclick="a"/><style>a{background:url(b)}</style>|' \
	"$work/page.html" >"$work/bad.html"
is 'a page with such things is refused' \
	"'scripts': 1 'handlers': 1 'requests': 1 'fetching styles': 1 'pictures without words': 1" \
	"$(python3 "$work/look.py" "$work/bad.html" |
		grep -oE "'[a-z ]+': [1-9]" | paste -sd' ')"
[ -z "${KEEP_PAGE:-}" ] || cp "$work/page.html" "$KEEP_PAGE"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
