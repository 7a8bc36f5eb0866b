import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ConversionStep } from '../../src/resource/decorators/conversion-step.js';
import { ConvertsTo, type ConversionRules } from '../../src/resource/decorators/converts-to.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { roundTrips } from '../../src/testing/round-trips.js';
import { publicCrds } from '../import-crd/public-crds.js';
import { ImportedProject } from '../import-crd/round-trip.js';
import { automaticSteps } from './automatic-steps.js';

/** Random objects of each version. */
const OBJECTS = Number(process.env['ROUND_TRIP_OBJECTS'] ?? 25);
/** A folder with further definitions to test. */
const FOLDER = process.env['ROUND_TRIP_CRDS'];

/** Versions that reject objects which the stored version accepts, or the reverse: not every object can be converted. */
const STRICTER = new Set(['TLSRoute v1alpha2', 'VolumeSnapshot v1beta1']);

interface Definition {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
}

const further = FOLDER === undefined ? [] : readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
/** Without their conversions, which `@ConvertsTo` replaces. */
const texts = [...publicCrds().values(), ...further]
  .flatMap((text) => text.split(/^---$/m))
  .filter((text) => [...text.matchAll(/^ {2}(?:- |  )name: v\d/gm)].length > 1)
  .map((text) => text.replace(/^ {2}conversion:\n(?: {4}.*\n)+/m, ''));
const pairs = texts
  .flatMap((text) => parseYamlDocuments(text, 'definitions.yaml') as unknown as Definition[])
  .flatMap(({ metadata, spec: { group, names, versions } }) => {
    const hub = versions.find(({ storage }) => storage)?.name ?? '';
    const spokes = versions.filter(({ name, storage }) => !storage && !STRICTER.has(`${names.kind} ${name}`));
    return spokes.map(({ name: spoke }) => ({ name: metadata.name, group, kind: names.kind, spoke, hub }));
  });
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true }); // objects are large
/** v1 of TCPRoute and UDPRoute allows one rule, other versions allow more. */
const ONE_RULE = { 'spec.rules': [[{ backendRefs: [{ name: 'a', port: 80 }] }]] };
/** Random objects seldom have exactly one of many fields. */
const HASHES = [{ useSourceIp: true }, { httpHeaderName: 'a', minimumRingSize: 7 }];
const POLICIES = ['spec', 'spec.subsets[]'].flatMap((path) => [
  `${path}.trafficPolicy`,
  `${path}.trafficPolicy.portLevelSettings[]`,
]);
const EXAMPLES: Readonly<Partial<Record<string, Readonly<Record<string, readonly unknown[]>>>>> = {
  TCPRoute: ONE_RULE,
  UDPRoute: ONE_RULE,
  DestinationRule: Object.fromEntries(POLICIES.map((path) => [`${path}.loadBalancer.consistentHash`, HASHES])),
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
async function classOf(group: string, kind: string, version: string): Promise<ResourceClass> {
  const [path] = [...imported.files()].find(([, text]) => isVersion(text, group, kind, version)) ?? [''];
  const module = (await import(pathToFileURL(join(imported.project.folder, path)).href)) as Record<
    string,
    ResourceClass
  >;
  return module[kind]!;
}

function isVersion(text: string, group: string, kind: string, version: string): boolean {
  const isKind = text.includes(`export class ${kind} extends`) && text.includes(`group: '${group}'`);
  return isKind && text.includes(`version: '${version}'`);
}

describe('the versions of kinds of public projects', () => {
  test.each(pairs)(
    'random objects of $name survive the round trip between $spoke and $hub (W26)',
    async ({ group, kind, spoke, hub }) => {
      const [one, other] = [await classOf(group, kind, spoke), await classOf(group, kind, hub)];
      const [first, second] = [one, other].map((each) => buildResourceModels([each])[0]!);
      const steps: readonly ConversionStep[] = automaticSteps(first!.classModel, second!.classModel);
      convertsTo(other, steps)(one as never);
      const options = { objects: OBJECTS, examples: EXAMPLES[kind] ?? {} };
      await expect(roundTrips(one, other, options)).resolves.toBeUndefined();
    },
    3_600_000,
  );
});
