#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Text, brief, JSON, HTML and list agree on a recording: first line, findings
# and their number, times, limits and usage.  Checked for each fixture of a
# finding that fires, and for the reports.
# shellcheck disable=SC2154 # what lib.sh and make set
# shellcheck source=test/lib.sh
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

command -v python3 >/dev/null || {
	echo "SKIP: python3 reads JSON and HTML here"
	exit 77
}
export STEPWELL_CONF=/dev/null COLUMNS=4000 LC_ALL=C.UTF-8 TZ=UTC

cat >"$work/compare.py" <<'END'
import html.parser, json, math, os, re, sys

class Words(html.parser.HTMLParser):
    """What a page says, without its pictures."""
    breaks = {"p", "h1", "h2", "h3", "tr", "li", "div", "dt", "dd", "td", "th"}
    silent = {"style", "svg", "script"}
    def __init__(self):
        super().__init__()
        self.words, self.depth = [], 0
    def handle_starttag(self, tag, attrs):
        self.depth += tag in self.silent
        if tag in self.breaks:
            self.words.append(" ")
    def handle_endtag(self, tag):
        self.depth -= tag in self.silent
    def handle_data(self, data):
        if not self.depth:
            self.words.append(data)

def flat(text):
    return re.sub(r"\s+", " ", text)

def seconds(words):
    """Of "1 min 40 s", "2 h 05 min", "00:01:40"; None: too coarse."""
    units = {"d": 86400, "h": 3600, "min": 60, "s": 1}
    clock = re.fullmatch(r"(?:(\d+)-)?(\d+):(\d+):(\d+)", words)
    if clock:
        return sum(int(n or 0) * unit for n, unit in
                   zip(clock.groups(), units.values()))
    parts = re.findall(r"([0-9.]+) (d|h|min|s)\b", words)
    if not parts or parts[-1][1] != "s":
        return None
    return sum(float(n) * units[unit] for n, unit in parts)

def compare(folder):
    def read(name):
        return open(os.path.join(folder, name), errors="replace").read()

    def line(label):
        found = re.search("^  " + label + r"\s+(.*)$", text, re.M)
        return found[1] if found else ""

    text, brief = read("text"), read("brief")
    report = json.loads(read("json"))
    rows = json.loads(read("list"))["recordings"]
    page = Words()
    page.feed(read("html"))
    page, whole = flat("".join(page.words)), flat(text)
    verdict = flat(text.split("\n")[0].partition(": ")[2])
    findings = report.get("findings", [])

    for name, other in ("brief", flat(brief)), ("HTML", page):
        if verdict not in other:
            yield name + " has another first line: " + verdict
    for finding in findings:
        for name, other in ("text", whole), ("HTML", page):
            if flat(finding["sentence"]) not in other:
                yield name + " lacks the sentence of " + finding["id"]

    # A process killed when out of memory is not counted as killed, too.
    if re.search(r"\d OOM, \d+ (killed|SIGKILL)", text) and not any(
            sum(program.get("killed_by", {}).values()) >
            program.get("oom_killed", 0)
            for program in report.get("programs", [])):
        yield "one process stands for two in the table of programs"

    listed = len(re.findall(r"^  . (?:info|warning|critical) \(", text, re.M))
    if listed != len(findings):
        yield "%d findings in text, %d in JSON" % (listed, len(findings))
    more = re.search(r"and (\d+) more finding", verdict)
    if more and int(more[1]) + 1 != listed:
        yield "\"%s\", but %d are listed" % (more[0], listed)

    after = re.search(r" after ([0-9a-z. ]+?)(?: \(|\. )", verdict)
    times = [seconds(words) for words in
             (after[1] if after else "", line("elapsed"))]
    if None not in times and times[0] != times[1]:
        yield "after %s, but elapsed %s" % (after[1], line("elapsed"))
    if rows and rows[0].get("elapsed_seconds") != \
            report["job"].get("elapsed_seconds"):
        yield "list and report differ in elapsed_seconds"

    first = rows[0].get("first_finding") if rows else None
    if rows and first != (findings[0]["id"] if findings else None):
        yield "list has another first finding: %s" % first

    for part in [report["job"]] + report.get("steps", []):
        cpu = part.get("cpu", {})
        if cpu.get("peak_cores", math.inf) < cpu.get("mean_cores", 0):
            yield "a peak of CPUs that is below the average"

    # All charts over time end at the same time.
    over = read("html").partition("<h2>Over time<")[2]
    ends = set(re.findall(r'<div class="x"><span>0</span>\s*(?:<span style'
                          r'[^>]*>[^<]*</span>\s*)*<span>([^<]*)</span>',
                          over))
    if len(ends) > 1:
        yield "pictures end at %s" % ", ".join(sorted(ends))

    # The share named first in the first line is the largest of the bar.
    bar = re.findall(r"([A-Za-z/ ]+?) (\d+) %", line("limits"))
    named = re.search(r"(?:[Ll]imited by|Slowed down by|For) [^%]*?(\d+) %",
                      verdict)
    if bar and named and named[1] != bar[0][1]:
        yield "\"%s\", but limits are %s" % (named[0], line("limits"))

    for label in "CPU", "memory":
        short = re.search("^stepwell: " + label + ": ([^;\n]*)", brief, re.M)
        if short and flat(short[1]) not in whole:
            yield "brief says otherwise of %s: %s" % (label, short[1])

for folder in sorted(os.listdir(sys.argv[1])):
    for what in compare(os.path.join(sys.argv[1], folder)):
        print(folder + ": " + what)
END

count=0
for fixture in "$abs_top_srcdir"/test/rules/*/fires*.txt \
	"$abs_top_srcdir"/test/reports/*.txt; do
	name=${fixture#"$abs_top_srcdir"/test/}
	into=$work/said/${name//\//_}
	rm -rf "$work/one"
	mkdir -p "$work/one"
	# Some fixtures are jobs, or meant to be refused.
	"$abs_top_builddir/test/mkprofile" "$fixture" \
		"$work/one/one.stepwell" 2>/dev/null || continue
	mkdir -p "$into"
	profile=$work/one/one.stepwell
	"$stepwell" report --no-sacct --json "$profile" >"$into/json"
	"$stepwell" report --no-sacct "$profile" >"$into/text"
	"$stepwell" report --no-sacct --brief "$profile" >"$into/brief"
	"$stepwell" report --no-sacct --html - "$profile" >"$into/html"
	"$stepwell" list --no-sacct --json "$work/one" >"$into/list"
	count=$((count + 1))
done 2>/dev/null
is "there are fixtures" yes "$([ $count -gt 150 ] && echo yes)"
is "text, brief, JSON, HTML and list agree" "" \
	"$(python3 "$work/compare.py" "$work/said" 2>&1)"
tally
