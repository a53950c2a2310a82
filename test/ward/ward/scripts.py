# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs of the variants, by language: {"python": text, "perl": text}."""

HOLD = {
    "python": """
        import sys, time
        held = bytearray(b"x") * (int(sys.argv[1]) << 20)
        end = time.monotonic() + float(sys.argv[2])
        while time.monotonic() < end:
            sum(held[i] for i in range(0, 100000))""",
    "perl": """
        my $held = "x" x ($ARGV[0] << 20);
        my ($end, $sum) = (time + $ARGV[1], 0);
        while (time < $end) { $sum += $_ * $_ for 1 .. 1000 }""",
}

REST = {
    "python": "import sys, time; time.sleep(float(sys.argv[1]))",
    "perl": "sleep shift",
}

READ = {
    "python": """
        import sys
        with open(sys.argv[1], "rb", buffering=0) as file:
            while file.read(131072):
                pass""",
    "perl": """
        open my $file, "<:raw", $ARGV[0] or die;
        1 while sysread $file, my $bytes, 131072;""",
}

WRITE = {
    "python": """
        import os, sys, time
        end = time.monotonic() + float(sys.argv[2])
        file = os.open(sys.argv[1], os.O_WRONLY)
        while time.monotonic() < end:
            os.pwrite(file, b"x" * 65536, 0)""",
    "perl": """
        open my $file, "+<:raw", $ARGV[0] or die;
        my ($end, $bytes) = (time + $ARGV[1], "x" x 65536);
        while (time < $end) { sysseek $file, 0, 0;
            syswrite $file, $bytes or die }""",
}

SYNC = {
    "python": """
        import os, sys, time
        end = time.monotonic() + float(sys.argv[2])
        file = os.open(sys.argv[1], os.O_WRONLY)
        while time.monotonic() < end:
            os.pwrite(file, b"x" * int(sys.argv[3]), 0)
            os.fsync(file)""",
    "perl": """
        use IO::Handle;
        open my $file, "+<:raw", $ARGV[0] or die;
        my ($end, $bytes) = (time + $ARGV[1], "x" x $ARGV[2]);
        while (time < $end) { sysseek $file, 0, 0;
            syswrite $file, $bytes or die; $file->sync }""",
}

OPEN = {
    "python": """
        import os, sys, time
        end = time.monotonic() + float(sys.argv[2])
        while time.monotonic() < end:
            os.close(os.open(sys.argv[1], os.O_RDONLY))""",
    "perl": """
        my $end = time + $ARGV[1];
        while (time < $end) { open my $file, "<", $ARGV[0] or die;
            close $file }""",
}

STAT = {
    "python": """
        import os, sys, time
        end = time.monotonic() + float(sys.argv[2])
        while time.monotonic() < end:
            os.stat(sys.argv[1])""",
    "perl": """
        my $end = time + $ARGV[1];
        while (time < $end) { stat $ARGV[0] or die }""",
}

TINY = {
    "python": """
        import os, sys, time
        end = time.monotonic() + float(sys.argv[1])
        file = os.open("tiny", os.O_WRONLY | os.O_CREAT)
        count = 0
        while time.monotonic() < end:
            for i in range(1000):
                count += os.write(file, b"x" * int(sys.argv[2]))
        print(f"bytes={count}")""",
    "perl": """
        open my $file, ">:raw", "tiny" or die;
        my ($end, $bytes, $count) = (time + $ARGV[0], "x" x $ARGV[1], 0);
        while (time < $end) {
            $count += syswrite $file, $bytes for 1 .. 1000 }
        print "bytes=$count\\n";""",
}

LOCKED = {
    "python": """
        import fcntl, os, sys, time
        end = time.monotonic() + float(sys.argv[1])
        for i in range(int(sys.argv[2])):
            if os.fork() == 0:
                file = open("lock", "w")
                while time.monotonic() < end:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    until = time.monotonic() + float(sys.argv[3])
                    while time.monotonic() < until:
                        sum(range(1000))
                    fcntl.flock(file, fcntl.LOCK_UN)
                    time.sleep(0)
                os._exit(0)
        while True:
            try:
                os.wait()
            except ChildProcessError:
                break""",
    "perl": """
        use Time::HiRes "time";
        my ($end, $tasks, $hold) = (time + $ARGV[0], @ARGV[1, 2]);
        for (1 .. $tasks) {
            next if fork;
            open my $file, ">", "lock";
            while (time < $end) {
                flock $file, 2;
                my ($until, $sum) = (time + $hold, 0);
                while (time < $until) { $sum += $_ for 1 .. 1000 }
                flock $file, 8;
            }
            exit 0;
        }
        1 while wait > 0;""",
}

WAIT_LOCK = {
    "python": """
        import fcntl
        fcntl.flock(open("lock"), fcntl.LOCK_EX)""",
    "perl": """open my $file, "<", "lock"; flock $file, 2""",
}

WAIT_PEER = {
    "python": """
        import socket, sys
        server = socket.create_server(("127.0.0.1", 0))
        client = socket.create_connection(server.getsockname())
        client.settimeout(float(sys.argv[1]))
        peer = server.accept()
        try:
            client.recv(1)
        except TimeoutError:
            pass""",
    "perl": """
        use IO::Socket::INET;
        my $server = IO::Socket::INET->new(Listen => 1) or die;
        my $client = IO::Socket::INET->new(PeerAddr => "127.0.0.1",
            PeerPort => $server->sockport) or die;
        my $peer = $server->accept;
        my $end = shift;
        if (!fork) { sleep $end; exec "true" }
        $SIG{CHLD} = sub { exit 0 };
        sysread $client, my $byte, 1;""",
}

GROW = {
    "python": """
        import sys, time
        most, seconds = int(sys.argv[1]), float(sys.argv[2])
        start, held = time.monotonic(), []
        while time.monotonic() < start + seconds:
            past = (time.monotonic() - start) / seconds
            while len(held) < most * past:
                held.append(bytearray(b"x") * (1 << 20))
            sum(range(1000))""",
}

KILL = {
    "python": """
        import os, sys, time
        end = time.monotonic() + 2
        while time.monotonic() < end:
            sum(range(1000))
        os.kill(os.getpid(), int(sys.argv[1]))""",
    "perl": """
        my ($end, $sum) = (time + 3, 0);
        while (time < $end) { $sum += $_ for 1 .. 1000 }
        kill shift, $$;""",
}

STORM = {
    "python": """
        import subprocess, sys, time
        end = time.monotonic() + float(sys.argv[1])
        while time.monotonic() < end:
            subprocess.call("/bin/true")""",
    "perl": """
        my $end = time + shift;
        while (time < $end) { system "/bin/true" }""",
}

SPIN = {
    "python": """
        import os, sys, time
        end = time.monotonic() + float(sys.argv[1])
        while not os.path.exists("result") and time.monotonic() < end:
            pass""",
    "perl": """
        my $end = time + shift;
        while (!-e "result" && time < $end) {}""",
}

FILES = {
    "perl": """
        my ($end, $n) = (time + $ARGV[0], 0);
        mkdir "tiny";
        while (time < $end) { my $name = "tiny/" . $n++ % 20000;
            open my $out, ">", $name or die; print $out "x" x $ARGV[1];
            close $out; open my $in, "<", $name or die; <$in> }""",
}
