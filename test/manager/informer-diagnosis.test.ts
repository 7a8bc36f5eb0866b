import { describe, expect, test } from '@jest/globals';
import { ConfigMap, ForbiddenError, NotFoundError, Secret, TooManyRequestsError } from 'kindwright';
import type { KindRef } from '../../src/api/kind-ref.js';
import { ConnectionError } from '../../src/client/connection-error.js';
import { reportInformerErrors } from '../../src/manager/informer-diagnosis.js';
import { gizmoModel } from '../controller/gizmo.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

const request = { method: 'GET', path: '/' };

function report(kind: KindRef, error: Error, namespace?: string) {
  const logger = new RecordingLogger();
  const onError = (listener: (error: Error) => void) => {
    listener(error);
    return () => undefined;
  };
  reportInformerErrors({ kind, namespace, onError }, [gizmoModel], logger);
  return logger.lines[0]!;
}

describe('reportInformerErrors', () => {
  const notFound = new NotFoundError('404 page not found', { status: 404, reason: '', request });

  test('an informer of a missing CRD reports its name and how to install it', () => {
    expect(report(gizmoModel.kind, notFound)).toMatchObject({
      level: 'error',
      message:
        'the server could not find the requested resource gizmos.test.kindwright.dev (Gizmo, test.kindwright.dev/v1); waiting for it',
      fields: { hint: expect.stringMatching(/--install.*crds-out\/test\.kindwright\.dev_gizmos\.yaml/) as unknown },
    });
  });

  test('a missing CRD of another project is reported without the advice to install it', () => {
    const foreign = {
      group: 'cert-manager.io',
      version: 'v1',
      kind: 'Certificate',
      plural: 'certificates',
      scope: 'Namespaced',
    } as const;
    expect(report(foreign, notFound).fields.hint).toBe(
      'install the CRD or the API server of Certificate (cert-manager.io/v1)',
    );
  });

  test('a missing permission is reported with the message of the server and the next step', () => {
    const message =
      'configmaps is forbidden: User "x" cannot list resource "configmaps" in API group "" at the cluster scope';
    const line = report(ConfigMap, new ForbiddenError(message, { status: 403, reason: 'Forbidden', request }), 'team');
    expect(line.message).toBe(`cannot list and watch configmaps: ${message}`);
    expect(line.fields).toMatchObject({
      namespace: 'team',
      hint: expect.stringContaining('generate-manifests') as unknown,
    });
  });

  test("the hint of an informer's error is reported", () => {
    const error = new ConnectionError('cannot reach host: connection refused', {
      reason: 'refused',
      host: 'host',
      hint: 'start it',
    });
    expect(report(Secret, error)).toMatchObject({ level: 'error', fields: { hint: 'start it' } });
  });

  test('an informer of a busy server logs a warning only', () => {
    const error = new TooManyRequestsError('storage is (re)initializing', {
      status: 429,
      reason: 'TooManyRequests',
      request,
    });
    expect(report(Secret, error).level).toBe('warn');
  });
});
