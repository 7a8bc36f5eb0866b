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

const contents = new Map(files.map(({ path, content }) => [path, content]));
const fileOf = (path: string) => contents.get(path) ?? '';

test.each(['ci.yml', 'e2e.yml'])(
  'the workflow %s of a new project runs actions of the same commits as that of this repository, and reads only',
  (name) => {
    const workflow = fileOf(`.github/workflows/${name}`);
    const own = readFileSync(join(import.meta.dirname, '..', '..', '..', '.github', 'workflows', 'ci.yml'), 'utf8');
    expect(actionsIn(workflow)).toHaveLength(2);
    expect(actionsIn(own)).toEqual(expect.arrayContaining(actionsIn(workflow)));
    expect(workflow).toContain('permissions:\n  contents: read\n');
  },
);

test('the end-to-end workflow deploys the image to kind and waits for the sample of the project', () => {
  const workflow = fileOf('.github/workflows/e2e.yml');
  const { scripts } = JSON.parse(fileOf('package.json')) as { readonly scripts: Record<string, string> };
  const used = [...workflow.matchAll(/npm run ([\w-]+)/g)].map(([, script = '']) => script);
  expect(used).toEqual(['docker-build', 'deploy', 'undeploy']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(used));
  expect(workflow).toContain('kubectl apply -f crds-out/samples/gauge.yaml --namespace default');
  expect(workflow).toContain(
    "kubectl wait gauges.demo.example.com/example --namespace default --for=jsonpath='{.status.readyReplicas}'=2",
  );
  expect(fileOf('operators/gauge.ts')).toContain("@Sample({ name: 'example', spec: { replicas: 2");
});

test('the image is built on the architecture of the machine, for nodes of each architecture', () => {
  expect(fileOf('Dockerfile')).toMatch(
    /^FROM --platform=\$BUILDPLATFORM node:24-slim AS build$[^]*^FROM node:24-slim$/m,
  );
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
