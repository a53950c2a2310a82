# SPDX-License-Identifier: GPL-2.0-or-later
# For Spack 1.0 and later, in a repository of one's own ("spack repo create"):
# packages/stepwell/package.py. stepwell-install(7) has the commands.
import os

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Stepwell(AutotoolsPackage):
    """Black-box recorder and advisor for batch jobs: records what a command or
    the steps of a Slurm job did with the CPUs, memory and time they requested,
    and which programs ran inside and how they ended."""

    # The tarball of "make dist", in the folder where spack is called.
    manual_download = True
    url = f"file://{os.getcwd()}/stepwell-0.1.0.tar.xz"

    license("GPL-2.0-or-later")

    # The tarball has this file inside, so its checksum cannot be in here: add
    # sha256=, or install with --no-checksum.
    version("0.1.0")

    # Names and consequences are those of configure --help.
    variant(
        "bpf",
        default=False,
        description="BPF by the system's libbpf >= 1.0, which Spack does not have",
    )
    variant("hwloc", default=True, description="Topology by hwloc")
    variant("pfm", default=True, description="The processors' own events by libpfm4")
    variant("dw", default=True, description="Stacks of steps that stand still by libdw")
    variant("papi", default=False, description="Counters by the names of PAPI")
    variant("slurm", default=False, description="The plugin for one release of Slurm")
    variant(
        "slurmdb",
        default=False,
        when="+slurm",
        description="stepwell-slurmdb, which reads jobs from slurmdbd",
    )

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("zstd@1.4:")
    depends_on("xxhash", type="build")
    depends_on("json-c@0.14:")
    depends_on("libyaml")
    depends_on("sqlite@3.34:")
    depends_on("zlib-api")
    depends_on("hwloc@2.1:", when="+hwloc")
    depends_on("libpfm4", when="+pfm")
    depends_on("elfutils", when="+dw")
    depends_on("papi@6:", when="+papi")
    # The Slurm of the nodes, as an external package: the plugin fits no other.
    depends_on("slurm@22-05:", when="+slurm")

    requires("platform=linux")

    sanity_check_is_file = ["bin/stepwell", "libexec/stepwell/stepwell-recorder"]

    def configure_args(self):
        # Settings, the switch and the spool are the node's, whatever version it
        # has. The units stay in the prefix: an administrator copies them.
        args = [
            "--sysconfdir=/etc",
            "--localstatedir=/var",
            f"--with-systemdsystemunitdir={self.prefix.lib.systemd.system}",
        ]
        for part in ("bpf", "hwloc", "pfm", "dw", "papi", "slurmdb"):
            args += self.with_or_without(part)
        args += self.with_or_without("slurm", activation_value="prefix")
        if self.spec.satisfies("+bpf"):
            args += ["LIBBPF_CFLAGS=-I/usr/include", "LIBBPF_LIBS=-lbpf"]
        return args
