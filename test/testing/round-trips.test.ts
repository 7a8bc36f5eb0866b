import { describe, expect, test } from '@jest/globals';
import { drop, each, keep, map, move } from '../../src/resource/decorators/conversion-step.js';
import { CustomResource } from '../../src/resource/custom-resource.js';
import { ConvertsTo, type ConversionRules } from '../../src/resource/decorators/converts-to.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { convert } from '../../src/testing/convert.js';
import { roundTrips } from '../../src/testing/round-trips.js';

const group = 'apps.example.com';
const objects = 300;

class Mount {
  @Field() path!: string;
}
class Spec {
  @Field({ format: 'int32', minimum: 0 }) size!: number;
  @Field({ pattern: '^[a-z]*(:[0-9]+)?$', minLength: 1, optional: true }) address?: string;
  @Field({ optional: true, items: { type: () => Mount } }) mounts?: Mount[];
  @Field({ optional: true }) color?: string;
}
class OldMount {
  @Field() folder!: string;
}
class OldSpec {
  @Field({ format: 'int32', minimum: 0 }) replicas!: number;
  @Field({ pattern: '^[a-z]+$', optional: true }) host?: string;
  @Field({ pattern: '^[0-9]+$', optional: true }) port?: string;
  @Field({ optional: true, items: { type: () => OldMount } }) volumes?: OldMount[];
  @Field({ optional: true }) paused?: boolean;
}

const joinAddress = (host = '', port?: string) => (port === undefined ? host : `${host}:${port}`);
const splitAddress = (address: string) => {
  const [host, port] = address.split(':');
  return [host === '' ? undefined : host, port];
};

const SOUND = {
  size: move('spec.replicas', 'spec.size'),
  address: map(['spec.host', 'spec.port'], 'spec.address', joinAddress, splitAddress),
  mounts: each('spec.volumes', 'spec.mounts', [move('folder', 'path')]),
  paused: keep('spec.paused'),
  color: keep('spec.color'),
};

/** Steps and functions are separate overloads. */
const convertsTo = ConvertsTo as (hub: ResourceClass, rules: ConversionRules) => ClassDecorator;

/** Two versions with the given steps instead of sound ones. */
function versions(rules: ConversionRules): { one: ResourceClass; hub: ResourceClass } {
  @Kind({ group, version: 'v1', kind: 'Server', storage: true })
  abstract class Hub extends CustomResource {
    @Field() spec!: Spec;
  }
  @Kind({ group, version: 'v1beta1', kind: 'Server' })
  @convertsTo(Hub, rules)
  abstract class Old extends CustomResource {
    @Field() spec!: OldSpec;
  }
  return { one: Old, hub: Hub };
}

function failure(rules: ConversionRules): Promise<string> {
  const { one, hub } = versions(rules);
  return roundTrips(one, hub, { objects, seed: 1 }).then(
    () => 'nothing',
    (error: unknown) => (error as Error).message,
  );
}

describe('roundTrips', () => {
  test('roundTrips accepts conversions that lose nothing', async () => {
    expect(await failure(Object.values(SOUND))).toBe('nothing');
  });

  test('roundTrips reports functions that add a field to a partial object', async () => {
    const rules = {
      up: ({ spec, ...object }: { spec?: { replicas?: number } }) => ({
        ...object,
        spec: { size: spec?.replicas ?? 1 },
      }),
      down: ({ spec, ...object }: { spec?: { size?: number } }) => ({ ...object, spec: { replicas: spec?.size ?? 1 } }),
    };
    class Size {
      @Field({ format: 'int32' }) size!: number;
    }
    @Kind({ group, version: 'v1', kind: 'Server', storage: true })
    abstract class Hub extends CustomResource {
      @Field() spec!: Size;
    }
    class Replicas {
      @Field({ format: 'int32' }) replicas!: number;
    }
    @Kind({ group, version: 'v1beta1', kind: 'Server' })
    @convertsTo(Hub, rules)
    abstract class Old extends CustomResource {
      @Field() spec!: Replicas;
    }
    await expect(roundTrips(Old, Hub, { objects, seed: 1 })).rejects.toThrow(
      'Old → Hub → Old does not preserve a partial object: gained spec: {"replicas":1}',
    );
  });

  test('roundTrips reports a function that loses a part of the value, with the smallest object', async () => {
    const address = map(
      ['spec.host', 'spec.port'],
      'spec.address',
      (host: string) => host,
      (host: string) => [host, undefined],
    );
    const text = await failure([SOUND.size, SOUND.mounts, SOUND.paused, SOUND.color, address]);
    expect(text).toContain('Old → Hub → Old does not preserve a whole object: spec.port: "0" became absent');
    expect(text).toMatch(
      /object: \{"spec":\{"replicas":0,"port":"0"\}\}\n {2}repeat with: roundTrips\(…, \{ seed: 1 \}\)$/,
    );
  });

  test('roundTrips reports a valid object that becomes invalid', async () => {
    const address = map(
      ['spec.host', 'spec.port'],
      'spec.address',
      (host: string, port: string) => `${host}/${port}`,
      (text: string) => text.split('/'),
    );
    const text = await failure([SOUND.size, SOUND.mounts, SOUND.paused, SOUND.color, address]);
    expect(text).toContain('valid in v1beta1, but not in v1: spec.address: Invalid value: "undefined/0"');
  });

  test('roundTrips reports a function that throws, with its path', async () => {
    const fail = () => {
      throw new RangeError('out of range');
    };
    const address = map(['spec.host', 'spec.port'], 'spec.address', fail, fail);
    const text = await failure([SOUND.size, SOUND.mounts, SOUND.paused, SOUND.color, address]);
    expect(text).toContain('spec.host, spec.port: out of range');
  });

  test('roundTrips reports functions that lose a field', async () => {
    const rules = {
      up: ({ spec, ...object }: { spec?: Partial<OldSpec> }) => ({ ...object, spec: { size: spec?.replicas } }),
      down: ({ spec, ...object }: { spec?: Partial<Spec> }) => ({ ...object, spec: { replicas: spec?.size } }),
    };
    expect(await failure(rules as ConversionRules)).toContain('became absent');
  });

  test.each(['labels', 'annotations'])('roundTrips reports functions that lose %s', async (member) => {
    const keepSize = ({ spec = {} }: { spec?: { replicas?: number; size?: number } }) => ({
      metadata: { [member]: {} },
      ...(spec.replicas !== undefined && { spec: { size: spec.replicas } }),
      ...(spec.size !== undefined && { spec: { replicas: spec.size } }),
    });
    const rules = { up: keepSize, down: keepSize };
    expect(await failure(rules as ConversionRules)).toContain(`metadata must not change: ${member}`);
  });

  test('roundTrips does not expect dropped fields back', async () => {
    const text = await failure([
      SOUND.size,
      SOUND.mounts,
      drop('spec.paused'),
      drop('spec.color'),
      drop('spec.host'),
      drop('spec.port'),
      drop('spec.address'),
    ]);
    expect(text).toBe('nothing');
  });

  test.each([{ minimum: 3_000_000_000 }, { maximum: -3_000_000_000 }])(
    'roundTrips makes integers beyond 32 bits for the bound %j',
    async (bound) => {
      @Kind({ group, version: 'v1', kind: 'Router', storage: true })
      abstract class Hub extends CustomResource {
        @Field({ format: 'int64', multipleOf: 7, ...bound }) system!: number;
      }
      @Kind({ group, version: 'v1beta1', kind: 'Router' })
      @convertsTo(Hub, [])
      abstract class Old extends CustomResource {
        @Field({ format: 'int64', multipleOf: 7, ...bound }) system!: number;
      }
      await expect(roundTrips(Old, Hub, { objects })).resolves.toBeUndefined();
    },
  );

  test('roundTrips requests examples where no random value satisfies the schema', async () => {
    @Kind({ group, version: 'v1', kind: 'Server', storage: true })
    abstract class Hub extends CustomResource {
      @Field({ pattern: '^(?i)abc{1000}$' }) code!: string;
    }
    @Kind({ group, version: 'v1beta1', kind: 'Server' })
    @ConvertsTo(Hub, [])
    abstract class Old extends CustomResource {
      @Field({ pattern: '^(?i)abc{1000}$' }) code!: string;
    }
    await expect(roundTrips(Old, Hub)).rejects.toMatchObject({
      message: 'no random value satisfies the schema of code',
      hint: `pass values for it: { examples: { 'code': ["…"] } }`,
    });
    await roundTrips(Old, Hub, { examples: { code: [`ab${'c'.repeat(1000)}`] } });
  });

  test('roundTrips requires the hub as one of the versions', async () => {
    const { one } = versions(Object.values(SOUND));
    await expect(roundTrips(one, one)).rejects.toThrow('neither Old nor Old is the hub');
  });
});

describe('convert', () => {
  test('convert converts an object that has no apiVersion from the version of its class', () => {
    const { one, hub } = versions(Object.values(SOUND));
    expect(convert(one, { spec: { replicas: 2 } }, 'v1')).toEqual({
      apiVersion: `${group}/v1`,
      kind: 'Server',
      spec: { size: 2 },
    });
    expect(convert(hub, { spec: { size: 2 } }, 'v1beta1')).toMatchObject({ spec: { replicas: 2 } });
  });

  test('convert rejects a kind with a single version', () => {
    @Kind({ group, version: 'v1' })
    abstract class Single extends CustomResource {}
    expect(() => convert(Single, {}, 'v2')).toThrow('Single has no other versions to convert to');
  });
});
