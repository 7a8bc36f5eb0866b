import { Duplex, PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { FakeClock } from '../../../../src/base/fake-clock.js';
import { PodConsole } from '../../../../src/cli/console/cluster/pod-console.js';

const token = { header: () => Promise.resolve('Bearer x') };

/** A console of a pod that is reached through the stream. */
function consoleThrough(stream: () => Duplex, clock = new FakeClock()): PodConsole {
  const streams = { portForward: () => Promise.resolve(stream()) };
  return new PodConsole({ name: 'memo-0', port: 8444 }, streams, token, clock);
}

test('a request without an answer fails after 30 seconds', async () => {
  const clock = new FakeClock();
  let onOpened = (): void => undefined;
  const opened = new Promise<void>((resolve) => (onOpened = resolve));
  const silent = consoleThrough(() => {
    onOpened();
    return Duplex.from({ writable: new PassThrough(), readable: new PassThrough() });
  }, clock);
  const answer = silent.get('hello').then(
    () => 'answered',
    (error: unknown) => String(error),
  );
  await opened;
  await clock.advance(30_000);
  expect(await answer).toMatch(/no answer within 30 s/);
  silent.close();
});
