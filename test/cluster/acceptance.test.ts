import { validateSync } from 'class-validator';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { compilePattern, patternError } from '../../src/base/pattern.js';
import { SchemaValidator } from '../../src/crd/schema/schema-validator.js';
import { formatError } from '../../src/crd/formats/string-formats.js';
import { Field } from '../../src/resource/decorators/field.js';
import { openApiSchema } from '../../src/manifests/crd/schema.js';
import type { FieldOptions } from '../../src/resource/decorators/field-options.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { withProperties, type Json } from '../crd/cases/base-definition.js';
import { ApiEndpoint, type ApiReply } from '../fidelity/api-endpoint.js';
import { CONSTRAINT_VALUES, KNOWN_DIFFERENCES } from '../acceptance/constraint-values.js';
import { FORMAT_VALUES } from '../acceptance/format-values.js';
import { NUMBER_SCHEMAS, NUMBERS } from '../acceptance/numbers.js';
import { PATTERNS, TEXTS } from '../acceptance/patterns.js';
import { kindWithSpec } from '../resource/mistakes/classes.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Status {
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

let cluster: RunningControlPlane;
let server: ApiEndpoint;
beforeAll(async () => {
  cluster = await startControlPlane({ parts: ['etcd', 'apiserver'] });
  server = new ApiEndpoint(cluster.kubeconfig);
});
afterAll(async () => {
  server.close();
  await cluster.stop();
});

/** The fields of the errors of a server; for a number outside of its type the error has only a message. */
function faults({ body }: ApiReply): string[] {
  const causes = (body as Status).details?.causes ?? [];
  return causes.map(({ field = '', message = '' }) =>
    field === '<nil>' ? (message.split(' in ').pop() ?? '') : field,
  );
}

/** The values that a server rejects for each schema: one object contains them all. */
async function refused(
  schemas: readonly object[],
  values: (index: number) => readonly unknown[],
): Promise<Set<string>> {
  const properties = schemas.map((schema, index) => [`x${index}`, { type: 'array', items: schema }]);
  const definition = withProperties(Object.fromEntries(properties) as Json);
  const { code, body } = await server.send({ method: 'POST', path: DEFINITIONS, body: definition });
  expect({ code, body: code === 201 ? undefined : body }).toEqual({ code: 201, body: undefined });
  const path = '/apis/crd.example.com/v1/namespaces/default/gadgets';
  while ((await server.send({ method: 'GET', path })).code !== 200) await delay(50);
  const spec = Object.fromEntries(schemas.map((_schema, index) => [`x${index}`, values(index)]));
  const object = { apiVersion: 'crd.example.com/v1', kind: 'Gadget', metadata: { name: 'one' }, spec };
  const reply = await server.send({ method: 'POST', path: `${path}?dryRun=All`, body: object });
  await server.send({ method: 'DELETE', path: `${DEFINITIONS}/gadgets.crd.example.com` });
  // Waits until it is neither stored nor served, so that the next definition of the same name is a new one.
  for (const gone of [`${DEFINITIONS}/gadgets.crd.example.com`, path])
    while ((await server.send({ method: 'GET', path: gone })).code !== 404) await delay(50);
  return new Set(faults(reply));
}

describe('the real API server and the generator', () => {
  test('the real API server and the generator reject the same patterns', async () => {
    const properties = Object.fromEntries(PATTERNS.map((pattern, index) => [`x${index}`, { type: 'string', pattern }]));
    const body = withProperties(properties);
    const found = faults(await server.send({ method: 'POST', path: `${DEFINITIONS}?dryRun=All`, body }));
    const refusedThere = PATTERNS.filter((_pattern, index) => found.some((field) => field.includes(`[x${index}].`)));
    expect(PATTERNS.filter((pattern) => patternError(pattern) !== undefined)).toEqual(refusedThere);
    expect(refusedThere.length).toBeGreaterThan(50);
  });

  test('the real API server and the generator match the same texts with a pattern', async () => {
    const patterns = PATTERNS.filter((pattern) => patternError(pattern) === undefined);
    const schemas = patterns.map((pattern) => ({ type: 'string', pattern }));
    const found = await refused(schemas, () => TEXTS);
    const differences = patterns.flatMap((pattern, index) =>
      TEXTS.filter((text, at) => {
        const isRefused = !compilePattern(pattern).matcher(text).find();
        return isRefused !== found.has(`spec.x${index}[${at}]`);
      }).map((text) => [pattern, text]),
    );
    process.stdout.write(`${patterns.length * TEXTS.length} matches compared\n`);
    expect(differences).toEqual([]);
  });

  test('the real API server and the generator accept the same texts for a format', async () => {
    const formats = Object.keys(FORMAT_VALUES);
    const valuesOf = (index: number): readonly string[] => FORMAT_VALUES[formats[index] ?? ''] ?? [];
    const found = await refused(
      formats.map((format) => ({ type: 'string', format })),
      valuesOf,
    );
    const differences = formats.flatMap((format, index) =>
      valuesOf(index)
        .map((text, at) => [format, text, found.has(`spec.x${index}[${at}]`)] as const)
        .filter(([, text, isRefused]) => (formatError(format, text) !== undefined) !== isRefused),
    );
    process.stdout.write(`${Object.values(FORMAT_VALUES).flat().length} texts with a format compared\n`);
    expect(differences).toEqual([]);
  });

  test('the real API server and the generator accept the same numbers within bounds', async () => {
    const found = await refused(NUMBER_SCHEMAS, () => NUMBERS);
    const differences = NUMBER_SCHEMAS.flatMap((schema, index) =>
      NUMBERS.filter((value, at) => {
        const isWrong = new SchemaValidator(schema).validate(value).length > 0;
        return isWrong !== found.has(`spec.x${index}[${at}]`);
      }).map((value) => [schema, value]),
    );
    process.stdout.write(`${NUMBER_SCHEMAS.length * NUMBERS.length} numbers compared\n`);
    expect(differences).toEqual([]);
  });

  test('the real API server and the generator reject the same values by rules of class-validator', async () => {
    const schemas = CONSTRAINT_VALUES.map(([, options, decorators]) => schemaOf(options, decorators));
    const found = await refused(schemas, (index) => CONSTRAINT_VALUES[index]?.[3] ?? []);
    const differences = CONSTRAINT_VALUES.flatMap(([title, , decorators, values], index) =>
      values
        .map((value, at) => [title, value, isRefused(found, `spec.x${index}[${at}]`)] as const)
        .filter(([, value, isBroken]) => breaks(value, decorators) !== isBroken),
    );
    process.stdout.write(`${CONSTRAINT_VALUES.flatMap(([, , , values]) => values).length} values compared\n`);
    expect(differences.map(([title, value]) => [title, value])).toEqual(KNOWN_DIFFERENCES);
  });
});

/** The schema of a field with these rules. */
function schemaOf(options: FieldOptions, decorators: readonly PropertyDecorator[]): Json {
  class Spec {}
  Field(options)(Spec.prototype, 'value');
  for (const decorate of decorators) decorate(Spec.prototype, 'value');
  const [model] = buildResourceModels([kindWithSpec(Spec)]);
  return openApiSchema(model!).properties!['spec']!.properties!['value'] as Json;
}

/** Whether class-validator refuses the value. */
function breaks(value: unknown, decorators: readonly PropertyDecorator[]): boolean {
  class Holder {
    value = value;
  }
  for (const decorate of decorators) decorate(Holder.prototype, 'value');
  return validateSync(new Holder()).length > 0;
}

/** Whether fault was found with a value or with something in it. */
function isRefused(found: ReadonlySet<string>, path: string): boolean {
  return [...found].some((field) => field === path || field.startsWith(`${path}[`));
}
