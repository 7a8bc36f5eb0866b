import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

const gauge = (fields: string) => `
import { CustomResource, Field, Kind } from 'kindwright';

class GaugeSpec {
${fields}
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  reconcile(): void {}
}
`;
const UNIT = "  @Field({ optional: true, enum: ['bar', 'psi'] }) unit?: string;";

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({ 'operators/gauge.ts': gauge(UNIT) });
});
afterEach(() => project.remove());

const generate = (...args: string[]) => project.run('generate-manifests', args);
const change = (fields: string) => project.write({ 'operators/gauge.ts': gauge(fields) });
const crd = () => readFileSync(join(project.folder, 'crds-out', 'demo.example.com_gauges.yaml'), 'utf8');

function commit(): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: project.folder });
  git('init', '--quiet');
  git('add', 'crds-out');
  git('commit', '--quiet', '--message', 'publish');
}

describe('generate-manifests --against a commit', () => {
  beforeEach(async () => {
    await generate();
    commit();
  });

  test('--against reports an unchanged API', async () => {
    expect(await generate('--against', 'HEAD')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^no API changes\n/),
      stderr: '',
    });
  });

  test('--against lists safe changes and writes them', async () => {
    change(UNIT + '\n  @Field({ optional: true }) label?: string;');
    const { exitCode, stdout } = await generate('--against', 'HEAD');
    expect({ exitCode, isWritten: crd().includes('label') }).toEqual({ exitCode: 0, isWritten: true });
    expect(stdout).toContain(`gauges.demo.example.com
  safe        v1 .spec.label: added
API changes: 0 breaking, 0 tightening, 1 safe
`);
  });

  test('--against writes nothing when a change is breaking, and exits with 1', async () => {
    change(UNIT.replace(", 'psi'", ''));
    const { exitCode, stdout, stderr } = await generate('--against', 'HEAD');
    expect({ exitCode, isWritten: !crd().includes('psi') }).toEqual({ exitCode: 1, isWritten: false });
    expect(stdout).toContain('  breaking    v1 .spec.unit: no longer accepts "psi"\n');
    expect(stderr).toMatch(/^error: 1 breaking API change since HEAD\n {2}hint: .*--allow-breaking/);
  });

  test('--allow-breaking writes breaking changes', async () => {
    change(UNIT.replace(", 'psi'", ''));
    const { exitCode, stdout } = await generate('--against', 'HEAD', '--allow-breaking');
    expect({ exitCode, isWritten: !crd().includes('psi') }).toEqual({ exitCode: 0, isWritten: true });
    expect(stdout).toContain('1 breaking');
  });

  test('--against reports a missing kind, unless only some files are generated', async () => {
    project.write({ 'operators/other.ts': gauge(UNIT).replaceAll('Gauge', 'Meter') });
    await generate('--out', 'crds-out');
    commit();
    expect((await generate('operators/gauge.ts', '--against', 'HEAD')).stdout).toContain('no API changes');
    project.write({ 'operators/other.ts': 'export {};' });
    const { exitCode, stdout } = await generate('--against', 'HEAD');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining('meters.demo.example.com\n  breaking    kind removed\n'),
    });
  });

  test('--against accepts a commit without manifests as one without an API', async () => {
    const { exitCode, stdout } = await generate('--against', 'HEAD', '--out', 'elsewhere');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('safe        kind added') });
  });

  test('--against does not pass its value to git as an option', async () => {
    const { exitCode, stderr } = await generate('--against=--output=stolen');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 78,
      stderr: expect.stringContaining('neither a file nor a git commit'),
    });
    expect(existsSync(join(project.folder, 'stolen'))).toBe(false);
  });
});

describe('generate-manifests --against a path', () => {
  test('--against compares with the definitions in a file or folder', async () => {
    await generate('--out', 'old');
    change('  @Field() unit!: string;');
    for (const path of ['old', 'old/demo.example.com_gauges.yaml']) {
      const { exitCode, stdout } = await generate('--against', path);
      expect({ exitCode, stdout }).toEqual({
        exitCode: 1,
        stdout: expect.stringContaining('is required without a default, was optional'),
      });
    }
    expect(existsSync(join(project.folder, 'crds-out'))).toBe(false);
  });

  test('--against reports a path without definitions', async () => {
    project.write({ 'old.yaml': 'kind: ConfigMap\n' });
    const { exitCode, stderr } = await generate('--against', 'old.yaml');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 78,
      stderr: expect.stringMatching(/^error: no CustomResourceDefinition of apiextensions.k8s.io\/v1 in old.yaml\n/),
    });
  });
});

describe('generate-manifests with another storage version', () => {
  const versions = (stored: string) => `
import { CustomResource, Field, Kind } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1', kind: 'Gauge', conversion: 'None', storage: ${stored === 'v1'} })
export class Gauge extends CustomResource {
  @Field({ optional: true }) unit?: string;
  reconcile(): void {}
}

@Kind({ group: 'demo.example.com', version: 'v2', kind: 'Gauge', conversion: 'None', storage: ${stored === 'v2'} })
export abstract class GaugeV2 extends CustomResource {
  @Field({ optional: true }) unit?: string;
}
`;
  const store = (stored: string) => project.write({ 'operators/gauge.ts': versions(stored) });
  const warnings = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('warning: '));
  const WARNING =
    'warning: operators/gauge.ts:10 GaugeV2: the storage version of gauges.demo.example.com changes from v1 to v2: objects stay stored as v1 until they are written; before v1 is removed, run kindwright migrate-storage --crd gauges.demo.example.com';
  const ROLLBACK =
    '; the former release has no v2, so after a rollback it cannot read objects stored since: to be able to roll back, change the storage version one release after v2 is added';

  test('a change of the storage version is a warning with the place and the command to run, once', async () => {
    store('v1');
    expect(warnings((await generate()).stderr)).toEqual([]);
    store('v2');
    const { exitCode, stderr } = await generate();
    expect({ exitCode, warnings: warnings(stderr) }).toEqual({ exitCode: 0, warnings: [WARNING] });
    expect(warnings((await generate()).stderr)).toEqual([]);
  });

  test('a version that is added as the storage version is a warning that a rollback cannot read it (G15)', async () => {
    change(UNIT);
    await generate('--out', 'old');
    store('v2');
    expect(warnings((await generate('--against', 'old')).stderr)).toEqual([WARNING + ROLLBACK]);
  });

  test('with --single-file, the file of the earlier run is compared', async () => {
    store('v1');
    await generate('--single-file', 'install.yaml');
    store('v2');
    expect(warnings((await generate('--single-file', 'install.yaml')).stderr)).toEqual([WARNING]);
  });
});

test.each([
  ['--allow-breaking', '--allow-breaking requires --against or --cluster'],
  ['--kubeconfig=x', '--kubeconfig requires --cluster'],
  ['--context=x', '--context requires --cluster'],
])('%s alone is an error of the command line', async (option, message) => {
  const { exitCode, stderr } = await generate(option);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
});
