#!/usr/bin/env python3
"""The same lease by redis.asyncio, its acquire in one script: keeps the whole contract. Its calls run
beside each other, each on a connection of the client's pool."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import preload  # noqa: E402, F401  # first: clocks, timers and chance are the harness's from here on
from redis import asyncio as redis  # noqa: E402
from calls import ACQUIRE, FAILURES, RELEASE, RENEW, TRANSFER, connect, meaning_of, required  # noqa: E402
from lease_adapter import serve  # noqa: E402


class Provider:
    def __init__(self, host):
        self.host, self.client = host, connect(redis.Redis)

    async def run(self, script, key, *arguments):
        required(key, *arguments)
        try:
            return await self.client.eval(script, 1, f"{self.host.prefix}:lease:{key}", *arguments)
        except FAILURES as error:
            raise meaning_of(error)

    async def acquire_lease(self, key, owner, ttl):
        answer = await self.run(ACQUIRE, key, owner, ttl)
        return {"acquired": True} if answer == 1 else {"acquired": False, "owner": answer}

    async def get_lease_owner(self, key):
        required(key)
        try:
            return await self.client.get(f"{self.host.prefix}:lease:{key}")
        except FAILURES as error:
            raise meaning_of(error)

    async def release_lease(self, key, owner):
        await self.run(RELEASE, key, owner)

    async def renew_lease(self, key, owner, ttl):
        return await self.run(RENEW, key, owner, ttl) == 1

    async def transfer_lease(self, key, owner, to, ttl):
        return await self.run(TRANSFER, key, owner, to, ttl) == 1


serve(Provider, records="<prefix>:lease:<key>")
