# SPDX-License-Identifier: GPL-2.0-or-later
"""genome.py BASES READS: genome.fa of random bases, and reads.fq of 150 of them
each, with an error in a hundred."""
import random
import sys

random.seed(1)
genome = "".join(random.choices("ACGT", k=int(sys.argv[1])))
with open("genome.fa", "w", encoding="ascii") as file:
    file.write(">chr1\n")
    for i in range(0, len(genome), 80):
        file.write(genome[i:i + 80] + "\n")
with open("reads.fq", "w", encoding="ascii") as file:
    for number in range(int(sys.argv[2])):
        start = random.randrange(len(genome) - 150)
        read = list(genome[start:start + 150])
        read[random.randrange(150)] = random.choice("ACGT")
        file.write(f"@r{number}\n{''.join(read)}\n+\n{'I' * 150}\n")
