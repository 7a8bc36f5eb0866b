import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from './started-command.js';
import { TemporaryProject } from './temporary-project.js';

const OPERATOR = `
import { CustomResource, Kind } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  reconcile(): void {}
}
`;

const project = new TemporaryProject({ 'operators/gauge.ts': OPERATOR });
const command = new StartedCommand(
  project.start('run-operator', ['--embedded', '--debug-bind-address', '127.0.0.1:0']),
);
afterAll(async () => {
  await command.end();
  project.remove();
});

test('run-operator --debug-bind-address streams heap snapshots, one at a time', async () => {
  const address = await eventually(() => {
    const line = command.stderr.split('\n').find((each) => each.includes('Serving debug data')) ?? '{}';
    const served = JSON.parse(line) as { readonly address?: string };
    if (served.address === undefined) throw new Error('debug data are not yet served');
    return served.address;
  });
  const heap = () => fetch(`http://${address}/debug/heap`);
  const first = await heap();
  expect((await heap()).status).toBe(409);
  expect(first.headers.get('content-disposition')).toMatch(/filename="[\dT-]+Z\.heapsnapshot"$/);
  const reader = first.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toMatch(/^\{"snapshot":\{"meta":/);
  await reader.cancel();
  await eventually(async () => {
    const next = await heap();
    await next.body?.cancel();
    expect(next.status).toBe(200);
  });
});

test('SIGUSR2 changes the log level to debug, which logs the causes of reconciles, and back', async () => {
  const client = await command.client();
  const create = (name: string) =>
    client.create(
      { group: 'demo.example.com', version: 'v1', kind: 'Gauge', plural: 'gauges', scope: 'Namespaced' },
      {
        metadata: { name, namespace: 'default' },
      },
    );
  const lines = () => command.stderr.split('\n').filter((line) => line !== '');
  const messages = () => lines().map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
  await eventually(() => expect(messages()).toContain('Started workers'));
  await create('before');
  expect(messages()).not.toContain('Reconciling');
  command.signal('SIGUSR2');
  await eventually(() => expect(messages()).toContain('Log level debug set by SIGUSR2'));
  await create('after');
  await eventually(() => expect(lines().find((line) => /"Reconciling".*/.test(line))).toContain('"trigger"'));
  command.signal('SIGUSR2');
  await eventually(() => expect(messages()).toContain('Log level info set by SIGUSR2'));
});
