import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

const OPERATOR = `
import { CustomResource, Kind } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  reconcile(): void {}
}
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({ 'operators/gauge.ts': OPERATOR });
});
afterEach(() => project.remove());

const generate = (...args: string[]) => project.run('generate-manifests', args);

test('generate-manifests --monitoring adds alerts and a dashboard, which --check compares', async () => {
  await generate();
  expect((await generate('--monitoring')).stdout).toMatch(
    /^wrote crds-out\/gauge\/monitoring\/alerts\.yaml$[^]*^3 written/m,
  );
  expect((await generate('--monitoring', '--check')).exitCode).toBe(0);
  expect((await generate('--check')).stdout).toContain('gauge/monitoring/alerts.yaml is no longer generated');
  const alerts = join(project.folder, 'crds-out', 'gauge', 'monitoring', 'alerts.yaml');
  writeFileSync(alerts, readFileSync(alerts, 'utf8').replace('> 1000', '> 2000'));
  expect((await generate('--monitoring', '--check')).stdout).toContain('> 2000');
  project.write({ 'package.json': JSON.stringify({ type: 'module', kindwright: { monitoring: true } }) });
  await generate();
  expect((await generate('--check')).exitCode).toBe(0);
  expect(readFileSync(alerts, 'utf8')).toContain('> 1000');
});
