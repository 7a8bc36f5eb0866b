import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({});
});
afterEach(() => project.remove());

/** The errors of a spec with these members, each as `member: problem; hint`. */
async function errorsOf(...members: string[]): Promise<string[]> {
  project.write({
    'operators/lib/types.ts': `import { Field } from 'kindwright';
export interface Shape { size: number }
export type Level = 'low' | 'high';
export class Part { @Field() name!: string }
`,
    'operators/gauge.ts': `import { CustomResource, Field, Kind } from 'kindwright';
import { EnvVar } from 'kindwright/definitions';
import type { Level, Part } from './lib/types.js';

interface Inner { a: string }
type Size = 'small' | 'large';
class Item { @Field() name!: string }

class GaugeSpec {
${members.map((member) => `  ${member};`).join('\n')}
  @Field() wrong!: symbol;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  reconcile(): void {}
}
`,
  });
  const { stderr, exitCode } = await project.run('generate-manifests', []);
  expect(exitCode).toBe(78);
  const pattern = /^ {2}operators\/gauge\.ts:\d+ GaugeSpec\.(.*)\n {4}hint: (.*)$/gm;
  const found = Array.from(stderr.matchAll(pattern), ([, problem, hint]) => `${problem}; ${hint}`);
  expect(found.pop()).toMatch(/^wrong: /);
  return found;
}

test('the error for a type that does not exist at run time contains the type and the cause', async () => {
  expect(
    await errorsOf('@Field() inner!: Inner', '@Field() inners!: Inner[]', '@Field() object!: { a: string }'),
  ).toEqual([
    'inner: is declared with interface Inner, which does not exist at run time; ' +
      'class Inner with @Field properties instead of the interface',
    'inners: is declared with interface Inner, which does not exist at run time; ' +
      'class Inner with @Field properties instead of the interface, and @Field({ items: Inner }) inners',
    'object: is declared with an object type, which does not exist at run time; a class with @Field properties',
  ]);
  expect(await errorsOf('@Field() level!: Level', '@Field() part?: Part')).toEqual([
    'level: is declared with Level, which is imported as a type only; import { Level } without type if it is a class ' +
      'or an enum; @Field({ enum: […] }) level if it is a union of literals',
    'part: is declared with Part, which is imported as a type only; import { Part } without type if it is a class ' +
      'or an enum; @Field({ enum: […] }) part if it is a union of literals',
  ]);
});

test('hints state the declared type', async () => {
  const members = [
    '@Field() size!: Size',
    "@Field() direct!: 'a' | 'b'",
    '@Field() env!: EnvVar[]',
    '@Field() items?: readonly Item[]',
    '@Field() counts!: number[]',
    '@Field() lists!: Array<string[]>',
    '@Field() labels!: Record<string, string>',
    '@Field() byName!: { [name: string]: Item }',
    '@Field() port!: string | number',
    '@Field() item!: Item | null',
    '@Field() anything!: unknown',
  ];
  expect((await errorsOf(...members)).map((text) => text.replace(/^(\w+): .*?; /, '$1: '))).toEqual([
    "size: @Field({ enum: ['small', 'large'] }) size",
    "direct: @Field({ enum: ['a', 'b'] }) direct, or type: String for any",
    'env: @Field({ items: EnvVar }) env',
    'items: @Field({ items: Item }) items',
    "counts: @Field({ items: { type: 'integer', format: 'int32' } }) counts",
    'lists: @Field({ items: { items: String } }) lists',
    'labels: @Field({ values: String }) labels',
    'byName: @Field({ values: Item }) byName',
    'port: @Field({ intOrString: true }) port',
    'item: @Field({ type: () => Item, nullable: true }) item',
    'anything: @Field({ preserveUnknownFields: true }) anything',
  ]);
});

test('a property without declared type is reported as such', async () => {
  const problem = 'has no declared type, and the compiler records no inferred types';
  const members = [
    '@Field() x = 0',
    "@Field({ format: 'int64' }) y = -1",
    "@Field() s = 'a'",
    '@Field() on = true',
    '@Field() c = call()',
    "@Field() names = ['a']",
    '@Field() sizes = [1]',
    '@Field() none = []',
  ];
  expect(await errorsOf(...members, '@Field() item = new Item()')).toEqual([
    `x: ${problem}; declare the type: @Field({ format: 'int32' }) x: number = …`,
    `y: ${problem}; declare the type: y: number = …`,
    `s: ${problem}; declare the type: s: string = …`,
    `on: ${problem}; declare the type: on: boolean = …`,
    `c: ${problem}; declare the type: c: string, for example`,
    `names: ${problem}; @Field({ items: String }) names: string[] = …`,
    `sizes: ${problem}; @Field({ items: { type: 'integer', format: 'int32' } }) sizes: number[] = …`,
    `none: ${problem}; @Field({ items: String }) none: string[] = …, for example`,
    `item: ${problem}; declare the type: item: Item = …`,
  ]);
});

test('an unknown type name is an error with the valid names, beside all other errors', async () => {
  const names = 'string, integer, number, boolean, object, quantity, duration and classes';
  expect(
    await errorsOf(
      "@Field({ type: 'int' }) a!: number",
      "@Field({ type: 'strng' }) b!: string",
      "@Field({ type: '?' }) c!: string",
    ),
  ).toEqual([
    `a: type 'int' is not valid; type: 'integer'; valid types are ${names}`,
    `b: type 'strng' is not valid; type: 'string'; valid types are ${names}`,
    `c: type '?' is not valid; valid types are ${names}`,
  ]);
});
