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
  test('generate-manifests lists the written files', async () => {
    const { exitCode, stdout, stderr } = await generate();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^wrote crds-out\/demo\.example\.com_gauges\.yaml$/m);
    expect(stdout).toMatch(/^\d+ written, 0 unchanged in crds-out\n$/m);
  });

  test('generate-manifests lists the unchanged files', async () => {
    await generate();
    rmSync(crd());
    expect((await generate()).stdout).toMatch(/^unchanged crds-out\/Dockerfile$[\s\S]*^1 written, \d+ unchanged/m);
  });

  test('--out sets the output folder', async () => {
    await generate('--out', 'deploy/manifests');
    expect(existsSync(crd('deploy/manifests'))).toBe(true);
  });

  test('--image and --namespace are used in the manifests', async () => {
    await generate('--image', 'registry.example.com/gauge:1', '--namespace', 'gauges');
    const deployment = readFileSync(join(project.folder, 'crds-out', 'gauge', '05-deployment.yaml'), 'utf8');
    expect(deployment).toMatch(/namespace: gauges[\s\S]*image: registry\.example\.com\/gauge:1/);
  });

  test('samples that a CEL rule would reject are reported', async () => {
    project.write({
      'operators/gauge.ts': `
import { CustomResource, Field, Kind, Sample, XValidation } from 'kindwright';

class Spec {
  @Field({ format: 'int32' }) min!: number;
  @Field({ format: 'int32' }) max!: number;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
@Sample({ name: 'wrong', spec: { min: 2, max: 1 } })
export class Gauge extends CustomResource {
  @Field() @XValidation({ rule: 'self.min <= self.max', message: 'min must not exceed max' }) spec!: Spec;
  reconcile(): void {}
}
`,
    });
    const { exitCode, stderr } = await generate();
    expect(stderr).toMatch(/gauge\.ts:10 Gauge: @Sample 'wrong': spec: Invalid value: .*min must not exceed max/);
    expect({ exitCode, isWritten: existsSync(crd()) }).toEqual({ exitCode: 78, isWritten: false });
  });

  test('generate-manifests writes nothing when a class has errors', async () => {
    project.write({ 'operators/gauge.ts': OPERATOR.replace("version: 'v1'", "version: '1'") });
    const { exitCode, stderr } = await generate();
    expect({ exitCode, isWritten: existsSync(join(project.folder, 'crds-out')) }).toEqual({
      exitCode: 78,
      isWritten: false,
    });
    expect(stderr).toMatch(/^error: operators\/gauge\.ts:4 Gauge.*\n {2}hint: /);
  });
});

describe('generate-manifests --check-rbac', () => {
  const access = (verb: string, resource: string) =>
    `  - { by: operator, group: demo.example.com, resource: ${resource}, verb: ${verb}, namespaces: [''] }\n`;
  const check = (...accesses: string[]) => {
    project.write({ 'rbac.yaml': `accesses:\n${accesses.join('')}` });
    return generate('--check-rbac', 'rbac.yaml');
  };

  test('--check-rbac writes the manifests when the rules match the recorded requests', async () => {
    expect(await check(access('watch', 'gauges'))).toMatchObject({ exitCode: 0, stderr: '' });
    expect(existsSync(crd())).toBe(true);
  });

  test('--check-rbac lists missing and unused rules by file and line, and writes nothing', async () => {
    project.write({
      'operators/gauge.ts': OPERATOR.replace('import { ', 'import { Rbac, Secret, ').replace(
        'export',
        `@Rbac(Secret, 'get')\nexport`,
      ),
    });
    const { exitCode, stdout, stderr } = await check(access('watch', 'gauges'), access('delete', 'gauges'));
    expect(exitCode).toBe(1);
    expect(stdout.split('\n')).toEqual([
      'operators/gauge.ts:4: Gauge: no decorator grants delete on gauges in demo.example.com, which the record contains',
      "  add @Rbac(Gauge, 'delete') to Gauge",
      'operators/gauge.ts:5: Gauge: @Rbac(secrets) grants unused permissions: get on secrets',
      '  remove it, record a run that needs it, or set allowUnused: true',
      '',
    ]);
    expect(stderr).toMatch(
      /^error: the rules of the classes differ from the requests in rbac\.yaml: 2 differences\n {2}hint: /,
    );
    expect(existsSync(crd())).toBe(false);
  });

  test('--check-rbac finds the decorator of a base class', async () => {
    project.write({
      'operators/gauge.ts': OPERATOR.replace('import { ', 'import { Rbac, Secret, ')
        .replace('@Kind', `@Rbac(Secret, 'get')\nabstract class Base extends CustomResource {}\n\n@Kind`)
        .replace('Gauge extends CustomResource', 'Gauge extends Base'),
    });
    expect((await check(access('watch', 'gauges'))).stdout).toMatch(/^operators\/gauge\.ts:4: Gauge: @Rbac\(secrets\)/);
  });

  test.each([['rbac.yaml'], ['missing.yaml']])('--check-rbac rejects a record without requests: %s', async (file) => {
    project.write({ 'rbac.yaml': 'accesses: []' });
    const { exitCode, stderr } = await generate('--check-rbac', file);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('contains no recorded requests'),
    });
  });
});

describe('generate-manifests --check', () => {
  test('--check accepts the files that generate-manifests wrote', async () => {
    await generate();
    expect(await generate('--check')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('--check prints the differences, changes nothing, and exits with 1', async () => {
    await generate();
    writeFileSync(crd(), readFileSync(crd(), 'utf8').replace('plural: gauges', 'plural: gouges'));
    const { exitCode, stdout, stderr } = await generate('--check');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^-.*plural: gouges\n\+.*plural: gauges$/m);
    expect(stderr).toMatch(/^error: crds-out is out of date\n {2}hint: run generate-manifests; /);
    expect(readFileSync(crd(), 'utf8')).toContain('gouges');
  });
});

describe('generate-manifests with settings in package.json', () => {
  const DEPLOYMENT = 'crds-out/gauge/05-deployment.yaml';
  const read = (path: string) => readFileSync(join(project.folder, path), 'utf8');
  const settings = (kindwright: object) =>
    project.write({ 'package.json': JSON.stringify({ type: 'module', kindwright }) });

  test('--check expects the files that the settings of package.json lead to', async () => {
    settings({ image: 'registry.example.com/gauge:1', deployment: { env: [{ name: 'REGION', value: 'eu' }] } });
    expect(await generate()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read(DEPLOYMENT)).toMatch(/image: registry\.example\.com\/gauge:1\n/);
    expect(read(DEPLOYMENT)).toMatch(/- name: REGION\n +value: eu\n/);
    expect(await generate('--check')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('options of the command line override settings of package.json', async () => {
    settings({ image: 'registry.example.com/gauge:1', out: 'deploy', layout: 'kustomize' });
    await generate('--image', 'registry.example.com/gauge:2', '--layout', 'plain');
    expect(read(join('deploy', 'gauge', '05-deployment.yaml'))).toMatch(/image: registry\.example\.com\/gauge:2\n/);
  });

  test('an invalid setting is an error with file and key, and nothing is written', async () => {
    settings({ deployment: { environment: [] } });
    const { exitCode, stderr } = await generate();
    expect({ exitCode, stderr, isWritten: existsSync(crd()) }).toEqual({
      exitCode: 78,
      stderr: expect.stringMatching(/^error: package\.json: kindwright\.deployment\.environment: unknown key; /),
      isWritten: false,
    });
  });

  test('settings of an operator that does not exist are an error', async () => {
    settings({ deployments: { guage: { replicas: 2 } } });
    expect(await generate()).toMatchObject({
      exitCode: 78,
      stderr: expect.stringMatching(
        /^error: package\.json: kindwright\.deployments\.guage: no operator has this name\n {2}hint: did you mean gauge\?/,
      ),
    });
  });
});

describe('generate-manifests after a kind was renamed', () => {
  const OLD = 'crds-out/demo.example.com_gauges.yaml';
  const stale = [OLD, ...['gauge/00-namespace.yaml', 'gauge/05-deployment.yaml'].map((path) => `crds-out/${path}`)];
  const isThere = (path: string) => existsSync(join(project.folder, path));
  beforeEach(async () => {
    await generate();
    project.write({
      'operators/gauge.ts': OPERATOR.replaceAll('Gauge', 'Meter'),
      'crds-out/gauge/kustomization.yaml': '# Mine\nresources: []\n',
    });
  });

  test('files that are no longer generated are kept with a warning', async () => {
    const { exitCode, stderr } = await generate();
    expect(exitCode).toBe(0);
    for (const path of stale) expect(stderr).toContain(`warning: ${path} is no longer generated; --prune deletes it\n`);
    expect(stderr).not.toContain('gauge/kustomization.yaml');
    expect(stale.filter(isThere)).toEqual(stale);
  });

  test('--check reports files that are no longer generated', async () => {
    await generate('--prune');
    project.write({ [OLD]: '# Generated by generate-manifests from operators/gauge.ts. Edits are overwritten.\n' });
    const { exitCode, stdout, stderr } = await generate('--check');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: `${OLD} is no longer generated\n` });
    expect(stderr).toMatch(/^error: crds-out is out of date\n {2}hint: run generate-manifests --prune; /);
  });

  test('--prune deletes files that are no longer generated, and nothing else', async () => {
    const { exitCode, stdout, stderr } = await generate('--prune');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(`deleted ${OLD}\n`);
    expect(stale.filter(isThere)).toEqual([]);
    expect(isThere('crds-out/gauge/kustomization.yaml')).toBe(true);
    expect(isThere('crds-out/demo.example.com_meters.yaml')).toBe(true);
    expect(await generate('--check')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('--prune keeps the files of classes that a run does not cover', async () => {
    project.write({ 'operators/other.ts': OPERATOR.replaceAll('Gauge', 'Other') });
    await generate('--prune');
    expect(await generate('operators/gauge.ts', '--prune')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(' 0 deleted in crds-out'),
    });
    expect(isThere('crds-out/demo.example.com_others.yaml')).toBe(true);
  });

  test('--prune keeps the files of another project in the same folder', async () => {
    const run = (folder: string, ...args: string[]) =>
      project.run('generate-manifests', ['--out', '../deploy', ...args], {}, folder);
    for (const [folder, kind] of [
      ['svc-a', 'Alpha'],
      ['svc-b', 'Beta'],
    ] as const) {
      project.write({
        [`${folder}/package.json`]: '{ "type": "module" }',
        [`${folder}/operators/main.ts`]: OPERATOR.replaceAll('Gauge', kind),
      });
      await run(folder);
    }
    expect(await run('svc-b', '--prune')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(isThere('deploy/demo.example.com_alphas.yaml')).toBe(true);
    project.write({ 'svc-b/operators/main.ts': OPERATOR.replaceAll('Gauge', 'Gamma') });
    await run('svc-b', '--prune');
    expect(isThere('deploy/demo.example.com_betas.yaml')).toBe(false);
    expect(isThere('deploy/demo.example.com_alphas.yaml')).toBe(true);
  });

  test('--prune deletes the files of another layout', async () => {
    await generate('--prune', '--layout', 'helm');
    expect(isThere('crds-out/demo.example.com_meters.yaml')).toBe(false);
    await generate('--prune');
    expect(isThere('crds-out/meter/chart')).toBe(false);
  });
});

test('generate-manifests replaces no file that it did not write', async () => {
  project.write({ 'operators/gauge.ts': OPERATOR, Dockerfile: 'FROM scratch\n' });
  expect(await generate('--out', '.')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('not written by generate-manifests: Dockerfile; nothing was written'),
  });
  expect(existsSync(join(project.folder, 'gauge'))).toBe(false);
});

test.each(['plain', 'kustomize', 'helm'])('files of the layout %s can be written again', async (layout) => {
  const options = ['--layout', layout, '--monitoring'];
  project.write({ 'operators/gauge.ts': OPERATOR, license: 'Copyright "Example"\n' });
  await generate(...options, '--image', 'i:1');
  expect(await generate(...options, '--image', 'j:2', '--header-file', 'license')).toMatchObject({ exitCode: 0 });
  expect(await generate(...options, '--image', 'k:3')).toMatchObject({ exitCode: 0 });
});

test('generate-manifests prints each warning once in every layout', async () => {
  project.write({
    'operators/gauge.ts': `import { CustomResource, Field, Kind } from 'kindwright';
      class Spec { @Field() name!: string; }
      @Kind({ group: 'apps.example.com', version: 'v1' })
      export class Thing extends CustomResource { @Field() spec!: Spec; reconsile() {} reconcile() {} }
      @Kind({ group: 'apps.example.com', version: 'v1', kind: 'Secret' })
      export class Shadowed extends CustomResource { @Field() spec!: Spec; reconcile() {} }`,
  });
  const { stderr } = await generate('--layout', 'helm', '--image', 'i:1');
  const lines = stderr.trim().split('\n');
  expect(lines).not.toEqual(['']);
  expect(lines).toEqual([...new Set(lines)]);
});

describe('generate-manifests --layout kustomize', () => {
  test('--layout kustomize keeps the changes in the file that users edit', async () => {
    await generate('--layout', 'kustomize');
    const path = join(project.folder, 'crds-out/gauge/config/default/kustomization.yaml');
    const edited = readFileSync(path, 'utf8').replace('  # - ../metrics', '  - ../metrics');
    expect(edited).toMatch(/^# Created once .* It is not overwritten; /);
    writeFileSync(path, edited);
    await generate('--layout', 'kustomize', '--image', 'gauge:2');
    expect(readFileSync(path, 'utf8')).toBe(edited);
    expect(await generate('--layout', 'kustomize', '--image', 'gauge:2', '--check')).toMatchObject({ exitCode: 0 });
    rmSync(path);
    expect(await generate('--layout', 'kustomize', '--image', 'gauge:2', '--check')).toMatchObject({ exitCode: 1 });
  });
});

test.each([
  [['--prune', '--check'], '--prune cannot be combined with --check'],
  [['--layout', 'helm', '--namespace', 'a'], '--namespace is not supported with --layout helm'],
])('generate-manifests %j is an error of the command line', async (options, message) => {
  const { exitCode, stderr } = await generate(...options);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
});
