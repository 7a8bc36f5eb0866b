import {
  ArrayContains,
  ArrayNotContains,
  Contains,
  IsBase64,
  IsDateString,
  IsEmail,
  IsEmpty,
  IsFQDN,
  IsIP,
  IsISO8601,
  IsLowercase,
  IsMACAddress,
  IsNotIn,
  IsNumberString,
  IsPort,
  IsRFC3339,
  IsSemVer,
  IsUppercase,
  IsUrl,
  IsUUID,
  MaxDate,
  MinDate,
  NotContains,
  NotEquals,
  validateSync,
} from 'class-validator';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../src/testing/eventually.js';
import { stringifyYaml } from '../../src/base/yaml.js';
import { customResourceDefinition } from '../../src/manifests/crd/crd.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import type { FieldOptions } from '../../src/resource/decorators/field-options.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { Sound } from '../resource/mistakes/classes.js';

/** A rule of class-validator, and values that both it and the API server accept and reject. */
const RULES: readonly (readonly [title: string, rule: PropertyDecorator, right: unknown, wrong: unknown])[] = [
  ['Contains', Contains("it's"), "so it's", 'not'],
  ['NotContains', NotContains('x'), 'a', 'axb'],
  ['NotEquals', NotEquals('x'), 'y', 'x'],
  ['NotEquals of an integer', NotEquals(3), 4, 3],
  ['NotEquals of a fraction', NotEquals(1.5), 2, 1.5],
  ['IsNotIn', IsNotIn(['a', 'b']), 'c', 'b'],
  ['IsNotIn of integers', IsNotIn([1, 2]), 3, 2],
  ['IsEmpty', IsEmpty(), '', 'a'],
  ['IsLowercase', IsLowercase(), 'abc', 'aBc'],
  ['IsUppercase', IsUppercase(), 'ABC', 'AbC'],
  ['IsIP', IsIP(), '::1', '1.2.3'],
  ['IsIP of version 4', IsIP(4), '1.2.3.4', '::1'],
  ['IsIP of version 6', IsIP('6'), '::1', '1.2.3.4'],
  ['IsEmail', IsEmail(), 'a@b.example', 'b.example'],
  ['IsUrl', IsUrl(), 'https://example.com/a', 'example'],
  ['IsUUID', IsUUID(), '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6ba7b810'],
  ['IsUUID of version 4', IsUUID(4), '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ['IsFQDN', IsFQDN(), 'a.example.com', 'a b'],
  ['IsMACAddress', IsMACAddress(), '00:1a:2b:3c:4d:5e', '00:1a'],
  ['IsBase64', IsBase64(), 'YWI=', 'Y'],
  ['IsISO8601', IsISO8601(), '1970-01-01T00:00:00Z', '1970'.repeat(3)],
  ['IsDateString', IsDateString(), '1970-01-01T00:00:00Z', 'now'],
  ['IsRFC3339', IsRFC3339(), '1970-01-01T00:00:00Z', '1970-01-01'],
  ['IsPort', IsPort(), '8080', '65536'],
  ['IsPort without leading zeros', IsPort(), '0', '080'],
  ['IsSemVer', IsSemVer(), '1.2.3', '1.2'],
  ['IsNumberString', IsNumberString(), '-1.5', '1e'],
  ['ArrayContains', ArrayContains(['a', 'b']), ['b', 'c', 'a'], ['a']],
  ['ArrayNotContains', ArrayNotContains(['a', 'b']), ['c'], ['c', 'b']],
  ['MinDate', MinDate(new Date(1000)), new Date(1000), new Date(0)],
  ['MaxDate', MaxDate(new Date(1000)), new Date(1000), new Date(2000)],
];

function typeOf(value: unknown): FieldOptions {
  if (Array.isArray(value)) return { items: String, maxItems: 9 };
  if (typeof value === 'number') return { type: 'number' };
  return { type: value instanceof Date ? Date : String };
}

class Spec {}
RULES.forEach(([, rule, right], index) => {
  Field({ ...typeOf(right), optional: true })(Spec.prototype, `field${index}`);
  rule(Spec.prototype, `field${index}`);
});

@Kind({ group: 'rules.example.com', version: 'v1' })
class Ruled extends Sound {
  @Field({ type: Spec }) spec!: Spec;
}

describe('a rule of class-validator in the schema', () => {
  let cluster: RunningControlPlane;
  beforeAll(async () => {
    cluster = await startControlPlane({ parts: ['etcd', 'apiserver'] });
    const crd = customResourceDefinition(...buildResourceModels([Ruled]));
    await cluster.kubectl(['apply', '-f', '-'], stringifyYaml(crd));
    await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=30s', 'crd', crd.metadata.name]);
    await eventually(() => cluster.kubectl(['get', crd.metadata.name])); // discovery has it, too
  });
  afterAll(() => cluster.stop());

  /** Whether the server takes an object of which one field has the value. */
  async function isTaken(index: number, value: unknown): Promise<boolean> {
    const spec = { [`field${index}`]: value };
    const object = { apiVersion: 'rules.example.com/v1', kind: 'Ruled', metadata: { name: 'x' }, spec };
    const created = cluster.kubectl(['create', '--dry-run=server', '-f', '-'], JSON.stringify(object));
    return created.then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toContain(`spec.field${index}`);
        return false;
      },
    );
  }

  test.each(RULES.map((rule, index) => [...rule, index] as const))(
    'class-validator and the API server accept and reject the same values: %s',
    async (_title, rule, right, wrong, index) => {
      expect([accepts(rule, right), accepts(rule, wrong)]).toEqual([true, false]);
      expect(await isTaken(index, right)).toBe(true);
      expect(await isTaken(index, wrong)).toBe(false);
    },
  );
});

/** Whether class-validator accepts the value. */
function accepts(rule: PropertyDecorator, value: unknown): boolean {
  class Holder {
    value = value;
  }
  rule(Holder.prototype, 'value');
  return validateSync(new Holder()).length === 0;
}
