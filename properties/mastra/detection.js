// Reads objects as lines of JSON and says of each what Mastra takes for its lease provider: the
// depth of the object in its chain of decorators, or -1 for the no-op provider.
'use strict';
const readline = require('node:readline');
const { CachingPubSub, EventEmitterPubSub, NoopLeaseProvider, isLeaseProvider } =
  require('@mastra/core/events');

// The rule of its signals runtime, which keeps it private: AgentThreadStreamRuntime's
// #getLeaseProvider.
function resolve(pubsub) {
  const unwrap = pubsub.getLeaseProvider;
  if (typeof unwrap === 'function') return unwrap.call(pubsub) ?? NoopLeaseProvider;
  return isLeaseProvider(pubsub) ? pubsub : NoopLeaseProvider;
}

const KINDS = {
  object: () => ({}),
  function: () => () => {},
  // Methods that are inherited.
  instance: () => Object.create({}),
  emitter: () => new EventEmitterPubSub(),
};

function build(shape, chain) {
  if (shape.kind === 'caching') {
    const here = chain.push(null) - 1;
    chain[here] = new CachingPubSub(build(shape.hands, chain), {});
    return chain[here];
  }
  const made = KINDS[shape.kind]();
  chain.push(made);
  const on = shape.kind === 'instance' ? Object.getPrototypeOf(made) : made;
  for (const name of shape.has) on[name] = async () => {};
  for (const name of shape.has_as_text || []) on[name] = name;
  if (shape.hands === 'itself') on.getLeaseProvider = () => made;
  else if (shape.hands === 'nothing') on.getLeaseProvider = () => undefined;
  else if (shape.hands) {
    const inner = build(shape.hands, chain);
    on.getLeaseProvider = () => inner;
  }
  return made;
}

readline.createInterface({ input: process.stdin }).on('line', (text) => {
  const chain = [];
  const outermost = build(JSON.parse(text), chain);
  const depth = chain.indexOf(resolve(outermost));
  process.stdout.write(`${JSON.stringify({ depth, complete: isLeaseProvider(outermost) })}\n`);
});
