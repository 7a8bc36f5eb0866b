import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryProject } from '../temporary-project.js';

let project: TemporaryProject;
beforeEach(async () => {
  project = new TemporaryProject();
  for (const args of [
    ['init', '--no-install', '--force'],
    ['create', 'kind', 'apps.example.com/v1', 'Cache'],
  ])
    expect(await kindwright(...args)).toMatchObject({ exitCode: 0 });
});
afterEach(() => project.remove());

const kindwright = (...args: string[]) => project.run('kindwright', args);
const read = (path: string) => readFileSync(join(project.folder, path), 'utf8');
const files = () => globSync('{operators,test}/*', { cwd: project.folder }).sort();
const webApp = ['operators/webapp.ts', 'test/webapp.test.ts'];

describe('kindwright delete kind', () => {
  test('the files of all versions and of webhooks are deleted and recorded as deleted', async () => {
    await kindwright('create', 'kind', 'apps.example.com/v2', 'Cache');
    await kindwright('create', 'webhook', 'Cache');
    const before = read('.kindwright/scaffold.json');
    const { exitCode, stdout } = await kindwright('delete', 'kind', 'Cache', '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout.match(/^would delete .*/gm)).toEqual([
      'would delete operators/cache-v2.ts',
      'would delete operators/cache.ts',
      'would delete test/cache-webhooks.test.ts',
      'would delete test/cache.test.ts',
    ]);
    expect(read('.kindwright/scaffold.json')).toBe(before);
    expect(await kindwright('delete', 'kind', 'Cache')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(files()).toEqual(webApp);
    const record = JSON.parse(read('.kindwright/scaffold.json')) as { files: object };
    expect(Object.keys(record.files)).toEqual(expect.arrayContaining(webApp));
    expect(Object.keys(record.files).filter((path) => path.includes('cache'))).toEqual([]);
  });

  test('an upgrade does not bring the kind back, and the kind can be created again', async () => {
    await kindwright('delete', 'kind', 'WebApp');
    expect((await kindwright('upgrade', '--force')).stdout).not.toContain('webapp.ts');
    expect(files()).toEqual(['operators/cache.ts', 'test/cache.test.ts']);
    await kindwright('create', 'kind', 'apps.example.com/v1', 'WebApp');
    expect(files()).toEqual(expect.arrayContaining(webApp));
    expect((await kindwright('upgrade', '--force', '--dry-run')).stdout).not.toContain('would');
  });

  test('changed files are deleted only with --force, and imports of deleted files are listed', async () => {
    project.write({ 'operators/cache.ts': `${read('operators/cache.ts')}// changed\n` });
    project.write({ 'operators/other.ts': `\nimport { Cache } from './cache.js';\nexport const Other = Cache;\n` });
    const { exitCode, stderr } = await kindwright('delete', 'kind', 'Cache');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('operators/cache.ts changed since kindwright generated it; nothing was deleted');
    expect(files()).toContain('test/cache.test.ts');
    const { stdout } = await kindwright('delete', 'kind', 'Cache', '--force');
    expect(stdout).toContain('still imported by operators/other.ts:2\n');
    expect(files()).not.toContain('operators/cache.ts');
  });

  test('a workflow that applies the sample of the deleted kind is listed', async () => {
    const { stdout } = await kindwright('delete', 'kind', 'WebApp');
    expect(stdout).toMatch(/^its sample is still applied by \.github\/workflows\/e2e\.yml:\d+$/m);
    expect((await kindwright('delete', 'kind', 'Cache')).stdout).not.toContain('its sample');
  });

  test('a kind without recorded files is an error', async () => {
    const { exitCode, stderr } = await kindwright('delete', 'kind', 'Other');
    expect(exitCode).toBe(78);
    expect(stderr).toContain('no files of kind Other are recorded');
  });
});

describe('kindwright delete webhook', () => {
  test('the methods and their test are removed; the class is as before they were created', async () => {
    const before = read('operators/cache.ts');
    await kindwright('create', 'webhook', 'Cache');
    expect(read('operators/cache.ts')).toContain('@Validate()');
    expect(await kindwright('delete', 'webhook', 'Cache')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read('operators/cache.ts')).toBe(before);
    expect(existsSync(join(project.folder, 'test/cache-webhooks.test.ts'))).toBe(false);
    const { files: recorded } = JSON.parse(read('.kindwright/scaffold.json')) as { files: Record<string, string> };
    expect(recorded['operators/cache.ts']).toBe(before);
  });

  test('other methods, and names that they need, stay', async () => {
    const source = `import { CustomResource, Kind, Mutate, type Review, Validate } from 'kindwright';

@Kind({ group: 'apps.example.com', version: 'v1' })
export class Own extends CustomResource {
  reconcile(): void {}

  // Rules.
  @Validate({ operations: ['CREATE'] })
  check(_review: Review): void {}

  own(_review: Review | undefined): void {}
}
`;
    project.write({ 'operators/own.ts': source });
    await kindwright('delete', 'webhook', 'Own');
    expect(read('operators/own.ts')).toBe(`import { CustomResource, Kind, type Review } from 'kindwright';

@Kind({ group: 'apps.example.com', version: 'v1' })
export class Own extends CustomResource {
  reconcile(): void {}

  own(_review: Review | undefined): void {}
}
`);
    expect((await kindwright('delete', 'webhook', 'Own')).stderr).toContain(
      'Own has no method with @Mutate or @Validate',
    );
  });
});
