import { afterEach, describe, expect, test } from '@jest/globals';
import { Max, Min } from 'class-validator';
import { CronJob, Secret } from '../../src/api/kinds/kinds.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { CustomResource } from '../../src/resource/custom-resource.js';
import { Dependent } from '../../src/resource/decorators/dependent.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Mutate } from '../../src/resource/decorators/mutate.js';
import { Owns } from '../../src/resource/decorators/owns.js';
import { Policy } from '../../src/resource/decorators/policy.js';
import { PrintColumn } from '../../src/resource/decorators/print-column.js';
import { Rbac } from '../../src/resource/decorators/rbac.js';
import { XValidation } from '../../src/resource/decorators/rules/x-validation.js';
import { Sample } from '../../src/resource/decorators/sample.js';
import { Validate } from '../../src/resource/decorators/validate.js';
import { isFeatureEnabled, setFeatureGates, type FeatureGate } from '../../src/resource/feature-gates.js';
import type { ResourceClass, ResourceModel } from '../../src/resource/model.js';

const BACKUPS: FeatureGate = { name: 'Backups', stage: 'alpha' };
const PROBES: FeatureGate = { name: 'Probes', stage: 'beta' };
const STABLE: FeatureGate = { name: 'Stable', stage: 'ga' };

class BackupSpec {
  @Field() schedule!: string;
}

@XValidation({ rule: 'self.size > 0' })
@XValidation({ rule: '!has(self.backup) || self.size > 1', gate: BACKUPS })
class StoreSpec {
  @Field({ type: 'integer' }) size!: number;
  @PrintColumn() @Field({ gate: BACKUPS, optional: true, type: 'integer' }) @Min(1) @Max(3) copies?: number;
  @Field({ gate: BACKUPS, optional: true }) backup?: BackupSpec;
  @Field({ gate: PROBES, optional: true, type: 'string' }) probe?: string;
  @Field({ gate: STABLE }) zone!: string;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Owns(CronJob, { gate: BACKUPS })
@Rbac(Secret, 'get', { gate: BACKUPS })
@Rbac({ groups: [''], resources: ['pods/log'], gate: BACKUPS }, 'get')
@Policy('object.spec.size < 10', { gate: BACKUPS })
@PrintColumn({ name: 'Schedule', type: 'string', jsonPath: '.spec.backup.schedule', gate: BACKUPS })
@Sample({ name: 'plain', spec: { size: 1, zone: 'a' } })
@Sample({ name: 'saved', spec: { size: 2, zone: 'a', backup: { schedule: 'daily' } }, gate: BACKUPS })
class Store extends CustomResource {
  @Field() spec!: StoreSpec;
  reconcile(): void {}

  @Dependent(Secret, { gate: BACKUPS })
  secret(): undefined {}

  @Mutate({ gate: BACKUPS })
  fill(): void {}

  @Validate({ gate: BACKUPS })
  check(): void {}
}

function build(target: ResourceClass): ResourceModel {
  const [model] = buildResourceModels([target]);
  return model!;
}

/** What a model contains of decorators with gates. */
function contents(target: ResourceClass) {
  const { fields, printColumns, owns, rules, dependents, webhooks, policies, samples } = build(target);
  const { fields: specFields = [], rules: specRules } = fields.find(({ name }) => name === 'spec')?.value.class ?? {};
  return {
    fields: specFields.map(({ name }) => name),
    validations: specRules?.['x-kubernetes-validations']?.length,
    columns: printColumns.map(({ name }) => name),
    owned: owns.map(({ kind }) => kind.kind),
    rules: rules.flatMap(({ rule }) => rule.resources),
    dependents: dependents.length,
    webhooks: webhooks.map(({ type }) => type),
    policies: policies.length,
    samples: samples.map(({ name }) => name),
  };
}

afterEach(() => setFeatureGates({}));

describe('feature gates', () => {
  test('without states, nothing behind an alpha gate is part of a model, and all of beta and ga is', () => {
    expect(contents(Store)).toEqual({
      fields: ['size', 'probe', 'zone'],
      validations: 1,
      columns: [],
      owned: [],
      rules: [],
      dependents: 0,
      webhooks: [],
      policies: 0,
      samples: ['plain'],
    });
  });

  test('an enabled gate adds its fields, rules, columns, permissions, dependents, webhooks, policies and samples', () => {
    setFeatureGates({ Backups: true });
    const { fields, rules, ...others } = contents(Store);
    expect(fields.sort()).toEqual(['backup', 'copies', 'probe', 'size', 'zone']);
    expect(rules.sort()).toEqual(['pods/log', 'secrets']);
    expect(others).toEqual({
      validations: 2,
      columns: ['Schedule', 'Copies'],
      owned: ['CronJob', 'Secret'],
      dependents: 1,
      webhooks: ['Mutating', 'Validating'],
      policies: 1,
      samples: ['plain', 'saved'],
    });
  });

  test('a beta feature can be disabled, and a ga feature cannot', () => {
    setFeatureGates({ Probes: false, Stable: false });
    expect(contents(Store).fields).toEqual(['size', 'zone']);
  });

  test.each([
    [{}, [false, true, true]],
    [{ AllAlpha: true }, [true, true, true]],
    [{ AllBeta: false }, [false, false, true]],
    [{ AllAlpha: true, Backups: false }, [false, true, true]],
    [{ AllBeta: false, Probes: true }, [false, true, true]],
  ])('with %j the states of alpha, beta and ga are %j', (gates, states) => {
    setFeatureGates(gates);
    expect([BACKUPS, PROBES, STABLE].map(isFeatureEnabled)).toEqual(states);
  });

  test('a required field behind a gate is an error: objects of the other state do not have it', () => {
    class EarlySpec {
      @Field({ gate: PROBES, type: 'string' }) probe!: string;
    }
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Early extends CustomResource {
      @Field() spec!: EarlySpec;
    }
    expect(() => build(Early)).toThrow(
      /probe: is required, but behind the feature gate Probes, without which objects do not have it/,
    );
  });
});
