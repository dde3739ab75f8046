// What the samples have in common: a client of the package redis that a lease may rest on, and what
// its errors mean.
'use strict';
const { createClient, ErrorReply } = require('redis');
const { LeaseError } = require('../../lease_adapter.js');

// Nothing is kept back and sent later, when its call is over; a lost connection is made anew at
// once.
function connect() {
  const client = createClient({
    url: process.env.REDIS_URL,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: () => 1 },
  });
  client.on('error', () => {}); // each call hears of it
  client.connect().catch(() => {});
  return client;
}

function required(...words) {
  for (const word of words) {
    const lawful = typeof word === 'number' ? word >= 1 && word < 2 ** 53 : word !== '';
    if (!lawful) throw new LeaseError('fail', 'invalid_argument');
  }
}

// Runs what a call sends. An error reply to its first command means that nothing was done; whatever
// else goes wrong, nobody knows.
async function checked(work) {
  let sent = 0;
  const counted = (answer) => { sent += 1; return answer; };
  try {
    return await work(counted);
  } catch (error) {
    if (error instanceof LeaseError) throw error;
    if (!(error instanceof ErrorReply)) throw new LeaseError('info', 'connection_lost', error.message);
    throw new LeaseError(sent <= 1 ? 'fail' : 'info', 'backend_error', error.message);
  }
}

const name = (host, key) => `${host.prefix}:lease:${key}`;

module.exports = { connect, required, checked, name };
