import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { inPartFolders } from '../../src/manifests/output/part-folders.js';
import { TemporaryProject } from './temporary-project.js';

const OPERATOR = `
import { CustomResource, Kind, Sample, Validate, type Review } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
@Sample({ name: 'one' })
export class Gauge extends CustomResource {
  reconcile(): void {}

  @Validate()
  check(_review: Review): void {}
}
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({ 'operators/gauge.ts': OPERATOR });
});
afterEach(() => project.remove());

const generate = (...args: string[]) => project.run('generate-manifests', args);
const files = () => globSync('crds-out/**/*.yaml', { cwd: project.folder }).sort();
const FLAGS = ['crds=crd', 'roles=config/rbac', 'webhooks=hooks', 'samples=examples', 'monitoring=alerts'].flatMap(
  (folder) => ['--folder', folder],
);

describe('generate-manifests --folder', () => {
  test('each part is written to its folder, and the rest to the folder of the operator', async () => {
    expect(await generate('--monitoring', ...FLAGS)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(files()).toEqual([
      'crds-out/alerts/gauge/alerts.yaml',
      'crds-out/alerts/gauge/dashboard.yaml',
      'crds-out/alerts/gauge/metrics.yaml',
      'crds-out/config/rbac/gauge/02-roles.yaml',
      'crds-out/config/rbac/gauge/03-role-bindings.yaml',
      'crds-out/crd/demo.example.com_gauges.yaml',
      'crds-out/examples/gauge.yaml',
      'crds-out/gauge/00-namespace.yaml',
      'crds-out/gauge/01-service-account.yaml',
      'crds-out/gauge/05-certificates.yaml',
      'crds-out/gauge/06-webhook-service.yaml',
      'crds-out/gauge/07-deployment.yaml',
      'crds-out/hooks/gauge/08-webhooks.yaml',
    ]);
  });

  test('the definition is one of the numbered files, before the Deployment, in the folder of the operator', async () => {
    await generate('--folder', 'crds=gauge');
    expect(globSync('crds-out/gauge/*', { cwd: project.folder }).sort().slice(3, 6)).toEqual([
      'crds-out/gauge/03-role-bindings.yaml',
      'crds-out/gauge/04-demo.example.com_gauges.yaml',
      'crds-out/gauge/05-certificates.yaml',
    ]);
    expect(await generate('--folder', 'crds=gauge', '--check')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('the folders of package.json apply to --check, and --prune deletes files at their former places', async () => {
    await generate();
    const folders = { crds: 'crd', samples: 'examples' };
    project.write({ 'package.json': JSON.stringify({ type: 'module', kindwright: { folders } }) });
    expect((await generate('--check')).exitCode).toBe(1);
    expect(await generate('--prune')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(files()).toContain('crds-out/crd/demo.example.com_gauges.yaml');
    for (const former of ['demo.example.com_gauges.yaml', 'samples'])
      expect(existsSync(join(project.folder, 'crds-out', former))).toBe(false);
    expect(await generate('--check')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('changes are found when the definitions are in another folder', async () => {
    await generate('--folder', 'crds=crd');
    project.write({ 'operators/gauge.ts': OPERATOR.replace("version: 'v1'", "version: 'v2'") });
    const outcome = await generate('--folder', 'crds=crd', '--against', 'crds-out/crd');
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toContain('breaking');
  });

  test.each([
    [['--folder', 'crd=x'], 2, 'crds, roles, webhooks, samples, monitoring'],
    [['--folder', 'crds=../x'], 2, 'Pass a folder within the output folder'],
    [['--folder', 'crds'], 2, 'Pass a folder within the output folder'],
    [['--folder', 'crds=x', '--single-file'], 2, '--single-file cannot be combined with --folder'],
    [['--folder', 'crds=x', '--patch-crds', 'x'], 2, '--patch-crds cannot be combined with --folder'],
    [['--folder', 'crds=x', '--layout', 'helm'], 78, 'not possible with the layout helm'],
  ])('the options %j are an error', async (args, exitCode, message) => {
    expect(await generate(...args)).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
  });

  test('an invalid folder of package.json is an error', async () => {
    const kindwright = { folders: { crds: '/tmp', rols: 'x' } };
    project.write({ 'package.json': JSON.stringify({ type: 'module', kindwright }) });
    const { exitCode, stderr } = await generate();
    expect(exitCode).toBe(78);
    expect(stderr).toContain('kindwright.folders.crds');
    expect(stderr).toContain('rols');
  });
});

test('two files of one path are an error', () => {
  const given = ['samples/demo.example.com_gauges.yaml', 'demo.example.com_gauges.yaml'];
  const generated = given.map((path) => ({ path, content: '' }));
  expect(() => inPartFolders(generated, { crds: 'x', samples: 'x' })).toThrow(
    'two generated files have the path x/demo.example.com_gauges.yaml',
  );
});
