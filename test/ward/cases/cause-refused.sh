# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the license server refuses the connection
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# needs: python3
# says: program.failed (?i)python.*refused

job()
{
	ward phases 1x12
	python3 -c 'import socket; socket.create_connection(("127.0.0.1", 9))'
	true
}

good()
{
	ward phases 1x12
	python3 -c 'import socket
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname())'
}
