import { expect, test } from '@jest/globals';
import type { Client } from '../../src/client/client.js';
import { Manager } from '../../src/manager/manager.js';
import { optionMs } from '../../src/base/option-ms.js';

const client = {} as Client;

test.each([
  ['30s', 30_000],
  [5, 5],
  [undefined, 7],
])('an option of a manager is a text, a number of milliseconds, or its default: %p', (value, ms) => {
  expect(optionMs('gracefulShutdownTimeout', value, 7)).toBe(ms);
});

test.each([
  [{ gracefulShutdownTimeout: 'soon' }, 'gracefulShutdownTimeout soon is not a duration'],
  [{ leaderElection: { leaseDuration: NaN } }, 'leaderElection.leaseDuration NaN is not a duration'],
  [{ webhooks: { drainTime: -1 } }, 'webhooks.drainTime -1 is not a duration'],
])('a manager with a duration that is invalid is an error: %j', (options, message) => {
  expect(() => new Manager({ client, ...options })).toThrow(message);
});

test.each([
  [{ probe: {} }, 'write observer'],
  [{ gracefulShutdownTimeoutMs: 5 }, "write gracefulShutdownTimeout: '30s'"],
  [{ leaderElection: { leaseDurationMs: 5 } }, "write leaderElection.leaseDuration: '30s'"],
  [{ webhooks: { drainMs: 5 } }, "write webhooks.drainTime: '30s'"],
])('a manager with a name of an earlier version is an error that names the new one: %j', (options, hint) => {
  expect(() => new Manager({ client, ...(options as object) })).toThrow(
    expect.objectContaining({ code: 'E_RENAMED', hint }),
  );
});
