import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import fc from 'fast-check';
import { OperatorError } from '../../src/base/operator-error.js';
import { userFrames, userLocation } from '../../src/base/user-frames.js';
import { createMergePatch } from '../../src/controller/write/create-merge-patch.js';

const cwd = process.cwd();
const withStack = (...lines: string[]) => ({ message: 'no', stack: ['Error: no', ...lines].join('\n') });

describe('userFrames', () => {
  test.each<[string, string, object]>([
    [
      'a method',
      `    at async X.reconcile (${cwd}/operators/x.ts:31:7)`,
      { caller: 'async X.reconcile', location: 'operators/x.ts:31:7' },
    ],
    ['the top level', `    at file://${cwd}/operators/x.ts:3:1`, { caller: '', location: 'operators/x.ts:3:1' }],
    ['an aliased method', `    at X.a [as b] (${cwd}/x.ts:3:1)`, { caller: 'X.a [as b]', location: 'x.ts:3:1' }],
    ['a file elsewhere', '    at f (/elsewhere/x.ts:3:1)', { caller: 'f', location: '/elsewhere/x.ts:3:1' }],
    [
      'a path with spaces',
      `    at f (file://${cwd}/my%20code/x.ts:3:1)`,
      { caller: 'f', location: 'my code/x.ts:3:1' },
    ],
    ['a module of Vite', `    at f (${cwd}/x.ts?t=17:3:1)`, { caller: 'f', location: 'x.ts:3:1' }],
  ])('userFrames includes %s', (_, line, frame) => {
    expect(userFrames(withStack(line))).toEqual([frame]);
  });

  test.each([
    ['this package', `    at Client.call (${join(cwd, 'src', 'client', 'client.ts')}:147:17)`],
    ['another package', `    at f (file://${cwd}/node_modules/kindwright/dist/client/client.js:147:17)`],
    ['Node', '    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)'],
    ['native code', '    at async Promise.all (index 0)'],
    ['an invalid URL', '    at f (file:///%zz:1:1)'],
  ])('userFrames omits frames of %s', (_, line) => {
    expect(userFrames(withStack(line))).toEqual([]);
  });

  test('userFrames omits lines of the message that look like frames', () => {
    const error = new Error(`no\n    at f (${cwd}/fake.ts:1:1)`);
    expect(userLocation(error)).toMatch(/^test\/base\/user-frames\.test\.ts:\d+:\d+$/);
  });

  test('userFrames starts with the line that called this package', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys() {
          throw new OperatorError('no', { code: 'E_TEST' });
        },
      },
    );
    try {
      createMergePatch({}, hostile);
    } catch (error) {
      expect(userFrames(error).every(({ location }) => location.startsWith('test/'))).toBe(true);
      return;
    }
    throw new Error('nothing was thrown');
  });

  test('userFrames is empty for any value without a readable stack', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(userFrames(proxy)).toEqual([]);
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, stack) => {
        userFrames(value);
        userFrames({ message: 'no', stack });
      }),
    );
  });
});
