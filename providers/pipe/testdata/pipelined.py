"""Sends all commands of a call at once: five entries of one log, the third and the fourth of them in
a transaction."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import preload  # noqa: E402, F401
import socket  # noqa: E402
from lease_adapter import serve  # noqa: E402


def encoded(*words):
    return "*%d\r\n" % len(words) + "".join(f"${len(w)}\r\n{w}\r\n" for w in words)


class Provider:
    def __init__(self, host):
        self.calls = 0
        self.socket = socket.create_connection(("127.0.0.1", int(os.environ["REDIS_URL"].rsplit(":", 1)[1])))
        self.stream = self.socket.makefile("rb")

    async def acquire_lease(self, key, owner, ttl):
        self.calls += 1
        entries = [encoded("RPUSH", "log", f"{os.getpid()}/{self.calls}/{i}") for i in range(1, 6)]
        multi, end = encoded("MULTI"), encoded("EXEC")
        self.socket.sendall("".join(entries[:2] + [multi] + entries[2:4] + [end] + entries[4:]).encode())
        # Five lengths, OK, two times QUEUED, and the head of EXEC's.
        lines = [self.stream.readline().decode().strip() for _ in range(9)]
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
