import { describe, expect, test } from '@jest/globals';
import { Deployment, Secret, type KindRef, type KubeObject, type WriteOp } from 'kindwright';
import { describeWrites } from '../../../src/controller/run/describe-writes.js';

const podSet: KindRef = { group: 'example.com', version: 'v1', kind: 'PodSet', plural: 'podsets', scope: 'Namespaced' };

function object(version: string, rest: object = {}): KubeObject {
  return { metadata: { name: 'web', namespace: 'default', uid: 'u', resourceVersion: version }, ...rest };
}
function write(op: Partial<WriteOp>): WriteOp {
  return { do: 'apply', kind: Deployment, key: 'default/web', before: undefined, startMs: 0, ms: 1, ...op };
}
const describeRun = (...ops: WriteOp[]) => describeWrites({ key: 'default/web', ops }, 'PodSet');

describe('the line of a run that wrote', () => {
  test('names created and deleted objects and the changed fields', () => {
    const before = object('1', { status: { nodes: [] } });
    const after = object('2', { status: { nodes: ['a', 'b'] } });
    expect(
      describeRun(
        write({ after: object('1') }),
        write({ do: 'status', kind: podSet, before, after }),
        write({ do: 'delete', key: 'default/old', before }),
      ),
    ).toBe('PodSet default/web: created Deployment web, status.nodes [] → [a, b], deleted Deployment old');
  });

  test('names the changed fields of another object', () => {
    const before = object('1', { spec: { replicas: 3 } });
    expect(describeRun(write({ before, after: object('2', { spec: { replicas: 5 } }) }))).toBe(
      'PodSet default/web: updated Deployment web spec.replicas 3 → 5',
    );
  });

  test('is absent when nothing was changed', () => {
    const same = object('1');
    expect(describeRun(write({ before: same, after: same, isSkipped: true }))).toBeUndefined();
    expect(describeRun(write({ error: new Error('no') }))).toBeUndefined();
    expect(describeRun(write({ before: same, after: same }))).toBeUndefined();
  });

  test('has at most 200 characters and no secret', () => {
    const before = object('1', { data: { a: 'b2xkLXNlY3JldA==' } });
    const after = object('2', { data: { a: 'bmV3LXNlY3JldA==' } });
    const text = describeRun(...Array.from({ length: 20 }, () => write({ kind: Secret, before, after })));
    expect(text).toHaveLength(200);
    expect(text).not.toMatch(/b2xk|bmV3/);
  });
});
