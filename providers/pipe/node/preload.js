// Puts a Node program that has a Redis client of its own into the harness's hands: its clocks,
// timers and chance, and what its sockets to REDIS_URL read (../protocol.md, "Its own Redis
// client"). It must be there before anything takes hold of a clock: `node --require ./preload.js`,
// or the first line of the program.
'use strict';
const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
const { Console } = require('node:console');
const crypto = require('node:crypto');
const net = require('node:net');
const perfHooks = require('node:perf_hooks');
const timers = require('node:timers');
const timersPromises = require('node:timers/promises');
const util = require('node:util');
const { syncBuiltinESMExports } = require('node:module');

const EPOCH = 1577836800000; // the server's, 2020-01-01
const state = { now: 0, wall: 0, sockets: [], timers: new Map(), lastTimer: 0, immediates: 0 };
const calls = new AsyncLocalStorage(); // the call that code runs for
const real = { setImmediate, setTimeout, Date };
const rounds = () => new Promise((done) => { real.setImmediate(done); });
// Rounds take what is there already; what takes longer gets the processor meanwhile.
const wait = (times) => (times < 50 ? rounds() : new Promise((done) => { real.setTimeout(done, 1); }));

// ---- clocks

const wallNow = () => EPOCH + Math.floor(state.wall);

class VirtualDate extends real.Date {
  constructor(...parts) {
    if (parts.length === 0) super(wallNow());
    else super(...parts);
  }

  static now() { return wallNow(); }
}
// Date() as a function is a text.
globalThis.Date = new Proxy(VirtualDate, { apply: () => new VirtualDate().toString() });

const nanoseconds = () => BigInt(Math.round(state.now * 1e6));
function hrtime(before) {
  const all = nanoseconds() - (before ? BigInt(before[0]) * 1000000000n + BigInt(before[1]) : 0n);
  return [Number(all / 1000000000n), Number(all % 1000000000n)];
}
hrtime.bigint = nanoseconds;
process.hrtime = hrtime;
process.uptime = () => state.now / 1000;
Object.defineProperty(perfHooks.performance, 'now', { value: () => state.now, configurable: true });
Object.defineProperty(perfHooks.performance, 'timeOrigin', { get: () => EPOCH + state.wall - state.now });

// ---- timers: in order of their times, then of their making

class Timer {
  constructor(callback, ms, again, args) {
    if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be a function');
    this.length = ms >= 1 && ms <= 2147483647 ? Math.trunc(ms) : 1;
    Object.assign(this, { callback: AsyncResource.bind(callback), again, args, id: ++state.lastTimer });
    this.refresh();
  }

  refresh() {
    this.due = state.now + this.length;
    state.timers.set(this.id, this);
    return this;
  }

  ref() { return this; }

  unref() { return this; }

  hasRef() { return true; }

  close() { state.timers.delete(this.id); return this; }

  [Symbol.toPrimitive]() { return this.id; }

  [Symbol.dispose ?? Symbol('dispose')]() { this.close(); }

  fire() {
    if (this.again) this.refresh();
    else this.close();
    this.callback(...this.args);
  }
}
const clear = (which) => { state.timers.delete(Number(which)); };

function nextTimer() {
  let next;
  for (const each of state.timers.values()) {
    if (each.nobodyHears?.()) continue;
    if (!next || each.due < next.due || (each.due === next.due && each.id < next.id)) next = each;
  }
  return next;
}

// Those that are due, each with all that follows from it.
async function fireTimers() {
  for (let next = nextTimer(); next && next.due <= state.now; next = nextTimer()) {
    next.fire();
    await rounds();
  }
}

const aborted = (signal) => Object.assign(new Error('The operation was aborted', { cause: signal.reason }),
  { name: 'AbortError', code: 'ABORT_ERR' });
function sleep(ms, value, { signal } = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal));
    const timer = new Timer(resolve, ms, false, [value]);
    signal?.addEventListener('abort', () => { timer.close(); reject(aborted(signal)); }, { once: true });
  });
}
async function* ticks(ms, value, options) {
  for (;;) yield await sleep(ms, value, options);
}

function immediate(callback, ...args) {
  state.immediates += 1;
  const made = real.setImmediate(() => {
    state.immediates -= 1;
    made.over = true;
    callback(...args);
  });
  return made;
}
function clearOne(made) {
  if (!made || made.over) return;
  made.over = true;
  state.immediates -= 1;
  real.clearImmediate(made);
}
real.clearImmediate = clearImmediate;
const soon = (value) => new Promise((resolve) => { immediate(resolve, value); });

const replaced = {
  setTimeout: (callback, ms, ...args) => new Timer(callback, ms, false, args),
  setInterval: (callback, ms, ...args) => new Timer(callback, ms, true, args),
  setImmediate: immediate,
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clearOne,
};
replaced.setTimeout[util.promisify.custom] = sleep;
replaced.setImmediate[util.promisify.custom] = soon;
Object.assign(timers, replaced);
Object.assign(globalThis, replaced);
Object.assign(timersPromises, { setTimeout: sleep, setInterval: ticks, setImmediate: soon });
Object.assign(timersPromises.scheduler ?? {}, { wait: (ms, options) => sleep(ms, undefined, options), yield: soon });
AbortSignal.timeout = (ms) => {
  const controller = new AbortController();
  const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  replaced.setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
};

// ---- chance: sfc32 (Doty-Humphrey, PractRand)

const chance = new Uint32Array(4);
function draw() {
  const sum = (chance[0] + chance[1] + chance[3]) >>> 0;
  chance[3] += 1;
  chance[0] = chance[1] ^ (chance[1] >>> 9);
  chance[1] = chance[2] + (chance[2] << 3);
  chance[2] = ((chance[2] << 21) | (chance[2] >>> 11)) + sum;
  return sum;
}
function sow(seed) {
  chance.set([seed % 4294967296, Math.floor(seed / 4294967296), 0x9e3779b9, 1]);
  for (let i = 0; i < 12; i += 1) draw();
}
sow(1);

const unit = () => (draw() * 2097152 + (draw() >>> 11)) / 9007199254740992;
function fill(view, offset = 0, size = undefined) {
  const bytes = ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view);
  const end = size === undefined ? bytes.length : offset + size;
  for (let i = offset; i < end; i += 1) bytes[i] = draw() >>> 24;
  return view;
}
const later = (callback, value) => { process.nextTick(callback, null, value); };
function randomBytes(size, callback) {
  const made = fill(Buffer.alloc(size));
  return callback ? later(callback, made) : made;
}
function randomFill(view, ...rest) {
  const callback = rest.pop();
  later(callback, fill(view, ...rest));
}
function randomInt(from, to, callback) {
  if (to === undefined || typeof to === 'function') return randomInt(0, from, to);
  const made = from + Math.floor(unit() * (to - from));
  return callback ? later(callback, made) : made;
}
function randomUUID() {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
Math.random = unit;
const random = { randomBytes, pseudoRandomBytes: randomBytes, randomFill, randomFillSync: fill, randomInt, randomUUID };
for (const [name, value] of Object.entries(random)) {
  Object.defineProperty(crypto, name, { value, configurable: true, writable: true, enumerable: true });
}
for (const web of [crypto.webcrypto, globalThis.crypto]) {
  Object.defineProperty(web, 'getRandomValues', { value: (view) => fill(view), configurable: true });
  Object.defineProperty(web, 'randomUUID', { value: randomUUID, configurable: true });
}

// ---- sockets to REDIS_URL: read only when told to, so that nothing comes before its time

const own = process.env.REDIS_URL ? Number(new URL(process.env.REDIS_URL).port) : -1;

function watch(socket) {
  const known = { socket, port: 0, said: 0, wrote: [], closed: false, allowed: false };
  state.sockets.push(known);
  socket.prependOnceListener('connect', () => {
    known.port = socket.localPort;
    if (!known.allowed) hold(known);
  });
  socket.prependOnceListener('close', () => { known.closed = true; });
  return known;
}
// Which call each piece is for.
function countWrites(known) {
  const { socket } = known;
  const { write } = socket;
  socket.write = (...args) => {
    const done = write.apply(socket, args);
    const call = calls.getStore();
    if (known.wrote.at(-1)?.call === call) known.wrote.pop();
    known.wrote.push({ call, bytes: socket.bytesWritten });
    return done;
  };
}
function hold({ socket }) {
  const handle = socket._handle;
  if (!handle) return;
  handle.reading = true; // so that the stream does not begin again by itself
  handle.readStop();
}
function setTimeoutOf(socket, ms, callback) {
  socket.leaselabTimer?.close();
  socket.leaselabTimer = undefined;
  if (ms > 0) {
    const timer = new Timer(() => socket.emit('timeout'), ms, false, []);
    timer.nobodyHears = () => socket.listenerCount('timeout') === 0;
    socket.leaselabTimer = timer;
  }
  if (callback && ms > 0) socket.once('timeout', callback);
  if (callback && ms === 0) socket.removeListener('timeout', callback);
  return socket;
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function connectWatched(...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const port = Number(first && typeof first === 'object' ? first.port : first);
  if (port !== own) return connect.apply(this, args);
  this.setTimeout = (ms, callback) => setTimeoutOf(this, ms, callback);
  const known = watch(this);
  connect.apply(this, args);
  countWrites(known); // connect() puts the plain write() back
  return this;
};

// Until all that the harness has written there is read, and its end, if it is one.
async function read({ port, bytes, closed }) {
  const known = state.sockets.find((each) => each.port === port && !each.closed);
  if (!known) return;
  const { socket } = known;
  socket.leaselabTimer?.refresh();
  known.allowed = true;
  if (socket._handle) {
    socket._handle.reading = true;
    socket._handle.readStart();
  }
  for (let i = 0; !known.closed && (closed || socket.bytesRead < bytes); i += 1) await wait(i);
  known.allowed = false;
  hold(known);
}

const pending = ({ socket, closed }) => socket.connecting || (socket.destroyed && !closed);
const busy = () => state.immediates > 0 || process._getActiveRequests().length > 0
  || state.sockets.some(pending);

async function settle() {
  for (let calm = 0, i = 0; calm < 2; calm += 1, i += 1) {
    await wait(i);
    if (busy()) calm = -1;
  }
}

// ---- a turn

function begin(line) {
  if (line.reset) {
    // Nothing of the old world may speak again.
    for (const { socket } of state.sockets) {
      socket.removeAllListeners();
      socket.on('error', () => {});
      socket.resetAndDestroy();
    }
    Object.assign(state, { sockets: [], now: 0, wall: 0, lastTimer: 0 });
    state.timers.clear();
    sow(line.seed ?? 1);
  }
  if (line.now !== undefined) Object.assign(state, { now: line.now, wall: line.wall });
}

function report() {
  const sockets = [];
  for (const known of state.sockets) {
    // What was not on its way when it was closed never went.
    const bytes = known.closed ? known.socket._bytesDispatched : known.socket.bytesWritten;
    if (!known.port) continue;
    const { port } = known;
    for (const part of known.wrote.splice(0)) {
      if (part.bytes <= bytes) sockets.push({ port, bytes: part.bytes, ...(part.call && { call: part.call }) });
      known.said = Math.min(part.bytes, bytes);
    }
    if (bytes !== known.said || known.closed) sockets.push({ port, bytes, ...(known.closed && { closed: true }) });
    known.said = bytes;
  }
  state.sockets = state.sockets.filter((each) => !each.closed);
  const next = nextTimer();
  return { ...(sockets.length && { sockets }), ...(next && { timer: next.due }) };
}

// What is written for people must not come between the lines.
globalThis.console = new Console(process.stderr, process.stderr);
syncBuiltinESMExports();

// Of a line: what has come, in its order, then what `work` begins; answers what to add to `do`.
const turn = async (line, work) => {
  begin(line);
  await fireTimers();
  for (const each of line.sockets ?? []) {
    await read(each);
    await settle();
  }
  await work();
  // News alone have settled already.
  if (!line.sockets || line.call || line.resume || line.reset) await settle();
  return report();
};
const inCall = (call, work) => calls.run(call, work);
globalThis[Symbol.for('leaselab.preload')] = { turn, inCall };
