import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StartedCommand } from './started-command.js';
import { TemporaryProject } from './temporary-project.js';

const OPERATOR = `
import { CustomResource, Kind, partOf } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  reconcile(): void {}
}
`;

let project: TemporaryProject;
let command: StartedCommand | undefined;
beforeEach(() => {
  project = new TemporaryProject({});
});
afterEach(async () => {
  await command?.end();
  project.remove();
});

function runWith(caches: string): StartedCommand {
  project.write({ 'operators/gauge.ts': `${OPERATOR}export const caches = ${caches};\n` });
  command = new StartedCommand(project.start('run-operator', ['--embedded', '--cache-report']));
  return command;
}

test('run-operator caches the parts of kinds that a module of the operator exports as caches', async () => {
  await runWith(`[partOf(Gauge, { labelSelector: 'a=b' })]`).printed(/Gauge \(selected by a=b\)/);
});

test('run-operator rejects an export caches that is not a list', async () => {
  await expect(runWith(`'Gauge'`).printed(/never/)).rejects.toThrow('gauge.ts: the export caches is not a list');
});
