import { expect, test } from '@jest/globals';
import {
  AtLeastOneOf,
  AtMostOneOf,
  Controller,
  CustomResource,
  Description,
  ExactlyOneOf,
  Field,
  Kind,
  Owns,
  Pod,
  Policy,
  PrintColumn,
  Rbac,
  Sample,
  Scale,
  SelectableField,
  Union,
  XValidation,
} from '../../src/index.js';
import { ModelError } from '../../src/resource/model-error.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass } from '../../src/resource/model.js';

type AnyDecorator = (argument?: unknown) => (target: ResourceClass) => void;

test.each([
  ['PrintColumn', PrintColumn, { name: 3, type: 'integer', jsonPath: '.spec' }],
  ['SelectableField', SelectableField, 3],
  ['Description', Description, 3],
])(
  'an invalid argument of @%s is reported with the class, beside errors of other classes',
  (_, decorator, argument) => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    @((decorator as AnyDecorator)(argument))
    class Thing extends CustomResource {
      reconcile(): void {}
    }

    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Other extends CustomResource {
      @Field() value!: symbol;
      reconcile(): void {}
    }

    expect(diagnosticsOf([Thing, Other])).toEqual([
      { className: 'Thing', hint: 'check the types: npx tsc --noEmit' },
      { className: 'Other', hint: expect.any(String) },
    ]);
  },
);

test.each([
  ['PrintColumn', PrintColumn, {}, ['name is missing', 'type is missing', 'jsonPath is missing']],
  ['PrintColumn', PrintColumn, { name: 'Size', jsonPath: '.spec' }, ['type is missing']],
  ['Scale', Scale, undefined, ['specReplicasPath is missing', 'statusReplicasPath is missing']],
  ['Union', Union, undefined, ['discriminator is missing', 'members is missing']],
  ['Union', Union, { discriminator: 'type' }, ['members is missing']],
  ['XValidation', XValidation, {}, ['rule is missing']],
  ['Sample', Sample, undefined, ['name is missing']],
])('a required option that @%s lacks is reported by its name (%#)', (name, decorator, argument, problems) => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  @((decorator as AnyDecorator)(argument))
  class Thing extends CustomResource {
    reconcile(): void {}
  }

  expect(problemsOf([Thing])).toEqual(problems.map((problem) => `@${name}: ${problem}`));
});

test.each([
  ['Kind', () => Kind({ group: 'apps.example.com', version: 'v1', shortNames: 'gs' as never }), 'shortNames'],
  ['Owns', () => Owns(Pod, { verbs: 'get' as never }), 'verbs'],
  ['Rbac', () => Rbac({ groups: '' as never, resources: ['pods'] }, 'get'), 'groups'],
  ['Policy', () => Policy('true', { on: 'CREATE' as never }), 'on'],
  ['Controller', () => Controller({ cache: { namespaces: 'a' as never } }), 'cache.namespaces'],
])('a string in place of a list is an error, and not a list of letters: @%s', (name, decorator, option) => {
  class Thing extends CustomResource {
    reconcile(): void {}
  }
  if (name !== 'Kind') Kind({ group: 'apps.example.com', version: 'v1' })(Thing);
  (decorator() as (target: ResourceClass) => void)(Thing);

  expect(problemsOf([Thing])).toEqual([`@${name}: ${option} must be a list`]);
});

test.each([
  ['ExactlyOneOf', ExactlyOneOf],
  ['AtMostOneOf', AtMostOneOf],
  ['AtLeastOneOf', AtLeastOneOf],
])('@%s without a field is an error', (name, decorator) => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  @decorator()
  class Thing extends CustomResource {
    reconcile(): void {}
  }

  expect(problemsOf([Thing])).toEqual([`@${name} names no field`]);
});

test('a required option that a decorator of a nested class lacks is reported once', () => {
  @((XValidation as AnyDecorator)({}))
  class Spec {
    @Field() name!: string;
  }

  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Thing extends CustomResource {
    @Field({ type: () => Spec }) spec!: Spec;
    reconcile(): void {}
  }

  expect(problemsOf([Thing])).toEqual(['@XValidation: rule is missing']);
});

function problemsOf(classes: ResourceClass[]): string[] {
  try {
    buildResourceModels(classes);
  } catch (error) {
    if (error instanceof ModelError) return error.diagnostics.map(({ problem }) => problem);
    throw error;
  }
  return [];
}

function diagnosticsOf(classes: ResourceClass[]) {
  try {
    buildResourceModels(classes);
  } catch (error) {
    if (error instanceof ModelError) return error.diagnostics.map(({ className, hint }) => ({ className, hint }));
    throw error;
  }
  return [];
}
