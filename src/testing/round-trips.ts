import type { Arbitrary } from 'fast-check';
import { apiVersionOf, type KindRef } from '../api/kinds/kind-ref.js';
import { changedFields, formatFieldPath } from '../base/changed-fields.js';
import { isJsonObject, objectAt, type JsonObject } from '../base/json-object.js';
import { stringifyJson } from '../base/json.js';
import { OperatorError } from '../base/operator-error.js';
import { SchemaValidator } from '../crd/schema/schema-validator.js';
import { openApiSchema } from '../manifests/crd/schema.js';
import type { KindConversion } from '../resource/conversion/kind-conversion.js';
import type { ResourceClass, ResourceModel } from '../resource/model.js';
import { ArbitraryObjects, type ArbitraryOptions, type FastCheck } from './arbitrary-objects.js';
import { versionsOf } from './convert.js';

/** Options of `roundTrips`. */
export interface RoundTripOptions {
  /** Number of random objects of each version; default 1000. */
  readonly objects?: number;
  /** Repeats a run: the seed in the message of a failure. */
  readonly seed?: number;
  /** Values for fields that random values cannot fit, by path: `{ 'spec.schedule': ['@hourly'] }`. */
  readonly examples?: Readonly<Record<string, readonly unknown[]>>;
}

/**
 * Converts random objects of two versions there and back, and fails with the smallest object that does not survive.
 *
 * Objects follow the schema of their class without its rules in CEL. Each must come back as it was, apart from fields
 * with `drop`; a valid one must stay valid; a change in the other version must survive; an object with only some of its
 * fields, as server-side apply sends them, must not gain a field; and metadata must not change. Requires the package
 * `fast-check`.
 *
 * @throws Error with the object, what it became, and the seed that repeats the run.
 * @example
 * await roundTrips(PodSetV1Beta1, PodSet);
 */
export async function roundTrips(
  one: ResourceClass,
  other: ResourceClass,
  options: RoundTripOptions = {},
): Promise<void> {
  const fc = await loadFastCheck();
  const { models, conversion } = versionsOf(one);
  const [first, second] = [modelOf(models, one), modelOf(models, other)];
  if (first === second || ![first, second].includes(conversion.hub as ResourceModel))
    throw new OperatorError(`neither ${one.name} nor ${other.name} is the hub`, {
      code: 'E_CONVERSION',
      hint: `all versions convert through ${conversion.hub.className}: test each of them with it`,
    });
  for (const [from, to] of [
    [first, second],
    [second, first],
  ] as const)
    new RoundTrip(fc, conversion, from, to, options).check();
}

async function loadFastCheck(): Promise<FastCheck> {
  try {
    return await import('fast-check');
  } catch (cause) {
    throw new OperatorError('roundTrips requires the package fast-check', {
      code: 'E_ROUND_TRIP',
      hint: 'npm install --save-dev fast-check',
      cause,
    });
  }
}

function modelOf(models: readonly ResourceModel[], kind: ResourceClass): ResourceModel {
  const model = models.find(({ target }) => target === (kind as unknown));
  if (model) return model;
  throw new OperatorError(`${kind.name} is not a version of the same kind`, {
    code: 'E_CONVERSION',
    hint: 'pass two classes of one kind, with @ConvertsTo',
  });
}

const METADATA = {
  name: 'a',
  namespace: 'default',
  uid: '00000000-0000-0000-0000-000000000000',
  generation: 1,
  labels: { 'example.com/label': 'a' },
  annotations: { 'example.com/annotation': 'b' },
};

/** Round trips that start in one version. */
class RoundTrip {
  constructor(
    private readonly fc: FastCheck,
    private readonly conversion: KindConversion,
    private readonly from: ResourceModel,
    private readonly to: ResourceModel,
    private readonly options: RoundTripOptions,
  ) {}

  check(): void {
    this.assert('a whole object', this.objects(this.from, false), (object) => this.whole(object));
    this.assert('a partial object', this.objects(this.from, true), (object) => this.partial(object));
    const changes = this.fc.tuple(this.objects(this.from, false), this.objects(this.to, false));
    this.assert('a change in between', changes, ([object, change]) => this.changed(object, change));
  }

  /** Comes back as it was, and is valid in the other version. */
  private whole(object: JsonObject): string | undefined {
    const before = structuredClone(object);
    const there = this.convert(object, this.to);
    if (difference(before, object)) return `the conversion changed its argument: ${difference(before, object) ?? ''}`;
    const [error] = new SchemaValidator(openApiSchema(this.to)).validate(there);
    if (error)
      return `valid in ${this.from.kind.version}, but not in ${this.to.kind.version}: ${error.field}: ${error.body}`;
    const metadata = difference(METADATA, withoutOtherAnnotations(there));
    if (metadata !== undefined) return `metadata must not change: ${metadata}`;
    return difference(this.conversion.withoutDropped(object, this.spoke), this.convert(there, this.from));
  }

  /** A partial object must not gain a field, because a field manager would then own it. */
  private partial(object: JsonObject): string | undefined {
    const back = this.convert(this.convert(object, this.to), this.from);
    const gained = changedFields(object, back, Infinity).find(({ from }) => from === undefined);
    return gained && `gained ${formatFieldPath(gained.path)}: ${stringifyJson(gained.to)}`;
  }

  /** A change of the converted object is preserved by the conversion back. */
  private changed(object: JsonObject, change: JsonObject): string | undefined {
    const edited = { ...change, metadata: this.convert(object, this.to).metadata };
    const returned = this.convert(this.convert(edited, this.from), this.to);
    const { metadata: _, ...expected } = this.conversion.withoutDropped(edited, this.spoke);
    const { metadata: _returned, ...actual } = returned;
    return difference(expected, actual);
  }

  private get spoke(): KindRef {
    return this.from.target === this.conversion.hub.target ? this.to.kind : this.from.kind;
  }

  private convert(object: JsonObject, { kind }: ResourceModel): JsonObject {
    return this.conversion.convert(object, apiVersionOf(kind));
  }

  private objects({ kind, ...model }: ResourceModel, isPartial: boolean) {
    const options: ArbitraryOptions = { examples: this.options.examples ?? {}, isPartial };
    const schema = openApiSchema({ kind, ...model });
    const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...properties } = schema.properties ?? {};
    const members = new ArbitraryObjects(this.fc, options).members({ ...schema, properties }, '');
    const apiVersion = apiVersionOf(kind);
    return members.map((fields): JsonObject => ({ apiVersion, kind: kind.kind, metadata: { ...METADATA }, ...fields }));
  }

  private assert<T>(title: string, values: Arbitrary<T>, problemOf: (value: T) => string | undefined): void {
    const { objects: numRuns = 1000, seed } = this.options;
    const property = this.fc.property(values, (value) => {
      const problem = problemOf(value);
      if (problem !== undefined) throw new Error(problem);
    });
    const result = this.fc.check(property, { numRuns, ...(seed !== undefined && { seed }) });
    if (!result.failed) return;
    const { className } = this.from;
    const problem = result.errorInstance instanceof Error ? result.errorInstance.message : 'too many values skipped';
    const example = result.counterexample?.[0];
    throw new Error(
      [
        `${className} → ${this.to.className} → ${className} does not preserve ${title}: ${problem}`,
        `  object: ${stringifyJson(Array.isArray(example) ? example.map(withoutTypeMeta) : withoutTypeMeta(example))}`,
        `  repeat with: roundTrips(…, { seed: ${result.seed} })`,
      ].join('\n'),
      { cause: result.errorInstance },
    );
  }
}

/** Metadata without annotations that the conversion added. */
function withoutOtherAnnotations(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const own = Object.entries(objectAt(metadata, 'annotations')).filter(([key]) => key in METADATA.annotations);
  return { ...metadata, annotations: Object.fromEntries(own) };
}

/** The first difference between two values as text; undefined for equal ones. */
function difference(expected: unknown, actual: unknown): string | undefined {
  const [change] = changedFields(expected, actual, 1);
  return change && `${formatFieldPath(change.path)}: ${textOf(change.from)} became ${textOf(change.to)}`;
}

function textOf(value: unknown): string {
  return value === undefined ? 'absent' : stringifyJson(value);
}

function withoutTypeMeta(object: unknown): unknown {
  if (!isJsonObject(object)) return object;
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...fields } = object;
  return fields;
}
