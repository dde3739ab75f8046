#!/usr/bin/env node
// A lease over a socket of its own to REDIS_URL, with nothing but Node: each operation is one
// command there, so it keeps the whole contract.
'use strict';
require('../preload.js');
const net = require('node:net');
const { serve, LeaseError } = require('../lease_adapter.js');

const ACQUIRE = `local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const owned = (then) => `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n${then}`;
const RELEASE = owned("return redis.call('DEL', KEYS[1])");
const RENEW = owned("return redis.call('PEXPIRE', KEYS[1], ARGV[2])");
const TRANSFER = owned("redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nreturn 1");

const lost = () => new LeaseError('info', 'connection_lost');
const encoded = (words) => `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

// The first reply in `text` and its length; nothing as long as it is not all there.
function reply(text) {
  const line = text.slice(0, text.indexOf('\r\n'));
  const end = line.length + 2;
  if (!text.includes('\r\n')) return undefined;
  if (line[0] === ':') return { value: Number(line.slice(1)), end };
  if (line[0] === '-') return { error: line.slice(1), end };
  if (line[0] !== '$') return { value: line.slice(1), end };
  const length = Number(line.slice(1));
  if (length < 0) return { value: null, end };
  return text.length < end + length + 2 ? undefined : { value: text.slice(end, end + length), end: end + length + 2 };
}

function connect() {
  const client = { waiting: [] };
  const open = () => {
    let unread = '';
    client.socket = net.connect(Number(new URL(process.env.REDIS_URL).port), '127.0.0.1');
    client.socket.setEncoding('latin1').on('error', () => {}).on('data', (text) => {
      unread += text;
      for (let next = reply(unread); next; next = reply(unread)) {
        unread = unread.slice(next.end);
        client.waiting.shift()(next);
      }
    }).on('close', () => {
      for (const settle of client.waiting.splice(0)) settle({});
      open();
    });
    client.send('CLIENT', 'SETNAME', 'lease').catch(() => {});
  };
  client.send = (...words) => new Promise((resolve, reject) => {
    client.waiting.push(({ value, error, end }) => {
      if (!end) reject(lost());
      else if (error) reject(new LeaseError('fail', 'backend_error', error));
      else resolve(value);
    });
    client.socket.write(encoded(words.map(String)));
  });
  open();
  return client;
}

function required(...words) {
  const lawful = (word) => (typeof word === 'number' ? word >= 1 && word < 2 ** 53 : word !== '');
  if (!words.every(lawful)) throw new LeaseError('fail', 'invalid_argument');
}

serve(() => {
  const client = connect();
  const run = (script, host, key, ...words) => {
    required(key, ...words);
    return client.send('EVAL', script, 1, `${host.prefix}:lease:${key}`, ...words);
  };
  return {
    async acquireLease(key, owner, ttl, host) {
      const answer = await run(ACQUIRE, host, key, owner, ttl);
      return answer === 1 ? { acquired: true } : { acquired: false, owner: answer };
    },
    async getLeaseOwner(key, host) {
      required(key);
      return client.send('GET', `${host.prefix}:lease:${key}`);
    },
    async releaseLease(key, owner, host) {
      await run(RELEASE, host, key, owner);
    },
    async renewLease(key, owner, ttl, host) {
      return (await run(RENEW, host, key, owner, ttl)) === 1;
    },
    async transferLease(key, from, to, ttl, host) {
      return (await run(TRANSFER, host, key, from, to, ttl)) === 1;
    },
  };
}, { records: '<prefix>:lease:<key>' });
