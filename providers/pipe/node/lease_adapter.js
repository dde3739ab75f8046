// Runs a lease provider written in JavaScript under leaselab (../protocol.md): serve(make), where
// make() answers an object with some of the five operations as async methods, in camelCase or the
// contract's names. Each gets, after its arguments, the host: the only clock, sleep, chance and
// backend that it may use, unless preload.js came first.
'use strict';
const readline = require('node:readline');

const OPERATIONS = ['acquire_lease', 'get_lease_owner', 'release_lease', 'renew_lease', 'transfer_lease'];
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const method = (object, name) => object[name] || object[camel(name)];

// fail: it definitely had no effect; info: nobody knows. Codes are in the protocol.
class LeaseError extends Error {
  constructor(kind, code, text = '') {
    super(`${kind} ${code} ${text}`);
    Object.assign(this, { kind, code, text });
  }
}

// A world's: what an earlier one has left behind speaks to nobody.
const begin = (make) => ({ provider: make(), waiting: new Map(), asks: 0, done: [] });

function hostOf(world, { call, limit }, prefix) {
  const ask = (what) => new Promise((resolve, reject) => {
    world.waiting.set(++world.asks, { resolve, reject });
    world.done.push({ call, ask: world.asks, ...what });
  });
  return {
    prefix, limit, // limit: how long the call may take, ms
    now: () => world.now, wall: () => world.wall, // this process's clocks, ms
    sleep: (ms) => ask({ sleep: ms }),
    random: () => ask({ random: true }), // an integer below 2^53
    // One trip to the backend. An error reply is an object with `error` in it.
    command: (...words) => ask({ command: words.map(String) }),
  };
}

async function run(world, line, prefix) {
  const { call, op, args: { key, owner, from, to, ttl } } = line;
  const order = { acquire_lease: [key, owner, ttl], get_lease_owner: [key], release_lease: [key, owner],
    renew_lease: [key, owner, ttl], transfer_lease: [key, from, to, ttl] }[op];
  try {
    const answer = await method(world.provider, op).call(world.provider, ...order, hostOf(world, line, prefix));
    world.done.push({ call, answer: answer === undefined ? null : answer });
  } catch (error) {
    if (!(error instanceof LeaseError)) throw error;
    world.done.push({ call, [error.kind]: error.code, text: error.text });
  }
}

// Ends when all promises are settled; with the preload, when its Redis client waits, too.
const preload = globalThis[Symbol.for('leaselab.preload')];
const { turn, inCall } = preload || { inCall: (call, work) => work(),
  turn: async (line, work) => { work(); await new Promise(setImmediate); } };

function serve(make, hello = {}) {
  let [world, prefix] = [begin(make), ''];
  const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
  const work = (line) => {
    if (line.reset) world = begin(make);
    Object.assign(world, { now: line.now, wall: line.wall });
    if (line.call) inCall(line.call, () => run(world, line, prefix));
    const { resolve, reject } = world.waiting.get(line.resume) || {};
    world.waiting.delete(line.resume);
    if (line.error) reject(new LeaseError(line.error.kind, line.error.code, line.error.text));
    else if (resolve) resolve(line.value);
  };
  readline.createInterface({ input: process.stdin }).on('line', async (text) => {
    const line = JSON.parse(text);
    if (line.hello) {
      prefix = line.prefix;
      const operations = OPERATIONS.filter((name) => method(world.provider, name));
      return say({ hello: 1, operations, ...(preload && { in_step: true }), ...hello });
    }
    return say({ ...await turn(line, () => work(line)), do: world.done.splice(0) });
  });
}

module.exports = { serve, LeaseError };
