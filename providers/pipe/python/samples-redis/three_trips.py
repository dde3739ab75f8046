#!/usr/bin/env python3
"""A lease by redis-py (Debian: python3-redis), its acquire written as many write it: SET NX PX; if that
is refused, refresh what may be one's own; if it is not, GET to name the holder. Between the three the
lease may end, so its denials are not always honest (bugs B02, B03, B04): the scheduler shows it."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import preload  # noqa: E402, F401  # first: clocks, timers and chance are the harness's from here on
import redis  # noqa: E402
from calls import FAILURES, RELEASE, RENEW, TRANSFER, connect, meaning_of, required  # noqa: E402
from lease_adapter import serve  # noqa: E402


class Provider:
    def __init__(self, host):
        self.host, self.client = host, connect(redis.Redis)

    def run(self, script, key, *arguments):
        required(key, *arguments)
        try:
            return self.client.eval(script, 1, self.name(key), *arguments)
        except FAILURES as error:
            raise meaning_of(error)

    def name(self, key):
        return f"{self.host.prefix}:lease:{key}"

    async def acquire_lease(self, key, owner, ttl):
        required(key, owner, ttl)
        sent = 0
        try:
            if self.client.set(self.name(key), owner, nx=True, px=ttl):
                return {"acquired": True}
            sent = 1
            if self.client.eval(RENEW, 1, self.name(key), owner, ttl) == 1:
                return {"acquired": True}
            holder = self.client.get(self.name(key))
        except FAILURES as error:
            raise meaning_of(error, sent)
        return {"acquired": False} if holder is None else {"acquired": False, "owner": holder}

    async def get_lease_owner(self, key):
        required(key)
        try:
            return self.client.get(self.name(key))
        except FAILURES as error:
            raise meaning_of(error)

    async def release_lease(self, key, owner):
        self.run(RELEASE, key, owner)

    async def renew_lease(self, key, owner, ttl):
        return self.run(RENEW, key, owner, ttl) == 1

    async def transfer_lease(self, key, owner, to, ttl):
        return self.run(TRANSFER, key, owner, to, ttl) == 1


serve(Provider, records="<prefix>:lease:<key>", guarantees={"acquire_trips": 3})
