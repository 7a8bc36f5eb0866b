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

  test('writes nothing when a class has errors', async () => {
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

  test('writes when the rules are those that were used', async () => {
    expect(await check(access('watch', 'gauges'))).toMatchObject({ exitCode: 0, stderr: '' });
    expect(existsSync(crd())).toBe(true);
  });

  test('names what is missing and what is unused by file and line, and writes nothing', async () => {
    project.write({
      'operators/gauge.ts': OPERATOR.replace('import { ', 'import { Rbac, Secret, ').replace(
        'export',
        `@Rbac(Secret, 'get')\nexport`,
      ),
    });
    const { exitCode, stdout, stderr } = await check(access('watch', 'gauges'), access('delete', 'gauges'));
    expect(exitCode).toBe(1);
    expect(stdout.split('\n')).toEqual([
      'operators/gauge.ts:4: Gauge: nothing grants delete on gauges in demo.example.com, which was asked for',
      "  add @Rbac(Gauge, 'delete') to Gauge",
      'operators/gauge.ts:5: Gauge: @Rbac(secrets) grants what is never used: get on secrets',
      '  remove it, record a run that needs it, or say in it { …, allowUnused: true }',
      '',
    ]);
    expect(stderr).toMatch(/^error: the rules of the classes are not what rbac\.yaml records: 2 differ\n {2}hint: /);
    expect(existsSync(crd())).toBe(false);
  });

  test('finds the decorator of a base class', async () => {
    project.write({
      'operators/gauge.ts': OPERATOR.replace('import { ', 'import { Rbac, Secret, ')
        .replace('@Kind', `@Rbac(Secret, 'get')\nabstract class Base extends CustomResource {}\n\n@Kind`)
        .replace('Gauge extends CustomResource', 'Gauge extends Base'),
    });
    expect((await check(access('watch', 'gauges'))).stdout).toMatch(/^operators\/gauge\.ts:4: Gauge: @Rbac\(secrets\)/);
  });

  test.each([['rbac.yaml'], ['missing.yaml']])('refuses a record without an access: %s', async (file) => {
    project.write({ 'rbac.yaml': 'accesses: []' });
    const { exitCode, stderr } = await generate('--check-rbac', file);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('records no access') });
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
