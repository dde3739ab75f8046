#!/usr/bin/env node
// The lease providers of the npm package @mastra/core as they are: `mastra.js` runs its
// EventEmitterPubSub, one map of one host, `mastra.js noop` its NoopLeaseProvider. `npm ci` in this
// folder installs the package.
'use strict';
const { serve } = require('../../lease_adapter.js');
const time = require('./virtual_time.js');

// What lies between the contract and the package: the name of the argument that tells the time.
function adapted(provider) {
  const timed = (name, length) => (...given) => {
    time.tell(given[length]);
    return provider[name](...given.slice(0, length));
  };
  return {
    acquireLease: timed('acquireLease', 3),
    getLeaseOwner: timed('getLeaseOwner', 1),
    releaseLease: timed('releaseLease', 2),
    renewLease: timed('renewLease', 3),
    transferLease: timed('transferLease', 4),
  };
}

const HOST = { scope: 'host', expiry: 'at' };
const NONE = { scope: 'none', expiry: 'at', handoff: 'none' };

// `change`: of the package's class, for tests.
function main(which, change = (kept) => kept) {
  time.install();
  const { EventEmitterPubSub, NoopLeaseProvider } = require('@mastra/core/events');
  const Changed = change(EventEmitterPubSub);
  const [make, guarantees] = which === 'noop'
    ? [() => NoopLeaseProvider, NONE]
    : [() => new Changed(), HOST];
  serve(() => adapted(make()), { guarantees });
}

module.exports = { main };
if (require.main === module) main(process.argv[2]);
