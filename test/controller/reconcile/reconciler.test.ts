import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, ConflictError, TerminalError, type Context } from 'kindwright';
import { userLocation } from '../../../src/base/user-frames.js';
import { WriteFencedError } from '../../../src/controller/write/write-fence.js';
import { ControllerParts, Gizmo, gizmo, gizmoModel } from '../gizmo.js';

let parts: ControllerParts;
const conflict = new ConflictError('it has changed', {
  status: 409,
  reason: 'Conflict',
  request: { method: 'PUT', path: '/' },
});

beforeEach(async () => {
  Gizmo.behavior = () => undefined;
  Gizmo.goodbye = () => undefined;
  parts = await ControllerParts.with(
    [gizmoModel.kind, gizmo('a')],
    [gizmoModel.kind, gizmo('dying', { deletionTimestamp: 'now' })],
  );
});
afterEach(() => parts.stop());

const reconcile = (key?: string) => parts.reconciler.reconcile(parts.request(key));

describe('the outcome of a reconcile', () => {
  test.each<[string, () => unknown, unknown]>([
    ['nothing', () => undefined, { type: 'done' }],
    ['a promise of nothing', async () => undefined, { type: 'done' }],
    ['no delay', () => ({}), { type: 'done' }],
    ['a delay', () => ({ requeueAfter: 500 }), { type: 'requeueAfter', delayMs: 500 }],
    ['a delay longer than timers hold', () => ({ requeueAfter: 2 ** 31 }), { type: 'requeueAfter', delayMs: 2 ** 31 }],
    ['a delay of 0', () => ({ requeueAfter: 0 }), { type: 'requeue' }],
  ])('a reconcile that returns %s succeeds', async (_, behavior, outcome) => {
    Gizmo.behavior = behavior as typeof Gizmo.behavior;
    expect(await reconcile()).toMatchObject(outcome as object);
  });

  test('a change to a cached object fails, and the error names the method and the remedy', async () => {
    Gizmo.behavior = async (_self, ctx) => {
      const read = await ctx.get(Gizmo, 'a');
      Object.assign(read?.metadata ?? {}, { name: 'b' });
    };
    const outcome = await reconcile();
    expect(outcome).toMatchObject({
      type: 'failed',
      error: {
        code: 'E_CACHE_MUTATION',
        message: "Gizmo.reconcile changed a cached object: Cannot assign to read only property 'name'",
      },
    });
    const { error } = outcome as Extract<typeof outcome, { type: 'failed' }>;
    expect(userLocation(error)).toMatch(/^test\/controller\/reconcile\/reconciler\.test\.ts:\d+:\d+$/);
  });

  test('an object without a namespace of a namespaced kind fails once, with the scope of the installed definition', async () => {
    const everywhere = gizmo('everywhere');
    delete everywhere.metadata.namespace;
    const placed = await ControllerParts.with([gizmoModel.kind, everywhere]);
    const outcome = await placed.reconciler.reconcile(placed.request('everywhere'));
    await placed.stop();
    expect(outcome).toMatchObject({
      type: 'terminal',
      error: {
        message: 'Gizmo: the API server serves gizmos.test.kindwright.dev with scope Cluster, not Namespaced',
        hint: expect.stringMatching(/^the scope of a CRD cannot be changed: set scope: 'Cluster' in @Kind, or delete/),
      },
    });
  });

  test.each([Number.NaN, -1, Infinity, 'soon'])(
    'a reconcile that returns the delay %p is a failure, and the error contains the delay',
    async (delay) => {
      Gizmo.behavior = () => ({ requeueAfter: delay as number });
      expect(await reconcile()).toMatchObject({
        type: 'failed',
        error: { code: 'E_RESULT', message: `Gizmo returned requeueAfter ${String(delay)}, which is not a duration` },
      });
    },
  );

  test.each<[string, unknown, string]>([
    ['an Error', new Error('no'), 'failed'],
    ['a string', 'no', 'failed'],
    ['a TerminalError', new TerminalError('no'), 'terminal'],
    ['a conflict', conflict, 'requeue'],
    ['a write held back', new WriteFencedError('not leading'), 'aborted'],
  ])('a thrown value has the outcome of its class: %s', async (_, thrown, type) => {
    Gizmo.behavior = () => {
      throw thrown;
    };
    expect((await reconcile()).type).toBe(type);
  });

  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const unreadable = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('trap');
    },
  });

  test.each<[string, unknown]>([
    ['a revoked proxy', revoked],
    ['an error with a message that cannot be read', unreadable],
  ])('a reconcile that throws %s is a failure', async (_, thrown) => {
    Gizmo.behavior = () => {
      throw thrown;
    };
    expect(await reconcile()).toMatchObject({
      type: 'failed',
      error: { message: expect.stringMatching(/^non-Error value thrown/) },
    });
  });

  test('a reconcile that throws after it was aborted is not a failure', async () => {
    const request = parts.request();
    Gizmo.behavior = () => {
      request.abort(new Error('shutting down'));
      throw new Error('interrupted');
    };
    expect(await parts.reconciler.reconcile(request)).toEqual({ type: 'aborted' });
  });
});

describe('Reconciler', () => {
  test('an object that does not exist is not reconciled', async () => {
    Gizmo.behavior = () => {
      throw new Error('called');
    };
    expect(await reconcile('team/absent')).toEqual({ type: 'done' });
  });

  test('an object that is being deleted without a finalizer is not reconciled', async () => {
    Gizmo.behavior = () => {
      throw new Error('called');
    };
    expect(await reconcile('team/dying')).toEqual({ type: 'done' });
  });

  test('reconcile gets a private copy', async () => {
    Gizmo.behavior = (self) => {
      self.spec.value = 'mutated';
      self.metadata.labels = { mutated: 'yes' };
    };
    await reconcile();
    expect(parts.caches.get(gizmoModel.kind, 'a', 'team')).toEqual(gizmo('a'));
    expect(parts.sent).toEqual([]);
  });

  test('the error of reconcile is kept when the status cannot be written either', async () => {
    parts.answer = () => {
      throw new Error('status refused');
    };
    Gizmo.behavior = (self) => {
      self.status.seen = 'x';
      throw new Error('the reason');
    };
    expect(await reconcile()).toMatchObject({ error: { message: 'the reason' } });
    expect(parts.logger.messages('warn')).toEqual(['Status could not be written after a failed reconcile']);
  });

  test('the status is sent with the uid of the reconciled object', async () => {
    parts.answer = () => gizmo('a', { resourceVersion: '10' });
    Gizmo.behavior = (self) => {
      self.status.seen = 'x';
    };
    await reconcile();
    expect(parts.sent).toEqual([
      { verb: 'patch', name: 'a', body: { metadata: { uid: 'uid-a' }, status: { seen: 'x' } } },
    ]);
  });

  test('a status that JSON cannot represent is a failure', async () => {
    Gizmo.behavior = (self) => {
      self.status.seen = new Map() as unknown as string;
    };
    expect(await reconcile()).toMatchObject({
      type: 'failed',
      error: { message: expect.stringMatching(/Gizmo\.status\.seen is a Map/) },
    });
  });
});

describe('an object that is gone', () => {
  let announced: string[];
  beforeEach(() => {
    announced = [];
    Gizmo.goodbye = ({ metadata }) => void announced.push(metadata.uid ?? '');
  });

  test('deleted is called once', async () => {
    parts.reconciler.recordDeletion(gizmo('gone'));
    await reconcile('team/gone');
    await reconcile('team/gone');
    expect(announced).toEqual(['uid-gone']);
  });

  test('deleted is called before the successor is reconciled', async () => {
    parts.reconciler.recordDeletion(gizmo('a', { uid: 'old' }));
    Gizmo.behavior = ({ metadata }) => void announced.push(`reconcile ${metadata.uid ?? ''}`);
    await reconcile();
    expect(announced).toEqual(['old', 'reconcile uid-a']);
  });

  test('deleted is called once for each of successive objects of one name, in order', async () => {
    for (const uid of ['first', 'second', 'second', 'third']) parts.reconciler.recordDeletion(gizmo('gone', { uid }));
    await reconcile('team/gone');
    await reconcile('team/gone');
    expect(announced).toEqual(['first', 'second', 'third']);
  });

  test('deleted is called again only for the objects for which it has thrown', async () => {
    for (const uid of ['first', 'second']) parts.reconciler.recordDeletion(gizmo('gone', { uid }));
    Gizmo.goodbye = ({ metadata }) => {
      announced.push(metadata.uid ?? '');
      if (announced.length === 2) throw new Error('not now');
    };
    expect((await reconcile('team/gone')).type).toBe('failed');
    expect((await reconcile('team/gone')).type).toBe('done');
    expect(announced).toEqual(['first', 'second', 'second']);
  });

  test('deleted is called for the last 100 of successive objects of one name', async () => {
    for (let index = 0; index < 150; index++) parts.reconciler.recordDeletion(gizmo('gone', { uid: `${index}` }));
    await reconcile('team/gone');
    expect(announced).toEqual(Array.from({ length: 100 }, (_, index) => `${index + 50}`));
  });

  test('deleted is called again after it throws', async () => {
    parts.reconciler.recordDeletion(gizmo('gone'));
    Gizmo.goodbye = () => {
      announced.push('try');
      if (announced.length === 1) throw new Error('not now');
    };
    expect((await reconcile('team/gone')).type).toBe('failed');
    expect((await reconcile('team/gone')).type).toBe('done');
    expect(announced).toEqual(['try', 'try']);
  });

  test('deleted is not called again after a TerminalError', async () => {
    parts.reconciler.recordDeletion(gizmo('gone'));
    Gizmo.goodbye = () => {
      announced.push('try');
      throw new TerminalError('never');
    };
    await reconcile('team/gone');
    await reconcile('team/gone');
    expect(announced).toEqual(['try']);
    expect(parts.logger.messages('error')).toEqual(['Reconciler error']);
  });

  const record = { metadata: { name: 'record' } };
  const owners = [{ apiVersion: 'test.kindwright.dev/v1', kind: 'Gizmo', name: 'gone', uid: 'uid-gone' }];
  test.each<[string, (ctx: Context) => Promise<unknown>]>([
    ['applies', (ctx) => ctx.apply(ConfigMap, record)],
    ['creates', (ctx) => ctx.create(ConfigMap, record)],
    [
      'applies with its own reference',
      (ctx) => ctx.apply(ConfigMap, { metadata: { name: 'record', ownerReferences: owners } }, { owned: false }),
    ],
  ])('deleted fails once if it %s an object that the deleted object would own', async (_, write) => {
    parts.reconciler.recordDeletion(gizmo('gone'));
    Gizmo.goodbye = async (_self, ctx) => {
      await write(ctx);
    };
    await reconcile('team/gone');
    await reconcile('team/gone');
    expect(parts.sent).toEqual([]);
    expect(parts.logger.lines.filter(({ level }) => level === 'error')).toMatchObject([
      {
        fields: {
          err: {
            code: 'E_OWNER_DELETED',
            message:
              'Gizmo team/gone is deleted and cannot own ConfigMap team/record: the garbage collector would delete it',
          },
        },
      },
    ]);
  });

  test('deleted may write an object that the deleted object does not own', async () => {
    parts.reconciler.recordDeletion(gizmo('gone'));
    Gizmo.goodbye = async (_self, ctx) => {
      await ctx.apply(ConfigMap, record, { owned: false });
    };
    expect((await reconcile('team/gone')).type).toBe('done');
    expect(parts.sent).toMatchObject([{ verb: 'apply', name: 'record' }]);
  });
});

describe('a write that was not awaited', () => {
  let lenient: ControllerParts;
  beforeEach(async () => {
    lenient = parts;
    parts = await ControllerParts.strict([gizmoModel.kind, gizmo('a')]);
    parts.answer = () => gizmo('a', { resourceVersion: '10' });
    Gizmo.behavior = (self, ctx) => {
      self.status.seen = 'x';
      void ctx.patch(gizmoModel.kind, 'b', {});
    };
  });

  test('a write that was not awaited is an error with the call and its line', async () => {
    const outcome = await reconcile();
    expect(outcome).toMatchObject({
      type: 'failed',
      error: {
        code: 'E_MISSING_AWAIT',
        message: 'missing await: the reconcile returned while ctx.patch(Gizmo, "b") was running',
        hint: 'await ctx.patch(Gizmo, "b")',
      },
    });
    expect(userLocation((outcome as { error: Error }).error)).toMatch(
      /^test\/controller\/reconcile\/reconciler\.test\.ts:\d+:16$/,
    );
  });

  afterEach(() => lenient.stop());

  test('a write that was not awaited does not prevent the write of the status', async () => {
    await reconcile();
    expect(parts.sent.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('a write that was not awaited is a warning if not strict', async () => {
    lenient.answer = parts.answer;
    expect(await lenient.reconciler.reconcile(lenient.request())).toEqual({ type: 'done' });
    expect(lenient.logger.messages('warn')).toContain(
      'missing await: the reconcile returned while ctx.patch(Gizmo, "b") was running',
    );
  });

  test('the late failure of a write that was not awaited is logged', async () => {
    parts.answer = ({ name }) => {
      if (name === 'b') throw new Error('refused');
      return gizmo('a');
    };
    await reconcile();
    await parts.clock.advance(0);
    expect(parts.logger.lines).toContainEqual(
      expect.objectContaining({
        message: 'ctx.patch(Gizmo, "b") failed after the reconcile returned',
        fields: expect.objectContaining({ err: expect.objectContaining({ message: 'refused' }) }),
      }),
    );
  });
});
