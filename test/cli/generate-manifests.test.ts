import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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
const crd = (out = 'crds-out') => join(project.folder, out, 'demo.example.com_gauges.yaml');

describe('generate-manifests', () => {
  test('says what it wrote', async () => {
    const { exitCode, stdout, stderr } = await generate();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^wrote crds-out\/demo\.example\.com_gauges\.yaml$/m);
    expect(stdout).toMatch(/^\d+ written, 0 unchanged in crds-out\n$/m);
  });

  test('says what was as it should be already', async () => {
    await generate();
    rmSync(crd());
    expect((await generate()).stdout).toMatch(/^unchanged crds-out\/Dockerfile$[\s\S]*^1 written, \d+ unchanged/m);
  });

  test('writes where it is told to', async () => {
    await generate('--out', 'deploy/manifests');
    expect(existsSync(crd('deploy/manifests'))).toBe(true);
  });

  test('takes the image and the namespace', async () => {
    await generate('--image', 'registry.example.com/gauge:1', '--namespace', 'gauges');
    const deployment = readFileSync(join(project.folder, 'crds-out', 'gauge', '05-deployment.yaml'), 'utf8');
    expect(deployment).toMatch(/namespace: gauges[\s\S]*image: registry\.example\.com\/gauge:1/);
  });

  test('writes nothing when a class has mistakes', async () => {
    project.write({ 'operators/gauge.ts': OPERATOR.replace("version: 'v1'", "version: '1'") });
    const { exitCode, stderr } = await generate();
    expect({ exitCode, isWritten: existsSync(join(project.folder, 'crds-out')) }).toEqual({
      exitCode: 78,
      isWritten: false,
    });
    expect(stderr).toMatch(/^error: Gauge.*\n {2}hint: /);
  });
});

describe('generate-manifests --check', () => {
  test('is content with what generate-manifests wrote', async () => {
    await generate();
    expect(await generate('--check')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('shows what differs, changes nothing, and exits with 1', async () => {
    await generate();
    writeFileSync(crd(), readFileSync(crd(), 'utf8').replace('plural: gauges', 'plural: gouges'));
    const { exitCode, stdout, stderr } = await generate('--check');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^-.*plural: gouges\n\+.*plural: gauges$/m);
    expect(stderr).toMatch(/^error: crds-out is not what the classes make of it\n/);
    expect(readFileSync(crd(), 'utf8')).toContain('gouges');
  });
});
