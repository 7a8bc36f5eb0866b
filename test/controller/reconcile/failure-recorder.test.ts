import { beforeEach, describe, expect, test } from '@jest/globals';
import { ApiError, ConflictError, TerminalError } from 'kindwright';
import { thrownError } from '../../../src/base/thrown-error.js';
import { FailureRecorder } from '../../../src/controller/reconcile/failure-recorder.js';
import { ReconcileRequest } from '../../../src/controller/run/reconcile-request.js';
import type { ReconciledCondition } from '../../../src/controller/run/reconciled-condition.js';
import { ControllerParts, Gizmo, gizmo, gizmoModel } from '../gizmo.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

let events: string[];
let written: unknown[];
let logger: RecordingLogger;
let write: () => Promise<void>;

beforeEach(() => {
  events = [];
  written = [];
  logger = new RecordingLogger();
  write = async () => undefined;
});

const condition = { isSupported: true, failed: (_status: unknown, reason: string) => ({ reason }) };

function recorder(): FailureRecorder {
  return new FailureRecorder(
    (about, type, reason, message) => events.push(`${type} ${reason} ${about.metadata.name}: ${message}`),
    condition as unknown as ReconciledCondition,
    {
      write: async (_request, _object, status) => {
        written.push(status);
        await write();
      },
    },
  );
}

const fail = async (attempt: number, error: Error = new Error('no luck'), object = gizmo('a')) => {
  const type = error instanceof TerminalError ? ('terminal' as const) : ('failed' as const);
  await recorder().attemptFailed(new ReconcileRequest('team/a', logger, undefined, attempt), object, { type, error });
};
const rejection = (status: number) =>
  new ApiError('rejected', { status, reason: '', request: { method: 'PATCH', path: '/' } });

describe('FailureRecorder', () => {
  test.each([
    [1, 0],
    [2, 0],
    [3, 1],
    [4, 0],
    [8, 0],
    [9, 1],
    [20, 1],
  ])('attempt %d records %d events', async (attempt, count) => {
    await fail(attempt);
    expect(events).toHaveLength(count);
    expect(written).toHaveLength(count);
  });

  test.each([400, 403, 413, 422])('a request rejected with %d is recorded immediately', async (status) => {
    await fail(1, rejection(status));
    expect(events).toEqual(['Warning ReconcileFailed a: rejected']);
    expect(written).toEqual([{ reason: 'ReconcileFailed' }]);
  });

  test.each([
    [new Error('postgres://app:hunter2@db'), 'Error'],
    [new (class DatabaseError extends TypeError {})('hunter2'), 'DatabaseError'],
    [thrownError('hunter2'), 'non-Error value thrown'],
    [thrownError(new Proxy(new RangeError('hunter2'), {})), 'RangeError'],
  ])('the text of an error that is not written for users is not published (%#)', async (error, name) => {
    await fail(3, error);
    expect(events).toEqual([`Warning ReconcileFailed a: ${name}: see the log of the operator`]);
  });

  test('a TerminalError is recorded immediately', async () => {
    await fail(1, new TerminalError('bad spec'));
    expect(events).toEqual(['Warning ReconcileFailed a: bad spec']);
  });

  test('a failure of the server is recorded only when it persists', async () => {
    await fail(1, rejection(503));
    expect(events).toEqual([]);
  });

  test('the reason for an object that is being deleted is the finalizer', async () => {
    await fail(3, new Error('no luck'), gizmo('a', { deletionTimestamp: 'now' }));
    expect(events).toEqual(['Warning FinalizerFailed a: Error: see the log of the operator']);
    expect(written).toEqual([{ reason: 'FinalizerFailed' }]);
  });

  test('a status that cannot be written is logged, without a rejection', async () => {
    write = () => Promise.reject(new Error('refused'));
    await fail(3);
    expect(logger.messages('debug')).toEqual(['The failure could not be recorded in the status']);
  });
});

test('the tenth conflict in a row is a failure, which is recorded on the object', async () => {
  const conflict = new ConflictError('changed', {
    status: 409,
    reason: 'Conflict',
    request: { method: 'PUT', path: '/' },
  });
  const parts = await ControllerParts.with([gizmoModel.kind, gizmo('a')]);
  Gizmo.behavior = () => {
    throw conflict;
  };
  const outcomeAfter = (conflicts: number) =>
    parts.reconciler.reconcile(new ReconcileRequest('team/a', parts.logger, undefined, 1, conflicts));
  expect((await outcomeAfter(8)).type).toBe('requeue');
  expect(parts.recorded).toEqual([]);
  expect(await outcomeAfter(9)).toMatchObject({ type: 'failed', error: conflict });
  expect(parts.recorded).toEqual([{ about: 'a', reason: 'ReconcileFailed' }]);
  await parts.stop();
});
