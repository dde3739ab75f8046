"""Sends all commands of a call at once: five entries of one log, the third and the fourth of them in
a transaction."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import preload  # noqa: E402, F401
import socket  # noqa: E402
from lease_adapter import LeaseError, serve  # noqa: E402


def encoded(*words):
    return "*%d\r\n" % len(words) + "".join(f"${len(w)}\r\n{w}\r\n" for w in words)


class Provider:
    def __init__(self, host):
        self.calls = 0
        self.open()

    def open(self):
        port = int(os.environ["REDIS_URL"].rsplit(":", 1)[1])
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.stream = self.socket.makefile("rb")

    def line(self):
        line = self.stream.readline().decode().strip()
        if not line:
            raise ConnectionError("the connection was lost")
        return line

    async def acquire_lease(self, key, owner, ttl):
        self.calls += 1
        entries = [encoded("RPUSH", "log", f"{os.getpid()}/{self.calls}/{i}") for i in range(1, 6)]
        multi, end = encoded("MULTI"), encoded("EXEC")
        all_at_once = entries[:2] + [multi] + entries[2:4] + [end] + entries[4:]
        try:
            self.socket.sendall("".join(all_at_once).encode())
            # Five lengths, OK, two times QUEUED, and the head of EXEC's.
            lines = [self.line() for _ in range(9)]
        except OSError as error:
            self.stream.close()
            self.socket.close()
            self.open()
            raise LeaseError("info", "connection_lost", str(error))
        kinds = "".join(line[0] for line in lines)
        lengths = [int(line[1:]) for line in lines if line[0] == ":"]
        assert kinds == "::+++*:::" and lengths == sorted(lengths), lines
        return {"acquired": False, "owner": owner}

    async def get_lease_owner(self, key):
        return None

    async def release_lease(self, key, owner):
        pass

    async def renew_lease(self, key, owner, ttl):
        return False

    async def transfer_lease(self, key, owner, to, ttl):
        return False


serve(Provider)
