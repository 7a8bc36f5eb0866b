import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

const STORE = `
import { Controller, CustomResource, Field, Kind, Rbac, Secret, Validate, type FeatureGate } from 'kindwright';

const BACKUPS: FeatureGate = { name: 'Backups', stage: 'alpha' };

class StoreSpec {
  @Field({ format: 'int32' }) size?: number;
  @Field({ gate: BACKUPS }) backup?: string;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
@Rbac(Secret, 'get', { gate: BACKUPS })
export class Store extends CustomResource {
  @Field() spec!: StoreSpec;
  reconcile(): void {}

  @Validate({ gate: BACKUPS })
  check(): void {}
}
`;
const OTHER = STORE.replaceAll('Store', 'Other').replaceAll('Backups', 'Quotas');

let project: TemporaryProject;
beforeAll(() => {
  project = new TemporaryProject({ 'operators/store.ts': STORE });
});
afterAll(() => project.remove());

const read = (out: string, ...path: string[]) => readFileSync(join(project.folder, out, ...path), 'utf8');
const generate = (...args: string[]) => project.run('generate-manifests', args);

test('a bundle rejects unknown feature gates before it connects to a cluster', async () => {
  expect(await project.run('kindwright', ['build'])).toMatchObject({ exitCode: 0 });
  const run = promisify(execFile)(process.execPath, ['dist/operator.mjs', '--feature-gates', 'Backup=true'], {
    cwd: project.folder,
  });
  await expect(run).rejects.toMatchObject({
    code: 78,
    stderr: expect.stringContaining('unknown feature gate Backup'),
  });
});

describe('--feature-gates of generate-manifests', () => {
  test('fields, permissions and webhooks behind a disabled gate are absent from the manifests', async () => {
    expect(await generate('--out', 'off')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read('off', 'demo.example.com_stores.yaml')).not.toContain('backup');
    expect(read('off', 'store', '02-roles.yaml')).not.toContain('secrets');
    expect(() => read('off', 'store', '08-webhooks.yaml')).toThrow('ENOENT');
    expect(read('off', 'store', '05-deployment.yaml')).not.toContain('--feature-gates');
  });

  test('with an enabled gate they are present, and the operator runs with the same gates', async () => {
    expect(await generate('--out', 'on', '--feature-gates', 'Backups=true')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read('on', 'demo.example.com_stores.yaml')).toContain('backup:');
    expect(read('on', 'store', '02-roles.yaml')).toContain('secrets');
    expect(read('on', 'store', '08-webhooks.yaml')).toContain('ValidatingWebhookConfiguration');
    expect(read('on', 'store', '07-deployment.yaml')).toContain('--feature-gates=Backups=true');
  });

  test.each([
    ['Backup=true', 78, 'unknown feature gate Backup', 'did you mean Backups?'],
    ['Backups', 2, '"Backups" is not of the form Name=true or Name=false.', ''],
    ['Backups=yes', 2, '"Backups=yes" is not of the form Name=true or Name=false.', ''],
  ])('--feature-gates %s is an error', async (gates, code, message, hint) => {
    const { exitCode, stderr } = await generate('--out', 'wrong', '--feature-gates', gates);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  test('package.json sets the gates of all commands, and each Deployment gets those of its own classes', async () => {
    const settings = { type: 'module', kindwright: { featureGates: { Backups: true, Quotas: true } } };
    const own = new TemporaryProject({
      'package.json': JSON.stringify(settings),
      'operators/store.ts': STORE,
      'operators/other.ts': OTHER,
    });
    try {
      expect(await own.run('generate-manifests', ['--feature-gates', 'Quotas=false'])).toMatchObject({ exitCode: 0 });
      const argsOf = (file: string) =>
        /--feature-gates=.*/.exec(readFileSync(join(own.folder, 'crds-out', file), 'utf8'))?.[0];
      expect([argsOf('store/07-deployment.yaml'), argsOf('other/05-deployment.yaml')]).toEqual([
        '--feature-gates=Backups=true',
        '--feature-gates=Quotas=false',
      ]);
      expect(await own.run('generate-manifests', ['operators/store.ts', '--out', 'one'])).toMatchObject({
        exitCode: 0,
      });
    } finally {
      own.remove();
    }
  });
});
