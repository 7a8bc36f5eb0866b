import { methodNotSupported, notFound } from '../../errors/status-error.js';
import type { Resource } from '../../resources/resource.js';
import { StoredObject } from '../../storage/stored-object.js';
import type { ApiRequest } from '../../transport/request/api-request.js';
import type { Outcome } from '../../transport/response/outcome.js';
import { selectionOf } from './list.js';
import { listQuery } from '../request/query-options.js';

/** Ports at which the real server checks the components that run as separate processes. */
const PORTS = { scheduler: 10259, 'controller-manager': 10257 } as const;

export function isComponentStatus({ group, plural }: Resource): boolean {
  return group === '' && plural === 'componentstatuses';
}

/** Serves the health of the control plane's components; nothing is stored. */
export function componentStatuses(resource: Resource, request: ApiRequest, runsControllers: boolean): Outcome {
  const { name, verb, namespace } = request.info;
  const all = statuses(runsControllers);
  if (verb === 'get') {
    const stored = all.find(({ key }) => key === name);
    if (!stored) throw notFound({ group: '', plural: 'componentstatus' }, name);
    return { type: 'object', code: 200, resource, stored };
  }
  if (verb === 'watch') throw methodNotSupported(resource, verb);
  const selection = selectionOf(resource, namespace, listQuery(request));
  return { type: 'list', resource, items: all.filter((stored) => selection.matches(stored)), metadata: {} };
}

function statuses(runsControllers: boolean): StoredObject[] {
  const own = (['scheduler', 'controller-manager'] as const).map((name) =>
    runsControllers ? status(name, 'True', 'ok') : status(name, 'False', refused(PORTS[name])),
  );
  return [...own, status('etcd-0', 'True', 'ok')];
}

function refused(port: number): string {
  const address = `127.0.0.1:${port}`;
  return `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`;
}

function status(name: string, healthy: string, message: string): StoredObject {
  const conditions = [{ type: 'Healthy', status: healthy, message }];
  const object = { apiVersion: 'v1', kind: 'ComponentStatus', metadata: { name }, conditions };
  return new StoredObject(name, object, 0);
}
