"""Puts a Python program that has a Redis client of its own into the harness's hands: its clocks,
sleeps and chance, and what its sockets to REDIS_URL read (../protocol.md, "Its own Redis client").
Import it before anything that takes hold of a clock. It is for clients that block, such as redis-py,
in one thread: whoever waits for a socket or sleeps ends the turn, and the calls after it wait for it."""
import json
import os
import random
import secrets
import socket
import struct
import sys
import time
import uuid
from urllib.parse import urlsplit

EPOCH = 1577836800.0  # the server's, 2020-01-01
_real = {name: getattr(socket.socket, name)
         for name in ("connect", "recv", "sendall", "send", "close")}
_port = urlsplit(os.environ.get("REDIS_URL", "")).port


class State:
    now = wall = 0.0  # ms
    due = None  # of the sleep under way
    turn = server = None  # set by follow(); turn(): ends the turn and hears the next line

    def __init__(self):
        self.random, self.sockets = random.Random(1), {}


class Watched:
    """What both sides have counted on one socket."""
    def __init__(self, of):
        self.of, self.port = of, of.getsockname()[1]
        self.got = self.allowed = 0
        self.wrote = []  # (call, bytes written so far), of this turn
        self.total = 0
        self.cut = self.closed = False

    def add(self, size):
        self.total += size
        if self.wrote and self.wrote[-1][0] == state.server.running:
            self.wrote.pop()
        self.wrote.append((state.server.running, self.total))


state = State()


def _watched(of):
    return state.sockets.get(id(of))


# ---- clocks and chance

def _sleep(seconds):
    state.due = state.now + max(0.0, seconds * 1000)
    while state.now < state.due:
        state.turn()
    state.due = None


time.time = lambda: EPOCH + state.wall / 1000
time.time_ns = lambda: int(EPOCH) * 10**9 + round(state.wall * 1e6)
time.monotonic = time.perf_counter = lambda: state.now / 1000
time.monotonic_ns = time.perf_counter_ns = lambda: round(state.now * 1e6)
time.sleep = _sleep


def _urandom(size):
    return state.random.getrandbits(8 * size).to_bytes(size, "big") if size else b""


class _Chance(random.Random):
    """In the place of SystemRandom."""
    def random(self):
        return state.random.random()

    def getrandbits(self, bits):
        return state.random.getrandbits(bits)

    def seed(self, *_):
        pass


def _uuid4():
    return uuid.UUID(bytes=_urandom(16), version=4)


os.urandom = random._urandom = _urandom
random.SystemRandom = _Chance
secrets._sysrand = _Chance()
secrets.token_bytes = lambda size=32: _urandom(32 if size is None else size)
secrets.randbits, secrets.choice = secrets._sysrand.getrandbits, secrets._sysrand.choice
secrets.randbelow = secrets._sysrand._randbelow
uuid.uuid4 = uuid.uuid1 = _uuid4


# ---- sockets to REDIS_URL

def _connect(self, address):
    _real["connect"](self, address)
    if self.family == socket.AF_INET and address[1] == _port:
        state.sockets[id(self)] = Watched(self)


def _count(name):
    def sent(self, data, *rest):
        size = memoryview(data).nbytes
        done = _real[name](self, data, *rest)
        if _watched(self):
            _watched(self).add(size if done is None else done)
        return done
    return sent


# Nothing is read before the harness has said that it is there. A time limit of the socket counts on
# the harness's clock.
def _await(watched, limit):
    due = None if limit is None else state.now + limit * 1000
    while watched.got >= watched.allowed and not watched.cut:
        if limit == 0:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        if due is not None and state.now >= due:
            raise socket.timeout("timed out")
        before, state.due = state.due, due
        try:
            state.turn()
        finally:
            state.due = before


def _recv(self, size, *flags):
    watched = _watched(self)
    if not watched:
        return _real["recv"](self, size, *flags)
    limit = self.gettimeout()
    _await(watched, limit)
    self.settimeout(None)  # it is on its way
    try:
        data = _real["recv"](self, min(size, watched.allowed - watched.got) or size, *flags)
    finally:
        self.settimeout(limit)
    watched.got += len(data)
    return data


def _recv_into(self, buffer, size=0, *flags):
    data = _recv(self, size or memoryview(buffer).nbytes, *flags)
    memoryview(buffer).cast("B")[:len(data)] = data
    return len(data)


def _close(self):
    if _watched(self):
        _watched(self).closed = True
    _real["close"](self)


if _port:
    socket.socket.connect, socket.socket.close = _connect, _close
    socket.socket.sendall, socket.socket.send = _count("sendall"), _count("send")
    socket.socket.recv, socket.socket.recv_into = _recv, _recv_into


# ---- a turn

class NewWorld(BaseException):
    """Unwinds what still waits in the old one."""


def _begin(line):
    for watched in state.sockets.values():
        watched.of.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        _real["close"](watched.of)
    state.sockets, state.now, state.wall, state.due = {}, 0.0, 0.0, None
    state.random = random.Random(line["seed"])
    random.seed(line["seed"] + 1)


def _hear():
    text = sys.stdin.readline()
    if not text:
        os._exit(0)
    line = json.loads(text)
    state.now, state.wall = line.get("now", state.now), line.get("wall", state.wall)
    for news in line.get("sockets", ()):
        for watched in state.sockets.values():
            if watched.port == news["port"]:
                watched.allowed, watched.cut = news["bytes"], news.get("closed", False)
    return line


def _report():
    out, sockets = {}, []
    for key, watched in list(state.sockets.items()):
        for call, size in watched.wrote:
            whose = {"call": call} if call else {}
            sockets.append({"port": watched.port, "bytes": size, **whose})
        watched.wrote = []
        if watched.closed:
            sockets.append({"port": watched.port, "bytes": watched.total, "closed": True})
            del state.sockets[key]
    if sockets:
        out["sockets"] = sockets
    if state.due is not None:
        out["timer"] = state.due
    return out


def follow(server, hello):
    """The loop of lease_adapter.serve for a program in step."""
    waiting, state.server = [], server

    def say():
        print(json.dumps({"do": server.take(), **_report()}), flush=True)

    def turn():
        say()
        line = _hear()
        server.host.now, server.host.wall = state.now, state.wall
        if "call" in line or "resume" in line or "reset" in line:
            waiting.append(line)
        if "reset" in line:
            raise NewWorld

    state.turn = turn
    while True:
        line = waiting.pop(0) if waiting else _hear()
        if "hello" in line:
            print(json.dumps(server.greet(line, {"in_step": True, **hello})), flush=True)
            continue
        if "reset" in line:
            waiting.clear()
            server.take()
            server.running = None
            _begin(line)
        try:
            server.turn(line)
        except NewWorld:
            del waiting[:-1]
            continue
        if not waiting:
            say()
