import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  type Context,
  Controller,
  Inject,
  loadClusterConfig,
  Manager,
  ObjectController,
  Secret,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const names = ['parallel-1', 'parallel-2'];
const running = new Set<string>();
let unblock: () => void = () => undefined;
const blocked = new Promise<void>((resolve) => (unblock = resolve));

@Controller({ for: Secret, name: 'adding' })
class Adding extends ObjectController<Secret> {
  @Inject(Manager) private readonly manager!: Manager;

  reconcile(): void {
    if (this.object.metadata.name === 'parallel') this.manager.add(Parallel);
  }
}

@Controller({ for: ConfigMap, name: 'parallel' })
class Parallel extends ObjectController<ConfigMap> {
  async reconcile(_: Context): Promise<void> {
    const { name } = this.object.metadata;
    if (!names.includes(name)) return;
    running.add(name);
    await blocked;
  }
}

let cluster: SuiteControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

test('a class that is added to a running manager has the options that the manager has for its name', async () => {
  const controllers = { parallel: { maxConcurrentReconciles: 2 }, ading: { maxDelay: 10 } };
  const manager = await RunningManager.start(client, [Adding], { controllers });
  try {
    const warnings = manager.logger.lines.filter(({ message }) => message.includes('no controller is named'));
    expect(warnings.map(({ level, message, fields }) => [level, message, fields['hint']])).toEqual([
      ['warn', 'no controller is named parallel; its options apply when such a controller is added', undefined],
      [
        'warn',
        'no controller is named ading; its options apply when such a controller is added',
        'did you mean adding?',
      ],
    ]);
    for (const name of names) await client.create(ConfigMap, { metadata: { name, namespace } });
    await client.create(Secret, { metadata: { name: 'parallel', namespace } });
    await eventually(() => expect([...running].toSorted()).toEqual(names));
  } finally {
    unblock();
    await manager.stop();
  }
});
