import type { Metrics } from '../../../src/base/metrics.js';

/** The names and labels of all series. */
export async function seriesOf(metrics: Metrics): Promise<string[]> {
  const { text } = await metrics.expose();
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/ [^ ]*$/, ''))
    .sort();
}
