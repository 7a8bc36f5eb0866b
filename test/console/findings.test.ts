import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import { EventsEvent } from '../../src/api/kinds/kinds.js';
import type { Client } from '../../src/client/client.js';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from '../cli/started-command.js';
import { TemporaryProject } from '../cli/temporary-project.js';

const OPERATOR = `
import { CustomResource, Finalizer, Kind, type Result } from 'kindwright';

@Kind({ group: 'test.example.com', version: 'v1' })
export class Broken extends CustomResource {
  reconcile(): void {
    throw new RangeError('no such region');
  }
}

@Kind({ group: 'test.example.com', version: 'v1' })
export class Impatient extends CustomResource {
  reconcile(): Result {
    return { requeueAfter: 1 };
  }
}

@Kind({ group: 'test.example.com', version: 'v1' })
export class Lingering extends CustomResource {
  reconcile(): void {}

  @Finalizer('test.example.com/wait')
  removeBucket(): Result {
    return { requeueAfter: 1 };
  }
}
`;
/** The location of a method. */
const placeOf = (method: string): string =>
  `operators/broken.ts:${String(OPERATOR.split('\n').findIndex((line) => line.includes(method)) + 1)}`;
const Broken: KindRef<UnstructuredObject> = {
  ...{ group: 'test.example.com', version: 'v1', kind: 'Broken', plural: 'brokens', scope: 'Namespaced' },
};
const Impatient: KindRef<UnstructuredObject> = { ...Broken, kind: 'Impatient', plural: 'impatients' };
const Lingering: KindRef<UnstructuredObject> = { ...Broken, kind: 'Lingering', plural: 'lingerings' };
const namespace = 'default';

let project: TemporaryProject;
let env: Record<string, string>;
let operator: StartedCommand;
let client: Client;

beforeAll(async () => {
  project = new TemporaryProject({ 'operators/broken.ts': OPERATOR });
  env = { XDG_RUNTIME_DIR: join(project.folder, 'runtime') };
  const args = ['--embedded', '--console=0', '--metrics-bind-address', '127.0.0.1:0'];
  operator = new StartedCommand(project.start('run-operator', args, env));
  client = await operator.client();
  await client.create(Broken, { metadata: { name: 'example', namespace } });
  await client.create(Impatient, { metadata: { name: 'example', namespace } });
  await client.create(Lingering, { metadata: { name: 'example', namespace } });
  await eventually(async () => {
    const { metadata } = await client.get(Lingering, 'example', { namespace });
    expect(metadata.finalizers).toHaveLength(1);
  });
  await client.delete(Lingering, 'example', { namespace });
});
afterAll(async () => {
  await operator.end();
  project.remove();
});

test('an error that is repeated is logged, an Event of the object, counted, and printed by kindwright why', async () => {
  const message = 'broken default/example has failed 8 times in a row: no such region';
  await eventually(async () => {
    const { items } = await client.list(EventsEvent, { namespace });
    const found = items.filter(({ reason }) => reason === 'SameError');
    expect(found).toMatchObject([{ type: 'Warning', note: message, regarding: { kind: 'Broken', name: 'example' } }]);
  });
  expect(operator.stdout + operator.stderr).toContain(message);
  const serving = operator.stderr.split('\n').find((line) => line.includes('Serving metrics')) ?? '{}';
  const { address = '' } = JSON.parse(serving) as { readonly address?: string };
  const metrics = await (await fetch(`http://${address}/metrics`)).text();
  expect(metrics).toContain('kindwright_findings_total{controller="broken",rule="same-error"} 1');
  const why = new StartedCommand(project.start('kindwright', ['why', 'broken', 'example'], env));
  const [line] = await why.printed(/ {2}! .*\n/);
  expect(line).toContain('in a row: no such region');
});

test.each([
  ['impatient', placeOf('reconcile(): Result')],
  ['lingering', placeOf('removeBucket(): Result')],
])('a loop by a timer names the line of the method that requests it: %s', async (controller, location) => {
  const found = await eventually(() => {
    const lines = operator.stderr.split('\n').filter((line) => line.includes('Hot loop: '));
    const line = lines.find((text) => text.includes(`"controller":"${controller}"`));
    if (line === undefined) throw new Error('no hot loop is found yet');
    return line;
  });
  expect(JSON.parse(found)).toMatchObject({ cause: 'timer', location });
  const why = new StartedCommand(project.start('kindwright', ['why', controller, 'example'], env));
  const [, printed] = await why.printed(/ {2}! Hot loop: .*\n {4}.* {2}\((.*)\)\n/);
  expect(printed).toBe(location);
});
