#!/usr/bin/env python3
"""The lease of socket_lease.py by asyncio, with nothing but Python: one connection for all calls that
are open, their commands one behind the other, and the replies in the same order."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import preload  # noqa: E402, F401  # first: clocks, timers and chance are the harness's from here on
import asyncio  # noqa: E402
from collections import deque  # noqa: E402
from lease_adapter import LeaseError, serve  # noqa: E402

ACQUIRE = """local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1"""
OWNED = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n"
RELEASE = OWNED + "return redis.call('DEL', KEYS[1])"
RENEW = OWNED + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])"
TRANSFER = OWNED + "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nreturn 1"


class Client:
    def __init__(self):
        self.open()

    def open(self):
        self.waiting = deque()  # for replies, in the order of what was sent
        self.connected = asyncio.create_task(self.connect())

    async def connect(self):
        port = int(os.environ["REDIS_URL"].rsplit(":", 1)[1])
        reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        self.reading = asyncio.create_task(self.read(reader))
        self.send("CLIENT", "SETNAME", "lease")

    def send(self, *words):
        words = [str(word).encode() for word in words]
        self.writer.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
        self.waiting.append(asyncio.get_running_loop().create_future())
        return self.waiting[-1]

    # A connection that broke says nothing of what was sent over it; the next call has a new one.
    async def read(self, reader):
        try:
            while True:
                answer = await self.reply(reader)
                self.waiting.popleft().set_result(answer)
        except (OSError, EOFError):
            self.writer.close()
            lost = self.waiting
            self.open()
            for each in lost:
                each.set_result(LeaseError("info", "connection_lost"))

    async def reply(self, reader):
        line = (await reader.readuntil(b"\r\n")).decode()[:-2]
        if line[0] == "$":
            length = int(line[1:])
            return None if length < 0 else (await reader.readexactly(length + 2))[:-2].decode()
        if line[0] == "-":
            return LeaseError("fail", "backend_error", line[1:])
        return int(line[1:]) if line[0] == ":" else line[1:]

    async def command(self, *words):
        await self.connected
        answer = await self.send(*words)
        if isinstance(answer, LeaseError):
            raise answer
        return answer


class Provider:
    def __init__(self, host):
        self.host, self.client = host, Client()

    async def run(self, script, key, *arguments):
        ttl = arguments[-1] if isinstance(arguments[-1], int) else 1
        if not key or "" in arguments or not 1 <= ttl < 2**53:
            raise LeaseError("fail", "invalid_argument")
        return await self.client.command("EVAL", script, 1, f"{self.host.prefix}:lease:{key}", *arguments)

    async def acquire_lease(self, key, owner, ttl):
        answer = await self.run(ACQUIRE, key, owner, ttl)
        return {"acquired": True} if answer == 1 else {"acquired": False, "owner": answer}

    async def get_lease_owner(self, key):
        if not key:
            raise LeaseError("fail", "invalid_argument")
        return await self.client.command("GET", f"{self.host.prefix}:lease:{key}")

    async def release_lease(self, key, owner):
        await self.run(RELEASE, key, owner)

    async def renew_lease(self, key, owner, ttl):
        return await self.run(RENEW, key, owner, ttl) == 1

    async def transfer_lease(self, key, owner, to, ttl):
        return await self.run(TRANSFER, key, owner, to, ttl) == 1


serve(Provider, records="<prefix>:lease:<key>")
