import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

const OPERATOR = `
import { CustomResource, Field, Kind } from 'kindwright';

/** A caf\u00e9. */
class Spec {
  @Field() name!: string;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Cafe extends CustomResource {
  @Field() spec!: Spec;
  reconcile(): void {}
}
`;
const CRD = `# caf\u00e9
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
`;

let project: TemporaryProject;
beforeAll(() => {
  project = new TemporaryProject({ 'operators/cafe.ts': OPERATOR });
  for (const folder of ['crd', 'crds-out', 'other']) mkdirSync(join(project.folder, folder));
  for (const file of ['crd/cafe.yaml', 'crds-out/cafe.yaml', 'header.txt', 'config.yaml'])
    writeFileSync(join(project.folder, file), Buffer.from(CRD, 'latin1'));
  writeFileSync(join(project.folder, 'other', 'cafe.ts'), Buffer.from(OPERATOR, 'latin1'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: project.folder });
  git('init', '--quiet');
  git('add', 'crds-out');
  git('commit', '--quiet', '--message', 'publish');
});
afterAll(() => project.remove());

test.each([
  ['generate-manifests', ['--patch-crds', 'crd'], 'crd/cafe.yaml:1'],
  ['generate-manifests', ['--against', 'crd'], 'crd/cafe.yaml:1'],
  ['generate-manifests', ['--against', 'HEAD'], 'HEAD:crds-out/cafe.yaml:1'],
  ['generate-manifests', ['--header-file', 'header.txt'], 'header.txt:1'],
  ['generate-manifests', ['other/cafe.ts'], 'other/cafe.ts:4'],
  ['run-operator', ['--config', 'config.yaml'], 'config.yaml:1'],
] as const)('%s %j names the file that is not UTF-8', async (command, args, place) => {
  const { exitCode, stderr } = await project.run(command, args);
  expect(stderr).toContain(`${place}: not valid UTF-8`);
  expect(exitCode).not.toBe(0);
});
