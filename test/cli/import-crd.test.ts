import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

const definition = (schema: object, version = 'v1') => ({
  apiVersion: `apiextensions.k8s.io/${version}`,
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gauges.demo.example.com' },
  spec: {
    group: 'demo.example.com',
    scope: 'Namespaced',
    names: { kind: 'Gauge', plural: 'gauges' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const SOUND = definition({ type: 'object', properties: { spec: { type: 'object' } } });

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({ 'gauge.json': JSON.stringify(SOUND) });
});
afterEach(() => project.remove());

const importCrd = (...args: string[]) => project.run('kindwright', ['import-crd', ...args]);
const written = (path = 'operators/gauge-v1.ts') => join(project.folder, path);
const refused = async (object: unknown) => {
  project.write({ 'gauge.json': JSON.stringify(object) });
  const { exitCode, stderr } = await importCrd('gauge.json');
  expect(exitCode).toBe(78);
  expect(existsSync(written())).toBe(false);
  return stderr;
};

describe('kindwright import-crd', () => {
  test('import-crd writes classes and lists their files', async () => {
    expect(await importCrd('gauge.json')).toEqual({ exitCode: 0, stdout: 'wrote operators/gauge-v1.ts\n', stderr: '' });
    expect(readFileSync(written(), 'utf8')).toMatch(/export class Gauge extends CustomResource/);
  });

  test('import-crd writes classes that others can watch', async () => {
    await importCrd('gauge.json');
    project.write({
      'operators/dial.ts': `
import { CustomResource, Kind, Watches } from 'kindwright';
import { Gauge } from './gauge-v1.js';

@Kind({ group: 'demo.example.com', version: 'v1' })
@Watches(Gauge, ({ metadata }) => [{ name: metadata.name }])
export class Dial extends CustomResource {
  reconcile(): void {}
}
`,
    });
    const { exitCode, stderr } = await project.run('generate-manifests', []);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(existsSync(written('crds-out/dial/02-roles.yaml'))).toBe(true);
    expect(existsSync(written('crds-out/gauge'))).toBe(false);
  });

  test('import-crd reads a list from standard input', () => {
    const args = [join('dist', 'cli', 'bin', 'kindwright.js'), 'import-crd', '-', '--out', project.folder];
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [SOUND] });
    expect(spawnSync(process.execPath, args, { input, encoding: 'utf8' }).status).toBe(0);
    expect(existsSync(written('gauge-v1.ts'))).toBe(true);
  });

  test('import-crd --dry-run writes nothing', async () => {
    expect((await importCrd('gauge.json', '--dry-run')).stdout).toBe('would write operators/gauge-v1.ts\n');
    expect(existsSync(written())).toBe(false);
  });

  test('import-crd overwrites files only with --force', async () => {
    project.write({ 'operators/gauge-v1.ts': 'mine' });
    expect((await importCrd('gauge.json')).stderr).toMatch(/operators\/gauge-v1\.ts already exists/);
    expect(readFileSync(written(), 'utf8')).toBe('mine');
    expect((await importCrd('gauge.json', '--force')).exitCode).toBe(0);
    expect(readFileSync(written(), 'utf8')).not.toBe('mine');
  });

  test('import-crd writes kinds of the same name to a folder for each group', async () => {
    const other = JSON.parse(JSON.stringify(SOUND).replaceAll('demo.', 'other.')) as object;
    project.write({ 'other.json': JSON.stringify(other) });
    expect((await importCrd('gauge.json', 'other.json')).stdout).toBe(
      'wrote operators/demo.example.com/gauge-v1.ts\nwrote operators/other.example.com/gauge-v1.ts\n',
    );
  });

  test('import-crd rejects definitions of versions before apiextensions/v1', async () => {
    expect(await refused(definition({}, 'v1beta1'))).toMatch(
      /gauges\.demo\.example\.com has apiVersion apiextensions\.k8s\.io\/v1beta1/,
    );
  });

  test('import-crd rejects invalid definitions with the errors of the API server', async () => {
    const stderr = await refused(definition({ type: 'object', properties: { spec: {} } }));
    expect(stderr).toMatch(/properties\[spec\]\.type: Required value: must not be empty for specified object fields/);
  });

  test('import-crd treats null like a missing value', async () => {
    const spec = { ...ANYTHING, properties: null, default: { kept: null } };
    project.write({ 'gauge.json': JSON.stringify(definition({ type: 'object', properties: { spec } })) });
    await importCrd('gauge.json');
    expect(readFileSync(written(), 'utf8')).toContain('default: { kept: null }');
  });

  test('import-crd rejects a keyword at the root that no class can express', async () => {
    const stderr = await refused(definition({ type: 'object', format: 'x' }));
    expect(stderr).toMatch(/gauges\.demo\.example\.com has the keyword format at the root of its schema/);
  });

  test.each<[string, unknown]>([
    ['has no definition', { kind: 'Pod' }],
    ['is a list without one', { kind: 'List', items: [] }],
    ['is not an object', 'text'],
  ])('import-crd rejects a file that %s', async (_, object) => {
    expect(await refused(object)).toMatch(/no CustomResourceDefinition in gauge\.json/);
  });

  test('import-crd rejects a definition without a spec', async () => {
    expect(await refused({ ...SOUND, spec: undefined })).toMatch(
      /the API server would reject gauges\.demo\.example\.com/,
    );
  });

  test.each([
    [[], 'pass files, - or --from-cluster'],
    [['a.yaml', '--context', 'x'], '--context requires --from-cluster'],
  ])('import-crd %j reports the missing argument', async (args, problem) => {
    const { exitCode, stderr } = await importCrd(...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`error: ${problem}`)]);
  });

  test.each([
    ['metadata', { ...SOUND, metadata: null }],
    ['spec.versions', { ...SOUND, spec: { ...SOUND.spec, versions: 'y' } }],
    ['spec.versions[0]', { ...SOUND, spec: { ...SOUND.spec, versions: [null] } }],
    [
      'spec.versions[0].schema.openAPIV3Schema.properties.spec',
      definition({ type: 'object', properties: { spec: 'x' } }),
    ],
  ])('import-crd rejects a definition whose %s has another type', async (field, malformed) => {
    expect(await refused(malformed)).toMatch(
      new RegExp(`^error: the CustomResourceDefinition .* is malformed:\n {2}${field.replaceAll(/[[\].]/g, '.')}: `),
    );
  });

  test('import-crd rejects a file that is not UTF-8, and reads one with a byte order mark', async () => {
    const text = JSON.stringify(
      definition({ type: 'object', description: 'caf\u00e9', properties: { spec: { type: 'object' } } }),
    );
    writeFileSync(join(project.folder, 'gauge.json'), Buffer.from(text, 'latin1'));
    expect(await importCrd('gauge.json')).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('not valid') });
    writeFileSync(join(project.folder, 'gauge.json'), `\ufeff${text}`);
    expect(await importCrd('gauge.json')).toMatchObject({ exitCode: 0 });
  });
});
