#!/usr/bin/env python3
"""A lease in the memory of one host, dead at its deadline: keeps the whole contract among tasks."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from lease_adapter import LeaseError, serve  # noqa: E402


def required(*words, ttl=1):
    if "" in words or not 1 <= ttl < 2**53:
        raise LeaseError("fail", "invalid_argument")


class Map:
    def __init__(self, host):
        self.host, self.leases = host, {}  # key: (owner, deadline)

    def live(self, key):
        owner, deadline = self.leases.get(key, (None, 0))
        return owner if self.host.now < deadline else None

    def put(self, key, owner, ttl):
        self.leases[key] = (owner, int(self.host.now) + ttl)

    async def acquire_lease(self, key, owner, ttl):
        required(key, owner, ttl=ttl)
        holder = self.live(key)
        if holder not in (None, owner):
            return {"acquired": False, "owner": holder}
        self.put(key, owner, ttl)
        return {"acquired": True}

    async def get_lease_owner(self, key):
        required(key)
        return self.live(key)

    async def release_lease(self, key, owner):
        required(key, owner)
        if self.live(key) == owner:
            del self.leases[key]

    async def renew_lease(self, key, owner, ttl):
        return await self.transfer_lease(key, owner, owner, ttl)

    async def transfer_lease(self, key, owner, to, ttl):
        required(key, owner, to, ttl=ttl)
        if self.live(key) != owner:
            return False
        self.put(key, to, ttl)
        return True


serve(Map, guarantees={"scope": "host", "expiry": "at"})
