#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs commands on the nodes of the test cluster.

Many commands share one stream of bytes: the virtio port between this machine
and a node, or a TCP connection between two nodes.  On a node, "agent" runs
what it is told; on this machine "hub" shares the port among the clients "on".
A frame is: number of the command, kind, length (see HEADER), data.  To a node:
R run (JSON), I input (empty: its end), K kill.  From it: O output, E error
output, X exit status.  Gives up, with 125, when the stream ends.
"""
import asyncio
import ctypes
import json
import os
import pwd
import queue
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

HEADER = struct.Struct('>IcI')
CHUNK = 65536
PORT = '/dev/virtio-ports/stepwell'
TCP_PORT = 700
NOT_RUN = 125
# Of amd64 and of perf_event_open(2).
SYS_PERF_EVENT_OPEN = 298
PERF_TYPE_SOFTWARE = 1
PERF_FLAG_FD_CLOEXEC = 8
PERF_DISABLED_OF_USER = 1 << 0 | 1 << 5 | 1 << 6
PERF_ATTR = '=IIQQQQQIIQ'
SOFTWARE_COUNTERS = {'page-faults': 2, 'context-switches': 3,
                     'cpu-migrations': 4, 'major-faults': 6}


def pack(number, kind, data=b''):
    return HEADER.pack(number, kind, len(data)) + data


def read_exactly(read, count):
    """The next count bytes; fewer only at the end of the stream."""
    parts = []
    while count:
        part = read(min(count, CHUNK))
        if not part:
            break
        parts.append(part)
        count -= len(part)
    return b''.join(parts)


def read_frame(read):
    header = read_exactly(read, HEADER.size)
    if len(header) < HEADER.size:
        raise EOFError
    number, kind, length = HEADER.unpack(header)
    data = read_exactly(read, length)
    if len(data) < length:
        raise EOFError
    return number, kind, data


# On a node.

class Command:
    """One running command; send(kind, data) takes what comes of it."""

    def __init__(self, request, send):
        self.send = send
        self.input = queue.SimpleQueue()
        who = pwd.getpwnam(request.get('user') or 'root')
        environment = {
            'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin'
                    ':/sbin:/bin',
            'HOME': who.pw_dir, 'USER': who.pw_name, 'LOGNAME': who.pw_name,
            'SHELL': who.pw_shell, 'LC_ALL': 'C.UTF-8',
        }
        environment.update(request.get('environment') or {})
        identity = {} if who.pw_uid == 0 else {
            'user': who.pw_uid, 'group': who.pw_gid,
            'extra_groups': os.getgrouplist(who.pw_name, who.pw_gid)}
        # A home folder of another node is closed to root, so the user enters.
        argv = ['sh', '-c', 'cd && exec "$@"', 'sh'] + request['argv']
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd='/', env=environment,
            start_new_session=True, **identity)
        threading.Thread(target=self.feed, daemon=True).start()
        threading.Thread(target=self.watch, daemon=True).start()

    def feed(self):
        with self.process.stdin as pipe:
            while True:
                data = self.input.get()
                if not data:
                    return
                try:
                    pipe.write(data)
                    pipe.flush()
                except BrokenPipeError:
                    return

    def forward(self, pipe, kind):
        while True:
            data = os.read(pipe.fileno(), CHUNK)
            if not data:
                return
            self.send(kind, data)

    def watch(self):
        process = self.process
        readers = [threading.Thread(target=self.forward, args=a, daemon=True)
                   for a in ((process.stdout, b'O'), (process.stderr, b'E'))]
        for reader in readers:
            reader.start()
        status = process.wait()
        # What the command left running may hold the pipes open for ever.
        for reader in readers:
            reader.join(0.5)
        self.input.put(b'')
        status = status if status >= 0 else 128 - status
        self.send(b'X', b'%d' % status)

    def kill(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return
            for _ in range(20):
                if self.process.poll() is not None:
                    return
                time.sleep(0.1)


def serve_stream(read, write):
    """Runs commands until the stream ends, then ends those that still run."""
    commands = {}
    lock = threading.Lock()

    def start(number, request):
        def send(kind, data):
            with lock:
                try:
                    write(pack(number, kind, data))
                except OSError:
                    pass
            if kind == b'X':
                commands.pop(number, None)
        try:
            commands[number] = Command(request, send)
        except (OSError, KeyError, subprocess.SubprocessError) as error:
            send(b'E', f'channel: not run: {error}\n'.encode())
            send(b'X', b'%d' % NOT_RUN)

    try:
        while True:
            number, kind, data = read_frame(read)
            command = commands.get(number)
            if kind == b'R':
                start(number, json.loads(data))
            elif command and kind == b'I':
                command.input.put(data)
            elif command and kind == b'K':
                threading.Thread(target=command.kill, daemon=True).start()
    except (EOFError, OSError):
        for command in list(commands.values()):
            command.kill()


def serve_tcp():
    listener = socket.create_server(('', TCP_PORT))
    while True:
        peer, address = listener.accept()
        # As with rsh: only root of a node can call from such a port.
        if address[1] >= 1024:
            peer.close()
            continue
        threading.Thread(target=serve_stream, args=(peer.recv, peer.sendall),
                         daemon=True).start()


def keep_counters():
    """Has one counter of each kind that the recorder uses, until the end.

    The kernel patches its code at the first of a kind and behind the last: for
    a moment there is a trap in it, which other processors jump over.  QEMU's
    emulated ones may go on to see the trap when it is gone, and run in a circle
    from then on: a node whose recorder began and ended often was lost, with
    both processors at the one place where page faults are counted.
    """
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    for name, number in SOFTWARE_COUNTERS.items():
        attr = struct.pack(PERF_ATTR, PERF_TYPE_SOFTWARE,
                           struct.calcsize(PERF_ATTR), number, 0, 0, 0,
                           PERF_DISABLED_OF_USER, 0, 0, 0)
        if syscall(SYS_PERF_EVENT_OPEN, attr, 0, -1, -1,
                   PERF_FLAG_FD_CLOEXEC) < 0:
            print(f'no {name}: {os.strerror(ctypes.get_errno())}',
                  file=sys.stderr)


def agent():
    keep_counters()
    threading.Thread(target=serve_tcp, daemon=True).start()
    port = os.open(PORT, os.O_RDWR | os.O_CLOEXEC)

    def write(data):
        while data:
            data = data[os.write(port, data):]

    while True:
        serve_stream(lambda count: os.read(port, count), write)
        # Nobody has the other end open.
        time.sleep(0.1)


# On this machine.

async def read_frame_async(reader):
    header = await reader.readexactly(HEADER.size)
    number, kind, length = HEADER.unpack(header)
    return number, kind, await reader.readexactly(length)


async def share_port(folder, node):
    """Lends the node's port to each client of the node's socket."""
    clients = {}
    count = 0
    reader, port = await asyncio.open_unix_connection(f'{folder}/{node}.port')

    async def serve(client_reader, client):
        nonlocal count
        count += 1
        number = count
        clients[number] = client
        try:
            while True:
                _, kind, data = await read_frame_async(client_reader)
                port.write(pack(number, kind, data))
                await port.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            if number in clients:
                del clients[number]
                port.write(pack(number, b'K'))
        client.close()

    async with await asyncio.start_unix_server(serve,
                                               f'{folder}/{node}.sock'):
        try:
            while True:
                number, kind, data = await read_frame_async(reader)
                if number in clients:
                    clients[number].write(pack(number, kind, data))
                if kind == b'X':
                    clients.pop(number, None)
        except (asyncio.IncompleteReadError, ConnectionError):
            for client in clients.values():
                client.close()
    os.unlink(f'{folder}/{node}.sock')


async def share_ports(folder, nodes):
    await asyncio.gather(*(share_port(folder, node) for node in nodes))


def monitor(path, commands):
    """Gives commands to QEMU's monitor; each is done when the next starts."""
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(path)
        for command in [None] + commands:
            if command:
                stream.sendall(command.encode() + b'\n')
            reply = b''
            while not reply.endswith(b'(qemu) '):
                part = stream.recv(CHUNK)
                if not part:
                    return
                reply += part
            if command:
                # The first line is the echo of the command.
                print(reply.decode(errors='replace').partition('\n')[2]
                      .removesuffix('(qemu) '), end='')


# On both.

def connect(where, node):
    if where:
        stream = socket.socket(socket.AF_UNIX)
        stream.connect(f'{where}/{node}.sock')
        return stream
    for port in range(1023, 800, -1):
        try:
            return socket.create_connection((node, TCP_PORT), timeout=None,
                                            source_address=('', port))
        except OSError as error:
            if error.errno not in (98, 99):     # the port is in use
                raise
    raise OSError('no free port below 1024')


def send_input(stream):
    try:
        while True:
            data = os.read(0, CHUNK)
            stream.sendall(pack(0, b'I', data))
            if not data:
                return
    except OSError:
        pass


def run_on(where, node, request, has_input):
    """Runs a command on a node; returns its exit status."""
    try:
        stream = connect(where, node)
        stream.sendall(pack(0, b'R', json.dumps(request).encode()))
        if has_input:
            threading.Thread(target=send_input, args=(stream,),
                             daemon=True).start()
        else:
            stream.sendall(pack(0, b'I'))
        while True:
            _, kind, data = read_frame(stream.recv)
            if kind == b'X':
                return int(data)
            target = 1 if kind == b'O' else 2
            while data:
                data = data[os.write(target, data):]
    except (EOFError, OSError) as error:
        print(f'on: lost {node}: {error or "it has ended"}', file=sys.stderr)
        return NOT_RUN


ON_USAGE = '''\
Usage: on [-n] [-u USER] NODE COMMAND [ARGUMENT]...

Runs COMMAND on NODE as root, or USER, in that user's home folder, with this
standard input, output and error. A COMMAND without arguments is a line for
bash. Exit status: that of COMMAND, 128+n if signal n ended it, 125 if it
could not be run.

  -n            no standard input
  -u USER       run as this user
'''


def on(where, arguments):
    user = None
    has_input = not os.isatty(0)
    while arguments and arguments[0].startswith('-'):
        option = arguments.pop(0)
        if option == '-n':
            has_input = False
        elif option == '-u' and arguments:
            user = arguments.pop(0)
        else:
            print(ON_USAGE, end='')
            return 0 if option == '--help' else NOT_RUN
    if len(arguments) < 2:
        sys.stderr.write(ON_USAGE)
        return NOT_RUN
    node, *argv = arguments
    if len(argv) == 1:
        argv = ['bash', '-c', argv[0]]
    return run_on(where, node, {'argv': argv, 'user': user}, has_input)


def main():
    verb, *arguments = sys.argv[1:] or ['']
    signal.signal(signal.SIGPIPE, signal.SIG_DFL if verb != 'agent'
                  else signal.SIG_IGN)
    if verb == 'agent':
        agent()
    elif verb == 'hub':
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        asyncio.run(share_ports(arguments[0], arguments[1:]))
    elif verb == 'monitor':
        monitor(arguments[0], arguments[1:])
    elif verb == 'on':
        status = on(arguments[0], arguments[1:])
        # Threads that wait for input would hold up an ordinary exit.
        sys.stdout.flush()
        os._exit(status)
    else:
        sys.exit('channel: agent, hub, monitor or on')


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
