"""The turns of a program in the harness's hands (preload.py), and the event loop that takes them: it
runs what is ready, and when nothing is, the turn ends and the harness says how it goes on."""
import asyncio
import contextvars
import gc
import json
import os
import random
import selectors
import socket
import struct
import sys
import threading
import traceback
import warnings

call = contextvars.ContextVar("call", default=None)  # the one that code runs for


class NewWorld(SystemExit):
    """Unwinds what waits in the old one. (What else a task raises, asyncio keeps for itself.)"""


def fail(text):
    print(f"preload.py: Error: {text}", file=sys.stderr, flush=True)
    os._exit(1)


class State:
    now = wall = 0.0  # ms
    follower = None
    thread = threading.get_ident()

    def __init__(self):
        self.random = random.Random(1)
        self.sockets = {}  # those to REDIS_URL, preload.Watched by the id of the socket
        self.files = {}  # the same by their file, while they are open

    def begin(self, seed, now, wall):
        self.now, self.wall, self.sockets, self.files = now, wall, {}, {}
        self.random = random.Random(seed)
        random.seed(seed + 1)

    def turn(self, due=None):
        """Ends the turn: there is nothing to do before `due`. Returns in the next one."""
        if self.follower is None:
            fail("the program waits for Redis, or sleeps, before it calls serve()")
        self.follower.turn(due)


state = State()


# ---- the event loop

class Selector(selectors.DefaultSelector):
    """A socket to REDIS_URL is ready when the harness has said so, never by itself."""

    def select(self, timeout=None):
        found = self.ready()
        if not found and (timeout is None or timeout > 0):
            if state.follower is None or not state.follower.begin_next():
                state.turn(None if timeout is None else state.now + timeout * 1000)
            found = self.ready()
        return found

    def ready(self):
        found = [(key, events) for key, events in super().select(0) if key.fd not in state.files]
        for key in self.get_map().values():
            watched = state.files.get(key.fd)
            if watched:
                able = selectors.EVENT_WRITE | (selectors.EVENT_READ if watched.may_read() else 0)
                if key.events & able:
                    found.append((key, key.events & able))
        return found


# Where such stand in a set, their order does not depend on addresses.
class Future(asyncio.Future):
    def __init__(self, *, loop):
        self.number = loop.count()
        super().__init__(loop=loop)

    def __hash__(self):
        return self.number


class Task(asyncio.Task):
    def __init__(self, running, *, loop, name=None, **more):
        self.number = loop.count()
        super().__init__(running, loop=loop, name=name or f"Task-{self.number}", **more)

    def __hash__(self):
        return self.number


class Loop(asyncio.SelectorEventLoop):
    made = 0

    def __init__(self):
        super().__init__(Selector())
        self.set_task_factory(lambda loop, running, **more: Task(running, loop=loop, **more))

    def count(self):
        self.made += 1
        return self.made

    def create_future(self):
        return Future(loop=self)

    # There are no threads: it is done at once.
    def run_in_executor(self, executor, function, *arguments):
        done = self.create_future()
        try:
            done.set_result(function(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done


class Policy(asyncio.DefaultEventLoopPolicy):
    _loop_factory = Loop


asyncio.set_event_loop_policy(Policy())
_as_completed = asyncio.as_completed


# As it is, it begins coroutines in the order of their addresses.
def as_completed(all_of, **more):
    return _as_completed([asyncio.ensure_future(each) for each in all_of], **more)


asyncio.as_completed = asyncio.tasks.as_completed = as_completed


# ---- what the harness says, and what it is told

class Follower:
    """The loop of lease_adapter.serve for a program in step."""

    def __init__(self, server, hello, out):
        self.server, self.hello, self.out = server, hello, out
        self.lines = []  # heard, and not begun
        self.greeted = self.owes = self.over = False
        server.go_on, server.host.ask = self.begin_call, self.ask

    def follow(self):
        gc.disable()  # what is unreachable goes at the end of its world, not after so many objects
        self.lines.append(self.hear())
        while True:
            loop = Loop()
            asyncio.set_event_loop(loop)
            try:
                loop.run_forever()
            except NewWorld:
                pass
            self.bury(loop)

    # ---- the turns

    def turn(self, due):
        if self.over:
            raise NewWorld
        if self.owes:
            self.say({"do": self.server.done, **self.report(due)})
            self.server.done = []
        elif not self.greeted:
            fail("make(host) waits for Redis, or sleeps, before there is a world; leave it to a call")
        line, self.owes = self.hear(), True
        if "reset" in line:
            self.over, self.lines = True, [line]
            raise NewWorld
        state.now, state.wall = line.get("now", state.now), line.get("wall", state.wall)
        self.server.host.now, self.server.host.wall = state.now, state.wall
        self.take_news(line.get("sockets", ()))
        if "call" in line or "resume" in line:
            self.lines.append(line)

    def begin_next(self):
        """Begins what was heard; false: nothing was."""
        if not self.lines or self.over:
            return False
        line = self.lines.pop(0)
        if "hello" in line:
            self.say(self.server.greet(line, {"in_step": True, **self.hello}))
            self.greeted = True
            self.turn(None)
        else:
            self.server.turn({**line, "now": state.now, "wall": state.wall})
        return True

    def say(self, line):
        print(json.dumps(line), file=self.out, flush=True)

    def hear(self):
        text = sys.stdin.readline()
        if not text:
            os._exit(0)
        return json.loads(text)

    def report(self, due):
        sockets, out = [], {}
        for key, watched in list(state.sockets.items()):
            for whose, size in watched.wrote:
                more = {"call": whose} if whose else {}
                sockets.append({"port": watched.port, "bytes": size, **more})
            watched.wrote = []
            if watched.closed:
                sockets.append({"port": watched.port, "bytes": watched.total, "closed": True})
                del state.sockets[key]
        if sockets:
            out["sockets"] = sockets
        if due is not None:
            out["timer"] = due
        return out

    def take_news(self, sockets):
        for news in sockets:
            for watched in state.sockets.values():
                if watched.port == news["port"]:
                    watched.allowed, watched.cut = news["bytes"], news.get("closed", False)

    # ---- the calls

    def begin_call(self, number, running):
        asyncio.get_running_loop().create_task(self.run(number, running))

    async def run(self, number, running):
        call.set(number)
        try:
            await running
        except BaseException:
            if self.over:
                raise
            traceback.print_exc()
            os._exit(1)

    async def ask(self, what):
        granted = asyncio.get_running_loop().create_future()

        def resume(error, value):
            if granted.done():
                return  # nobody waits any more
            if error:
                granted.set_exception(error)
            else:
                granted.set_result(value)

        self.server.ask(call.get(), what, resume)
        return await granted

    # ---- the end of a world

    def bury(self, loop):
        """Nothing of the old world may speak again, however it is unwound."""
        for watched in state.sockets.values():
            if not watched.closed:
                none = struct.pack("ii", 1, 0)  # a reset: no port is left behind
                watched.of.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, none)
                watched.of._real_close()
        state.sockets = {}
        self.server.provider, self.server.waiting, self.server.done = None, {}, []
        loop.set_exception_handler(lambda *_: None)
        loop.close()
        asyncio.set_event_loop(None)
        hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()
        sys.unraisablehook = hook
        if not gc.get_freeze_count():
            gc.freeze()  # what the program is made of need not be looked through again
        self.over = False
        line = self.lines[0]
        state.begin(line.get("seed", 1), line.get("now", 0.0), line.get("wall", 0.0))
