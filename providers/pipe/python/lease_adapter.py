"""Runs a lease provider written in Python under leaselab (../protocol.md): serve(make) with
make(host) -> an object with some of the five operations, as async methods, not run by asyncio. The
host is the only clock, sleep, chance and backend they may use, unless preload.py came first."""
import json
import sys

OPERATIONS = ("acquire_lease", "get_lease_owner", "release_lease", "renew_lease", "transfer_lease")

class LeaseError(Exception):
    """fail: it definitely had no effect; info: nobody knows. Codes are in the protocol."""
    def __init__(self, kind, code, text=""):
        super().__init__(f"{kind} {code} {text}")
        self.kind, self.code, self.text = kind, code, text

class Ask:
    def __init__(self, what):
        self.what = what
    def __await__(self):
        return (yield self.what)

class Host:
    now = wall = 0.0  # this process's clocks, ms
    prefix = ""
    async def sleep(self, ms):
        await Ask({"sleep": ms})
    async def random(self):
        return await Ask({"random": True})  # an integer below 2^53
    async def command(self, *words):
        """One trip to the backend. An error reply is a dict with `error` in it."""
        return await Ask({"command": [str(word) for word in words]})

class Server:
    def __init__(self, make):
        self.make, self.host, self.done, self.running = make, Host(), [], None

    def greet(self, line, hello):
        self.host.prefix = line["prefix"]
        has = [name for name in OPERATIONS if hasattr(self.make(self.host), name)]
        return {"hello": 1, "operations": has, **hello}

    def take(self):
        done, self.done = self.done, []
        return done

    def turn(self, line):
        self.host.now, self.host.wall = line.get("now", 0.0), line.get("wall", 0.0)
        if "call" in line:
            order = ("key", "from", "owner", "to", "ttl")
            args = [line["args"][name] for name in order if name in line["args"]]
            running = getattr(self.provider, line["op"])(*args)
            self.go_on(line["call"], running, running.send, None)
        elif "resume" in line:
            call, running = self.waiting.pop(line["resume"])
            failed = "error" in line
            self.go_on(call, running, running.throw if failed else running.send,
                       LeaseError(**line["error"]) if failed else line["value"])
        elif "reset" in line:
            self.provider, self.waiting, self.asks = self.make(self.host), {}, 0
        return self

    def go_on(self, call, running, step, value):
        self.running = call
        try:
            what = step(value)
            self.asks += 1
            self.waiting[self.asks] = (call, running)
            self.done.append({"call": call, "ask": self.asks, **what})
        except StopIteration as end:
            self.done.append({"call": call, "answer": end.value})
        except LeaseError as error:
            self.done.append({"call": call, error.kind: error.code, "text": error.text})

def serve(make, **hello):
    server = Server(make)
    if "preload" in sys.modules:
        return sys.modules["preload"].follow(server, hello)
    for line in map(json.loads, sys.stdin):
        answer = server.greet(line, hello) if "hello" in line else {"do": server.turn(line).take()}
        print(json.dumps(answer), flush=True)
