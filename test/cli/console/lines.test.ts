import { expect, test } from '@jest/globals';
import { topLines } from '../../../src/cli/console/top.js';
import { treeLines } from '../../../src/cli/console/tree.js';
import { whyLines } from '../../../src/cli/console/why.js';
import type { Finding, Hello, ObjectRow, RunDetail, RuntimeState, TreeNode } from '../../../src/console/wire.js';

const row = (kind: string, name: string, more: Partial<ObjectRow> = {}): ObjectRow => ({
  ...{ kind, namespace: 'default', name, uid: name, resourceVersion: '1', createdAt: 0, level: 'ok', state: 'Ready' },
  ...more,
});

test('top lists the queues and the objects, the one that was reconciled last first', () => {
  const hello = { operator: 'podset', isLeader: true, now: 10_000 } as Hello;
  const queue = { controller: 'podset', busy: 1, workers: 2, ready: 3, delayed: 4, run: { p50: 1.25, p99: 20 } };
  const rows = [
    row('PodSet.apps.example.com', 'old'),
    row('PodSet.apps.example.com', 'new', {
      lastRun: { id: 'r1', at: 8000, outcome: 'done' },
      runsPerMinute: 2,
    } as never),
  ];
  expect(topLines(hello, { queues: [queue] } as unknown as RuntimeState, { rows, total: 5 })).toEqual([
    'podset  leader',
    '',
    'CONTROLLER  WORKERS  READY  DELAYED  P50     P99',
    'podset      1 of 2   3      4        1.3 ms  20.0 ms',
    '',
    'OBJECT              STATE  LAST RUN      RUNS/MIN',
    'PodSet default/new  Ready  done 2 s ago  2',
    'PodSet default/old  Ready  -             0',
    '… 3 more objects',
  ]);
});

test('tree shows owned objects below their owners, and how many are left out', () => {
  const node = (
    kind: string,
    name: string,
    children: TreeNode[] = [],
    omitted: TreeNode['omitted'] = [],
  ): TreeNode => ({
    row: row(kind, name),
    children,
    omitted,
  });
  const pods = [node('Pod', 'a-1'), node('Pod', 'a-2')];
  const root = node('PodSet.apps.example.com', 'a', [
    node('Deployment.apps', 'a', pods, [{ kind: 'Pod', count: 7 }]),
    node('Service', 'a'),
  ]);
  expect(treeLines({ root, selected: 'a' })).toEqual([
    'PodSet default/a  Ready',
    '├─ Deployment default/a  Ready',
    '│  ├─ Pod default/a-1  Ready',
    '│  ├─ Pod default/a-2  Ready',
    '│  └─ … 7 more Pod',
    '└─ Service default/a  Ready',
  ]);
});

test('why prints the findings, and the causes, writes and error of each reconcile', () => {
  const run = {
    ...{ at: Date.UTC(2026, 0, 1, 12, 4, 1), ms: 5.84, outcome: 'failed', attempt: 2, causesOmitted: 1 },
    causes: [
      { type: 'event', text: '@Owns(Deployment) update', changes: [{ path: 'status.replicas', from: '2', to: '3' }] },
    ],
    ops: [
      { do: 'get', atMs: 0, kind: 'ConfigMap', name: 'c' },
      { do: 'apply', atMs: 1, kind: 'Deployment.apps', name: 'web', changes: [{ path: 'spec.replicas', to: '3' }] },
      { do: 'apply', atMs: 2, kind: 'Service', name: 'web', isSkipped: true },
    ],
    failure: { name: 'TypeError', message: 'no size', location: 'operators/podset.ts:31:2' },
  } as unknown as RunDetail;
  const found = { message: 'Hot loop: 18 reconciles', hint: 'wait longer' };
  const findings = [{ ...found, location: 'operators/podset.ts:20' }, found] as unknown as Finding[];
  const report = { row: row('PodSet.apps.example.com', 'web'), runs: [run], findings };
  expect(whyLines(report)).toEqual([
    'PodSet default/web  Ready',
    '  ! Hot loop: 18 reconciles',
    '    wait longer  (operators/podset.ts:20)',
    '  ! Hot loop: 18 reconciles',
    '    wait longer',
    '  12:04:01 failed in 5.8 ms, attempt 2',
    '    because @Owns(Deployment) update',
    '      status.replicas: 2 → 3',
    '    because of 1 more cause',
    '    apply Deployment web',
    '      spec.replicas: absent → 3',
    '    TypeError: no size  (operators/podset.ts:31:2)',
  ]);
});
