import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Deployment, Node, Pod } from '../../src/api/kinds/kinds.js';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from './started-command.js';
import { TemporaryProject } from './temporary-project.js';

const operators = join(import.meta.dirname, '..', '..', 'operators');

let project: TemporaryProject;
beforeAll(() => {
  project = new TemporaryProject();
});
afterAll(() => project.remove());

function startDemo(): StartedCommand {
  return new StartedCommand(project.start('kindwright', ['demo', operators]));
}

describe('kindwright demo', () => {
  let command: StartedCommand;
  beforeAll(() => {
    command = startDemo();
  });
  afterAll(() => command.end());

  test('the demo shows the status of the samples of the five operators', async () => {
    await command.printed(/^HelloApp hello: availableReplicas: 2$/m);
    await command.printed(/^Mydemo example-mydemo: Synced: /m);
    await command.printed(/^NodePool master: nodes: 0, Ready$/m);
    await command.printed(/^PodBugger example: pods: 2, Ready$/m);
    await command.printed(/^PodSet example: nodes: 3$/m);
  });

  test('the demo suggests commands once the objects have settled', async () => {
    await command.printed(/Try these in another terminal/);
    const lines = /terminal.*\n((?: {2}.*\n)+)/
      .exec(command.stdout)?.[1]
      ?.split('\n')
      .map((line) => line.trim());
    expect(lines).toEqual([
      expect.stringMatching(/^export KUBECONFIG=\/.*\/kubeconfig$/),
      'kubectl get helloapps,mydemos,nodepools,podbuggers,podsets',
      'kubectl scale deployment example --replicas=7',
      expect.stringMatching(/^kubectl delete pod example-\w+-\w{5}$/),
      '',
    ]);
  });

  test('the demo shows that a scaled Deployment is scaled back', async () => {
    const client = await command.client();
    await client.patch(Deployment, 'example', { spec: { replicas: 7 } }, { namespace: 'default' });
    await command.printed(/^Deployment example: scaled from 7 to 3$/m);
    expect(command.stdout).toMatch(/^Deployment example: scaled from 3 to 7$/m);
  });

  test('the demo shows that a deleted pod is replaced', async () => {
    const client = await command.client();
    const items = await eventually(async () => {
      const list = await client.list(Pod, { namespace: 'default', labelSelector: 'podSet_cr=example' });
      expect(list.items).toHaveLength(3); // the excess pods have been deleted
      return list.items;
    });
    const { name } = items[0]!.metadata;
    await client.delete(Pod, name, { namespace: 'default', gracePeriodSeconds: 0 });
    // The replacement is created as soon as the pod is marked for deletion, before it no longer exists.
    await command.printed(new RegExp(`^Pod ${name}: deleted$`, 'm'));
    const others = items.map(({ metadata }) => metadata.name).join('|');
    await command.printed(new RegExp(`^Pod example-(?!(?:${others.replaceAll('example-', '')}):).*: created$`, 'm'));
  });

  test('the demo prints the events about the objects that it shows', async () => {
    const client = await command.client();
    await client.patch(Node, 'node-1', { metadata: { labels: { 'node-role.kubernetes.io/master': '' } } });
    await command.printed(/^NodePool master: NodeJoined: node node-1 joined the pool$/m);
  });

  test('the demo writes no escape sequences to a pipe', async () => {
    await command.printed(/Press Ctrl-C to stop/);
    expect(command.stdout).not.toContain('\x1b');
  });
});

describe('kindwright demo, stopped by a signal', () => {
  let command: StartedCommand;
  beforeEach(() => {
    command = startDemo();
  });
  afterEach(() => command.end());

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'the demo stops cleanly on %s and deletes its kubeconfig',
    async (signal) => {
      const kubeconfig = await command.kubeconfig();
      expect(await command.end(signal)).toBe(0);
      expect(existsSync(kubeconfig)).toBe(false);
      expect(command.stderr).toBe('');
    },
  );

  test('the demo stops cleanly while it starts', async () => {
    await command.printed(/API server listening/);
    expect(await command.end()).toBe(0);
  });
});

const GAUGE = `
import { CustomResource, Field, Kind, Sample } from 'kindwright';

class GaugeSpec {
  @Field({ format: 'int32', minimum: 1 }) size!: number;
}
class GaugeStatus {
  @Field({ format: 'int32' }) size: number = 0;
}

@Kind({ group: 'demo.example.com', version: 'v1beta1' })
@Sample({ name: 'example', spec: { size: 3 } })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  @Field() status!: GaugeStatus;
  reconcile(): void {
    this.status.size = this.spec.size;
  }
}

@Kind({ group: 'demo.example.com', version: 'v1', kind: 'Gauge' })
export abstract class GaugeV1 extends CustomResource {
  @Field() spec!: GaugeSpec;
  @Field() status!: GaugeStatus;
}
`;
const METER = `
import { CustomResource, Kind } from 'kindwright';

@Kind({ group: 'other.example.com', version: 'v1' })
export abstract class Meter extends CustomResource {}
`;

describe('kindwright demo of a project with a further version and an imported kind', () => {
  let own: TemporaryProject;
  let command: StartedCommand;
  beforeAll(() => {
    own = new TemporaryProject({ 'operators/gauge.ts': GAUGE, 'operators/meter.ts': METER });
    command = new StartedCommand(own.start('kindwright', ['demo']));
  });
  afterAll(async () => {
    await command.end();
    own.remove();
  });

  test('the demo installs each kind once, and runs the class that reconciles', async () => {
    await command.printed(/^Gauge example: size: 3$/m);
    expect(command.stdout).toMatch(/^Installed 2 CustomResourceDefinitions$/m);
    expect(command.stderr).toBe('');
  });

  test('the demo suggests commands for each kind once', async () => {
    await command.printed(/kubectl get gauges,meters$/m);
  });
});

test('kindwright demo counts a single definition in the singular', async () => {
  project.write({ 'single/gauge.ts': GAUGE });
  const command = new StartedCommand(project.start('kindwright', ['demo', 'single']));
  await command.printed(/^Installed 1 CustomResourceDefinition$/m);
  expect(await command.end()).toBe(0);
});

test('kindwright demo names the classes when none has a reconcile method', async () => {
  project.write({ 'bare/meter.ts': METER });
  const { exitCode, stderr } = await project.run('kindwright', ['demo', 'bare']);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 78,
    stderr: expect.stringMatching(/^error: no reconcile method in Meter\n {2}hint: add to a class: async reconcile/),
  });
});

test('kindwright demo reports errors in operators like other commands', async () => {
  const { exitCode, stderr } = await project.run('kindwright', ['demo', 'missing.ts']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 78, stderr: expect.stringMatching(/^error: missing\.ts does not/) });
});
