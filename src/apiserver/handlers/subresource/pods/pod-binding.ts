import { goQuoted } from '../../../../base/go-quoted.js';
import { whenAnswered } from '../../../remote/remote-calls.js';
import { ensureObject } from '../../../objects/set-defaults.js';
import { badRequest, conflict, StatusError } from '../../../errors/status-error.js';
import { type ApiObject, type JsonObject, eachObject, objectAt, stringAt } from '../../../objects/api-object.js';
import type { Registry } from '../../../registry/registry.js';
import { systemUpdate } from '../../../registry/system-update.js';
import { failedPrecondition } from '../../../registry/preconditions.js';
import type { WriteOptions } from '../../../registry/write-options.js';
import type { Resource } from '../../../resources/resource.js';
import { readBody, type ApiRequest } from '../../../transport/request/api-request.js';
import { json, type Outcome } from '../../../transport/response/outcome.js';
import { readUnstored } from '../../request/read-unstored.js';
import { decodeBody } from '../../request/decode-body.js';
import { placeInNamespace } from '../../request/request-namespace.js';
import { admitCreation, PodAction } from './pod-action.js';
import { setPodCondition } from './pod-condition.js';
import { writeQuery } from '../../request/query-options.js';

const action = new PodAction('binding', 'Binding', 'v1', 'core/v1.Binding');
const BOUND = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** POST of pods/binding: assigns the pod to a node. */
export async function bind(registry: Registry, resource: Resource, request: ApiRequest): Promise<Outcome> {
  const { given: binding, query } = await readUnstored(action, request);
  const { name, namespace = '' } = request.info;
  if (stringAt(binding.metadata, 'name') !== name)
    throw badRequest('name in URL does not match name in Binding object');
  await whenAnswered((calls) => bindPod(registry, resource, namespace, binding, { ...query, calls }));
  return json(201, BOUND);
}

export function isBinding({ apiVersion, plural }: Resource): boolean {
  return apiVersion === 'v1' && plural === 'bindings';
}

/** POST of bindings: like pods/binding, for the pod of the same name. */
export async function createBinding(
  registry: Registry,
  { bindings, pods }: { bindings: Resource; pods: Resource },
  request: ApiRequest,
): Promise<Outcome> {
  const body = await readBody(request.message);
  const query = writeQuery(request, 'CreateOptions');
  await whenAnswered((calls) => {
    const options = { ...query, calls };
    const binding = decodeBody(bindings, body, query.fieldValidation, request.warnings);
    placeInNamespace(bindings, binding, request.info.namespace);
    delete binding.metadata.uid;
    assign(registry, pods, admitCreation(registry, bindings, binding, options), options);
  });
  return json(201, BOUND);
}

/** Binds a pod after admission: BindingREST of registry/core/pod/storage. */
export function bindPod(
  registry: Registry,
  pods: Resource,
  namespace: string,
  given: JsonObject,
  options: WriteOptions,
): void {
  assign(registry, pods, action.admit(registry, pods, action.decode(given, namespace), options), options);
}

function assign(registry: Registry, pods: Resource, binding: ApiObject, options: WriteOptions): void {
  const { metadata, target } = binding;
  assertTarget(objectAt({ target }, 'target'));
  const pod = registry.get(pods, metadata.name, metadata.namespace).object;
  assertPod(pods, pod, binding);
  if (options.dryRun === true) return;
  systemUpdate(registry, pods, pod.metadata, (next) => {
    ensureObject(next, 'spec').nodeName = stringAt(target, 'name');
    const status = ensureObject(next, 'status');
    delete status.nominatedNodeName;
    for (const field of ['annotations', 'labels'] as const)
      if (metadata[field]) next.metadata[field] = { ...next.metadata[field], ...metadata[field] };
    setPodCondition(status, { type: 'PodScheduled', status: 'True' }, registry.now());
  });
}

/** Validates the target; the real server returns these errors without a reason. */
function assertTarget(target: JsonObject): void {
  const [kind, name] = [stringAt(target, 'kind'), stringAt(target, 'name')];
  const problems = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [`target.kind: Unsupported value: ${goQuoted(kind)}: supported values: "Node", "<empty>"`]),
    ...(name === '' ? ['target.name: Required value'] : []),
  ];
  if (problems.length > 0)
    throw new StatusError(500, '', problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`);
}

function assertPod(pods: Resource, pod: ApiObject, { metadata }: ApiObject): void {
  const { name } = pod.metadata;
  const key = `/registry/pods/${metadata.namespace ?? ''}/${name}`;
  const unmet = failedPrecondition(key, metadata, pod.metadata);
  if (unmet !== undefined) throw conflict(pods, name, unmet);
  const node = stringAt(pod.spec, 'nodeName');
  const why =
    pod.metadata.deletionTimestamp !== undefined
      ? `pod ${name} is being deleted, cannot be assigned to a host`
      : node !== ''
        ? `pod ${name} is already assigned to node ${goQuoted(node)}`
        : eachObject(objectAt(pod, 'spec').schedulingGates).length > 0
          ? `pod ${name} has non-empty .spec.schedulingGates`
          : undefined;
  if (why !== undefined) throw conflict({ ...pods, plural: 'pods/binding' }, name, why);
}
