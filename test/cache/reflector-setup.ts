import { jest } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { silentLogger } from '../../src/base/logger.js';
import { ConnectionStatus } from '../../src/cache/connection-status.js';
import { Reflector } from '../../src/cache/reflector.js';
import { Store } from '../../src/cache/store.js';
import { VersionedStore } from '../../src/cache/versioned-store.js';
import { ConnectionError } from '../../src/client/connection-error.js';
import { describeEvent, widget, Widget } from './objects.js';
import { refusal, ScriptedClient } from './scripted-client.js';

export const refused = new ConnectionError('cannot reach 127.0.0.1:6443: connection refused', {
  reason: 'refused',
  host: '127.0.0.1:6443',
});

export async function setup(random = () => 0) {
  const clock = new FakeClock();
  const client = new ScriptedClient();
  const warn = jest.fn<(message: string) => void>();
  const info = jest.fn();
  const status = new ConnectionStatus({ ...silentLogger, warn, info }, clock);
  const seen: string[] = [];
  const store = new Store();
  const versions = new VersionedStore(store, {
    changed: (events) => seen.push(...events.map(describeEvent)),
    replaced: () => seen.push('replaced'),
  });
  const scope = { namespace: 'ns', labelSelector: 'app=x' };
  const reflector = new Reflector(client, versions, { kind: Widget, scope, clock, status, random });
  const abort = new AbortController();
  const running = reflector.run(abort.signal);
  await clock.advance(0);
  /** Runs what follows from `step`. */
  const after = async (step: () => void): Promise<void> => {
    step();
    await clock.advance(0);
  };
  return { clock, client, reflector, status, warn, info, seen, store, versions, abort, running, after };
}

/** A reflector with `a@10` from a streamed list at 20, which continues to watch. */
export async function watching(random?: () => number) {
  const all = await setup(random);
  await all.after(() => {
    all.client.last.initial(20, widget('a', 10));
  });
  all.seen.length = 0;
  return all;
}

/** A reflector of a server without streamed lists: it has `a@10` from a list at 20, and has requested a watch. */
export async function paged() {
  const all = await setup();
  await all.after(() => {
    all.client.last.fail(refusal(422, 'Invalid'));
  });
  await all.after(() => {
    all.client.last.answer(20, widget('a', 10));
  });
  all.seen.length = 0;
  return all;
}
