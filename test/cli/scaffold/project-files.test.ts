import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../../../src/cli/scaffold/project-files.js';

const actionsIn = (workflow: string) => [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action);

test('the workflow of a new project runs actions of the same commits as that of this repository, and reads only', () => {
  const kind = {
    kind: 'Gauge',
    group: 'demo.example.com',
    version: 'v1',
    plural: 'gauges',
    scope: 'Namespaced',
  } as const;
  const files = projectFiles({ name: 'gauge', kind, dependency: '^1.0.0' });
  const workflow = new Map(files.map(({ path, content }) => [path, content])).get('.github/workflows/ci.yml') ?? '';
  const own = readFileSync(join(import.meta.dirname, '..', '..', '..', '.github', 'workflows', 'ci.yml'), 'utf8');
  expect(actionsIn(workflow)).toHaveLength(2);
  expect(actionsIn(own)).toEqual(expect.arrayContaining(actionsIn(workflow)));
  expect(workflow).toContain('permissions:\n  contents: read\n');
});
