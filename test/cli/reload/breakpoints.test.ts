import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KindRef, KubeObject } from 'kindwright';
import { eventually } from '../../../src/testing/eventually.js';
import { InspectorSession } from '../../e2e/sdk/inspector-session.js';
import { StartedCommand } from '../started-command.js';
import { TemporaryProject } from '../temporary-project.js';

const OPERATOR = `
import { CustomResource, Field, Kind } from 'kindwright';

class GaugeSpec {
  @Field({ format: 'int32' }) value!: number;
}
class GaugeStatus {
  @Field({ format: 'int32', optional: true }) value?: number;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  @Field() status!: GaugeStatus;

  reconcile(): void {
    this.status.value = this.spec.value;
  }
}
`;
const GAUGE = {
  ...{ group: 'demo.example.com', version: 'v1', kind: 'Gauge', plural: 'gauges', scope: 'Namespaced' },
} as KindRef<KubeObject & { readonly spec: { readonly value: number }; readonly status?: { readonly value?: number } }>;
const FILE = 'operators/gauge.ts';
const place = { namespace: 'default' };

let project: TemporaryProject;
let command: StartedCommand;
let session: InspectorSession;

beforeAll(async () => {
  project = new TemporaryProject({ [FILE]: OPERATOR });
  const env = { NODE_OPTIONS: '--inspect-brk=127.0.0.1:0' };
  command = new StartedCommand(project.start('kindwright', ['dev', '--console=off', '--no-samples'], env));
  const address = await eventually(() => /ws:\/\/127\.0\.0\.1:\S+/.exec(command.stderr)?.[0] ?? fail());
  session = await InspectorSession.connect(address);
});
afterAll(async () => {
  session.close();
  await command.end();
  project.remove();
});

function fail(): never {
  throw new Error('the debugger does not listen yet');
}

test('a breakpoint of a source file is hit after the file was loaded again, also when its line has moved', async () => {
  const url = pathToFileURL(join(project.folder, FILE)).href;
  let text = OPERATOR;
  const lineOf = () => text.split('\n').findIndex((line) => line.includes('this.status.value =')) + 1;
  session.breakAt(url, lineOf());
  await session.run();
  const client = await command.client();
  let paused = session.paused();
  await client.create(GAUGE, { metadata: { name: 'a', ...place }, spec: { value: 1 } });
  const lines = [lineOf()];
  const pauses = [await paused];
  for (const value of [2, 3]) {
    text = text.replace('  reconcile', `  // change ${value}\n\n  reconcile`);
    lines.push(lineOf());
    session.breakAt(url, lineOf());
    paused = session.paused();
    await session.resume();
    project.write({ [FILE]: text });
    pauses.push(await paused); // the object is reconciled with the new code
  }
  session.breakAt(url, 0);
  await session.resume();
  expect(pauses).toEqual(lines.map((line) => ({ file: expect.stringMatching(/gauge\.ts$/), line })));
  expect(new Set(lines).size).toBe(3);
});
