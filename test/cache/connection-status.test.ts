import { expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { ApiError } from '../../src/client/api-error.js';
import { ConnectionError } from '../../src/client/connection-error.js';
import { ConnectionStatus } from '../../src/cache/connection-status.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

const page = (id: number) =>
  new ApiError(`503 from a proxy: <html>request ${String(id)}</html>`, {
    status: 503,
    reason: '',
    request: { method: 'GET', path: '/' },
  });

function setUp() {
  const logger = new RecordingLogger();
  const clock = new FakeClock();
  return { logger, clock, status: new ConnectionStatus(logger, clock) };
}

test('an error with another text at each retry, such as the request ID of a proxy, is logged once', () => {
  const { logger, status } = setUp();
  for (let id = 0; id < 1000; id++) status.failed('cannot list pods', page(id));
  expect(logger.messages('warn')).toHaveLength(1);
  expect(status.lastError?.message).toContain('request 999');
});

test('connection errors with another reason or status are logged too', () => {
  const { logger, status } = setUp();
  status.failed('cannot list pods', page(1));
  status.failed('cannot list pods', new ConnectionError('refused', { reason: 'refused', host: 'h' }));
  status.failed('cannot list pods', new ConnectionError('no name', { reason: 'dns', host: 'h' }));
  expect(logger.messages('warn')).toHaveLength(3);
});

test('errors without a status or reason are logged by their message, ten at most until the connection recovers', () => {
  const { logger, status } = setUp();
  for (let id = 0; id < 100; id++) status.failed('cannot list pods', new Error(`no luck ${String(id)}`));
  expect(logger.messages('warn')).toHaveLength(10);
  status.recovered();
  status.failed('cannot list pods', new Error('no luck 0'));
  expect(logger.messages('warn')).toHaveLength(11);
});

test('an error that lasts is logged again after five minutes', async () => {
  const { logger, clock, status } = setUp();
  const fail = (): void => status.failed('cannot list pods', page(1));
  fail();
  await clock.advance(299_999);
  fail();
  expect(logger.messages('warn')).toHaveLength(1);
  await clock.advance(1);
  fail();
  fail();
  expect(logger.messages('warn')).toHaveLength(2);
  status.recovered();
  expect(logger.messages('info')).toEqual(['watch re-established']);
});
