import { expect, test } from '@jest/globals';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { MetricsSampler } from '../../../src/console/recorder/metrics-sampler.js';

test('the requests of each second are counted by their status code', async () => {
  const clock = new FakeClock();
  const sampler = new MetricsSampler(clock, () => []);
  sampler.start();
  for (const code of ['200', '200', '409', '<error>']) sampler.request(code);
  await clock.advance(1000);
  sampler.request('201');
  await clock.advance(1000);
  await clock.advance(1000);
  sampler.stop();
  expect(sampler.samples.map(({ apiCalls }) => apiCalls)).toEqual([
    { '200': 2, '409': 1, '<error>': 1 },
    { '201': 1 },
    {},
  ]);
});
