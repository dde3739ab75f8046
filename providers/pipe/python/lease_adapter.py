"""Runs a lease provider written in Python under leaselab (../protocol.md): serve(make) with
make(host) -> an object with some of the five operations, as async methods. The host is the only clock,
sleep, chance and backend they may use, unless preload.py came first: then asyncio runs them."""
import json
import sys
import types

OPERATIONS = ("acquire_lease", "get_lease_owner", "release_lease", "renew_lease", "transfer_lease")

class LeaseError(Exception):
    """fail: it definitely had no effect; info: nobody knows. Codes are in the protocol."""
    def __init__(self, kind, code, text=""):
        super().__init__(f"{kind} {code} {text}")
        self.kind, self.code, self.text = kind, code, text

class Host:
    now = wall = 0.0  # this process's clocks, ms
    prefix = ""
    @types.coroutine
    def ask(self, what):
        return (yield what)
    async def sleep(self, ms):
        await self.ask({"sleep": ms})
    async def random(self):
        return await self.ask({"random": True})  # an integer below 2^53
    async def command(self, *words):
        """One trip to the backend. An error reply is a dict with `error` in it."""
        return await self.ask({"command": [str(word) for word in words]})

class Server:
    def __init__(self, make):
        self.make, self.host, self.done = make, Host(), []

    def greet(self, line, hello):
        self.host.prefix = line["prefix"]
        has = [name for name in OPERATIONS if hasattr(self.make(self.host), name)]
        return {"hello": 1, "operations": has, **hello}

    def turn(self, line):
        self.host.now, self.host.wall = line.get("now", 0.0), line.get("wall", 0.0)
        if "call" in line:
            self.go_on(line["call"], self.run(line))
        elif "resume" in line:
            error = LeaseError(**line["error"]) if "error" in line else None
            self.waiting.pop(line["resume"])(error, line.get("value"))
        elif "reset" in line:
            self.waiting, self.asks, self.provider = {}, 0, self.make(self.host)
        return self

    async def run(self, line):
        order = ("key", "from", "owner", "to", "ttl")
        args = [line["args"][name] for name in order if name in line["args"]]
        try:
            end = {"answer": await getattr(self.provider, line["op"])(*args)}
        except LeaseError as error:
            end = {error.kind: error.code, "text": error.text}
        self.done.append({"call": line["call"], **end})

    def go_on(self, call, running, error=None, value=None):
        try:
            what = running.throw(error) if error else running.send(value)
            self.ask(call, what, lambda *then: self.go_on(call, running, *then))
        except StopIteration:
            pass

    def ask(self, call, what, resume):
        self.asks += 1
        self.waiting[self.asks] = resume
        self.done.append({"call": call, "ask": self.asks, **what})

def serve(make, **hello):
    server = Server(make)
    if "preload" in sys.modules:
        return sys.modules["preload"].follow(server, hello)
    for line in map(json.loads, sys.stdin):
        server.done = []
        answer = server.greet(line, hello) if "hello" in line else {"do": server.turn(line).done}
        print(json.dumps(answer), flush=True)
