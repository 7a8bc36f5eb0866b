import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment, isPodActive, Pod } from 'kindwright';
import { simulate } from 'kindwright/testing';
import { PodSet } from '../../operators/podset.js';
import { TemporaryProject } from '../cli/temporary-project.js';
import { limitTests } from '../time-limits.js';
import { performCommand } from './documented-command.js';
import { stepsOf } from './page-steps.js';

limitTests(180_000);

let project: TemporaryProject;

beforeAll(() => {
  project = new TemporaryProject({ 'test/.keep': '' });
});
afterAll(() => {
  project.remove();
});

test('docs/simulation.md shows what the commands print', async () => {
  for (const step of stepsOf('docs/simulation.md')) {
    if ('file' in step) project.write({ [step.file]: step.content });
    else
      await performCommand(step, async (command) => {
        const { exitCode, stdout, stderr } = await project.run('kindwright', command.split(' ').slice(2));
        // A problem is the result that the page shows.
        return { status: exitCode === 1 && stdout.startsWith('✗') ? 0 : exitCode, output: stdout + stderr };
      });
  }
  const saved = readFileSync(join(project.folder, 'test/gateway-found.test.ts'), 'utf8');
  expect(saved).toContain(`import { Gateway } from '../operators/gateway.js';`);
});

test('survives what happens to operators', () => {
  const only = ['crash', 'lost-answer', 'conflict', 'lag'];
  return simulate(PodSet, { schedules: 30, only });
});

test('actions and conditions are those of the page', async () => {
  await simulate(PodSet, {
    schedules: 30,
    only: ['crash', 'lag'],
    scenario: ({ create, edit, settle }) => {
      const set = create(PodSet, { metadata: { name: 'a' }, spec: { size: 3 } });
      settle();
      edit(set, ({ spec }) => {
        spec.size = 1;
      });
    },
    always: { 'at most one Deployment': ({ list }) => list(Deployment).length <= 1 },
    sometimes: { 'three pods run': ({ list }) => list(Pod).filter(isPodActive).length === 3 },
  });
});
