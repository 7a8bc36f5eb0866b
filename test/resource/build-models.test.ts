import { describe, expect, test } from '@jest/globals';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { ownChange, type Predicate } from '../../src/api/events/predicate.js';
import { Controller } from '../../src/resource/decorators/controller.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Finalizer } from '../../src/resource/decorators/finalizer.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Owns } from '../../src/resource/decorators/owns.js';
import { PrintColumn } from '../../src/resource/decorators/print-column.js';
import { Rbac } from '../../src/resource/decorators/rbac.js';
import { Watches } from '../../src/resource/decorators/watches.js';
import { byLabel } from '../../src/resource/mapper.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass, ResourceModel } from '../../src/resource/model.js';
import { Deployment, Node, Sound } from './mistakes/classes.js';

function modelOf(target: ResourceClass): ResourceModel {
  return buildResourceModels([target])[0]!;
}

describe('the model of a class', () => {
  test('a kind is named after its class', () => {
    @Kind({ group: 'apps.example.com', version: 'v1alpha1' })
    class NetworkPolicy extends Sound {}
    expect(modelOf(NetworkPolicy)).toMatchObject({
      className: 'NetworkPolicy',
      kind: { group: 'apps.example.com', version: 'v1alpha1', kind: 'NetworkPolicy', plural: 'networkpolicies' },
      singular: 'networkpolicy',
      listKind: 'NetworkPolicyList',
      controller: { name: 'networkpolicy', namespace: 'networkpolicy-system', fieldManager: 'networkpolicy' },
    });
  });

  test('options of @Kind override what is derived from the class', () => {
    @Kind({ group: 'a.example.com', version: 'v1', kind: 'Pool', plural: 'pool', singular: 'one', scope: 'Cluster' })
    class NodePool extends Sound {}
    const { kind, singular } = modelOf(NodePool);
    expect({ ...kind, singular }).toMatchObject({ kind: 'Pool', plural: 'pool', scope: 'Cluster', singular: 'one' });
  });

  test('a model has the defaults of a controller', () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class PodSet extends Sound {}
    expect(modelOf(PodSet).controller).toEqual({
      name: 'podset',
      namespace: 'podset-system',
      fieldManager: 'podset',
      maxConcurrentReconciles: 1,
      predicate: ownChange,
      cacheSyncTimeoutMs: 120_000,
      reconcileTimeoutMs: 600_000,
      baseDelayMs: 5,
      delayFactor: 2,
      delayJitter: 0,
      maxDelayMs: 1_000_000,
      maxAttempts: Infinity,
      pausedDeletion: 'proceed',
    });
  });

  test('the model contains the options of @Controller', () => {
    const predicate: Predicate = () => true;
    @Kind({ group: 'apps.example.com', version: 'v1' })
    @Controller({ name: 'sets', maxConcurrentReconciles: 2, reconcileTimeout: '1s', predicate })
    class PodSet extends Sound {}
    expect(modelOf(PodSet).controller).toMatchObject({
      name: 'sets',
      namespace: 'sets-system',
      maxConcurrentReconciles: 2,
      reconcileTimeoutMs: 1000,
      predicate,
    });
  });

  test('a model lists decorators in the order of the source', () => {
    @Kind({ group: 'apps.example.com', version: 'v1', scope: 'Cluster' })
    @Owns(Deployment)
    @Owns(Node, { verbs: ['get'], anyOwner: true })
    @Watches(Node, byLabel('a'))
    @Watches(Deployment, byLabel('b'))
    @Rbac(Node, 'update')
    @Rbac({ groups: [''], resources: ['pods/log'], resourceNames: ['x'] }, 'get')
    class PodSet extends Sound {}
    const { owns, watches, rules } = modelOf(PodSet);
    expect(owns.map(({ kind, verbs, anyOwner }) => [kind.kind, verbs.length, anyOwner])).toEqual([
      ['Deployment', 7, undefined],
      ['Node', 1, true],
    ]);
    expect(watches.map(({ kind }) => kind.kind)).toEqual(['Node', 'Deployment']);
    expect(rules.map(({ rule }) => rule)).toEqual([
      { apiGroups: [''], resources: ['nodes'], verbs: ['update'] },
      { apiGroups: [''], resources: ['pods/log'], verbs: ['get'], resourceNames: ['x'] },
    ]);
  });

  test('a class may refer to itself and to other annotated classes', () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Part extends Sound {}
    @Kind({ group: 'apps.example.com', version: 'v1' })
    @Owns(Part)
    class Whole extends Sound {}
    Rbac(Whole, 'create')(Whole);
    const { owns, rules } = modelOf(Whole);
    expect(owns[0]?.kind.plural).toBe('parts');
    expect(rules[0]?.rule.resources).toEqual(['wholes']);
  });

  test('a model cannot be changed', () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class PodSet extends Sound {}
    expect(Object.isFrozen(modelOf(PodSet))).toBe(true);
  });
});

describe('inheritance', () => {
  class BaseSpec {
    @Field({ format: 'int32' }) @IsInt() @Min(0) size!: number;
    @Field() name!: string;
  }

  class Spec extends BaseSpec {
    @Field() @IsOptional() override name!: string;
    @Max(9) override size!: number;
    @Field() extra!: boolean;
  }

  @Owns(Deployment)
  @Rbac(Node, 'get')
  @PrintColumn({ name: 'Size', type: 'integer', jsonPath: '.spec.size' })
  @Controller({ maxConcurrentReconciles: 3, reconcileTimeout: 100 })
  abstract class BaseSet extends Sound {
    @Field() spec!: Spec;

    @Finalizer('apps.example.com/first')
    first(): void {
      return undefined;
    }
  }

  @Kind({ group: 'apps.example.com', version: 'v1' })
  @Watches(Node, byLabel('a'))
  @Controller({ maxConcurrentReconciles: 4 })
  class PodSet extends BaseSet {
    @Field({ type: 'object', preserveUnknownFields: true }) status!: object;

    @Finalizer('apps.example.com/second')
    second(): void {
      return undefined;
    }
  }

  const model = modelOf(PodSet);

  test('a class inherits owned and watched kinds, columns and permissions of its base classes', () => {
    expect(model.owns.map(({ kind }) => kind.kind)).toEqual(['Deployment']);
    expect(model.watches.map(({ kind }) => kind.kind)).toEqual(['Node']);
    expect(model.rules).toHaveLength(1);
    expect(model.printColumns).toHaveLength(1);
  });

  test('fields and finalizers of base classes are listed first', () => {
    expect(model.fields.map(({ name }) => name)).toEqual(['spec', 'status']);
    expect(model.finalizers).toEqual([
      { name: 'apps.example.com/first', method: 'first' },
      { name: 'apps.example.com/second', method: 'second' },
    ]);
  });

  test('options of controllers are merged, those of the derived class take precedence', () => {
    expect(model.controller).toMatchObject({ maxConcurrentReconciles: 4, reconcileTimeoutMs: 100 });
  });

  test('a class adds rules to fields of its base class, and can redeclare a field', () => {
    const fields = model.fields[0]!.value.class!.fields;
    expect(fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['size', true],
      ['name', false],
      ['extra', true],
    ]);
    expect(fields[0]!.value.rules).toEqual({ format: 'int32', minimum: 0, maximum: 9 });
  });
});

describe('required fields', () => {
  class Spec {
    @Field() plain!: string;
    @Field({ optional: true }) optional?: string;
    @Field() @IsOptional() constrained?: string;
    @Field({ default: 'a' }) defaulted!: string;
    @Field({ default: 'a', optional: false }) both!: string;
    @Field({ nullable: true }) nullable!: string;
  }

  @Kind({ group: 'apps.example.com', version: 'v1' })
  class PodSet extends Sound {
    @Field() spec!: Spec;
    @Field() status!: Spec;
    @Field({ optional: true }) optional?: Spec;
    @Field() @IsOptional() constrained?: Spec;
    @Field({ default: 'a' }) defaulted!: string;
    @Field() initialized: Spec = new Spec();
    @Field({ optional: false }) both: Spec = new Spec();
  }

  const { fields } = modelOf(PodSet);

  test('required fields are derived from options, @IsOptional and defaults', () => {
    const required = fields[0]!.value.class!.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    expect(required).toEqual(['plain', 'both', 'nullable']);
  });

  test('the required fields of a kind are all except status and those with an initializer', () => {
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    expect(required).toEqual(['spec', 'both']);
  });
});
