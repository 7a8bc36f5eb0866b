import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiError, OperatorError, type KubeObject } from 'kindwright';
import { startCluster, type Cluster } from 'kindwright/testing';
import type { JsonSchema } from '../../src/api/schema/json-schema.js';
import { isJsonObject } from '../../src/base/json-object.js';
import { openApiSchema } from '../../src/manifests/crd/schema.js';
import type { CustomResource } from '../../src/resource/custom-resource.js';
import { FIELD } from '../../src/resource/decorators/field.js';
import { SCHEMA } from '../../src/resource/decorators/schema.js';
import { constraintsOf } from '../../src/resource/fields/constraints.js';
import type { FieldOptions, ValueOptions } from '../../src/resource/decorators/field-options.js';
import { hydrate } from '../../src/resource/instances/hydrate.js';
import { inheritedMetadata, lineage, ownMetadata } from '../../src/resource/metadata.js';
import { ModelError } from '../../src/resource/model-error.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceModel } from '../../src/resource/model.js';
import { Chooser } from '../fidelity/chooser.js';
import { RandomKinds } from '../random-classes/random-kinds.js';
import { RandomObjects } from '../random-classes/random-objects.js';

const KINDS = 200;
const OBJECTS_PER_KIND = 12;
/** Random kinds can have the name of an earlier one. */
const REFUSALS: ReadonlySet<unknown> = new Set(['E_NAMES_TAKEN', 'E_STORED_VERSION']);
const random = new Chooser(7);

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded' });
});
afterAll(() => cluster.stop());

/** A served kind, with its CRD installed; undefined for classes and definitions that are refused. */
async function installed(index: number, kinds: RandomKinds): Promise<ResourceModel | undefined> {
  const [target, ...versions] = kinds.kind(index) as (new () => CustomResource)[];
  if (!target || versions.length > 0) return undefined;
  try {
    const [model] = buildResourceModels([target]);
    if (!model || !isServed(model)) return undefined;
    await cluster.install(target);
    return model;
  } catch (error) {
    const isRefused = error instanceof ModelError || error instanceof ApiError;
    if (isRefused || (error instanceof OperatorError && REFUSALS.has(error.code))) return undefined;
    throw error;
  }
}

/** The webhook of a conversion does not exist. */
function isServed({ version }: ResourceModel): boolean {
  return version.served && version.conversion === undefined;
}

/** An object that the server stores; undefined when it refuses the random one. */
async function stored({ kind, classModel }: ResourceModel, schema: JsonSchema): Promise<KubeObject | undefined> {
  const value = new RandomObjects(random).value(schema);
  const namespace = kind.scope === 'Cluster' ? {} : { namespace: 'default' };
  const metadata = { generateName: `${classModel.className.toLowerCase()}-`, ...namespace };
  const object = { ...(isJsonObject(value) ? value : {}), metadata };
  try {
    return await cluster.client.create(kind, object);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined;
    throw error;
  }
}

/** The paths of properties that the class declares as present, and that an instance does not have. */
function* undefinedProperties(target: object, instance: Record<string, unknown>, path: string): Generator<string> {
  const exact = ownMetadata(SCHEMA, target)[0]?.required;
  const isOptional = lineage(target)
    .flatMap(constraintsOf)
    .filter(({ name }) => name === 'isOptional');
  const declared = new Map(inheritedMetadata(FIELD, target).map(({ property, options }) => [property, options]));
  for (const [name, options] of declared) {
    const below = `${path}.${name}`;
    const value = instance[name];
    const mayMiss =
      options.optional === true || exact !== undefined || isOptional.some(({ property }) => property === name);
    if (value === undefined && !mayMiss) yield below;
    else yield* undefinedIn(options, value, below);
  }
}

function* undefinedIn(options: FieldOptions, value: unknown, path: string): Generator<string> {
  if (Array.isArray(value) && typeof options.items === 'object')
    for (const item of value) yield* undefinedIn(options.items, item, `${path}[]`);
  const target = classOf(options);
  if (target && isJsonObject(value)) yield* undefinedProperties(target, value, path);
}

function classOf({ type }: ValueOptions): object | undefined {
  if (typeof type !== 'function') return undefined;
  return type.prototype === undefined ? (type as () => object)() : type;
}

test('no object that the server accepts leaves a non-optional property of a class undefined in reconcile', async () => {
  const kinds = new RandomKinds(20_262);
  const found: string[] = [];
  let [accepted, withoutStatus] = [0, 0];
  for (let index = 0; index < KINDS; index++) {
    const model = await installed(index, kinds);
    if (!model) continue;
    const schema = openApiSchema(model);
    for (let count = 0; count < OBJECTS_PER_KIND; count++) {
      const object = await stored(model, schema);
      if (!object) continue;
      accepted++;
      const { status, ...instance } = hydrate(model, object) as CustomResource & Record<string, unknown>;
      const { status: own } = object as { status?: unknown };
      if (own === undefined && model.fields.some(({ name }) => name === 'status')) {
        withoutStatus++;
        if (status === undefined) found.push(`${model.className}.status`);
        instance['status'] = {};
      } else if (status !== undefined) instance['status'] = status;
      const paths = [...undefinedProperties(model.target, instance, model.className)];
      found.push(...paths.filter((path) => own !== undefined || !path.includes('.status.')));
    }
  }
  expect(found).toEqual([]);
  expect(accepted).toBeGreaterThan(80);
  expect(withoutStatus).toBeGreaterThan(10);
}, 120_000);
