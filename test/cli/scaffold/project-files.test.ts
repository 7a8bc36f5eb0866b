import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { projectFiles } from '../../../src/cli/scaffold/project-files.js';

const actionsIn = (workflow: string) => [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action);

const kind = {
  kind: 'Gauge',
  group: 'demo.example.com',
  version: 'v1',
  plural: 'gauges',
  scope: 'Namespaced',
} as const;
const files = projectFiles({ name: 'gauge', kind, dependency: '^1.0.0' });

test('the workflow of a new project runs actions of the same commits as that of this repository, and reads only', () => {
  const workflow = new Map(files.map(({ path, content }) => [path, content])).get('.github/workflows/ci.yml') ?? '';
  const own = readFileSync(join(import.meta.dirname, '..', '..', '..', '.github', 'workflows', 'ci.yml'), 'utf8');
  expect(actionsIn(workflow)).toHaveLength(2);
  expect(actionsIn(own)).toEqual(expect.arrayContaining(actionsIn(workflow)));
  expect(workflow).toContain('permissions:\n  contents: read\n');
});

const image = 'registry.example.com/gauge:0.1.0';

test.each([
  ['docker-build', [], `docker build --tag ${image} .`],
  ['docker-build', ['IMG=a/b:2'], 'docker build --tag a/b:2 .'],
  ['docker-build', ['IMG=a/b:2', '--', '--no-cache'], 'docker build --tag a/b:2 . --no-cache'],
  ['docker-push', ['IMG=a/b:2'], 'docker push a/b:2'],
  ['docker-buildx', [], `docker buildx build --platform linux/amd64,linux/arm64 --tag ${image} --push .`],
  ['deploy', [], 'kindwright deploy'],
  ['deploy', ['IMG=a/b:2', '--', '--dry-run'], 'kindwright deploy --image a/b:2 --dry-run'],
])('npm run %s %j runs the command of the Makefile target', (script, args, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'kindwright-scripts-'));
  try {
    writeFileSync(join(folder, 'package.json'), files.find(({ path }) => path === 'package.json')?.content ?? '');
    for (const program of ['docker', 'kindwright']) {
      writeFileSync(join(folder, program), `#!/bin/sh\necho ${program} "$@"\n`);
      chmodSync(join(folder, program), 0o755);
    }
    const { IMG: _, ...env } = process.env;
    const PATH = `${folder}${delimiter}${env['PATH'] ?? ''}`;
    const options = { cwd: folder, env: { ...env, PATH }, encoding: 'utf8' } as const;
    expect(execFileSync('npm', ['run', '--silent', script, ...args], options)).toBe(`${expected}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
