import { SchemaValidator } from '../../src/crd/schema/schema-validator.js';
import { acceptsNull, type StructuralSchema } from '../../src/crd/schema/structural-schema.js';
import type { Chooser } from '../fidelity/chooser.js';

const SCALARS: readonly unknown[] = [
  ...[
    '',
    'a',
    'abc',
    'ab',
    'b',
    'c',
    'forbidden',
    '500Mi',
    '1h30m',
    '2026-01-02T03:04:05Z',
    '10.0.0.1',
    'default',
    'x y',
  ],
  ...['https://example.com/a', 'True', 'TCP', 'Always', 'Exists', '0f', 'Pending', 'v1', 'Disk', 'aGVsbG8=', 'αβγ'],
  ...[0, 1, 2, 4, 7, 8080, -3, 0.5, 2.5, 99.5, 2 ** 31, true, false],
];
const WRONG: readonly unknown[] = [null, 'text', 3, 1.5, true, [], {}, [null], { a: null }];
const ATTEMPTS = 8;

/** Makes JSON values for a schema: most fit, some miss required members or have wrong ones. */
export class RandomObjects {
  constructor(
    private readonly random: Chooser,
    /** Share of the values, at each level, that are of any type. */
    private readonly wrongShare = 0.01,
  ) {}

  value(schema: StructuralSchema): unknown {
    const { random } = this;
    if (random.chance(this.wrongShare)) return random.pick(WRONG);
    if (acceptsNull(schema) && random.chance(0.2)) return null;
    const validator = new SchemaValidator(schema);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const value = this.ofType(schema);
      if (validator.validate(value).length === 0) return value;
    }
    return this.ofType(schema);
  }

  private ofType(schema: StructuralSchema): unknown {
    const { random } = this;
    const known = [...(schema.enum ?? []), ...(schema.default === undefined ? [] : [schema.default])];
    if (known.length > 0 && random.chance(0.8)) return random.pick(known);
    if (schema.type === 'object') return this.object(schema);
    if (schema.type === 'array') {
      const items = schema.items ?? {};
      return Array.from({ length: random.pick([0, 1, 1, 2]) }, () => this.value(items));
    }
    return random.pick(schema.type === undefined ? [...SCALARS, {}, []] : SCALARS.filter(isOf(schema.type)));
  }

  private object(schema: StructuralSchema): unknown {
    const { random } = this;
    const members: [string, unknown][] = [];
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const share = schema.required?.includes(name) === true ? 0.97 : 0.5;
      if (random.chance(share)) members.push([name, this.value(member)]);
    }
    if (schema['x-kubernetes-embedded-resource'] === true)
      members.push(['apiVersion', 'v1'], ['kind', 'ConfigMap'], ['metadata', { name: 'a' }]);
    const { additionalProperties } = schema;
    if (typeof additionalProperties === 'object') members.push(['a', this.value(additionalProperties)]);
    else if (random.chance(0.1)) members.push(['unknown', random.pick(SCALARS)]);
    return Object.fromEntries(members);
  }
}

function isOf(type: string): (value: unknown) => boolean {
  return (value) => (type === 'integer' ? Number.isInteger(value) : typeof value === type);
}
