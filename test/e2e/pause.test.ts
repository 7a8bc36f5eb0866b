import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  Client,
  Condition,
  Controller,
  CustomResource,
  Field,
  Finalizer,
  generationChanged,
  Kind,
  kindByName,
  type KubeObject,
  type Metrics,
  loadClusterConfig,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { createMetrics } from '../../src/base/metrics.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const PAUSED = 'kindwright.dev/paused';
const kindwright = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'kindwright.js');
const calls: string[] = [];
const failing = new Set<string>();

class PausableStatus {
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'], optional: true }) conditions?: Condition[];
  @Field({ optional: true }) lastHandledReconcileAt?: string;
}

class PausableSpec {
  @Field({ type: Number, format: 'int32' }) size!: number;
}

@Kind({ group: 'pause.example.com', version: 'v1' })
@Controller({ predicate: generationChanged })
class Pausable extends CustomResource {
  @Field() spec!: PausableSpec;
  @Field() status!: PausableStatus;

  reconcile(): void {
    calls.push(`${this.metadata.name} ${this.spec.size}`);
    if (failing.has(this.metadata.name)) throw new Error('not now');
  }

  @Finalizer('pause.example.com/cleanup')
  cleanup(): void {
    calls.push(`${this.metadata.name} deleted`);
  }
}

@Kind({ group: 'pause.example.com', version: 'v1' })
@Controller({ pausedDeletion: 'wait' })
class Waiting extends CustomResource {
  reconcile(): void {
    calls.push(`${this.metadata.name} reconciled`);
  }

  @Finalizer('pause.example.com/cleanup')
  cleanup(): void {
    calls.push(`${this.metadata.name} deleted`);
  }
}

interface RecordedEvent extends KubeObject {
  readonly regarding?: { readonly name?: string };
  readonly reason?: string;
  readonly type?: string;
}

const Event = kindByName<RecordedEvent>({ group: 'events.k8s.io', version: 'v1', kind: 'Event' });

let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;
let metrics: Metrics;

beforeAll(async () => {
  metrics = await createMetrics();
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Pausable, Waiting]);
  manager = await RunningManager.start(client, [Pausable, Waiting], { metrics });
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});
beforeEach(() => {
  calls.length = 0;
});

const create = (name: string, annotations: Record<string, string> = {}, kind = Pausable) =>
  client.create(kind, { metadata: { name, namespace, annotations }, spec: { size: 1 } });
const annotate = (name: string, value: string | null, kind: typeof Pausable | typeof Waiting = Pausable) =>
  client.patch(kind, name, { metadata: { annotations: { [PAUSED]: value } } }, { namespace });
const resize = (name: string, size: number) => client.patch(Pausable, name, { spec: { size } }, { namespace });
const pausedCondition = async (name: string) => {
  const { status } = await client.get(Pausable, name, { namespace });
  return status?.conditions?.find(({ type }) => type === 'Paused');
};
const eventsOf = async (name: string) => {
  const { items } = await client.list(Event, { namespace });
  return items.filter(({ regarding }) => regarding?.name === name).map(({ reason, type }) => `${type} ${reason}`);
};
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [kindwright, 'reconcile', ...args, '--kubeconfig', cluster.kubeconfig]);

describe('an object that is paused by its annotation', () => {
  test('it is not reconciled until the annotation is removed; condition, Event and metric show it', async () => {
    await create('held', { [PAUSED]: 'true' });
    await eventually(async () => {
      expect(await pausedCondition('held')).toMatchObject({
        status: 'True',
        reason: 'PausedByAnnotation',
        message: 'not reconciled while kindwright.dev/paused is "true"',
        observedGeneration: 1,
      });
    });
    await eventually(async () => expect(await eventsOf('held')).toEqual(['Normal Paused']));
    expect((await metrics.expose()).text).toContain('kindwright_paused_objects{controller="pausable"} 1');
    await resize('held', 2);
    await eventually(async () => expect(await pausedCondition('held')).toMatchObject({ observedGeneration: 2 }));
    expect(calls).toEqual([]);

    await annotate('held', null);
    await eventually(() => expect(calls).toEqual(['held 2']));
    await eventually(async () =>
      expect(await pausedCondition('held')).toMatchObject({ status: 'False', reason: 'Resumed' }),
    );
    await eventually(async () => expect(await eventsOf('held')).toEqual(['Normal Paused', 'Normal Resumed']));
    expect((await metrics.expose()).text).toContain('kindwright_paused_objects{controller="pausable"} 0');
  });

  test('a time ends the pause by itself', async () => {
    await create('timed', { [PAUSED]: new Date(Date.now() + 2000).toISOString() });
    await eventually(async () => expect(await pausedCondition('timed')).toMatchObject({ status: 'True' }));
    await eventually(() => expect(calls).toEqual(['timed 1']));
  });

  test('a value that cannot be read pauses, with a Warning that names the valid ones', async () => {
    await create('unclear', { [PAUSED]: 'tomorrow' });
    await eventually(async () => expect(await eventsOf('unclear')).toEqual(['Warning Paused']));
    expect((await pausedCondition('unclear'))?.message).toContain('neither "true", "false" nor a time');
  });

  test('its deletion proceeds by default, and waits with pausedDeletion', async () => {
    await create('leaving');
    await eventually(() => expect(calls).toEqual(['leaving 1']));
    await annotate('leaving', 'true');
    await eventually(async () => expect(await pausedCondition('leaving')).toMatchObject({ status: 'True' }));
    await client.delete(Pausable, 'leaving', { namespace });
    await eventually(() => expect(calls).toContain('leaving deleted'));

    await create('staying', {}, Waiting as never);
    await eventually(() => expect(calls).toContain('staying reconciled'));
    await annotate('staying', 'true', Waiting);
    await eventually(async () => expect(await eventsOf('staying')).toContain('Normal Paused'));
    await client.delete(Waiting, 'staying', { namespace });
    await annotate('staying', new Date(Date.now() + 1000).toISOString(), Waiting);
    await eventually(async () => expect(await eventsOf('staying')).toHaveLength(2));
    expect(calls).not.toContain('staying deleted');
    await eventually(() => expect(calls).toContain('staying deleted'));
  });
});

describe('kindwright reconcile', () => {
  test('with --wait it ends when a reconcile has acknowledged the request', async () => {
    await create('asked');
    await eventually(() => expect(calls).toEqual(['asked 1']));
    const { stdout } = await run('pausable', 'asked', '--wait');
    expect(stdout).toBe('requested a reconcile of Pausable default/asked\nreconciled Pausable default/asked\n');
    expect(calls).toEqual(['asked 1', 'asked 1']);
    const { metadata, status } = await client.get(Pausable, 'asked', { namespace });
    expect(status?.lastHandledReconcileAt).toBe(metadata.annotations?.['kindwright.dev/reconcile-requested-at']);
  });

  test('it fails with the reason if no reconcile succeeds, the object is paused or cannot acknowledge', async () => {
    failing.add('refused');
    await create('refused');
    await eventually(async () =>
      expect((await client.get(Pausable, 'refused', { namespace })).status?.conditions?.[0]?.reason).toBe(
        'ReconcileFailed',
      ),
    );
    await expect(run('pausables.pause.example.com', 'refused', '--wait', '--timeout', '1s')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has succeeded within 1000 ms[^]*ReconcileFailed/),
    });
    await create('resting', { [PAUSED]: 'true' });
    await expect(run('pausable', 'resting')).rejects.toMatchObject({
      stderr: expect.stringMatching(/is not reconciled while kindwright.dev\/paused[^]*remove its annotation/),
    });
    await create('silent', {}, Waiting as never);
    await expect(run('waiting', 'silent', '--wait')).rejects.toMatchObject({
      stderr: expect.stringContaining('add the field lastHandledReconcileAt?: string to the status of Waiting'),
    });
  });
});
