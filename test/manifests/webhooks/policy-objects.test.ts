import { describe, expect, test } from '@jest/globals';
import { Pod } from '../../../src/api/kinds/kinds.js';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { ManifestOptions } from '../../../src/manifests/operator.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Admission } from '../../../src/resource/decorators/admission.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Policy } from '../../../src/resource/decorators/policy.js';
import type { ResourceClass } from '../../../src/resource/model.js';

class Spec {
  @Field({ format: 'int32' }) size!: number;
}

function generate(target: ResourceClass, options: ManifestOptions = {}) {
  const sources = buildResourceModels([target]).map((model) => ({ model, sourceFile: 'operators/podset.ts' }));
  return generateManifests(sources, options);
}

function objectsIn(target: ResourceClass, path: string, options?: ManifestOptions): UnstructuredObject[] {
  const file = generate(target, options).find((each) => each.path === path);
  return parseYamlDocuments(file?.content ?? '', path) as UnstructuredObject[];
}

describe('@Policy', () => {
  test('@Policy of a class with an operator has a file of its own after the webhooks, in all layouts', () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    @Policy('object.spec.size < 10', 'is too large')
    @Policy('object.spec.size > 1', 'is too small')
    class PodSet extends CustomResource {
      @Field() spec!: Spec;
      reconcile(): void {
        return undefined;
      }
    }
    const [policy, binding] = objectsIn(PodSet, 'podset/09-policies.yaml');
    expect(policy).toMatchObject({
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'podsets.apps.example.com' },
      spec: {
        failurePolicy: 'Fail',
        validations: [
          { expression: 'object.spec.size < 10', message: 'is too large' },
          { expression: 'object.spec.size > 1', message: 'is too small' },
        ],
      },
    });
    expect(binding).toMatchObject({
      kind: 'ValidatingAdmissionPolicyBinding',
      spec: { policyName: 'podsets.apps.example.com', validationActions: ['Deny'] },
    });
    const paths = (layout: 'helm' | 'kustomize') => generate(PodSet, { layout }).map(({ path }) => path);
    expect(paths('helm')).toContain('podset/chart/templates/policies.yaml');
    expect(paths('kustomize')).toContain('podset/config/policy/policies.yaml');
    const restricted = objectsIn(PodSet, 'podset/09-policies.yaml', { namespace: 'sets', watchNamespaces: ['a'] });
    expect(restricted.map(({ metadata }) => metadata.name)).toEqual([
      'podsets.apps.example.com.sets',
      'podsets.apps.example.com.sets',
    ]);
  });

  test('@Policy of a kind that is defined elsewhere needs no operator, and excludes its namespace', () => {
    @Admission(Pod)
    @Policy('has(object.metadata.labels.team)', { message: 'must name a team' })
    class TeamPods {}
    expect(generate(TeamPods).map(({ path }) => path)).toEqual(['policies/team-pods.yaml']);
    const [policy] = objectsIn(TeamPods, 'policies/team-pods.yaml', { namespace: 'teams' });
    expect(policy).toMatchObject({
      metadata: { name: 'team-pods.pods' },
      spec: {
        matchConstraints: {
          namespaceSelector: {
            matchExpressions: [{ operator: 'NotIn', values: ['kube-system', 'kube-node-lease', 'teams'] }],
          },
        },
      },
    });
  });

  test.each([
    ['object.spec.size >', /the expression is not valid: ERROR: <input>:1:/],
    ['object.spec.sise > 1', /the expression is not valid: .*undefined field 'sise'/],
    ['object.spec.size == "1"', /the expression is not valid: .*no matching overload/],
    ['object.spec.size', /the expression is not valid: it must return a bool, but returns int/],
  ])('%s is an error of its class (G17)', (expression, message) => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    @Policy(expression)
    abstract class PodSet extends CustomResource {
      @Field() spec!: Spec;
    }
    expect(() => generate(PodSet)).toThrow(message);
  });

  test.each([
    { apply: 'Object{spec: Object.spec{size: 1}}' },
    { patch: '[JSONPatch{op: "add", path: "/spec/size", value: 1}]' },
  ])('a mutating policy with object literals is generated: %j', (options) => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    @Policy(options)
    abstract class PodSet extends CustomResource {
      @Field() spec!: Spec;
    }
    expect(() => generate(PodSet)).not.toThrow();
  });

  test('an apply configuration that is not CEL is an error of its class', () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    @Policy({ apply: 'Object{spec: Object.spec{size: }}' })
    abstract class PodSet extends CustomResource {
      @Field() spec!: Spec;
    }
    expect(() => generate(PodSet)).toThrow(/PodSet: @Policy: apply is not valid: ERROR: <input>:1:/);
  });
});
