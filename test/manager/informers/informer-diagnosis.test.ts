import { describe, expect, test } from '@jest/globals';
import {
  ConfigMap,
  CustomResource,
  Dependent,
  ForbiddenError,
  Kind,
  kindByName,
  NotFoundError,
  Secret,
  TooManyRequestsError,
} from 'kindwright';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import { ConnectionError } from '../../../src/client/connection-error.js';
import { reportInformerErrors } from '../../../src/manager/informers/informer-diagnosis.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { gizmoModel } from '../../controller/gizmo.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

const request = { method: 'GET', path: '/' };

const ServiceMonitor = kindByName({ group: 'monitoring.coreos.com', version: 'v1', kind: 'ServiceMonitor' });

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
abstract class WithOptional extends CustomResource {
  @Dependent(ServiceMonitor, { optional: true })
  monitor(): undefined {
    return undefined;
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
abstract class WithRequired extends CustomResource {
  @Dependent(ServiceMonitor)
  monitor(): undefined {
    return undefined;
  }
}

function report(kind: KindRef, error: Error, namespace?: string, models = [gizmoModel]) {
  const logger = new RecordingLogger();
  const onError = (listener: (error: Error) => void) => {
    listener(error);
    return () => undefined;
  };
  reportInformerErrors({ kind, namespace, onError }, models, logger);
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

  test('a missing kind is reported as information if all classes that use it can do without it', () => {
    const [optional, required] = buildResourceModels([WithOptional, WithRequired]);
    expect(report(ServiceMonitor, notFound, undefined, [optional!, gizmoModel])).toMatchObject({
      level: 'info',
      message:
        'ServiceMonitor (monitoring.coreos.com/v1) is not installed; its optional @Dependent methods are skipped',
    });
    expect(report(ServiceMonitor, notFound, undefined, [optional!, required!]).level).toBe('error');
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
