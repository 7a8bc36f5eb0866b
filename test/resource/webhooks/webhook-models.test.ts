import { describe, expect, test } from '@jest/globals';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Mutate } from '../../../src/resource/decorators/mutate.js';
import { Scale } from '../../../src/resource/decorators/scale.js';
import { Validate } from '../../../src/resource/decorators/validate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { Review } from '../../../src/resource/review.js';

class Spec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) zone?: string;
}

class Status {
  @Field({ optional: true, format: 'int32' }) ready?: number;
}

abstract class Base extends CustomResource {
  @Field() spec!: Spec;
  @Field() status!: Status;

  reconcile(): void {
    return undefined;
  }

  @Mutate() fill(): void {
    this.spec.zone ??= 'a';
  }

  @Validate({ timeoutSeconds: 2 }) checkOften(_review: Review<Base>): void {
    return undefined;
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' })
class PodSet extends Base {
  @Validate() check(_review: Review<PodSet>): void {
    return undefined;
  }

  @Validate({ on: ['DELETE'] }) keep(_review: Review<PodSet>): void {
    return undefined;
  }

  @Validate({ subresources: ['status', 'scale'] }) static checkParts(_object: object, _review: Review): void {
    return undefined;
  }

  @Validate({
    failurePolicy: 'Ignore',
    match: 'object.spec.size > 3',
    whileDeleting: true,
    sideEffects: 'NoneOnDryRun',
    objectSelector: { matchLabels: { team: 'a' } },
    namespaceSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] },
  })
  check_Large$(_review: Review<PodSet>): void {
    return undefined;
  }

  @Mutate({ reinvocation: true, name: 'again.pods.example.com', path: '/again' }) again(): void {
    return undefined;
  }
}

const [podSet] = buildResourceModels([PodSet]);
const webhook = (name: string) => podSet?.webhooks.find((each) => each.name === name);
const rule = { apiGroups: ['apps.example.com'], apiVersions: ['v1'], scope: 'Namespaced' };
const NOT_DELETING = {
  name: 'not-deleting',
  expression: 'request.operation == "DELETE" || !has(object.metadata.deletionTimestamp)',
};

describe('the webhooks of a class', () => {
  test('methods of a type without options share a webhook, and each set of other options has its own', () => {
    expect(podSet?.webhooks.map(({ name, methods }) => [name, methods.map(({ method }) => method)])).toEqual([
      ['mutate.podsets.apps.example.com', ['fill']],
      ['again.pods.example.com', ['again']],
      ['timeout.validate.podsets.apps.example.com', ['checkOften']],
      ['validate.podsets.apps.example.com', ['check', 'keep', 'checkParts']],
      ['match-namespaces-objects-deleting-ignore-side-effects.validate.podsets.apps.example.com', ['check_Large$']],
    ]);
  });

  test('webhooks have the paths of kubebuilder without the version, and the names of options instead of methods', () => {
    expect(podSet?.webhooks.map(({ path }) => path)).toEqual([
      '/mutate-apps-example-com-podset',
      '/again',
      '/validate-apps-example-com-podset-timeout',
      '/validate-apps-example-com-podset',
      expect.stringMatching(
        /^\/validate-apps-example-com-podset-match-namespaces-objects-deleting-ignore-side-effects-[0-9a-f]{8}$/,
      ),
    ]);
  });

  test('webhooks fail closed within 5 s and skip objects that are being deleted by default', () => {
    expect(webhook('mutate.podsets.apps.example.com')).toEqual({
      type: 'Mutating',
      name: 'mutate.podsets.apps.example.com',
      path: '/mutate-apps-example-com-podset',
      isFiltered: false,
      methods: [
        {
          method: 'fill',
          isStatic: false,
          operations: ['CREATE', 'UPDATE'],
          subresources: undefined,
          statesFailurePolicy: false,
        },
      ],
      rules: [{ ...rule, operations: ['CREATE', 'UPDATE'], resources: ['podsets'] }],
      failurePolicy: 'Fail',
      timeoutSeconds: 5,
      sideEffects: 'None',
      matchConditions: [NOT_DELETING],
      namespaceSelector: undefined,
      objectSelector: undefined,
      reinvocationPolicy: 'Never',
    });
  });

  test('webhooks receive only the operations and subresources that a method reviews', () => {
    expect(webhook('validate.podsets.apps.example.com')?.rules).toEqual([
      { ...rule, operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['podsets'] },
      { ...rule, operations: ['UPDATE'], resources: ['podsets/status'] },
      { ...rule, operations: ['UPDATE'], resources: ['podsets/scale'] },
    ]);
  });

  test('webhooks have the options of their methods', () => {
    expect(
      webhook('match-namespaces-objects-deleting-ignore-side-effects.validate.podsets.apps.example.com'),
    ).toMatchObject({
      failurePolicy: 'Ignore',
      sideEffects: 'NoneOnDryRun',
      matchConditions: [{ name: 'match', expression: 'object.spec.size > 3' }],
      objectSelector: { matchLabels: { team: 'a' } },
      namespaceSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] },
      reinvocationPolicy: undefined,
    });
    expect(webhook('again.pods.example.com')?.reinvocationPolicy).toBe('IfNeeded');
  });

  test('a subclass that decorates a method again overrides its webhook', () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Patient extends Base {
      @Validate({ timeoutSeconds: 9 }) override checkOften(): void {
        return undefined;
      }
    }
    const [patient] = buildResourceModels([Patient]);
    expect(patient?.webhooks.map(({ name, timeoutSeconds }) => [name, timeoutSeconds])).toEqual([
      ['mutate.patients.apps.example.com', 5],
      ['timeout.validate.patients.apps.example.com', 9],
    ]);
  });
});
