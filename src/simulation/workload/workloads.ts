import type { KubeObject, UnstructuredObject } from '../../api/objects/kube-object.js';
import { deepClone } from '../../base/deep-clone.js';
import { applyMergePatch } from '../../apiserver/patch/apply-merge-patch.js';
import type { JsonObject } from '../../base/json-object.js';
import { OperatorError } from '../../base/operator-error.js';
import { createMergePatch } from '../../controller/write/create-merge-patch.js';
import type { StructuralSchema } from '../../crd/schema/structural-schema.js';
import { openApiSchema } from '../../manifests/crd/schema.js';
import { sampleObjects } from '../../manifests/samples.js';
import type { ResourceModel } from '../../resource/model.js';
import { Validator } from '../../validation/validator.js';
import { objectText } from '../canonical/canonical-state.js';
import type { WorkloadStep } from '../plan/plan.js';
import { mutations, type Mutation } from './mutations.js';

/** The actions of the user of an operator during a run. */
export interface Workload {
  /** `spec.size to 1`, `create`. */
  readonly name: string;
  readonly given: readonly KubeObject[];
  readonly steps: readonly WorkloadStep[];
  /** True if single faults are not played in it, because its objects have equals in other workloads. */
  readonly isPlain?: boolean;
}

/** Sources of the workloads of a kind. */
export interface WorkloadSource {
  /** A valid object of the operator's kind: the sample of its class. */
  readonly sample: UnstructuredObject;
  readonly schema: StructuralSchema;
  readonly isNamespaced: boolean;
  /** Objects that the operator needs. */
  readonly given: readonly KubeObject[];
  /** Returns whether the server accepts the object, as new or as an update of `old`. */
  readonly accepts: (object: object, old?: object) => boolean;
}

/**
 * Returns the source for a class: its sample, or a minimal object that its schema accepts; objects are validated like the
 * server does, with rules in CEL.
 */
export async function workloadSource(model: ResourceModel, given: readonly KubeObject[] = []): Promise<WorkloadSource> {
  const [sample] = sampleObjects(model);
  if (!sample)
    throw new OperatorError(`${model.className} defines no kind of its own`, {
      code: 'E_SIMULATION',
      hint: 'simulate a class with @Kind: its sample and its schema give the objects to reconcile',
    });
  const validator = await Validator.load(model);
  const accepts = (object: object, old?: object): boolean => validator.causes(object, old).length === 0;
  return { sample, schema: openApiSchema(model), isNamespaced: model.kind.scope === 'Namespaced', given, accepts };
}

const OTHER_NAMESPACE = 'other';
/** Names of this length are valid labels, and too long for what is appended to them. */
const LONG_NAME = 62;
/** The server accepts names up to this length. */
const LONGEST_NAME = 253;

/**
 * Returns the workloads of one kind: first creation, creation after a deletion, one change, and neighbours with similar
 * names; then each change of a field with its way back, and to the next value.
 */
export function workloads(source: WorkloadSource): Workload[] {
  const { given, isNamespaced } = source;
  const sample = placed(source.sample, isNamespaced);
  const changes = acceptedMutations({ ...source, sample });
  const create: WorkloadStep = { do: 'create', object: sample };
  const named = (name: string, ...steps: readonly WorkloadStep[]): Workload => ({ name, given, steps });
  const changed = (change: Mutation): Workload =>
    named(nameOf(change), create, { ...patch(sample, change.object), after: 'quiet' });
  const [first, ...others] = firstOfFields(changes);
  return [
    named('create', create),
    ...(first ? [changed(first)] : []),
    named('recreate', create, { do: 'delete', object: objectText(sample), after: 'quiet' }, create),
    ...crowd(source, sample, first),
    ...(first ? roundTrip(named, sample, create, first) : []),
    named('recreate quickly', create, remove(sample), { ...create, after: 'quiet' }),
    ...others.map(changed),
    named('delete in foreground', create, { ...remove(sample, 'Foreground'), after: 'quiet' }),
    ...(first
      ? [
          named('change and recreate', create, patch(sample, first.object), remove(sample), {
            ...create,
            after: 'quiet',
          }),
        ]
      : []),
    ...changes.filter((change) => change !== first && !others.includes(change)).map(changed),
    ...changes.filter((change) => change !== first).flatMap((change) => roundTrip(named, sample, create, change)),
    ...between(named, create, changes),
  ];
}

/** The first change of each field. */
function firstOfFields(changes: readonly Mutation[]): Mutation[] {
  return changes.filter((change, index) => changes.findIndex(({ field }) => field === change.field) === index);
}

/** The changes that the server accepts on the way there and back. */
export function acceptedMutations({ sample, schema, accepts }: WorkloadSource): Mutation[] {
  return mutations(schema, sample).filter(
    ({ object, isInvalid }) => !isInvalid && accepts(object) && accepts(object, sample) && accepts(sample, object),
  );
}

/** The changes that the server must refuse: beyond the limits of the schema, or of immutable fields. */
export function refusedMutations({ sample, schema, accepts }: WorkloadSource): Mutation[] {
  return mutations(schema, sample).filter(({ object, isInvalid }) => isInvalid || !accepts(object, sample));
}

/**
 * Returns steps that create the objects of a workload in their last state: what the user wants in the end, without the
 * way there. Objects that are deleted in the end are left out.
 */
export function directSteps(steps: readonly WorkloadStep[]): WorkloadStep[] {
  const objects = new Map<string, KubeObject>();
  for (const step of steps) {
    if (step.do === 'create') objects.set(objectText(step.object), step.object);
    else if (step.do === 'delete') objects.delete(step.object);
    else {
      const object = objects.get(step.object);
      if (object) objects.set(step.object, applied(object, step.patch));
    }
  }
  return [...objects.values()].map((object) => ({ do: 'create', object }));
}

type Named = (name: string, ...steps: readonly WorkloadStep[]) => Workload;

function roundTrip(named: Named, sample: UnstructuredObject, create: WorkloadStep, change: Mutation): Workload[] {
  const [there, back] = [patch(sample, change.object), patch(change.object, sample)];
  const name = nameOf(change);
  return [
    named(`${name} and back`, create, { ...there, after: 'quiet' }, { ...back, after: 'quiet' }),
    named(`${name} and back quickly`, create, { ...there, after: 'quiet' }, back),
  ];
}

/** From each value of a field to the next one, both other than the sample's: sizes 3, 1, 2. */
function between(named: Named, create: WorkloadStep, changes: readonly Mutation[]): Workload[] {
  return changes.flatMap((change, index) => {
    const next = changes[index + 1];
    if (next?.field !== change.field || create.do !== 'create') return [];
    const there: WorkloadStep = { ...patch(create.object, change.object), after: 'quiet' };
    const on = patch(change.object, next.object);
    return [
      named(`${nameOf(change)}, then ${next.words}`, create, there, { ...on, after: 'quiet' }),
      named(`${nameOf(change)}, then quickly ${next.words}`, create, there, on),
    ];
  });
}

/**
 * Objects with the same name in another namespace, with names that are equal in their first 60 characters, and with the
 * longest name that the server accepts; then the first object is changed and deleted while the others stay.
 */
function crowd(
  { given, accepts }: WorkloadSource,
  sample: UnstructuredObject,
  change: Mutation | undefined,
): Workload[] {
  const { name, namespace } = sample.metadata;
  const prefix = name.padEnd(LONG_NAME - 2, 'x').slice(0, LONG_NAME - 2);
  const others = [`${prefix}-a`, `${prefix}-b`].map((other) => renamed(sample, other, namespace));
  const neighbours = namespace === undefined ? [] : [renamed(sample, name, OTHER_NAMESPACE)];
  const space: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: OTHER_NAMESPACE } };
  const objects = [sample, ...neighbours, ...others].filter((object) => accepts(object));
  const spaces = [...(namespace === undefined ? [] : [space]), ...given];
  const all = objects.map((object): WorkloadStep => ({ do: 'create', object }));
  const changed: WorkloadStep[] = change ? [{ ...patch(sample, change.object), after: 'quiet' }] : [];
  const longest = renamed(sample, 'n'.repeat(LONGEST_NAME), namespace);
  return [
    { name: 'crowd', given: spaces, steps: [...all, ...changed, { ...remove(sample), after: 'quiet' }], isPlain: true },
    ...(accepts(longest)
      ? [{ name: 'longest name', given, steps: [{ do: 'create', object: longest } as const], isPlain: true }]
      : []),
  ];
}

function nameOf({ field, words }: Mutation): string {
  return `${field} ${words}`;
}

function patch(from: KubeObject, to: KubeObject): WorkloadStep {
  return { do: 'patch', object: objectText(from), patch: createMergePatch(from, to) ?? {} };
}

function remove(object: KubeObject, propagation: 'Background' | 'Foreground' = 'Background'): WorkloadStep {
  return { do: 'delete', object: objectText(object), propagation };
}

function applied(object: KubeObject, change: object): KubeObject {
  return applyMergePatch(object as unknown as JsonObject, change as JsonObject) as unknown as KubeObject;
}

function placed(sample: UnstructuredObject, isNamespaced: boolean): UnstructuredObject {
  return isNamespaced ? renamed(sample, sample.metadata.name, sample.metadata.namespace ?? 'default') : sample;
}

function renamed(sample: UnstructuredObject, name: string, namespace: string | undefined): UnstructuredObject {
  const copy = deepClone(sample);
  return { ...copy, metadata: { ...copy.metadata, name, ...(namespace !== undefined && { namespace }) } };
}
