import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { TemporaryProject } from './temporary-project.js';

const GAUGE = `
import { CustomResource, Kind, Validate } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Validate() accept(): void {}
  reconcile(): void {}
}
`;

const METER = `
import { CustomResource, Kind, Policy } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
@Policy('object.metadata.name.size() < 40', 'must be short')
export class Meter extends CustomResource {
  reconcile(): void {}
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export abstract class Unit extends CustomResource {}
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({ 'operators/gauge.ts': GAUGE, 'operators/meter.ts': METER });
});
afterEach(() => project.remove());

const generate = (...args: string[]) => project.run('generate-manifests', args);
const read = (path: string) => readFileSync(join(project.folder, path), 'utf8');
const objectsIn = (path: string) => parseYamlDocuments(read(path), path) as UnstructuredObject[];

describe('generate-manifests --single-file', () => {
  test('--single-file writes one file with the objects of all operators in the order to apply them', async () => {
    const { exitCode, stdout, stderr } = await generate('--single-file');
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: 'wrote dist/install.yaml\n1 written, 0 unchanged in dist\n',
      stderr: '',
    });
    const kinds = objectsIn('dist/install.yaml').map(({ kind }) => kind ?? '');
    const steps = kinds
      .map((kind) => kind.replace(/^Cluster(?=Role)/, ''))
      .filter((kind, at, all) => kind !== all[at - 1]);
    expect(steps).toEqual([
      'Namespace',
      'CustomResourceDefinition',
      'ServiceAccount',
      'Role',
      'RoleBinding',
      'Secret',
      'Service',
      'Deployment',
      'PodDisruptionBudget',
      'ValidatingWebhookConfiguration',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
    ]);
    expect(existsSync(join(project.folder, 'crds-out'))).toBe(false);
  });

  test('--single-file contains each object of the plain layout once, and no samples', async () => {
    await generate('--namespace', 'shared');
    await generate('--namespace', 'shared', '--single-file', 'install.yml');
    const { stdout } = await project.run('generate-manifests', ['--namespace', 'shared', '--check']);
    expect(stdout).toMatch(/ unchanged in crds-out\n$/);
    const folders = ['gauge', 'meter'].flatMap((name) =>
      FILES[name as keyof typeof FILES].flatMap((file) => objectsIn(`crds-out/${name}/${file}.yaml`)),
    );
    const definitions = globSync('crds-out/*.yaml', { cwd: project.folder }).flatMap(objectsIn);
    const named = (objects: readonly (UnstructuredObject | undefined)[]) =>
      new Map(objects.map((object) => [`${String(object?.kind)} ${String(object?.metadata.name)}`, object]));
    const installed = objectsIn('install.yml');
    const { size } = named(installed);
    expect(size).toBe(installed.length);
    expect(named(installed)).toEqual(named([...definitions, ...folders]));
  });

  test('--single-file --check prints the difference and exits with 1', async () => {
    await generate('--single-file', 'install.yaml');
    expect(await generate('--single-file', 'install.yaml', '--check')).toMatchObject({
      exitCode: 0,
      stdout: '1 unchanged in .\n',
    });
    project.write({ 'install.yaml': read('install.yaml').replace('plural: gauges', 'plural: gouges') });
    const { exitCode, stdout, stderr } = await generate('--single-file', 'install.yaml', '--check');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^-.*plural: gouges\n\+.*plural: gauges$/m);
    expect(stderr).toMatch(
      /^error: install\.yaml is out of date\n {2}hint: run generate-manifests --single-file install\.yaml; /,
    );
  });

  test('a run without --single-file does not report the single file in its output folder', async () => {
    await generate('--single-file', 'crds-out/install.yaml');
    expect(await generate()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await generate('--prune', '--check')).toMatchObject({ exitCode: 2 });
    expect((await generate('--prune')).stdout).toMatch(/, 0 deleted in crds-out\n$/);
  });

  test.each([
    [['--layout', 'helm'], /^error: --single-file cannot be combined with --layout helm\n/],
    [['--layout', 'kustomize'], /^error: --single-file cannot be combined with --layout kustomize\n/],
    [['--out', 'deploy'], /^error: --single-file cannot be combined with --out: pass the path/],
    [['--prune'], /^error: --single-file cannot be combined with --prune\n/],
    [['--monitoring'], /^error: --single-file cannot be combined with --monitoring: /],
  ])('--single-file is refused with %s', async (options, message) => {
    const { exitCode, stderr } = await generate('--single-file', 'install.yaml', ...options);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(message) });
    expect(existsSync(join(project.folder, 'install.yaml'))).toBe(false);
  });

  test('--single-file never overwrites a source that follows it', async () => {
    const { exitCode, stderr } = await generate('--single-file', 'operators/gauge.ts');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/Pass a file that ends with \.yaml/),
    });
    expect(read('operators/gauge.ts')).toBe(GAUGE);
  });
});

const BASE = ['00-namespace', '01-service-account', '02-roles', '03-role-bindings'];
const FILES = {
  gauge: [...BASE, '05-certificates', '06-webhook-service', '07-deployment', '08-webhooks'],
  meter: [...BASE, '05-deployment', '09-policies'],
};
