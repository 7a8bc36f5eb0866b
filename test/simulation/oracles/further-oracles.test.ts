import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { permissions, saysSo } from '../../../src/simulation/oracles/answers.js';
import { budget } from '../../../src/simulation/oracles/budget.js';
import { exclusive } from '../../../src/simulation/oracles/exclusive.js';
import { heldAtSomeMoment, invariants } from '../../../src/simulation/oracles/invariants.js';
import { noLeaks } from '../../../src/simulation/oracles/leaks.js';
import { allOracles } from '../../../src/simulation/oracles/oracles.js';
import { othersFields } from '../../../src/simulation/oracles/others-fields.js';
import { ownOnly } from '../../../src/simulation/oracles/own-only.js';
import { pathIndependence } from '../../../src/simulation/oracles/end-state.js';
import { status } from '../../../src/simulation/oracles/status.js';
import type { Actor, History } from '../../../src/simulation/record/history.js';
import { child, CONTROLLER, FAULT, OPERATOR, orphan, refOf, RunBuilder, USER, web } from '../canonical/run-builder.js';

type Change = (run: RunBuilder, owner: KubeObject, actor: Actor) => void;

function run(change: Change = () => {}, spec: object = { size: 1 }): History {
  const builder = new RunBuilder();
  const owner = builder.create(USER, web('a', { spec }));
  change(builder, owner, builder.reconcile(owner));
  return builder.build();
}

test('no oracle raises an alarm for a run in which the operator creates and deletes its own child', () => {
  const change: Change = (builder, owner, actor) => {
    builder.delete(actor, builder.create(actor, child('Secret', 'a', owner)));
  };
  const [history, reference] = [run(change), run(change)];
  for (const oracle of allOracles())
    expect([oracle.name, oracle.judge(history, [reference])]).toEqual([oracle.name, []]);
});

describe('own only', () => {
  test('reports the deletion of what belongs to a later object of the name', () => {
    const history = run((builder, owner, actor) => {
      builder.delete(USER, owner);
      const next = builder.create(USER, web('a'));
      const claim = builder.create(builder.reconcile(next), child('PersistentVolumeClaim', 'a-0'));
      builder.delete(actor, claim);
    });
    expect(ownOnly().judge(history, [])).toMatchObject([
      { object: 'PersistentVolumeClaim default/a-0', reason: 'deleted what belongs to a later object of the name' },
    ]);
    expect(ownOnly(['PersistentVolumeClaim']).judge(history, [])).toEqual([]);
  });

  test('reports the deletion of another object than the one that was read', () => {
    const history = run((builder, owner) => {
      const old = builder.create(CONTROLLER, child('Pod', 'a-0'));
      const actor = builder.reconcile(owner, {}, [old]);
      builder.delete(CONTROLLER, old);
      builder.delete(actor, builder.create(CONTROLLER, child('Pod', 'a-0')));
    });
    expect(ownOnly().judge(history, [])).toMatchObject([{ reason: 'deleted an object that it had not read' }]);
  });
});

test('own only reports a forced apply to an object that others have created, unless it names the uid', () => {
  const applied = (hasUid: boolean): History => {
    const history = run((builder, _owner, actor) => {
      const foreign = builder.create(FAULT, child('ConfigMap', 'a'));
      const metadata = { name: 'a', ...(hasUid && { uid: foreign.metadata.uid }) };
      const body = JSON.stringify({ metadata, data: { footer: 'x' } });
      const request = builder.request({ verb: 'apply', object: refOf(foreign), body, actor });
      builder.update(actor, foreign, (draft) => Object.assign(draft, { data: { footer: 'x' } }), request);
    });
    return { ...history, fired: new RunBuilder().faults('foreign').build().fired };
  };
  expect(ownOnly().judge(applied(false), [])).toMatchObject([{ reason: 'took over a foreign object' }]);
  expect(ownOnly().judge(applied(true), [])).toEqual([]);
});

describe("others' fields", () => {
  const labelled: Change = (builder) => {
    const node = builder.given(child('Node', 'n'));
    const edited = builder.update(FAULT, node, (draft) => {
      draft.metadata.labels = { rival: 'yes' };
    });
    builder.update(OPERATOR, edited, (draft) => {
      draft.metadata.labels = { own: 'yes' };
    });
  };

  test('reports the label of a rival that an update removes', () => {
    expect(othersFields.judge(run(labelled), [])).toMatchObject([{ field: 'metadata.labels.rival' }]);
  });

  test('reports finalizers that existed before the run', () => {
    const history = run((builder) => {
      const object = child('Secret', 's');
      object.metadata.finalizers = ['example.com/foreign'];
      builder.update(OPERATOR, builder.given(object), (draft) => {
        draft.metadata.finalizers = [];
      });
    });
    expect(othersFields.judge(history, [])).toMatchObject([{ field: 'metadata.finalizers[example.com/foreign]' }]);
  });

  test('allows to remove own fields', () => {
    const history = run((builder) => {
      const node = builder.given(child('Node', 'n'));
      const own = builder.update(OPERATOR, node, (draft) => {
        draft.metadata.labels = { own: 'yes' };
      });
      builder.update(OPERATOR, own, (draft) => {
        draft.metadata.labels = {};
      });
    });
    expect(othersFields.judge(history, [])).toEqual([]);
  });
});

describe('no leaks', () => {
  const leaking: Change = (builder, owner, actor) => {
    builder.create(actor, child('ConfigMap', 'a-backup'));
    const node = builder.given(child('Node', 'n'));
    builder.update(actor, node, (draft) => {
      draft.metadata.labels = { own: 'yes' };
    });
    builder.calm();
    builder.delete(USER, owner);
    builder.removed();
  };

  test('reports objects and fields that outlive their cause', () => {
    expect(
      noLeaks()
        .judge(run(leaking), [])
        .map(({ object, field }) => [object, field]),
    ).toEqual([
      ['ConfigMap default/a-backup', undefined],
      ['Node default/n', 'metadata.labels.own'],
    ]);
  });

  test('allows what stays because others deleted its owner with the propagation Orphan', () => {
    const orphaned = (deleter: Actor): History =>
      run((builder, owner, actor) => {
        const set = builder.create(actor, child('StatefulSet', 'a', owner));
        builder.create(actor, child('Secret', 'a', set));
        builder.calm();
        orphan(builder, deleter, owner, set);
        builder.removed();
      });
    expect(noLeaks().judge(orphaned(FAULT), [])).toEqual([]);
    expect(noLeaks().judge(orphaned(OPERATOR), [])).toMatchObject([
      { object: 'StatefulSet default/a' },
      { object: 'Secret default/a' },
    ]);
  });

  test('allows what stays because others removed its owner reference', () => {
    const edited = (editor: Actor): History =>
      run((builder, owner, actor) => {
        const secret = builder.create(actor, child('Secret', 'a', owner));
        builder.update(editor, secret, (draft) => {
          delete draft.metadata.ownerReferences;
        });
        builder.delete(USER, owner);
        builder.removed();
      });
    expect(noLeaks().judge(edited(FAULT), [])).toEqual([]);
    expect(noLeaks().judge(edited(OPERATOR), [])).toMatchObject([{ object: 'Secret default/a' }]);
  });

  test('allows declared kinds', () => {
    expect(noLeaks(['ConfigMap', 'Node']).judge(run(leaking), [])).toEqual([]);
  });
});

test('path reports what stays of a former spec', () => {
  const secret = (builder: RunBuilder, owner: KubeObject, actor: Actor): void => {
    builder.create(actor, child('Secret', 'a-tls', owner));
  };
  expect(pathIndependence.judge(run(secret), [], run())).toMatchObject([
    { oracle: 'path', object: 'Secret default/a-tls', reason: 'left over' },
  ]);
  expect(pathIndependence.judge(run(secret), [], run(secret))).toEqual([]);
});

describe('status', () => {
  const set =
    (values: object): Change =>
    (builder, owner, actor) => {
      builder.update(actor, owner, (draft) => {
        draft['status'] = values;
      });
    };

  test('reports an observedGeneration beyond the generation, and one that falls', () => {
    expect(status.judge(run(set({ observedGeneration: 2 })), [])).toMatchObject([{ reason: 'exceeds the generation' }]);
    const falling = run((builder, owner, actor) => {
      const next = builder.update(USER, owner, (draft) => {
        draft.metadata.generation = 2;
      });
      set({ observedGeneration: 2 })(builder, next, actor);
      set({ observedGeneration: 1 })(builder, next, actor);
    });
    expect(status.judge(falling, [])).toMatchObject([{ reason: 'falls' }]);
  });

  test('reports Ready long before the children exist', () => {
    const made = (waitMs: number): History =>
      run((builder, owner, actor) => {
        set({ ready: true })(builder, owner, actor);
        builder.at += waitMs;
        builder.create(actor, child('Secret', 'a', owner));
      });
    expect(status.judge(made(10_000), [made(10)])).toMatchObject([{ reason: 'ahead of Secret default/a' }]);
    expect(status.judge(made(10), [made(10)])).toEqual([]);
  });

  test('allows Ready before what is created by the clock', () => {
    const history = run((builder, owner, actor) => {
      set({ ready: true })(builder, owner, actor);
      builder.at += 60_000;
      builder.reconcile(owner, { outcome: 'requeueAfter' });
      builder.create(builder.reconcile(owner), child('Job', 'a-5890752', owner));
    });
    expect(status.judge(history, [history])).toEqual([]);
  });
});

describe('budget', () => {
  test('reports reconciles without a pause', () => {
    const busy = (pauseMs: number): History =>
      run((builder, owner) => {
        for (let count = 0; count < 100; count++) {
          builder.at += pauseMs;
          builder.reconcile(owner);
        }
      });
    expect(budget.judge(busy(10), [])).toMatchObject([{ reason: 'too many reconciles' }]);
    expect(budget.judge(busy(1000), [])).toEqual([]);
  });

  test('reports requests that are refused again and again, unless their reconciles fail', () => {
    const refused = (count: number, outcome: 'done' | 'failed' = 'done'): History =>
      run((builder) => {
        const object = refOf(child('Secret', 'a'));
        const owner = builder.create(USER, web('a'));
        for (let index = 0; index < count; index++) {
          builder.at += 120_000;
          builder.request({ verb: 'create', object, status: 422, actor: builder.reconcile(owner, { outcome }) });
        }
      });
    expect(budget.judge(refused(50), [])).toMatchObject([{ field: 'create', reason: 'refused again and again' }]);
    expect(budget.judge(refused(10), [])).toEqual([]);
    expect(budget.judge(refused(50, 'failed'), [])).toEqual([]);
  });
});

describe('one at a time', () => {
  test('reports overlapping reconciles of one process', () => {
    const history = run((builder, owner) => {
      builder.reconcile(owner, { endedAt: builder.at + 100 });
      builder.reconcile(owner);
    });
    expect(exclusive.judge(history, [])).toMatchObject([{ reason: 'overlapping reconciles' }]);
  });

  const written = (waitMs: number): History =>
    run((builder, owner) => {
      const spec = (holderIdentity: string): object => ({ spec: { holderIdentity, leaseDurationSeconds: 15 } });
      const lease = builder.create(OPERATOR, child('Lease', 'web', undefined, spec('one')));
      builder.at += waitMs;
      builder.update({ ...OPERATOR, name: 'operator-2' }, lease, (draft) => Object.assign(draft, spec('two')));
      builder.create(OPERATOR, child('Secret', 'late', owner));
    });

  test('reports writes after the lease is over', () => {
    expect(exclusive.judge(written(20_000), [])).toMatchObject([{ reason: 'written without the lease' }]);
    expect(exclusive.judge(written(5000), [])).toEqual([]);
  });
});

test('rights reports a forbidden request, unless a fault forbids it', () => {
  const change: Change = (builder) => {
    builder.request({ verb: 'list', object: refOf(child('Secret', 'a')), status: 403 });
  };
  expect(permissions.judge(run(change), [])).toMatchObject([{ field: 'list secrets' }]);
  const forbidden = { ...run(change), fired: new RunBuilder().faults('forbidden').build().fired };
  expect(permissions.judge(forbidden, [])).toEqual([]);
});

test('reported failures: an object is reported whose reconciles fail in silence', () => {
  const failing = (values: object): History =>
    run((builder, owner) => {
      builder.update(USER, owner, (draft) => Object.assign(draft, values));
      builder.reconcile(owner, { outcome: 'failed', error: { name: 'Error', message: 'no' } });
    });
  expect(saysSo.judge(failing({}), [])).toMatchObject([{ object: 'Web default/a', reason: 'silent failure' }]);
  const conditions = [{ type: 'Ready', status: 'False' }];
  expect(saysSo.judge(failing({ status: { conditions } }), [])).toEqual([]);
});

test('reported failures: a write is reported that is refused again and again in reconciles that succeed', () => {
  const refused = (...statuses: readonly number[]): History =>
    run((builder, owner) => {
      const object = refOf(child('ConfigMap', 'a', owner));
      for (const status of statuses)
        builder.request({ verb: 'apply', object, status, body: '{}', actor: builder.reconcile(owner) });
    });
  expect(saysSo.judge(refused(422, 422, 422), [])).toMatchObject([
    { object: 'Web default/a', reason: 'silent failure' },
  ]);
  expect(saysSo.judge(refused(422, 422), [])).toEqual([]);
  expect(saysSo.judge(refused(422, 422, 422, 200), [])).toEqual([]);
});

describe('invariants', () => {
  const history = run((builder, owner, actor) => {
    const config = builder.create(actor, child('ConfigMap', 'a', owner, { data: { level: 'info' } }));
    const envFrom = [{ configMapRef: { name: 'a' } }];
    builder.create(actor, child('Pod', 'a-0', owner, { spec: { containers: [{ name: 'c', envFrom }] } }));
    builder.update(actor, config, (draft) => {
      draft['data'] = { level: 'debug' };
    });
  });

  test('report pods whose environment has changed', () => {
    expect(invariants().judge(history, [])).toMatchObject([
      { object: 'Pod default/a-0', reason: 'env of a former ConfigMap' },
    ]);
  });

  test('are checked after each change', () => {
    const levels =
      (level: string) =>
      ({ list }: { list: (kind: string) => readonly KubeObject[] }): boolean =>
        list('ConfigMap').some((object) => (object as { data?: { level?: string } }).data?.level === level);
    const found = invariants({ never: { info: levels('info') }, eventually: { info: levels('info') } }).judge(
      history,
      [],
    );
    expect(found.map(({ reason, message }) => [reason, message]).slice(0, 2)).toEqual([
      ['info', 'does not hold: info'],
      ['info', 'in the end not: info'],
    ]);
    expect(heldAtSomeMoment(history, { info: levels('info'), trace: levels('trace') })).toEqual(['info']);
  });
});
