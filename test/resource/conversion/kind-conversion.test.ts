import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drop, each, keep, map, move } from '../../../src/resource/decorators/conversion-step.js';
import { KindConversion } from '../../../src/resource/conversion/kind-conversion.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { ConvertsTo, type ConversionRules } from '../../../src/resource/decorators/converts-to.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { buildResourceModels, buildVersionModel } from '../../../src/resource/build-models.js';
import type { ResourceClass } from '../../../src/resource/model.js';
import type { JsonObject } from '../../../src/base/json-object.js';

const group = 'apps.example.com';

class Mount {
  @Field() path!: string;
  @Field({ optional: true }) readOnly?: boolean;
}
class Limits {
  @Field({ optional: true, format: 'int64' }) memory?: number;
}
class Spec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) host?: string;
  @Field({ optional: true, format: 'int32' }) port?: number;
  @Field({ optional: true }) limits?: Limits;
  @Field({ optional: true, items: { type: () => Mount } }) mounts?: Mount[];
  @Field({ optional: true }) zone?: string;
  @Field({ optional: true }) region?: string;
  @Field({ optional: true }) color?: string;
}
@Kind({ group, version: 'v1', kind: 'Server', storage: true })
abstract class ServerV1 extends CustomResource {
  @Field() spec!: Spec;
}

class OldMount {
  @Field() folder!: string;
  @Field({ optional: true }) comment?: string;
  @Field({ optional: true }) readOnly?: boolean;
}
class OldResources {
  @Field({ optional: true, format: 'int64' }) memory?: number;
}
class OldSpec {
  @Field({ format: 'int32' }) replicas!: number;
  @Field({ optional: true }) address?: string;
  @Field({ optional: true }) resources?: OldResources;
  @Field({ optional: true, items: { type: () => OldMount } }) volumes?: OldMount[];
  @Field({ optional: true }) zone?: string;
  @Field({ optional: true }) region?: string;
  @Field({ optional: true }) paused?: boolean;
  @Field({ optional: true }) legacy?: string;
}
const splitAddress = (address: string): unknown[] => {
  const [host, port] = address.split(':');
  return [host, port === undefined ? undefined : Number(port)];
};
@Kind({ group, version: 'v1beta1', kind: 'Server' })
@ConvertsTo(ServerV1, [
  move('spec.replicas', 'spec.size'),
  map('spec.address', ['spec.host', 'spec.port'], splitAddress, (host: string | undefined, port: number | undefined) =>
    port === undefined ? host : `${host ?? ''}:${port}`,
  ),
  move('spec.resources.memory', 'spec.limits.memory'),
  each('spec.volumes', 'spec.mounts', [move('folder', 'path'), drop('comment')]),
  move('spec.zone', 'spec.region'),
  move('spec.region', 'spec.zone'),
  keep('spec.paused'),
  keep('spec.color'),
  drop('spec.legacy'),
])
abstract class ServerV1Beta1 extends CustomResource {
  @Field() spec!: OldSpec;
}

class AlphaSpec {
  @Field() text!: string;
}
@Kind({ group, version: 'v1alpha1', kind: 'Server' })
@ConvertsTo<ServerV1Alpha1, ServerV1>(ServerV1, {
  up: ({ spec, ...object }) => ({ ...object, ...(spec && { spec: { size: Number(spec.text) } }) }),
  down: ({ spec, ...object }) => ({ ...object, ...(spec && { spec: { text: String(spec.size) } }) }),
})
abstract class ServerV1Alpha1 extends CustomResource {
  @Field() spec!: AlphaSpec;
}

function conversion(): KindConversion {
  const found = KindConversion.of(buildResourceModels([ServerV1, ServerV1Beta1, ServerV1Alpha1]));
  if (!found) throw new TypeError('no conversion');
  return found;
}

/** Steps and functions are separate overloads. */
const convertsTo = ConvertsTo as (hub: ResourceClass, rules: ConversionRules) => ClassDecorator;

/** The conversion from v1beta1 to v1 by the given rules, which need not cover all fields. */
function ruleConversion(rules: ConversionRules): { convert: (object: JsonObject) => JsonObject } {
  @Kind({ group, version: 'v1', kind: 'Server', storage: true })
  abstract class Hub extends CustomResource {
    @Field() spec!: Spec;
  }
  @Kind({ group, version: 'v1beta1', kind: 'Server' })
  @convertsTo(Hub, rules)
  abstract class Old extends CustomResource {
    @Field() spec!: OldSpec;
  }
  const found = KindConversion.of([Hub, Old].map(buildVersionModel));
  if (!found) throw new TypeError('no conversion');
  return { convert: (object) => found.convert(object, `${group}/v1`) };
}

const metadata = { name: 'a', namespace: 'default', uid: '1' };
const old = (spec: JsonObject, annotations?: JsonObject): JsonObject => ({
  apiVersion: `${group}/v1beta1`,
  kind: 'Server',
  metadata: { ...metadata, ...(annotations && { annotations }) },
  spec,
});

describe('objects of a kind with @ConvertsTo', () => {
  const beta = old({
    replicas: 3,
    address: 'example.com:80',
    resources: { memory: 9007199254740993n },
    volumes: [{ folder: '/data', readOnly: true, comment: 'x' }],
    zone: 'a',
    region: 'b',
    paused: true,
    legacy: 'gone',
  });

  test('objects are converted to the hub in all steps, and fields that the hub lacks are kept in an annotation', () => {
    expect(conversion().convert(beta, `${group}/v1`)).toEqual({
      apiVersion: `${group}/v1`,
      kind: 'Server',
      metadata: { ...metadata, annotations: { 'kindwright.dev/kept': '{"v1beta1":{"spec.paused":true}}' } },
      spec: {
        size: 3,
        host: 'example.com',
        port: 80,
        limits: { memory: 9007199254740993n },
        mounts: [{ path: '/data', readOnly: true }],
        zone: 'b',
        region: 'a',
      },
    });
  });

  test('objects are converted back without the annotation, except for dropped fields', () => {
    const there = conversion().convert(beta, `${group}/v1`);
    const { legacy: _, ...spec } = beta.spec as JsonObject;
    const volumes = [{ folder: '/data', readOnly: true }];
    expect(conversion().convert(there, `${group}/v1beta1`)).toEqual({ ...beta, spec: { ...spec, volumes } });
  });

  test('fields that only the hub has are kept while the object is in another version', () => {
    const hub: JsonObject = { apiVersion: `${group}/v1`, kind: 'Server', metadata, spec: { size: 1, color: 'red' } };
    const there = conversion().convert(hub, `${group}/v1beta1`);
    expect(there).toEqual(old({ replicas: 1 }, { 'kindwright.dev/kept': '{"v1":{"spec.color":"red"}}' }));
    expect(conversion().convert(there, `${group}/v1`)).toEqual(hub);
  });

  test('a kept field is not restored when the object above it was removed', () => {
    const { spec: _, ...there } = conversion().convert(old({ replicas: 1, paused: true }), `${group}/v1`);
    expect(conversion().convert(there, `${group}/v1beta1`)).toEqual({
      apiVersion: `${group}/v1beta1`,
      kind: 'Server',
      metadata,
    });
  });

  test('an annotation that a user has made unreadable is lost, and nothing else', () => {
    const broken = { ...old({ replicas: 1 }, { 'kindwright.dev/kept': '{', team: 'a' }) };
    expect(conversion().convert(broken, `${group}/v1`)).toMatchObject({
      metadata: { annotations: { team: 'a' } },
      spec: { size: 1 },
    });
  });

  test('objects are converted from one spoke to another through the hub', () => {
    const alpha = { apiVersion: `${group}/v1alpha1`, kind: 'Server', metadata, spec: { text: '5' } };
    expect(conversion().convert(alpha, `${group}/v1beta1`)).toEqual(old({ replicas: 5 }));
    expect(conversion().convert(old({ replicas: 5 }), `${group}/v1alpha1`)).toEqual(alpha);
  });

  test('objects are returned unchanged in a version that they have', () => {
    expect(conversion().convert(beta, `${group}/v1beta1`)).toBe(beta);
  });

  test('objects cannot be converted to a version that the kind does not have', () => {
    expect(() => conversion().convert(beta, `${group}/v3`)).toThrow(
      'Server has no version "apps.example.com/v3", only apps.example.com/v1, apps.example.com/v1beta1, apps.example.com/v1alpha1',
    );
  });

  test('objects with some of the fields are converted to some of the fields, and are not changed', () => {
    const present = { requiredKeys: [] };
    const spec = fc.record(
      {
        replicas: fc.integer(),
        address: fc.constantFrom('example.com', 'example.com:80'),
        resources: fc.record({ memory: fc.bigInt() }, present),
        volumes: fc.array(fc.record({ folder: fc.string(), readOnly: fc.boolean() }, present)),
        zone: fc.string(),
        region: fc.string(),
        paused: fc.boolean(),
        __proto__: fc.string(),
      },
      present,
    );
    fc.assert(
      fc.property(spec, (fields) => {
        const object = old(fields);
        const before = structuredClone(object);
        const there = conversion().convert(object, `${group}/v1`);
        expect(object).toEqual(before);
        const back = conversion().convert(there, `${group}/v1beta1`);
        const { resources, ...others } = fields;
        const kept = resources && Object.keys(resources).length > 0 ? { resources } : {};
        expect(back).toEqual(old({ ...others, ...kept }));
      }),
    );
  });

  test('objects of a version that the kind does not have are not returned as they are', () => {
    const unknown = { ...beta, apiVersion: `${group}/v3` };
    expect(() => conversion().convert(unknown, `${group}/v3`)).toThrow('Server has no version "apps.example.com/v3"');
  });

  test.each([
    ['without metadata', ({ spec }: JsonObject) => ({ spec })],
    ['with other metadata', ({ spec }: JsonObject) => ({ metadata: { name: 'b' }, spec })],
  ])('labels and annotations are preserved if a function returns an object %s', (_, up) => {
    const { convert } = ruleConversion({ up, down: up });
    const labeled = { ...metadata, labels: { team: 'a' }, annotations: { note: 'b' } };
    expect(convert({ ...beta, metadata: labeled })).toMatchObject({ metadata: labeled });
  });

  test('functions set and remove labels and annotations', () => {
    const up = ({ spec }: JsonObject) => ({ metadata: { labels: { team: 'b' }, annotations: {} }, spec });
    const { convert } = ruleConversion({ up, down: up });
    const labeled = { ...metadata, labels: { team: 'a' }, annotations: { note: 'b' } };
    expect(convert({ ...beta, metadata: labeled }).metadata).toEqual({ ...metadata, labels: { team: 'b' } });
  });

  test.each([
    ['NaN', 'NaN', () => Number('abc')],
    ['Infinity', 'Infinity', () => 1 / 0],
    ['a Promise', 'a Promise', () => Promise.resolve(1)],
    ['a function', 'a value of type function', () => () => 1],
  ])('a function of map that returns %s fails with the step, the field and the value', (_, what, port) => {
    const up = (text: string) => [text, port()];
    const { convert } = ruleConversion([map('spec.address', ['spec.host', 'spec.port'], up, () => '')]);
    expect(() => convert(old({ address: 'a:abc' }))).toThrow(
      `spec.address: the result of map cannot be used: spec.port is ${what}, which has no JSON form`,
    );
  });

  test('results of map become plain JSON', () => {
    const { convert } = ruleConversion([
      map('spec.address', 'spec.host', () => ({ at: new Date(0), port: undefined }), String),
    ]);
    expect(convert(old({ address: 'a' })).spec).toEqual({ host: { at: '1970-01-01T00:00:00Z' } });
  });

  test('a value that is too large to be kept in an annotation fails with its field', () => {
    const { convert } = ruleConversion([keep('spec.legacy'), keep('spec.paused')]);
    const fits = old({ paused: true, legacy: 'ä'.repeat(131_000) });
    expect(convert(fits).spec).toEqual({});
    expect(() => convert(old({ paused: true, legacy: 'ä'.repeat(131_072) }))).toThrow(
      'spec.legacy: keep needs 262146 bytes, but annotations of an object are limited to 262144 bytes',
    );
    expect(() => convert(old({ legacy: 'ä'.repeat(131_000) }, { note: 'a'.repeat(200) }))).toThrow(
      'spec.legacy: keep needs 262002 bytes',
    );
  });

  test('the error of a conversion function contains the path', () => {
    expect(() => conversion().convert(old({ address: 5 }), `${group}/v1`)).toThrow(
      'spec.address: address.split is not a function',
    );
  });
});
