# SPDX-License-Identifier: GPL-2.0-or-later
# tool.pl INPUT [OPTION=VALUE]...: a tool of a pipeline, to be run by copies of
# perl with other names.  It copies lines, with work for each.
#
#	out=FILE	where to (standard output)
#	work=N		loops for each line
#	share=S		of its lines that it writes, from the first on
#	stop=S		of its input that it reads, and then ends as usual
#	memory=MIB	that it needs beside
#	kill=S		kills itself after this share of its input
#	sleep=SECONDS	before it ends
#	fail=FILE	exits with 3 if its input has this name
#	strict=1	fails without any lines, as many tools do
use strict;
use warnings;

my ($input, @options) = @ARGV;
my %of = (work => 0, share => 1, stop => 1, memory => 0, kill => 2,
	sleep => 0, strict => 0, fail => '', map { split /=/, $_, 2 } @options);

open(my $in, '<', $input) or die "$input: $!\n";
my $out = \*STDOUT;
if ($of{out}) {
	open($out, '>', $of{out}) or die "$of{out}: $!\n";
}
exit 3 if $input eq $of{fail};
my $held = 'x' x ($of{memory} << 20);
my $size = (-s $input) || 1;
my $sum = 0;
my $read = 0;
while (my $line = <$in>) {
	my $share = $read / $size;
	last if $share >= $of{stop};
	kill('KILL', $$) if $share >= $of{kill};
	$sum = ($sum * 31 + $_) % 65521 for 1 .. $of{work};
	print $out $line if $share < $of{share};
	$read += length $line;
}
die "$input: no records\n" if $of{strict} && !$read;
close($out) or die "$input: $!\n";
select(undef, undef, undef, $of{sleep}) if $of{sleep};
