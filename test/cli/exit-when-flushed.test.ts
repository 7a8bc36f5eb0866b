import { expect, test } from '@jest/globals';
import { PassThrough, Writable } from 'node:stream';
import { FakeClock } from '../../src/base/fake-clock.js';
import { flushed } from '../../src/cli/exit-when-flushed.js';

test('the end of a process waits for the reader of its output', async () => {
  let read = (): void => undefined;
  const slow = new Writable({ write: (_chunk, _encoding, done) => (read = done) });
  let hasEnded = false;
  slow.write('line');
  const end = flushed([slow, new PassThrough()], new FakeClock()).then(() => (hasEnded = true));
  await Promise.resolve();
  expect(hasEnded).toBe(false);
  slow._write = (_chunk, _encoding, done) => {
    done();
  };
  read();
  await end;
});

test('the end of a process does not wait for a reader that stands still', async () => {
  const clock = new FakeClock();
  const stalled = new Writable({ write: () => undefined });
  stalled.write('line');
  const end = flushed([stalled], clock);
  await clock.advance(2000);
  await end;
});
