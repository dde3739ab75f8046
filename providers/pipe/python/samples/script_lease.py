#!/usr/bin/env python3
"""A lease in Redis, each operation one script: keeps the whole contract."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from lease_adapter import LeaseError, serve  # noqa: E402

ACQUIRE = """local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1"""
OWNED = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n"
RELEASE = OWNED + "return redis.call('DEL', KEYS[1])"
RENEW = OWNED + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])"
TRANSFER = OWNED + "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nreturn 1"


class Provider:
    def __init__(self, host):
        self.host = host

    async def run(self, script, key, *arguments):
        ttl = arguments[-1] if isinstance(arguments[-1], int) else 1
        if not key or "" in arguments or not 1 <= ttl < 2**53:
            raise LeaseError("fail", "invalid_argument")
        name = f"{self.host.prefix}:lease:{key}"
        return self.checked(await self.host.command("EVAL", script, 1, name, *arguments))

    # A script writes at most once and last: an error reply means that nothing was written.
    def checked(self, reply):
        if isinstance(reply, dict):
            raise LeaseError("fail", "backend_error", reply["error"])
        return reply

    async def acquire_lease(self, key, owner, ttl):
        answer = await self.run(ACQUIRE, key, owner, ttl)
        return {"acquired": True} if answer == 1 else {"acquired": False, "owner": answer}

    async def get_lease_owner(self, key):
        if not key:
            raise LeaseError("fail", "invalid_argument")
        return self.checked(await self.host.command("GET", f"{self.host.prefix}:lease:{key}"))

    async def release_lease(self, key, owner):
        await self.run(RELEASE, key, owner)

    async def renew_lease(self, key, owner, ttl):
        return await self.run(RENEW, key, owner, ttl) == 1

    async def transfer_lease(self, key, owner, to, ttl):
        return await self.run(TRANSFER, key, owner, to, ttl) == 1


serve(Provider, records="<prefix>:lease:<key>")
