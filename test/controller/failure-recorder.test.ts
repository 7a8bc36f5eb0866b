import { beforeEach, describe, expect, test } from '@jest/globals';
import { ApiError, TerminalError } from 'kindwright';
import { FailureRecorder } from '../../src/controller/failure-recorder.js';
import { ReconcileRequest } from '../../src/controller/reconcile-request.js';
import type { ReconciledCondition } from '../../src/controller/reconciled-condition.js';
import { gizmo } from './gizmo.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

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
  ])('of attempt %d writes %d events', async (attempt, count) => {
    await fail(attempt);
    expect(events).toHaveLength(count);
    expect(written).toHaveLength(count);
  });

  test.each([400, 403, 413, 422])('records a request rejected with %d at once', async (status) => {
    await fail(1, rejection(status));
    expect(events).toEqual(['Warning ReconcileFailed a: rejected']);
    expect(written).toEqual([{ reason: 'ReconcileFailed' }]);
  });

  test('records a TerminalError at once', async () => {
    await fail(1, new TerminalError('bad spec'));
    expect(events).toEqual(['Warning ReconcileFailed a: bad spec']);
  });

  test('does not record a failure of the server before it is persistent', async () => {
    await fail(1, rejection(503));
    expect(events).toEqual([]);
  });

  test('names the finalizer as the reason for an object that is being deleted', async () => {
    await fail(3, new Error('no luck'), gizmo('a', { deletionTimestamp: 'now' }));
    expect(events).toEqual(['Warning FinalizerFailed a: no luck']);
    expect(written).toEqual([{ reason: 'FinalizerFailed' }]);
  });

  test('logs a status that cannot be written, and does not reject', async () => {
    write = () => Promise.reject(new Error('refused'));
    await fail(3);
    expect(logger.messages('debug')).toEqual(['The failure could not be recorded in the status']);
  });
});
