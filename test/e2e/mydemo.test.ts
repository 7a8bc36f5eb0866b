import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, CoreEvent, loadClusterConfig } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { Mydemo } from '../../operators/mydemo.js';
import { applyFile } from './apply-file.js';
import { OperatorProcess, projectRoot } from './operator-process.js';
import { OperatorAccount } from './operator-account.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

let cluster: SuiteControlPlane;
let client: Client;
let account: OperatorAccount;
let operator: OperatorProcess;
const namespace = 'default';
const START = [
  /Setting up event handlers/,
  /Starting Mydemo controller/,
  /Waiting for informer caches to sync/,
  /Starting workers/,
  /Started workers/,
];

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ audit: true });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  account = await OperatorAccount.install(cluster, client, 'mydemo', ['CustomResourceDefinition']);
  operator = OperatorProcess.start(account.kubeconfig, ['operators/mydemo.ts']);
});
afterAll(async () => {
  await operator.stop();
  client.close();
  await cluster.stop();
});

const syncedLines = () =>
  operator.messages.filter((message) => message === "Successfully synced 'default/example-mydemo'");
const events = async () =>
  (await client.list(CoreEvent, { namespace, fieldSelector: 'involvedObject.name=example-mydemo' })).items;

describe('Mydemo', () => {
  test('Mydemo reports a missing CRD with the next step', async () => {
    const line = await operator.logged(/could not find the requested resource/);
    expect(line.level).toBe('error');
    expect(JSON.stringify(line)).toContain('mydemos.crddemo.k8s.io');
    expect(JSON.stringify(line)).toContain('--install');
    expect(operator.messages).not.toContain('Started workers');
  });

  test('Mydemo starts to work when the CRD is installed, without a restart', async () => {
    await applyFile(client, join(projectRoot, 'crds-out', 'crddemo.k8s.io_mydemos.yaml'));
    await operator.started();
  });

  test('the start of Mydemo is logged in the order of the document', () => {
    const places = START.map((pattern) => operator.messages.findIndex((message) => pattern.test(message)));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test('the spec of a Mydemo is required', async () => {
    const withoutSpec = { metadata: { name: 'empty', namespace } } as Parameters<
      typeof client.create<typeof Mydemo>
    >[1];
    await expect(client.create(Mydemo, withoutSpec)).rejects.toThrow('spec: Required value');
  });

  test('a sync of a Mydemo emits one Event and logs the key', async () => {
    await client.create(Mydemo, {
      metadata: { name: 'example-mydemo', namespace },
      spec: { ip: '127.0.0.1', port: 8080 },
    });
    await operator.logged(/^Successfully synced 'default\/example-mydemo'$/);
    const [event] = await eventually(async () => {
      const found = await events();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(event).toMatchObject({
      type: 'Normal',
      reason: 'Synced',
      message: 'Mydemo synced successfully',
      involvedObject: { kind: 'Mydemo', name: 'example-mydemo', namespace },
      reportingComponent: 'mydemo',
    });
  });

  test('an update of a Mydemo is synced and counted on the same Event', async () => {
    const before = syncedLines().length;
    await client.patch(Mydemo, 'example-mydemo', { spec: { port: 9090 } }, { namespace });
    await eventually(() => expect(syncedLines().length).toBe(before + 1));
    await eventually(async () => expect(await events()).toMatchObject([{ series: { count: 2 } }]));
  });

  test('a write that changes nothing does not count as an update', async () => {
    const before = syncedLines().length;
    await client.patch(Mydemo, 'example-mydemo', { spec: { port: 9090 } }, { namespace });
    await client.patch(Mydemo, 'example-mydemo', { spec: { port: 9091 } }, { namespace });
    await eventually(() => expect(syncedLines().length).toBe(before + 1));
  });

  test('a deleted Mydemo is logged with its key', async () => {
    await client.delete(Mydemo, 'example-mydemo', { namespace });
    await operator.logged(/default\/example-mydemo does not exist in local cache/);
  });

  test('the operator of Mydemo syncs existing objects after it was killed and restarted', async () => {
    await operator.stop('SIGKILL');
    await client.create(Mydemo, {
      metadata: { name: 'example-mydemo', namespace },
      spec: { ip: '127.0.0.1', port: 8080 },
    });
    operator = await OperatorProcess.start(account.kubeconfig, ['operators/mydemo.ts']).started();
    await operator.logged(/^Successfully synced 'default\/example-mydemo'$/);
  });

  test('--master sets the API server, as in client-go programs', async () => {
    await operator.stop();
    const args = ['operators/mydemo.ts', '--kubeconfig', account.kubeconfig, '--master', client.config.server.href];
    operator = await OperatorProcess.start('/nowhere', args).started();
    expect(operator.messages).toContain('Started workers');
  });

  test('SIGTERM stops the workers and ends the process with exit code 0', async () => {
    expect(await operator.stop('SIGTERM')).toBe(0);
    expect(operator.messages).toContain('Shutting down workers');
  });

  test('Mydemo needs only the permissions that are generated for it', () => account.expectNoForbiddenCall());
});
