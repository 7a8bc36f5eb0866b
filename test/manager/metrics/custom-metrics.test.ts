import { describe, expect, test } from '@jest/globals';
import { Client, CustomResource, Kind, Manager, type StartContext } from 'kindwright';
import { createMetrics } from '../../../src/base/metrics.js';
import { customMetrics } from '../../../src/manager/metrics/custom-metrics.js';

/** Starts an operator, which fails with what `create` throws. */
async function start(create: (context: StartContext) => void): Promise<void> {
  @Kind({ group: 'test.kindwright.dev', version: 'v1' })
  class Metered extends CustomResource {
    static onStart(context: StartContext): void {
      create(context);
      throw new Error('no failure of the metrics');
    }

    reconcile(): void {
      return undefined;
    }
  }
  const server = new URL('http://127.0.0.1:1');
  const client = new Client({ server, namespace: undefined, source: 'test', user: 'test' });
  try {
    await new Manager({ client, preflight: false }).add(Metered).run(new AbortController().signal);
  } finally {
    client.close();
  }
}

describe('metrics of an operator', () => {
  test('metrics of an operator are exposed beside those of the SDK', async () => {
    const registry = await createMetrics({ ofProcess: false });
    const metrics = customMetrics(registry);
    metrics.counter('op_calls_total', 'Calls', ['result']).inc({ result: 'ok' }, 2);
    metrics.counter('op_starts_total', 'Starts').inc();
    const size = metrics.gauge('op_size', 'Size', ['shelf']);
    size.set({ shelf: 'a' }, 7);
    size.dec({ shelf: 'a' }, 2);
    size.set({ shelf: 'b' }, 1);
    size.remove({ shelf: 'b' });
    let reads = 0;
    metrics.gauge('op_reads', 'Reads', [], (gauge) => {
      gauge.set((reads += 1));
    });
    metrics.histogram('op_seconds', 'Seconds', ['call'], [1, 10]).observe({ call: 'get' }, 3);
    await registry.expose();
    const lines = (await registry.expose()).text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# HELP'));
    expect(lines).toEqual([
      '# TYPE op_calls_total counter',
      'op_calls_total{result="ok"} 2',
      '# TYPE op_starts_total counter',
      'op_starts_total 1',
      '# TYPE op_size gauge',
      'op_size{shelf="a"} 5',
      '# TYPE op_reads gauge',
      'op_reads 2',
      '# TYPE op_seconds histogram',
      'op_seconds_bucket{le="1",call="get"} 0',
      'op_seconds_bucket{le="10",call="get"} 1',
      'op_seconds_bucket{le="+Inf",call="get"} 1',
      'op_seconds_sum{call="get"} 3',
      'op_seconds_count{call="get"} 1',
    ]);
  });

  test('metrics of an operator can be set when metrics are not served', () => {
    const metrics = customMetrics(undefined);
    metrics.counter('op_calls_total', 'Calls', ['result']).inc({ result: 'ok' });
    metrics.gauge('op_size', 'Size').set(1);
    const seconds = metrics.histogram('op_seconds', 'Seconds', ['call']);
    expect(() => {
      seconds.observe({ call: 'get' }, 1);
    }).not.toThrow();
  });

  test.each([
    [
      'kindwright_watch_missed_events_total',
      'names that begin with kindwright_ are reserved for the metrics of the SDK',
    ],
    ['workqueue_depth', 'names that begin with workqueue_ are reserved for the metrics of the SDK'],
    ['op-calls', 'the name must consist of letters, digits, _ and :, and not begin with a digit'],
    ['', 'the name must consist of letters, digits, _ and :, and not begin with a digit'],
  ])("a metric cannot have the name '%s', served or not", async (name, problem) => {
    for (const registry of [undefined, await createMetrics({ ofProcess: false })])
      expect(() => customMetrics(registry).gauge(name, 'Help')).toThrow(
        `cannot create the metric '${name}': ${problem}`,
      );
  });

  test.each(['le', '__name', 'a-b', ''])("a metric cannot have the label '%s'", (label) => {
    expect(() => customMetrics(undefined).histogram('op_seconds', 'Seconds', [label])).toThrow(
      `'${label}' is not a valid label name`,
    );
  });

  test('two metrics cannot have the same name', async () => {
    const registry = await createMetrics({ ofProcess: false });
    registry.counter('program_total', 'Of the program', []);
    for (const metrics of [customMetrics(registry), customMetrics(undefined)]) {
      metrics.counter('op_calls_total', 'Calls');
      expect(() => metrics.gauge('op_calls_total', 'Calls')).toThrow('an operator has already created it');
    }
    expect(() => customMetrics(registry).counter('program_total', 'Calls')).toThrow('already been registered');
  });

  test('a metric with an invalid name stops the start with an error that names the class', async () => {
    await expect(start(({ metrics }) => metrics.counter('rest_client_x_total', 'X'))).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Metered\.onStart failed: cannot create the metric 'rest_client_x_total': names that/,
      ),
      code: 'E_START',
      hint: 'choose a name with the prefix of your operator, such as podset_uploads_total',
    });
  });
});
