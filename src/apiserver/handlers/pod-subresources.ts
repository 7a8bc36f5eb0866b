import { whenAnswered } from '../admission/remote-calls.js';
import { conflict, StatusError } from '../errors/status-error.js';
import { deepClone } from '../../base/deep-clone.js';
import { objectAt, stringAt, type ApiObject } from '../object.js';
import { eachObject, ensureObject } from '../builtin/set-default.js';
import type { Registry } from '../registry/registry.js';
import type { Remover } from '../registry/remover.js';
import type { Resource } from '../resources/resource.js';
import type { ApiRequest } from '../transport/api-request.js';
import { json, type Outcome } from '../transport/outcome.js';
import { readPlainObject } from '../transport/plain-object.js';
import { writeQuery } from './query-options.js';

/** POST of pods/binding: puts the pod on a node. */
export async function bind(registry: Registry, resource: Resource, request: ApiRequest): Promise<Outcome> {
  const binding = await readPlainObject(request, 'Binding');
  const { name, namespace } = request.info;
  const query = writeQuery(request, 'CreateOptions');
  await whenAnswered((calls) =>
    registry.update(
      resource,
      name,
      namespace,
      (old) => bound(resource, old, stringAt(binding.target, 'name'), registry.now()),
      { ...query, calls, subresource: 'binding' },
    ),
  );
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

/** The pod with its node chosen. */
export function bound(resource: Resource, old: ApiObject, node: string, now: string): ApiObject {
  const taken = stringAt(old.spec, 'nodeName');
  if (taken !== '')
    throw conflict(
      { ...resource, plural: `${resource.plural}/binding` },
      old.metadata.name,
      `pod ${old.metadata.name} is already assigned to node "${taken}"`,
    );
  const next = deepClone(old);
  ensureObject(next, 'spec').nodeName = node;
  const status = ensureObject(next, 'status');
  const others = eachObject(status.conditions).filter(({ type }) => type !== 'PodScheduled');
  const condition = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: now,
    observedGeneration: old.metadata.generation,
  };
  status.conditions = [...others, condition];
  return next;
}

/** POST of pods/eviction: a deletion that asks disruption budgets first. */
export async function evict(
  remover: Remover,
  resource: Resource,
  request: ApiRequest,
  budgets: readonly ApiObject[],
): Promise<Outcome> {
  const eviction = await readPlainObject(request, 'Eviction');
  const { name, namespace } = request.info;
  const exhausted = budgets.find(({ status }) => Number(objectAt({ status }, 'status').disruptionsAllowed ?? 0) <= 0);
  if (exhausted) {
    const message = "Cannot evict pod as it would violate the pod's disruption budget.";
    const cause = {
      reason: 'DisruptionBudget',
      message: `The disruption budget ${exhausted.metadata.name} needs more healthy pods`,
    };
    throw new StatusError(429, 'TooManyRequests', message, { causes: [cause] });
  }
  const { user, warnings } = request;
  await whenAnswered((calls) =>
    remover.remove(resource, name, namespace, objectAt(eviction, 'deleteOptions'), user, { calls, warnings }),
  );
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}
