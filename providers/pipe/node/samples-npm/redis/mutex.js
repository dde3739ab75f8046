#!/usr/bin/env node
// A lease by the package redis-semaphore over ioredis: its Mutex under the owner's name, taken again
// by refreshing it, and a GET to name the holder. It declares what that cannot promise; the transfer
// is a script, since the package has none. Its records have names of their own (`mutex:...`), so the
// oracles have the answers only.
'use strict';
require('../../preload.js');
const Redis = require('ioredis');
const { Mutex } = require('redis-semaphore');
const { serve, LeaseError } = require('../../lease_adapter.js');
const { required, name } = require('./calls.js');

const TRANSFER = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

// Nothing is sent twice, and nothing is kept back and sent later.
function connect() {
  const client = new Redis(process.env.REDIS_URL, {
    autoResendUnfulfilledCommands: false, enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy: () => 1,
  });
  client.on('error', () => {}); // each call hears of it
  return client;
}

// A call may have sent something before: nobody knows what came of it.
async function unknown(work) {
  try {
    return await work();
  } catch (error) {
    if (error.name === 'ReplyError') throw new LeaseError('info', 'backend_error', error.message);
    throw new LeaseError('info', 'connection_lost', error.message);
  }
}

serve(() => {
  const client = connect();
  const mutex = (host, key, owner, ttl, held) => new Mutex(client, name(host, key), {
    identifier: owner, lockTimeout: ttl, acquireTimeout: host.limit, acquireAttemptsLimit: 1, retryInterval: 1,
    refreshInterval: 0, acquiredExternally: held,
  });
  const record = (host, key) => `mutex:${name(host, key)}`; // as the package calls it
  return {
    async acquireLease(key, owner, ttl, host) {
      required(key, owner, ttl);
      return unknown(async () => {
        if (await mutex(host, key, owner, ttl, true).tryAcquire()) return { acquired: true };
        if (await mutex(host, key, owner, ttl, false).tryAcquire()) return { acquired: true };
        return { acquired: false, owner: await client.get(record(host, key)) };
      });
    },
    async getLeaseOwner(key, host) {
      required(key);
      return unknown(() => client.get(record(host, key)));
    },
    async releaseLease(key, owner, host) {
      required(key, owner);
      await unknown(() => mutex(host, key, owner, 1, true).release());
    },
    async renewLease(key, owner, ttl, host) {
      required(key, owner, ttl);
      return unknown(() => mutex(host, key, owner, ttl, true).tryAcquire());
    },
    async transferLease(key, from, to, ttl, host) {
      required(key, from, to, ttl);
      return unknown(async () => (await client.eval(TRANSFER, 1, record(host, key), from, to, ttl)) === 1);
    },
  };
}, {
  guarantees: {
    acquire_trips: 4, // its script is sent once by its SHA-1, once by its text
    not_guaranteed: ['acquire.honest_denial', 'acquire.idempotent', 'lease.linearizable']
      .map((property) => ({ property })),
  },
});
