import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ConversionStep } from '../../src/resource/conversion/conversion-step.js';
import { ConvertsTo, type ConversionRules } from '../../src/resource/decorators/converts-to.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { roundTrips } from '../../src/testing/round-trips.js';
import { publicCrds } from '../import-crd/public-crds.js';
import { ImportedProject } from '../import-crd/round-trip.js';
import { automaticSteps } from './automatic-steps.js';

/** Random objects of each version. */
const OBJECTS = Number(process.env['ROUND_TRIP_OBJECTS'] ?? 2);
/** A folder with further definitions to test. */
const FOLDER = process.env['ROUND_TRIP_CRDS'];

/** A version without fields that the stored version requires: not every object can be converted. */
const STRICTER = new Set(['TLSRoute v1alpha2']);

interface Definition {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
}

const files =
  FOLDER === undefined
    ? [...publicCrds().values()]
    : readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
const texts = files
  .flatMap((text) => text.split(/^---$/m))
  .filter((text) => [...text.matchAll(/^ {2}(?:- |  )name: v\d/gm)].length > 1);
const pairs = texts
  .flatMap((text) => parseYamlDocuments(text, 'definitions.yaml') as unknown as Definition[])
  .flatMap(({ metadata, spec: { names, versions } }) => {
    const hub = versions.find(({ storage }) => storage)?.name ?? '';
    const spokes = versions.filter(({ name, storage }) => !storage && !STRICTER.has(`${names.kind} ${name}`));
    return spokes.map(({ name: spoke }) => ({ name: metadata.name, kind: names.kind, spoke, hub }));
  });
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true }); // objects are large
/** v1 of these kinds allows one rule, other versions allow more. */

const ONE_RULE = {
  'spec.rules': [[{ backendRefs: [{ name: 'a', port: 80 }] }]],
};
/** Steps and functions are separate overloads. */
const convertsTo = ConvertsTo as (hub: ResourceClass, rules: ConversionRules) => ClassDecorator;
const imported = new ImportedProject();

beforeAll(async () => {
  imported.project.write(Object.fromEntries(texts.map((text, index) => [`definitions-${index}.yaml`, text])));
  await imported.import(...texts.map((_, index) => `definitions-${index}.yaml`));
}, 120_000);
afterAll(() => imported.remove());

/** The class that import-crd wrote for a version. */
async function classOf(kind: string, version: string): Promise<ResourceClass> {
  const [path] = [...imported.files()].find(([, text]) => isVersion(text, kind, version)) ?? [''];
  const module = (await import(pathToFileURL(join(imported.project.folder, path)).href)) as Record<
    string,
    ResourceClass
  >;
  return module[kind]!;
}

function isVersion(text: string, kind: string, version: string): boolean {
  return new RegExp(`export abstract class ${kind} extends`).test(text) && text.includes(`version: '${version}'`);
}

describe('the versions of kinds of public projects', () => {
  test.each(pairs)(
    'random objects of $name survive the round trip between $spoke and $hub (W26)',
    async ({ kind, spoke, hub }) => {
      const [one, other] = [await classOf(kind, spoke), await classOf(kind, hub)];
      const [first, second] = [one, other].map((each) => buildResourceModels([each])[0]!);
      const steps: readonly ConversionStep[] = automaticSteps(first!.classModel, second!.classModel);
      convertsTo(other, steps)(one as never);
      const examples = /^(TCP|UDP)Route$/.test(kind) ? ONE_RULE : {};
      await expect(roundTrips(one, other, { objects: OBJECTS, examples })).resolves.toBeUndefined();
    },
    3_600_000,
  );
});
