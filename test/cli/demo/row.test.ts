import { describe, expect, test } from '@jest/globals';
import { rowOf } from '../../../src/cli/demo/row.js';

const metadata = { name: 'example', namespace: 'default' };

describe('rowOf', () => {
  test("the row of an operator's object shows numbers, texts and lengths of its status, and every condition", () => {
    const status = {
      nodes: ['a', 'b'],
      size: 2,
      phase: 'Done',
      details: { a: 1 },
      observedGeneration: 4,
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Fine' },
        { type: 'Fast', status: 'False', reason: 'Slow' },
      ],
    };
    expect(rowOf('PodSet', { metadata, status }, true)).toEqual({
      kind: 'PodSet',
      name: 'example',
      status: 'nodes: 2, size: 2, phase: Done',
      conditions: [
        { text: 'Ready', isTrue: true },
        { text: 'Fast=False (Slow)', isTrue: false },
      ],
    });
  });

  test.each([
    [{ metadata }, ''],
    [{ metadata, status: { phase: 'Running', hostIP: '10.0.0.1' } }, 'Running'],
    [{ metadata, spec: { replicas: 3 } }, '0/3 ready'],
    [{ metadata, spec: { replicas: 3 }, status: { readyReplicas: 2 } }, '2/3 ready'],
    [
      { metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }, status: { phase: 'Running' } },
      'Terminating',
    ],
  ])('the row of a built-in object is derived from its status: %j: %s', (object, status) => {
    expect(rowOf('Pod', object, false).status).toBe(status);
  });

  test('the row of a built-in object shows its most important condition', () => {
    const status = { conditions: ['Progressing', 'Available'].map((type) => ({ type, status: 'True' })) };
    expect(rowOf('Deployment', { metadata, status }, false).conditions).toEqual([{ text: 'Available', isTrue: true }]);
  });

  test('the row of an object contains its namespace unless it is default', () => {
    expect(rowOf('Pod', { metadata: { name: 'example', namespace: 'other' } }, false).name).toBe('other/example');
  });
});
