#!/usr/bin/env python3
"""A lease whose acquire waits: it lets BLPOP wake it when the holder releases, as python-redis-lock
does, and tries again after one ttl at the latest. Nothing but Python, over a socket to REDIS_URL."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import preload  # noqa: E402, F401  # first: clocks, sleeps and chance are the harness's from here on
import socket  # noqa: E402
from lease_adapter import LeaseError, serve  # noqa: E402

ACQUIRE = """local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1"""
OWNED = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n"
# One signal at the most, and not for long: it is for whoever waits now.
RELEASE = OWNED + """redis.call('DEL', KEYS[2])
redis.call('LPUSH', KEYS[2], 1)
redis.call('PEXPIRE', KEYS[2], 1000)
return redis.call('DEL', KEYS[1])"""
RENEW = OWNED + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])"
TRANSFER = OWNED + "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nreturn 1"


class Client:
    def __init__(self):
        self.open()

    def open(self):
        port = int(os.environ["REDIS_URL"].rsplit(":", 1)[1])
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.stream = self.socket.makefile("rb")

    def reply(self):
        line = self.stream.readline().decode()[:-2]
        if not line:
            raise ConnectionError("the connection was lost")
        kind, rest = line[0], line[1:]
        if kind == "-":
            raise LeaseError("fail", "backend_error", rest)
        if rest == "-1":
            return None
        if kind == "*":
            return [self.reply() for _ in range(int(rest))]
        if kind == "$":
            return self.stream.read(int(rest) + 2)[:-2].decode()
        return int(rest) if kind == ":" else rest

    # A connection that broke says nothing of what was sent over it; the next call has a new one.
    def command(self, *words):
        words = [str(word).encode() for word in words]
        try:
            self.socket.sendall(b"*%d\r\n" % len(words) +
                                b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
            return self.reply()
        except OSError as error:
            self.stream.close()
            self.socket.close()
            self.open()
            raise LeaseError("info", "connection_lost", str(error))


class Provider:
    def __init__(self, host):
        self.host, self.client = host, Client()

    def run(self, script, key, *arguments):
        ttl = arguments[-1] if isinstance(arguments[-1], int) else 1
        if not key or "" in arguments or not 1 <= ttl < 2**53:
            raise LeaseError("fail", "invalid_argument")
        return self.client.command("EVAL", script, 2, f"{self.host.prefix}:lease:{key}",
                                   self.signal(key), *arguments)

    def signal(self, key):
        return f"{self.host.prefix}:signal:{key}"

    async def acquire_lease(self, key, owner, ttl):
        answer = self.run(ACQUIRE, key, owner, ttl)
        if answer != 1:
            self.client.command("BLPOP", self.signal(key), min(ttl, 3600000) / 1000)
            answer = self.run(ACQUIRE, key, owner, ttl)
        return {"acquired": True} if answer == 1 else {"acquired": False, "owner": answer}

    async def get_lease_owner(self, key):
        if not key:
            raise LeaseError("fail", "invalid_argument")
        return self.client.command("GET", f"{self.host.prefix}:lease:{key}")

    async def release_lease(self, key, owner):
        self.run(RELEASE, key, owner)

    async def renew_lease(self, key, owner, ttl):
        return self.run(RENEW, key, owner, ttl) == 1

    async def transfer_lease(self, key, owner, to, ttl):
        return self.run(TRANSFER, key, owner, to, ttl) == 1


# What waits keeps no bound on time but its own.
serve(Provider, records="<prefix>:lease:<key>", guarantees={
    "acquire_trips": 3, "not_guaranteed": [{"property": "progress.*", "profile": "*"},
                                           {"property": "signal.*", "profile": "*"}]})
