import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { alive } from '../../../src/simulation/oracles/alive.js';
import { endState } from '../../../src/simulation/oracles/end-state.js';
import { ledger } from '../../../src/simulation/oracles/ledger.js';
import { idempotent, stable } from '../../../src/simulation/oracles/settling.js';
import type { Actor, History } from '../../../src/simulation/record/history.js';
import { child, CONTROLLER, FAULT, OPERATOR, orphan, refOf, RunBuilder, USER, web } from '../canonical/run-builder.js';

/** A Web with an operator that makes a Secret; `change` adds to the run. */
function run(
  change: (run: RunBuilder, owner: KubeObject, actor: Actor, secret: KubeObject) => void = () => {},
): History {
  const builder = new RunBuilder();
  const owner = builder.create(USER, web('a', { spec: { size: 1 } }));
  const actor = builder.reconcile(owner);
  const secret = builder.create(actor, child('Secret', 'a-tls', owner, { data: { key: 'x' } }));
  change(builder, owner, actor, secret);
  return builder.build();
}

const references = [run(), run(), run()];

describe('the end state', () => {
  test('of equal runs is right', () => {
    expect(endState.judge(run(), references)).toEqual([]);
  });

  test('without an object of the operator is wrong', () => {
    const history = run((builder, _owner, actor, secret) => {
      builder.delete(actor, secret);
    });
    expect(endState.judge(history, references)).toEqual([
      {
        oracle: 'end state',
        object: 'Secret default/a-tls',
        reason: 'missing',
        message: 'Secret default/a-tls is missing; all 3 runs without faults have it',
      },
    ]);
  });

  test('with an object more is wrong, and its consequences are not reported', () => {
    const history = run((builder, owner, actor) => {
      builder.create(actor, child('ConfigMap', 'a', owner));
      builder.update(actor, owner, (draft) => {
        draft['status'] = { children: 2 };
      });
    });
    expect(endState.judge(history, references)).toMatchObject([{ object: 'ConfigMap default/a', reason: 'left over' }]);
  });

  test('with another value is wrong', () => {
    const history = run((builder, _owner, actor, secret) => {
      builder.update(actor, secret, (draft) => {
        draft['data'] = { key: 'y' };
      });
    });
    expect(endState.judge(history, references)).toMatchObject([
      { object: 'Secret default/a-tls', field: 'data.key', reason: 'different' },
    ]);
  });

  test('is right with another default of the server, unless the operator has set the field', () => {
    const withImages = (first: string, ...others: readonly string[]): History =>
      run((builder, _owner, actor) => {
        const imagePullPolicy = first === 'a:1' ? 'IfNotPresent' : 'Always';
        const object = child('Pod', 'a', undefined, { spec: { containers: [{ image: first, imagePullPolicy }] } });
        const write = (verb: string, container: object): number => {
          const body = JSON.stringify({ spec: { containers: [container] } });
          return builder.request({ verb, object: refOf(object), body, actor });
        };
        const pod = builder.create(actor, object, write('create', { image: first }));
        for (const image of others) {
          // The whole object is sent back, with the default of the server.
          const container = { image, imagePullPolicy };
          const change = (draft: object): object => Object.assign(draft, { spec: { containers: [container] } });
          builder.update(actor, pod, change, write('update', container));
        }
      });
    expect(endState.judge(withImages('a:1', 'a:2'), [withImages('a:2')])).toEqual([]);
    expect(endState.judge(withImages('a:1', 'a:3'), [withImages('a:2')])).toMatchObject([
      { field: 'spec.containers[].image' },
    ]);
  });

  test('is right after an edit of a field that the operator did not apply', () => {
    const edit = (builder: RunBuilder, secret: KubeObject): void => {
      builder.update(FAULT, secret, (draft) => {
        draft.metadata.labels = { edited: 'yes' };
      });
    };
    const history = run((builder, _owner, _actor, secret) => {
      edit(builder, secret);
    });
    expect(endState.judge(history, references)).toEqual([]);
  });

  test('is wrong after an edit of a field that the operator applied', () => {
    const applied = (builder: RunBuilder, _owner: KubeObject, actor: Actor, secret: KubeObject): KubeObject =>
      builder.update(actor, secret, (draft) => {
        const managedFields = [{ manager: 'web', operation: 'Apply', fieldsV1: { 'f:data': { 'f:key': {} } } }];
        draft['metadata'] = { ...draft.metadata, managedFields } as never;
      });
    const history = run((...args) => {
      args[0].update(FAULT, applied(...args), (draft) => {
        draft['data'] = { key: 'edited' };
      });
    });
    expect(endState.judge(history, [run(applied)])).toMatchObject([{ field: 'data.key' }]);
  });

  test('is right with more of what an operator makes by the clock, and of what belongs to it', () => {
    const history = run((builder, owner) => {
      builder.reconcile(owner, { outcome: 'requeueAfter' });
      const job = builder.create(builder.reconcile(owner), child('Job', 'a-5890752', owner));
      builder.create(CONTROLLER, child('Pod', 'a-5890752-x7k2p', job));
    });
    expect(endState.judge(history, references)).toEqual([]);
  });

  test('is not judged when what a deleted child owned stays as an orphan', () => {
    const history = run((builder, _owner, actor, secret) => {
      const job = builder.create(actor, child('Job', 'a', secret));
      orphan(builder, FAULT, secret, job);
      builder.create(actor, child('Secret', 'a-tls', undefined, { data: { key: 'x' } }));
    });
    expect(endState.judge(history, references)).toEqual([]);
  });

  test('is not judged when the server answered the user otherwise', () => {
    const history = {
      ...run((builder, _o, actor, secret) => builder.delete(actor, secret)),
      steps: [{ at: 0, status: 409 }],
    };
    expect(endState.judge(history, references)).toEqual([]);
  });
});

describe('stable', () => {
  test('reports the object that changes for ever', () => {
    const history = run((builder, owner, actor) => {
      for (let size = 0; size < 16; size++)
        builder.update(actor, owner, (draft) => {
          draft['status'] = { size };
        });
      builder.calm(false);
    });
    expect(stable.judge(history, [])).toMatchObject([{ object: 'Web default/a', reason: 'never quiet' }]);
  });

  test('reports a time that is written each minute', () => {
    const history = run((builder, owner, actor) => {
      for (let minute = 0; minute < 10; minute++) {
        builder.at += 60_000;
        builder.update(actor, owner, (draft) => {
          draft['status'] = { lastReconciled: `2026-01-01T00:0${String(minute)}:00Z` };
        });
      }
      builder.calm(false);
    });
    expect(stable.judge(history, [])).toMatchObject([{ object: 'Web default/a', reason: 'never quiet' }]);
  });

  test('allows a status that follows the changes of others without end', () => {
    const history = run((builder, owner, _actor, secret) => {
      for (let size = 0; size < 20; size++) {
        builder.update(CONTROLLER, secret, () => {});
        builder.update(builder.reconcile(owner, {}, [secret]), owner, (draft) => {
          draft['status'] = { size };
        });
      }
      builder.calm(false);
    });
    expect(stable.judge(history, [])).toEqual([]);
  });

  test('allows periodic work', () => {
    const history = run((builder, owner, actor) => {
      for (let round = 0; round < 12; round++) {
        builder.at += 5 * 60_000;
        builder.create(actor, child('ConfigMap', `backup-${String(round)}`, owner));
      }
      builder.calm(false);
    });
    expect(stable.judge(history, [])).toEqual([]);
  });

  const toggle = (builder: RunBuilder, owner: KubeObject, reads: () => readonly KubeObject[]): void => {
    for (const nodes of ['a b', 'b a', 'a b', 'b a']) {
      builder.update(builder.reconcile(owner, {}, reads()), owner, (draft) => {
        draft['status'] = { nodes };
      });
    }
  };

  test('reports a status that changes back and forth for the same input', () => {
    const history = run((builder, owner, _actor, secret) => {
      toggle(builder, owner, () => [secret]);
    });
    expect(stable.judge(history, [])).toMatchObject([{ object: 'Web default/a', reason: 'back and forth' }]);
  });

  test('allows a status that follows its input', () => {
    const history = run((builder, owner, _actor, secret) => {
      toggle(builder, owner, () => [builder.update(CONTROLLER, secret, () => {})]);
    });
    expect(stable.judge(history, [])).toEqual([]);
  });

  test('allows a status that follows an old and a new version of a child in the answers to writes', () => {
    const seen = ({ kind = '', metadata: { uid, resourceVersion } }: KubeObject) => ({
      object: refOf(child(kind, 'a-tls')),
      uid,
      resourceVersion,
    });
    const flapping = (isOld: boolean): History =>
      run((builder, owner, _actor, secret) => {
        const changed = builder.update(CONTROLLER, secret, () => {});
        for (const [count, version] of [secret, changed, isOld ? secret : changed].entries())
          builder.update(builder.reconcile(owner, { answers: [seen(version)] }), owner, (draft) => {
            draft['status'] = { ready: count % 2 };
          });
      });
    expect(stable.judge(flapping(true), [])).toEqual([]);
    expect(stable.judge(flapping(false), [])).toMatchObject([{ reason: 'back and forth' }]);
  });

  test('allows a status that follows an old version of its own object', () => {
    const history = run((builder, owner) => {
      const seen = (version: KubeObject) => {
        const { uid, resourceVersion } = version.metadata;
        return { own: { object: refOf(owner), uid, resourceVersion } };
      };
      const set = (version: KubeObject, size: number): KubeObject =>
        builder.update(builder.reconcile(owner, seen(version)), owner, (draft) => {
          draft['status'] = { size };
        });
      set(owner, 1);
      const edited = builder.update(USER, owner, (draft) => {
        draft['spec'] = { size: 2 };
      });
      builder.at += 10;
      set(edited, 2);
      set(owner, 1);
    });
    expect(stable.judge(history, [])).toEqual([]);
  });

  test('allows a status that shows a refusal of the server', () => {
    const history = run((builder, owner, _actor, secret) => {
      for (const isReady of [true, false, true]) {
        const actor = builder.reconcile(owner, {}, [secret]);
        builder.request({ verb: 'apply', object: refOf(secret), status: isReady ? 200 : 503, actor });
        builder.update(actor, owner, (draft) => {
          draft['status'] = { isReady };
        });
      }
    });
    expect(stable.judge(history, [])).toEqual([]);
  });

  test('does not judge what a reconcile wrote that was killed', () => {
    const history = run((builder, owner) => {
      for (const size of [1, 2, 1])
        builder.update(builder.reconcile(owner, { endedAt: undefined }), owner, (draft) => {
          draft['status'] = { size };
        });
    });
    expect(stable.judge(history, [])).toEqual([]);
  });

  test('allows a status that follows an object which only the answers to writes show', () => {
    const history = run((builder, owner, _actor, secret) => {
      toggle(builder, owner, () => {
        builder.update(CONTROLLER, secret, () => {});
        return [];
      });
    });
    expect(stable.judge(history, [])).toEqual([]);
  });
});

describe('idempotent', () => {
  test('reports what a restart changes', () => {
    const history = run((builder, _owner, _actor, secret) => {
      builder.calm();
      builder.update({ ...OPERATOR, life: 2 }, secret, (draft) => {
        draft['data'] = { key: 'z' };
      });
      builder.poked();
    });
    expect(idempotent.judge(history, [])).toMatchObject([{ object: 'Secret default/a-tls', field: 'update' }]);
  });

  test('allows changes by others and the leader election', () => {
    const history = run((builder, _owner, _actor, secret) => {
      builder.calm();
      builder.update(CONTROLLER, secret, () => {});
      builder.create({ ...OPERATOR, life: 2 }, child('Lease', 'web'));
      builder.poked();
    });
    expect(idempotent.judge(history, [])).toEqual([]);
  });
});

describe('the ledger', () => {
  const again = (builder: RunBuilder, owner: KubeObject, deleter: Actor): void => {
    const secret = builder.commits.at(-1)?.after;
    if (secret) builder.delete(deleter, secret);
    builder.create(builder.reconcile(owner), child('Secret', 'a-tls', owner, { data: { key: 'x' } }));
  };

  test('reports a surplus deletion and creation', () => {
    const history = run((builder, owner, actor) => {
      again(builder, owner, actor);
    });
    expect(ledger.judge(history, references)).toMatchObject([
      { object: 'Secret default/a-tls', field: 'create', reason: 'too often' },
      { object: 'Secret default/a-tls', field: 'delete', reason: 'too often' },
    ]);
  });

  test('allows to replace what a fault has deleted', () => {
    const history = run((builder, owner) => {
      again(builder, owner, FAULT);
    });
    expect(ledger.judge(history, references)).toEqual([]);
  });

  test('allows to create and delete more by the clock, also what a finalizer holds', () => {
    const history = run((builder, owner) => {
      builder.reconcile(owner, { outcome: 'requeueAfter' });
      const actor = builder.reconcile(owner);
      const job = builder.create(actor, child('Job', 'a-5890752', owner));
      builder.update(actor, job, (draft) => {
        draft.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
      });
    });
    expect(ledger.judge(history, references)).toEqual([]);
  });

  test('reports a missing deletion, unless the operator did not see the state that needs it', () => {
    const edited = (sees: boolean, deletes: boolean): History =>
      run((builder, owner, _actor, secret) => {
        const next = builder.update(USER, owner, (draft) => {
          draft.metadata.generation = 2;
        });
        const actor = sees ? builder.reconcile(next) : OPERATOR;
        if (deletes) builder.delete(actor, secret);
      });
    const both = [edited(true, true), edited(true, true)];
    expect(ledger.judge(edited(true, false), both)).toMatchObject([{ field: 'delete', reason: 'too rarely' }]);
    expect(ledger.judge(edited(false, false), both)).toEqual([]);
    expect(ledger.judge(edited(true, true), both)).toEqual([]);
  });

  test('allows to create less if the operator did not see an object before it was replaced', () => {
    const replaced = (isSeen: boolean): History => {
      const builder = new RunBuilder();
      for (const isLast of [false, true]) {
        const owner = builder.create(USER, web('a', { spec: { size: 1 } }));
        if (isSeen || isLast) builder.create(builder.reconcile(owner), child('Secret', 'a-tls', owner));
        if (!isLast) for (const { after } of builder.commits.slice()) if (after) builder.delete(USER, after);
      }
      return builder.build();
    };
    expect(ledger.judge(replaced(false), [replaced(true), replaced(true)])).toEqual([]);
  });
});

describe('alive', () => {
  const thrown = (name: string) => ({ outcome: 'failed' as const, error: { name, message: 'x is undefined' } });

  test('reports a TypeError of a reconcile once, with its object', () => {
    const history = run((builder, owner) => {
      builder.reconcile(owner, thrown('TypeError'));
      builder.reconcile(owner, thrown('TypeError'));
    });
    expect(alive.judge(history, [])).toMatchObject([{ object: 'Web default/a', reason: 'TypeError: x is undefined' }]);
  });

  test('allows errors of requests', () => {
    const history = run((builder, owner) => {
      builder.reconcile(owner, thrown('ApiError'));
    });
    expect(alive.judge(history, [])).toEqual([]);
  });

  test('reports breakdowns and reconciles that never end', () => {
    const history = run((builder, owner) => {
      builder.reconcile(owner, { outcome: 'timeout' });
      builder.overrides.breakdowns = [{ at: 1, actor: OPERATOR, reason: 'unhandled rejection', message: 'Error: a' }];
    });
    expect(alive.judge(history, []).map(({ reason }) => reason)).toEqual([
      'unhandled rejection: Error: a',
      'reconcile timed out',
    ]);
  });
});
