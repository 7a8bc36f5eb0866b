import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '../../src/api/schema/json-schema.js';
import { compareApis } from '../../src/evolution/compare-apis.js';
import type { DefinitionVersion } from '../../src/api/kinds/definition-parts.js';
import type { CustomResourceDefinition } from '../../src/api/kinds/kinds.js';

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
  test('equal definitions have no changes', () => {
    expect(changes([definition()], [definition()])).toEqual([]);
  });

  test('added definitions are safe, and removed ones are breaking', () => {
    expect(changes([definition({}, 'a.example.com')], [definition({}, 'b.example.com')])).toEqual([
      'breaking a.example.com kind removed',
      'safe b.example.com kind added',
    ]);
  });

  test('a definition in two files is compared once, with the first file', () => {
    expect(changes([definition(), definition({ scope: 'Cluster' })], [definition()])).toEqual([]);
  });

  test('the most severe change is listed first', () => {
    const severities = compareApis(
      [definition({ names: { ...NAMES, shortNames: ['w'] } })],
      [definition({ scope: 'Cluster', names: { ...NAMES, shortNames: [], categories: ['all'] } })],
    ).map(({ severity }) => severity);
    expect(severities).toEqual(['breaking', 'tightening', 'safe']);
  });
});

describe('names and scope', () => {
  test.each<[string, Partial<CustomResourceDefinition['spec']>, string]>([
    ['another scope', { scope: 'Cluster' }, 'breaking scope changed to Cluster, was Namespaced'],
    ['another kind', { names: { ...NAMES, kind: 'Gadget' } }, 'breaking kind changed to Gadget, was Widget'],
    ['a new short name', { names: { ...NAMES, shortNames: ['w'] } }, 'safe short name added: w'],
    ['a new category', { names: { ...NAMES, categories: ['all'] } }, 'safe category added: all'],
    ['a conversion', { conversion: { strategy: 'Webhook' } }, 'safe conversion strategy changed to Webhook, was None'],
  ])('a change of names or scope is classified: %s', (_, next, expected) => {
    expect(changesOf({}, next)).toEqual([expected]);
  });

  test('short names and categories that were removed are reported', () => {
    expect(
      changesOf(
        { names: { ...NAMES, singular: 'widget', listKind: 'WidgetList', categories: ['all'] } },
        { names: { ...NAMES, singular: 'gadget', listKind: 'Widgets' } },
      ),
    ).toEqual([
      'tightening singular is no longer widget',
      'tightening listKind is no longer WidgetList',
      'tightening category removed: all',
    ]);
  });
});

describe('versions', () => {
  test.each<[string, DefinitionVersion[], DefinitionVersion[], string[]]>([
    ['a new one', [v1], [v1, v2], ['safe v2 version added']],
    ['one that is gone', [v1, v2], [v1], ['breaking v2 version removed']],
    [
      'one that is gone and was stored',
      [v1],
      [{ ...v2, storage: true }],
      ['breaking v1 storage version removed', 'safe v2 version added'],
    ],
    ['one that is gone and was not served', [v1, { ...v2, served: false }], [v1], ['safe v2 unserved version removed']],
    [
      'a version that is no longer served',
      [v1],
      [{ ...v1, served: false }],
      ['breaking v1 version is no longer served'],
    ],
    ['one served again', [{ ...v1, served: false }], [v1], ['safe v1 version is now served']],
    ['one that is deprecated', [v1], [{ ...v1, deprecated: true }], ['safe v1 version is now deprecated']],
    [
      'another storage version',
      [v1, v2],
      [
        { ...v1, storage: false },
        { ...v2, storage: true },
      ],
      ['safe storage version changes from v1 to v2: each object is converted when it is next written'],
    ],
    [
      'a status subresource',
      [v1],
      [{ ...v1, subresources: { status: {} } }],
      ['breaking v1 status is now a subresource; writes to the main resource ignore it'],
    ],
    [
      'no status subresource any more',
      [{ ...v1, subresources: { status: {} } }],
      [v1],
      ['breaking v1 status subresource removed'],
    ],
    ['a scale subresource', [v1], [{ ...v1, subresources: { scale: SCALE } }], ['safe v1 scale subresource added']],
    [
      'no scale subresource any more',
      [{ ...v1, subresources: { scale: SCALE } }],
      [v1],
      ['breaking v1 scale subresource removed'],
    ],
    [
      'scale by other fields',
      [{ ...v1, subresources: { scale: SCALE } }],
      [{ ...v1, subresources: { scale: { ...SCALE, specReplicasPath: '.spec.b' } } }],
      ['breaking v1 scale subresource paths changed'],
    ],
    [
      'other selectable fields',
      [{ ...v1, selectableFields: [{ jsonPath: '.spec.a' }] }],
      [{ ...v1, selectableFields: [{ jsonPath: '.spec.b' }] }],
      ['breaking v1 .spec.a selectable field removed', 'safe v1 .spec.b selectable field added'],
    ],
    [
      'other columns',
      [v1],
      [{ ...v1, additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }],
      ['safe v1 printer columns changed'],
    ],
  ])('a change of versions is classified: %s', (_, old, next, expected) => {
    expect(changesOf({ versions: old }, { versions: next })).toEqual(expected);
  });

  test('a change of several versions in only their descriptions is reported once', () => {
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
      'safe v1 only descriptions and examples changed',
    ]);
  });
});
