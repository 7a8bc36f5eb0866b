import { expect, test } from '@jest/globals';
import { formatProblem } from '../../../src/simulation/report/format-problem.js';

const problem = {
  alarm: { oracle: 'end state', reason: 'missing', message: 'Secret default/b is missing' },
  origin: 'create, plan 2 of 9',
  timeline: [
    { at: 0, mark: ' ', actor: 'user', text: 'create Web default/a', weight: 0 },
    { at: 7, mark: ' ', actor: 'operator', text: 'create Secret a', place: 'web.ts:41:3', weight: 1 },
    { at: 8, mark: '✗', actor: 'fault', text: 'crash', note: '← from here', weight: 0 },
    { at: 660_000, mark: '!', actor: 'judge', text: 'Secret default/b is missing', weight: 0 },
  ],
  replay: "kindwright simulate web.ts --replay 'crash'",
} as const;

test('a problem is printed with aligned columns, places, notes and the command', () => {
  expect(formatProblem(problem).join('\n')).toBe(
    `✗ Secret default/b is missing  end state
  create, plan 2 of 9

    0.000  user      create Web default/a
    0.007  operator  create Secret a                                    web.ts:41:3
 ✗  0.008  fault     crash
                     ← from here
 ! 11 min  judge     Secret default/b is missing

  replay  kindwright simulate web.ts --replay 'crash'`,
  );
});

test('colors mark the fault and the failure', () => {
  const painted = formatProblem(problem, (style, text) => `<${style}>${text}</${style}>`);
  expect(painted[0]).toMatch(/^<red>✗<\/red> <bold>Secret/);
  expect(painted.find((line) => line.includes('crash'))).toMatch(/^<yellow> ✗ .*<\/yellow>$/);
  expect(painted.find((line) => line.includes('judge'))).toMatch(/^<red> ! .*<\/red>$/);
});
