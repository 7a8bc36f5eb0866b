import { describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { hydrate } from '../../../src/resource/instances/hydrate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceModel } from '../../../src/resource/model.js';

class Port {
  @Field({ format: 'int32' }) number!: number;
  get isPrivileged(): boolean {
    return this.number < 1024;
  }
}

class Spec {
  @Field({ items: Port, optional: true }) ports?: Port[];
  @Field({ values: Port, optional: true }) named?: Record<string, Port>;
  @Field({ items: { items: Port }, optional: true }) nested?: Port[][];
  @Field({ values: String, optional: true }) labels?: Record<string, string>;
  @Field({ type: Port, optional: true }) main?: Port;
  @Field({ optional: true }) since?: Date;
  @Field({ items: Date, optional: true }) times?: Date[];
}

class Status {
  @Field({ items: String }) nodes: string[] = [];
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Service extends CustomResource {
  @Field() spec!: Spec;
  @Field() status!: Status;
  @Field({ optional: true }) other?: Spec;

  reconcile(): void {
    return undefined;
  }
  get privileged(): Port[] {
    return (this.spec.ports ?? []).filter((port) => port.isPrivileged);
  }
}

class Needs {
  @Field() image!: string;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Strict extends CustomResource {
  @Field() spec!: Needs;
  @Field({ values: String }) status!: Record<string, string>;

  reconcile(): void {
    return undefined;
  }
}

class Inherited {
  @Field({ type: String }) declare toString: never;
  @Field({ type: Port }) declare valueOf: never;
  @Field({ type: String }) declare hasOwnProperty: never;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Names extends CustomResource {
  @Field() spec!: Inherited;
  @Field({ type: Spec }) declare valueOf: never;

  reconcile(): void {
    return undefined;
  }
}

const [model, strict, inherited] = buildResourceModels([Service, Strict, Names]) as [
  ResourceModel<Service>,
  ResourceModel<Strict>,
  ResourceModel<Names>,
];

function object(rest: object): UnstructuredObject {
  return { apiVersion: 'apps.example.com/v1', kind: 'Service', metadata: { name: 'a', labels: { x: 'y' } }, ...rest };
}

describe('hydrate', () => {
  test('hydrate converts dates of fields of type Date and leaves other values', () => {
    const { spec } = hydrate(model, object({ spec: { since: '2026-01-02T03:04:05Z', times: ['now', null] } }));
    expect(spec.since).toEqual(new Date('2026-01-02T03:04:05Z'));
    expect(spec.times).toEqual(['now', null]);
  });

  test('hydrate creates an instance of the class, with its methods', () => {
    const service = hydrate(model, object({ spec: { ports: [{ number: 80 }, { number: 8080 }] } }));
    expect(service).toBeInstanceOf(Service);
    expect(service.privileged).toEqual([{ number: 80 }]);
  });

  test.each([
    ['a field', { main: { number: 1 } }, (spec: Spec) => spec.main],
    ['an item of a list', { ports: [{ number: 1 }] }, (spec: Spec) => spec.ports?.[0]],
    ['a value of a map', { named: { a: { number: 1 } } }, (spec: Spec) => spec.named?.['a']],
    ['an item of a list of lists', { nested: [[{ number: 1 }]] }, (spec: Spec) => spec.nested?.[0]?.[0]],
  ])('hydrate makes %s an instance of its class', (_what, spec, port) => {
    expect(port(hydrate(model, object({ spec })).spec)).toBeInstanceOf(Port);
  });

  test('hydrate shares nothing with the object', () => {
    const original = object({ spec: { labels: { a: 'b' }, ports: [{ number: 1 }] }, status: { nodes: ['n'] } });
    const before = structuredClone(original);
    const service = hydrate(model, original);
    service.metadata.labels!['x'] = 'changed';
    service.spec.labels!['a'] = 'changed';
    service.spec.ports![0]!.number = 2;
    service.status.nodes.push('more');
    expect(original).toEqual(before);
  });

  test('a missing status gets the initial values of its class', () => {
    const { status } = hydrate(model, object({ spec: {} }));
    expect(status).toBeInstanceOf(Status);
    expect(status.nodes).toEqual([]);
  });

  test('a missing status without a class is an empty object', () => {
    expect(hydrate(strict, object({ spec: { image: 'a' } })).status).toEqual({});
  });

  test('a missing required spec without required fields is an empty instance', () => {
    expect(hydrate(model, object({})).spec).toBeInstanceOf(Spec);
  });

  test('a missing optional field stays missing', () => {
    expect(hydrate(model, object({})).other).toBeUndefined();
  });

  test('a missing spec with required values stays missing', () => {
    expect(hydrate(strict, object({})).spec).toBeUndefined();
  });

  test('hydrate keeps unknown fields', () => {
    const service = hydrate(model, object({ spec: { later: { a: 1 } }, extra: [1] }));
    expect(service).toMatchObject({ spec: { later: { a: 1 } }, extra: [1] });
  });

  test('data cannot hide a method', () => {
    const service = hydrate(model, object({ reconcile: 'x', privileged: 'x', spec: {} }));
    expect(service.reconcile).toBe(Service.prototype.reconcile);
    expect(service.privileged).toEqual([]);
  });

  test.each([
    ['a map', { labels: JSON.parse('{"__proto__": "x"}') as object }, (spec: Spec) => spec.labels],
    ['a map of a class', { named: JSON.parse('{"__proto__": {"number": 1}}') as object }, (spec: Spec) => spec.named],
  ])('__proto__ in %s is an ordinary key', (_what, spec, holder) => {
    const held = holder(hydrate(model, object({ spec })).spec)!;
    expect(Object.keys(held)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(held)).toBe(Object.prototype);
  });

  test('data cannot change the prototype of an instance', () => {
    const spec = JSON.parse('{"__proto__": {"number": 1}}') as object;
    expect(Object.getPrototypeOf(hydrate(model, object({ spec })).spec)).toBe(Spec.prototype);
  });

  test('an unknown __proto__ is kept as data', () => {
    const spec = JSON.parse('{"__proto__": {"number": 1}}') as object;
    expect(JSON.stringify(hydrate(model, object({ spec })).spec)).toBe('{"__proto__":{"number":1}}');
  });

  test('declared and unknown fields with names of Object.prototype are kept', () => {
    const spec = { toString: 'a', valueOf: { number: 1 }, hasOwnProperty: 'b', isPrototypeOf: 'c' };
    const named = hydrate(inherited, object({ spec, toLocaleString: 'd' }));
    expect(Object.entries(named.spec)).toEqual(Object.entries(spec));
    expect(named.spec.valueOf).toBeInstanceOf(Port);
    expect(Object.entries(named)).toContainEqual(['toLocaleString', 'd']);
  });

  test('a missing field with a name of Object.prototype is an empty instance', () => {
    expect(hydrate(inherited, object({ spec: {} })).valueOf).toBeInstanceOf(Spec);
  });

  test.each([null, 'text', 7, [1]])('hydrate keeps %j where the schema has an object', (value) => {
    expect(hydrate(model, object({ spec: value })).spec).toEqual(value);
  });
});
