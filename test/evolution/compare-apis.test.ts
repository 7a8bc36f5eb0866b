import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '../../src/api/json-schema.js';
import { compareApis } from '../../src/evolution/compare-apis.js';
import type { DefinitionVersion } from '../../src/api/definition-parts.js';
import type { CustomResourceDefinition } from '../../src/api/kinds.js';

const v1: DefinitionVersion = { name: 'v1', served: true, storage: true };
const v2: DefinitionVersion = { name: 'v2', served: true, storage: false };
const NAMES = { kind: 'Widget', plural: 'widgets' };
const SCALE = { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' };

function definition(
  spec: Partial<CustomResourceDefinition['spec']> = {},
  name = 'widgets.example.com',
): CustomResourceDefinition {
  return {
    metadata: { name },
    spec: { group: 'example.com', scope: 'Namespaced', names: NAMES, versions: [v1], ...spec },
  };
}

function changes(old: readonly CustomResourceDefinition[], next: readonly CustomResourceDefinition[]): string[] {
  return compareApis(old, next).map(({ severity, definition: name, version, path, what }) =>
    [severity, name, version, path, what].filter((part) => part !== undefined && part !== '').join(' '),
  );
}

/** The changes of one definition, without its name. */
function changesOf(
  old: Partial<CustomResourceDefinition['spec']>,
  next: Partial<CustomResourceDefinition['spec']>,
): string[] {
  return changes([definition(old)], [definition(next)]).map((line) => line.replace(' widgets.example.com', ''));
}

describe('definitions', () => {
  test('that are the same have no change', () => {
    expect(changes([definition()], [definition()])).toEqual([]);
  });

  test('that come are safe, that go are breaking', () => {
    expect(changes([definition({}, 'a.example.com')], [definition({}, 'b.example.com')])).toEqual([
      'breaking a.example.com the kind is gone',
      'safe b.example.com a new kind',
    ]);
  });

  test('that stand in two files count once, as the first says', () => {
    expect(changes([definition(), definition({ scope: 'Cluster' })], [definition()])).toEqual([]);
  });

  test('show the gravest change first', () => {
    const severities = compareApis(
      [definition({ names: { ...NAMES, shortNames: ['w'] } })],
      [definition({ scope: 'Cluster', names: { ...NAMES, shortNames: [], categories: ['all'] } })],
    ).map(({ severity }) => severity);
    expect(severities).toEqual(['breaking', 'tightening', 'safe']);
  });
});

describe('names and scope', () => {
  test.each<[string, Partial<CustomResourceDefinition['spec']>, string]>([
    ['another scope', { scope: 'Cluster' }, 'breaking its scope is Cluster, was Namespaced'],
    ['another kind', { names: { ...NAMES, kind: 'Gadget' } }, 'breaking its kind is Gadget, was Widget'],
    ['a new short name', { names: { ...NAMES, shortNames: ['w'] } }, 'safe a new short name: w'],
    ['a new category', { names: { ...NAMES, categories: ['all'] } }, 'safe a new category: all'],
    ['a conversion', { conversion: { strategy: 'Webhook' } }, 'safe versions convert by Webhook, was None'],
  ])('%s', (_, next, expected) => {
    expect(changesOf({}, next)).toEqual([expected]);
  });

  test('names that kubectl took are missed', () => {
    expect(
      changesOf(
        { names: { ...NAMES, singular: 'widget', listKind: 'WidgetList', categories: ['all'] } },
        { names: { ...NAMES, singular: 'gadget', listKind: 'Widgets' } },
      ),
    ).toEqual([
      'tightening its singular is no longer widget',
      'tightening its listKind is no longer WidgetList',
      'tightening the category all is gone',
    ]);
  });
});

describe('versions', () => {
  test.each<[string, DefinitionVersion[], DefinitionVersion[], string[]]>([
    ['a new one', [v1], [v1, v2], ['safe v2 a new version']],
    ['one that is gone', [v1, v2], [v1], ['breaking v2 the version is gone']],
    [
      'one that is gone and was stored',
      [v1],
      [{ ...v2, storage: true }],
      ['breaking v1 the version is gone, and objects are stored in it', 'safe v2 a new version'],
    ],
    [
      'one that is gone and was not served',
      [v1, { ...v2, served: false }],
      [v1],
      ['safe v2 the version, which was not served, is gone'],
    ],
    ['one no longer served', [v1], [{ ...v1, served: false }], ['breaking v1 the version is no longer served']],
    ['one served again', [{ ...v1, served: false }], [v1], ['safe v1 the version is served now']],
    ['one that is deprecated', [v1], [{ ...v1, deprecated: true }], ['safe v1 the version is deprecated now']],
    [
      'another storage version',
      [v1, v2],
      [
        { ...v1, storage: false },
        { ...v2, storage: true },
      ],
      ['safe stored as v2, was v1: each object moves when it is next written'],
    ],
    [
      'a status subresource',
      [v1],
      [{ ...v1, subresources: { status: {} } }],
      ['breaking v1 status is a subresource now: writes of it with the rest of the object are ignored'],
    ],
    [
      'no status subresource any more',
      [{ ...v1, subresources: { status: {} } }],
      [v1],
      ['breaking v1 the status subresource is gone'],
    ],
    ['a scale subresource', [v1], [{ ...v1, subresources: { scale: SCALE } }], ['safe v1 a new scale subresource']],
    [
      'no scale subresource any more',
      [{ ...v1, subresources: { scale: SCALE } }],
      [v1],
      ['breaking v1 the scale subresource is gone'],
    ],
    [
      'scale by other fields',
      [{ ...v1, subresources: { scale: SCALE } }],
      [{ ...v1, subresources: { scale: { ...SCALE, specReplicasPath: '.spec.b' } } }],
      ['breaking v1 the scale subresource has other paths'],
    ],
    [
      'other selectable fields',
      [{ ...v1, selectableFields: [{ jsonPath: '.spec.a' }] }],
      [{ ...v1, selectableFields: [{ jsonPath: '.spec.b' }] }],
      ['breaking v1 .spec.a can no longer be selected by', 'safe v1 .spec.b can be selected by'],
    ],
    [
      'other columns',
      [v1],
      [{ ...v1, additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }],
      ['safe v1 the columns that kubectl prints are others'],
    ],
  ])('%s', (_, old, next, expected) => {
    expect(changesOf({ versions: old }, { versions: next })).toEqual(expected);
  });

  test('that differ only in their descriptions say so once', () => {
    const version = (description: string): DefinitionVersion => {
      const a: JsonSchema = { type: 'string', description };
      const list: JsonSchema = {
        type: 'array',
        items: { type: 'object', additionalProperties: a },
        title: description,
      };
      return { ...v1, schema: { openAPIV3Schema: { type: 'object', properties: { a, list } } } };
    };
    expect(changesOf({ versions: [version('old')] }, { versions: [version('new')] })).toEqual([
      'safe v1 only descriptions and examples differ',
    ]);
  });
});
