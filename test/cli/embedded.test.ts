import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import { Namespace, Pod, ServiceAccount } from '../../src/api/kinds/kinds.js';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { eventually } from '../../src/testing/eventually.js';
import { readAccessRecord } from '../../src/client/access/access-record-file.js';
import { StartedCommand } from './started-command.js';
import { TemporaryProject } from './temporary-project.js';

const OPERATOR = `
import { CustomResource, Field, Kind } from 'kindwright';

class GaugeStatus {
  @Field() seen!: boolean;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() status!: GaugeStatus;

  reconcile(): void {
    this.status.seen = true;
  }
}
`;

/** A Gauge that gets its status from an injected Sensor. */
function injected(start: string): string {
  return OPERATOR.replace('{ CustomResource, ', '{ CustomResource, Inject, type StartContext, ')
    .replace('class GaugeStatus', 'class Sensor {\n  readonly seen = true;\n}\n\nclass GaugeStatus')
    .replace(
      'GaugeStatus;\n',
      `GaugeStatus;\n  @Inject(Sensor) private readonly sensor!: Sensor;\n\n  static onStart({ provide }: StartContext) { ${start} }\n`,
    )
    .replace('= true;\n  }\n}\n', '= this.sensor.seen;\n  }\n}\n');
}

const Gauge: KindRef<UnstructuredObject> = {
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Gauge',
  plural: 'gauges',
  scope: 'Namespaced',
};
const gauge = { metadata: { name: 'example', namespace: 'default' } };

let project: TemporaryProject;
let started: StartedCommand[];
beforeEach(() => {
  project = new TemporaryProject({ 'operators/gauge.ts': OPERATOR });
  started = [];
});
afterEach(async () => {
  for (const command of started) await command.end();
  project.remove();
});

function runEmbedded(...args: string[]): StartedCommand {
  const command = new StartedCommand(project.start('run-operator', ['--embedded', ...args]));
  started.push(command);
  return command;
}

test('run-operator --cache-report prints the caches when they have synced, and again on SIGUSR1', async () => {
  const command = runEmbedded('--cache-report');
  const reports = (): number => command.stdout.split('Caches: ').length - 1;
  await eventually(() => expect(command.stdout).toContain('  Gauge: 0 objects, 0 kB, for gauge\n'));
  expect(reports()).toBe(1);
  command.signal('SIGUSR1');
  await eventually(() => expect(reports()).toBe(2));
});

describe('run-operator --watch-audit-interval', () => {
  const scrape = async (command: StartedCommand): Promise<string> => {
    const line = command.stderr.split('\n').find((each) => each.includes('Serving metrics')) ?? '{}';
    const { address } = JSON.parse(line) as { readonly address?: string };
    if (address === undefined) throw new Error('metrics are not yet served');
    return (await fetch(`http://${address}/metrics`)).text();
  };
  const counted = /^kindwright_watch_missed_events_total\{resource="gauges\.demo\.example\.com"\} 0$/m;

  test('--watch-audit-interval lists the objects at this interval, to find missed watch events', async () => {
    const command = runEmbedded('--metrics-bind-address', '127.0.0.1:0', '--watch-audit-interval', '10ms');
    await command.client();
    await eventually(async () => {
      const text = await scrape(command);
      expect(text).toMatch(counted);
      expect(text).toMatch(/^rest_client_requests_total\{code="200",method="GET",.*\} \d{2,}$/m);
    });
  });

  test('--watch-audit-interval 0 does not list the objects', async () => {
    const command = runEmbedded('--metrics-bind-address', '127.0.0.1:0', '--watch-audit-interval', '0');
    const client = await command.client();
    await eventually(() => client.create(Gauge, gauge));
    await eventually(async () => {
      expect(await scrape(command)).toMatch(/^controller_runtime_reconcile_total\{.*result="success"\} 1$/m);
    });
    expect(await scrape(command)).not.toMatch(/kindwright_watch_missed_events_total/);
  });
});

describe('run-operator --embedded', () => {
  test('--embedded reconciles on a server of its own, with the CRD installed', async () => {
    const command = runEmbedded();
    const client = await command.client();
    await eventually(() => client.create(Gauge, gauge));
    await eventually(async () => {
      expect(await client.get(Gauge, 'example', { namespace: 'default' })).toMatchObject({ status: { seen: true } });
    });
    expect(command.stdout).toMatch(/^export KUBECONFIG=\S+\nConsole: http:\/\/127\.0\.0\.1:\d+\/#t=\S+\n$/);
  });

  test('--embedded runs a controller of a built-in kind', async () => {
    const example = readFileSync(join(import.meta.dirname, '../../docs/examples/pod-security-labels.ts'), 'utf8');
    project.write({ 'operators/labels.ts': example });
    const client = await runEmbedded('operators/labels.ts').client();
    await eventually(async () => {
      const { labels } = (await client.get(Namespace, 'default')).metadata;
      expect(labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'baseline' });
    });
  });

  test('--embedded injects the values that onStart provides', async () => {
    project.write({ 'operators/gauge.ts': injected('provide(Sensor, new Sensor());') });
    const command = runEmbedded();
    const client = await command.client();
    await eventually(() => client.create(Gauge, gauge));
    await eventually(async () => {
      expect(await client.get(Gauge, 'example', { namespace: 'default' })).toMatchObject({ status: { seen: true } });
    });
  });

  test('a property without a provided value ends run-operator with exit code 78 and its line', async () => {
    project.write({ 'operators/gauge.ts': injected('void provide;') });
    const { exitCode, stderr } = await project.run('run-operator', ['--embedded', '--log-format', 'text']);
    expect(exitCode).toBe(78);
    expect(stderr).toContain(
      'error: operators/gauge.ts:15 Gauge.sensor: nothing is provided for Sensor\n  hint: call provide(Sensor',
    );
  });

  test('-v prints the trigger of each reconcile', async () => {
    const command = runEmbedded('-v');
    const client = await command.client();
    await eventually(() => expect(command.stderr).toContain('Started workers'));
    await client.create(Gauge, gauge);
    await eventually(async () => {
      expect(await client.get(Gauge, 'example', { namespace: 'default' })).toMatchObject({ status: { seen: true } });
    });
    expect(command.stderr).toContain('"trigger":"Gauge add default/example"');
    await client.patch(Gauge, 'example', { metadata: { labels: { a: 'b' } } }, { namespace: 'default' });
    const trigger = 'Gauge update default/example (metadata.labels)';
    await eventually(() => expect(command.stderr).toContain(`"trigger":"${trigger}"`));
    const line = command.stderr.split('\n').find((text) => text.includes(trigger)) ?? '';
    const object = { controller: 'gauge', namespace: 'default', name: 'example' };
    expect(JSON.parse(line)).toMatchObject({ level: 'debug', msg: 'Reconciling', ...object });
  });

  test('a failure is printed with its line, and each repetition in one line', async () => {
    project.write({
      'operators/gauge.ts': OPERATOR.replace('this.status.seen = true', "throw new Error('no signal')"),
    });
    const command = runEmbedded('--log-format', 'text');
    const client = await command.client();
    await eventually(() => client.create(Gauge, gauge));
    await eventually(() => expect(command.stderr).toContain('attempt=3'));
    const lines = command.stderr.split('\n').map((line) => line.replace(/^\[[\d:.]+\] /, ''));
    const first = lines.findIndex((line) => line.startsWith('ERROR'));
    const object = 'controller=gauge namespace=default name=example';
    expect(lines.slice(first, first + 5)).toEqual([
      `ERROR: Reconciler error ${object} attempt=1 nextRetry=5ms`,
      '    Error: no signal',
      '        at Gauge.reconcile (operators/gauge.ts:13:11)',
      `ERROR: Reconciler error ${object} attempt=2 nextRetry=10ms err="no signal" at operators/gauge.ts:13:11`,
      `ERROR: Reconciler error ${object} attempt=3 nextRetry=20ms err="no signal" at operators/gauge.ts:13:11`,
    ]);
  });

  test('a rejected call that was not awaited is logged with its line, and the operator continues', async () => {
    const rejected = "void ctx.get(Pod, 'a/b/c');\n    this.status.seen = true";
    project.write({
      'operators/gauge.ts': OPERATOR.replace('CustomResource', 'Context, CustomResource, Pod')
        .replace('reconcile()', 'reconcile(ctx: Context)')
        .replace('this.status.seen = true', rejected),
    });
    const command = runEmbedded();
    const client = await command.client();
    await eventually(() => client.create(Gauge, gauge));
    await eventually(() => expect(command.stderr).toContain('was rejected and nothing handles the error'));
    const line = command.stderr.split('\n').find((text) => text.includes('was rejected')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      msg: expect.stringMatching(/^missing await: ctx\.get\(Pod, "a\/b\/c"\) was rejected/),
      err: { at: expect.stringMatching(/^operators\/gauge\.ts:13:/) },
    });
    await eventually(async () => {
      expect(await client.get(Gauge, 'example', { namespace: 'default' })).toMatchObject({ status: { seen: true } });
    });
    expect(await command.end()).toBe(0);
  });

  test('without -v no triggers are printed', async () => {
    const command = runEmbedded();
    const client = await command.client();
    await eventually(() => client.create(Gauge, gauge));
    await eventually(async () => {
      expect(await client.get(Gauge, 'example', { namespace: 'default' })).toMatchObject({ status: { seen: true } });
    });
    await command.end();
    expect(command.stderr).not.toContain('trigger');
  });

  test('--record-rbac records the used permissions and their users', async () => {
    const command = runEmbedded('--record-rbac', 'rbac.yaml');
    const client = await command.client();
    await eventually(() => client.create(Gauge, gauge));
    await eventually(async () => {
      expect(await client.get(Gauge, 'example', { namespace: 'default' })).toMatchObject({ status: { seen: true } });
    });
    expect(await command.end()).toBe(0);
    const recorded = readAccessRecord(join(project.folder, 'rbac.yaml')) ?? [];
    expect(recorded.map(({ by, verb, resource }) => `${by}: ${verb} ${resource}`)).toEqual([
      'manager: list mutatingwebhookconfigurations',
      'manager: list validatingwebhookconfigurations',
      'manager: create customresourcedefinitions',
      'manager: get customresourcedefinitions',
      'manager: list customresourcedefinitions',
      'manager: patch customresourcedefinitions',
      'manager: create selfsubjectrulesreviews',
      'manager: watch gauges',
      'operator: watch gauges',
      'operator: patch gauges/status',
    ]);
    expect(recorded.find(({ verb }) => verb === 'patch')).toMatchObject({ by: 'manager', namespaces: [''] });
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('--embedded ends cleanly on %s', async (signal) => {
    const command = runEmbedded();
    await command.kubeconfig();
    expect(await command.end(signal)).toBe(0);
    expect(command.stderr).toContain('Stopping; a second signal ends the process immediately');
  });

  test('an operator continues when the reader of its output has closed the pipe, and ends cleanly', async () => {
    const command = runEmbedded('--cache-report');
    const client = await command.client();
    command.closeOutput();
    command.signal('SIGUSR1');
    await eventually(() => {
      expect(command.stderr).toContain('standard output cannot be written; the process continues without it');
    });
    await eventually(() => client.create(Gauge, gauge));
    expect(await command.end()).toBe(0);
  });

  test('--embedded keeps its objects in the data folder', async () => {
    const before = runEmbedded('--data-dir', 'state');
    const client = await before.client();
    await eventually(() => client.create(Gauge, gauge));
    await before.end();
    const after = await runEmbedded('--data-dir', 'state').client();
    expect(await after.get(Gauge, 'example', { namespace: 'default' })).toMatchObject(gauge);
  });

  test('--embedded reports an error in the operator before it starts a server', async () => {
    project.write({ 'operators/gauge.ts': OPERATOR.replace('@Kind', '@Kint') });
    const { exitCode, stdout } = await project.run('run-operator', ['--embedded']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 78, stdout: '' });
  });

  test.each([['--kubeconfig'], ['--context'], ['--master']])(
    '--embedded cannot be combined with %s',
    async (option) => {
      const { exitCode, stderr } = await project.run('run-operator', ['--embedded', option, '127.0.0.1']);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`option '--embedded' cannot be used with option '${option}`);
    },
  );

  test.each([
    ['--data-dir', 'state'],
    ['--pod-delay', '2s'],
    ['--fail-pods', 'app=web'],
    ['--missing-images', 'busybox:none'],
  ])('--embedded is required by %s', async (option, value) => {
    const { exitCode, stderr } = await project.run('run-operator', [option, value]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error: ${option} requires --embedded`);
  });

  test.each([['--open'], ['--embedded', '--console=off', '--open']])(
    '--open is an error without a console',
    async (...args) => {
      const { exitCode, stderr } = await project.run('run-operator', args);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('error: --open requires --console or --embedded');
    },
  );

  test.each([['--embedded'], ['--register-webhooks']])(
    '--webhook-port is an error with %s, which chooses a free port',
    async (option) => {
      const { exitCode, stderr } = await project.run('run-operator', [option, '--webhook-port', '18999']);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(
        'error: --webhook-port requires --webhook-authority, --webhook-cert-dir or --webhook-address',
      );
    },
  );

  test('--fail-pods fails the pods with these labels', async () => {
    const client = await runEmbedded('--fail-pods', 'app=bad').client();
    await eventually(() => client.get(ServiceAccount, 'default', { namespace: 'default' }));
    const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
    await client.create(Pod, { metadata: { name: 'bad', namespace: 'default', labels: { app: 'bad' } }, spec });
    await eventually(async () => {
      expect((await client.get(Pod, 'bad', { namespace: 'default' })).status?.phase).toBe('Failed');
    });
  });
});
