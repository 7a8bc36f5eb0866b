import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../src/testing/eventually.js';
import { stringifyYaml } from '../../src/base/yaml.js';
import { customResourceDefinition } from '../../src/manifests/crd/crd.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { celAlternative } from '../../src/resource/fields/cel-alternatives.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { Sound } from '../resource/mistakes/classes.js';

/** A rule of class-validator with its arguments, and values that it accepts and rejects. */
const RULES: readonly (readonly [name: string, args: readonly unknown[], right: unknown, wrong: unknown])[] = [
  ['contains', ["it's"], "so it's", 'not'],
  ['notContains', ['x'], 'a', 'axb'],
  ['notEquals', ['x'], 'y', 'x'],
  ['isNotIn', [['a', 'b']], 'c', 'b'],
  ['isEmpty', [], '', 'a'],
  ['isLowercase', [], 'abc', 'aBc'],
  ['isUppercase', [], 'ABC', 'AbC'],
  ['isIp', [], '::1', '1.2.3'],
  ['isIp', [4], '1.2.3.4', '::1'],
  ['isIp', ['6'], '::1', '1.2.3.4'],
  ['isEmail', [], 'a@b.example', 'a@b'],
  ['isUrl', [], 'https://example.com/a', 'example'],
  ['isPort', [], '8080', '65536'],
  ['isSemVer', [], '1.2.3', '1.2'],
  ['isNumberString', [], '-1.5', '1e'],
  ['arrayContains', [['a', 'b']], ['b', 'c', 'a'], ['a']],
  ['arrayNotContains', [['a', 'b']], ['c'], ['c', 'b']],
  ['minDate', [new Date(1000)], '1970-01-01T00:00:01Z', '1970-01-01T00:00:00Z'],
  ['maxDate', [new Date(1000)], '1970-01-01T00:00:01Z', '1970-01-01T00:00:02Z'],
];

class Spec {}
RULES.forEach(([name, args, right], index) => {
  const value = Array.isArray(right) ? { items: String, maxItems: 9 } : { type: name.endsWith('Date') ? Date : String };
  const rule = celAlternative(name, args) ?? '';
  Field({ ...value, validations: [{ rule }], optional: true })(Spec.prototype, `field${index}`);
});

@Kind({ group: 'rules.example.com', version: 'v1' })
class Ruled extends Sound {
  @Field({ type: Spec }) spec!: Spec;
}

describe('the expression to write instead of a rule of class-validator', () => {
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
        expect(String(error)).toContain('failed rule');
        return false;
      },
    );
  }

  test.each(RULES.map((rule, index) => [...rule, index] as const))(
    'the CEL alternative accepts and rejects the same values as %s(%j)',
    async (_name, _args, right, wrong, index) => {
      expect(await isTaken(index, right)).toBe(true);
      expect(await isTaken(index, wrong)).toBe(false);
    },
  );
});
