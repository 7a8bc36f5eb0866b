import { forbiddenField, invalidValue, type FieldError } from '../../../api/protocol/field-error.js';
import {
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
  without,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { internalEqual } from '../fields/internal-form.js';

const RESIZED = ['cpu', 'memory'];
const LISTS = ['requests', 'limits'] as const;
const ONLY = 'only cpu and memory resources';
const WITH_RESTART = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';

/** Returns the errors of an in-place resize of a pod's containers: core's ValidatePodResize. */
export function validatePodResize(
  next: ApiObject,
  old: ApiObject,
  qosOf: (spec: JsonObject) => string,
  errors: readonly FieldError[],
): FieldError[] {
  const [spec, former] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  if (old.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined)
    return [forbiddenField('', 'static pods cannot be resized')];
  if (objectAt(former, 'os').name === 'windows') return [forbiddenField('', 'windows pods cannot be resized')];
  const all = [
    ...errors,
    ...(stringAt(old.status, 'qosClass') === qosOf(spec)
      ? []
      : [
          invalidValue(
            'spec',
            stringAt(next.status, 'qosClass'),
            'Pod QOS Class may not change as a result of resizing',
          ),
        ]),
    ...(isSupported(old) ? [] : [forbiddenField('spec', 'Pod running on node without support for resize')]),
    ...podLevelErrors(spec, former),
  ];
  const order = ['containers', 'initContainers'].flatMap((name) => orderErrors(name, spec, former));
  if (order.length > 0) return [...all, ...order];
  const found = [
    ...all,
    ...['initContainers', 'containers'].flatMap((name) => removalErrors(name, spec, former)),
    ...changedContainers('containers', spec, former).map(() => forbiddenField('spec', `${ONLY} are mutable`)),
    ...initErrors(spec, former),
  ];
  if (found.length > 0) return found;
  return internalEqual('core.PodSpec', withoutResources(spec, former), former)
    ? []
    : [forbiddenField('spec', `${ONLY} are mutable`)];
}

/** A node supports resizing if it reports the resources of its containers. */
function isSupported(pod: ApiObject): boolean {
  const running = eachObject(objectAt(pod, 'status').containerStatuses).find((status) =>
    isJsonObject(objectAt(status, 'state').running),
  );
  return !running || isJsonObject(running.resources);
}

const listsOf = (owner: JsonObject): number =>
  LISTS.reduce((sum, list) => sum + Object.keys(objectAt(objectAt(owner, 'resources'), list)).length, 0);

function podLevelErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  if (listsOf(spec) + listsOf(former) === 0) return [];
  const isThere = isJsonObject(former.resources);
  if (isThere && !isJsonObject(spec.resources))
    return [forbiddenField('spec.resources', 'pod-level resources cannot be removed')];
  const removed = LISTS.filter((list) => isThere && isRemoved(spec, former, list));
  const kept = withFormer(objectAt(spec, 'resources'), objectAt(former, 'resources'));
  return [
    ...removed.map((list) => forbiddenField(`spec.resources.${list}`, `pod-level resource ${list} cannot be removed`)),
    ...(internalEqual('core.ResourceRequirements', kept, former.resources)
      ? []
      : [forbiddenField('spec', `${ONLY} are mutable at pod-level`)]),
  ];
}

function isRemoved(owner: JsonObject, former: JsonObject, list: string): boolean {
  const [present, before] = [owner, former].map((one) => Object.keys(objectAt(objectAt(one, 'resources'), list)));
  return (before ?? []).some((name) => present?.includes(name) !== true);
}

/** Returns resources with their former cpu and memory. */
function withFormer(resources: JsonObject, former: JsonObject): JsonObject {
  const kept: JsonObject = { ...resources };
  for (const list of LISTS) {
    const [amounts, before] = [objectAt(resources, list), objectAt(former, list)];
    const others = Object.entries(amounts).filter(([name]) => !RESIZED.includes(name));
    const own = Object.entries(before).filter(([name]) => RESIZED.includes(name));
    kept[list] = Object.fromEntries([...others, ...own]);
    if (Object.keys(objectAt(kept, list)).length === 0) Reflect.deleteProperty(kept, list);
  }
  return kept;
}

function orderErrors(name: string, spec: JsonObject, former: JsonObject): FieldError[] {
  const [present, before] = [eachObject(spec[name]), eachObject(former[name])];
  if (present.length !== before.length)
    return [forbiddenField(`spec.${name}`, `${name} may not be added or removed on resize`)];
  return before.flatMap((container, index) =>
    present[index]?.name === container.name
      ? []
      : [forbiddenField(`spec.${name}[${index}].name`, `${name} may not be renamed or reordered on resize`)],
  );
}

function removalErrors(name: string, spec: JsonObject, former: JsonObject): FieldError[] {
  return eachObject(former[name]).flatMap((container, index) =>
    LISTS.filter((list) => isRemoved(eachObject(spec[name])[index] ?? {}, container, list)).map((list) =>
      forbiddenField(`spec.${name}[${index}].resources.${list}`, `resource ${list} cannot be removed`),
    ),
  );
}

/** Returns errors for containers that differ in more than cpu and memory. */
function changedContainers(name: string, spec: JsonObject, former: JsonObject): number[] {
  const kept = eachObject(withoutResources(spec, former)[name]);
  return eachObject(former[name]).flatMap((container, index) =>
    internalEqual('core.Container', kept[index], container) ? [] : [index],
  );
}

function initErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  const changed = changedContainers('initContainers', spec, former);
  return eachObject(spec.initContainers).flatMap((container, index) => {
    const field = `spec.initContainers[${index}]`;
    const isResized = !internalEqual('core.Container', container, eachObject(former.initContainers)[index]);
    const restarts = eachObject(container.resizePolicy).filter((one) => one.restartPolicy === 'RestartContainer');
    return [
      ...(changed.includes(index) ? [forbiddenField(field, `${ONLY} for init or sidecar containers are mutable`)] : []),
      ...(isResized && container.restartPolicy !== 'Always'
        ? restarts.map(() => forbiddenField(field, WITH_RESTART))
        : []),
    ];
  });
}

/** Returns a spec with the resizable fields of another spec. */
function withoutResources(spec: JsonObject, former: JsonObject): JsonObject {
  const kept: JsonObject = { ...spec };
  for (const name of ['containers', 'initContainers'])
    if (Array.isArray(spec[name]))
      kept[name] = eachObject(spec[name]).map((container, index) => {
        const before = objectAt(eachObject(former[name])[index], 'resources');
        // The server drops the claims here, so a container with claims cannot be resized.
        const amounts = without(objectAt(container, 'resources'), 'claims');
        return { ...container, resources: withFormer(amounts, before) };
      });
  if (former.resources === undefined) Reflect.deleteProperty(kept, 'resources');
  else kept.resources = former.resources;
  return kept;
}

/** Returns the former pod spec with the resources and resize policies of another. */
export function onlyResources(spec: JsonObject, former: JsonObject): JsonObject {
  const names = ['containers', 'initContainers'];
  const isUnlike = names.some((name) => eachObject(spec[name]).length !== eachObject(former[name]).length);
  if (isUnlike) return spec;
  const kept: JsonObject = { ...former };
  for (const name of names)
    if (Array.isArray(former[name])) kept[name] = resized(eachObject(spec[name]), eachObject(former[name]));
  if (spec.resources === undefined) Reflect.deleteProperty(kept, 'resources');
  else kept.resources = spec.resources;
  return kept;
}

function resized(containers: readonly JsonObject[], former: readonly JsonObject[]): readonly JsonObject[] {
  if (containers.some((container, index) => container.name !== former[index]?.name)) return containers;
  return former.map((container, index) => {
    const { resources, resizePolicy } = containers[index] ?? {};
    const next: JsonObject = { ...container };
    for (const [name, value] of Object.entries({ resources, resizePolicy }))
      if (value === undefined) Reflect.deleteProperty(next, name);
      else next[name] = value;
    return next;
  });
}
