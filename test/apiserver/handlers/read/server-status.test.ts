import { expect, test } from '@jest/globals';
import { ServerStatus } from '../../../../src/apiserver/handlers/read/server-status.js';
import { FakeClock } from '../../../../src/base/fake-clock.js';

test('the text of /statusz has the start, the time since then and the paths', async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 5, 7, 8, 9));
  const status = new ServerStatus(clock);
  await clock.advance(((26 * 60 + 3) * 60 + 4) * 1000);
  const outcome = status.answer('text/plain');
  if (outcome.type !== 'text') throw new Error('the outcome is not a text');
  expect(String(outcome.body).split('\n')).toEqual([
    '',
    'apiserver statusz',
    expect.stringMatching(/^Warning: /),
    '',
    'Started: Mon Jan  5 07:08:09 UTC 2026',
    'Up: 26 hr 03 min 04 sec',
    expect.stringMatching(/^Go version: go1/),
    expect.stringMatching(/^Binary version: 1\.36\.\d+$/),
    'Emulation version: 1.36',
    'Paths: /healthz /livez /metrics /readyz /statusz /version',
    '',
  ]);
});
