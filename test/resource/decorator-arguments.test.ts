import { expect, test } from '@jest/globals';
import {
  AtLeastOneOf,
  AtMostOneOf,
  Controller,
  ConvertsTo,
  CustomResource,
  Daemon,
  Dependent,
  Description,
  Every,
  ExactlyOneOf,
  Field,
  Finalizer,
  Inject,
  Kind,
  Owns,
  Pod,
  Policy,
  PrintColumn,
  Rbac,
  Sample,
  Scale,
  Schema,
  SelectableField,
  Union,
  Watches,
  XValidation,
} from '../../src/index.js';
import type { FieldOptions } from '../../src/resource/decorators/field-options.js';
import type { KindOptions } from '../../src/resource/decorators/kind.js';
import { ModelError } from '../../src/resource/model-error.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass } from '../../src/resource/model.js';

type AnyMemberDecorator = (argument: unknown) => (target: object, property: string) => void;
type AnyDecorator = (argument?: unknown) => (target: ResourceClass) => void;

test.each([['PrintColumn', PrintColumn, { name: 3, type: 'integer', jsonPath: '.spec' }]])(
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

test.each([
  ['Rbac', Rbac, [], '@Rbac: the first argument must be a kind, { groups, resources } or { urls }'],
  ['Rbac', Rbac, [null], '@Rbac: the first argument must be a kind, { groups, resources } or { urls }'],
  ['Rbac', Rbac, [{ resources: ['pods'] }, 'get'], '@Rbac: groups is missing'],
  ['Policy', Policy, [], '@Policy: requires a CEL expression or options'],
  ['ConvertsTo', ConvertsTo, [], '@ConvertsTo: the first argument must be the class of another version'],
  ['ConvertsTo', ConvertsTo, [null], '@ConvertsTo: the first argument must be the class of another version'],
  ['ConvertsTo', ConvertsTo, [Pod, []], '@ConvertsTo: the first argument must be the class of another version'],
  [
    'ConvertsTo',
    ConvertsTo,
    [CustomResource],
    '@ConvertsTo: the second argument must be a list of steps, or { up, down }',
  ],
  ['Owns', Owns, [3], '@Owns: the first argument is not a kind'],
  ['Owns', Owns, [], '@Owns(undefined): not a class with @Kind'],
  ['Watches', Watches, [{}], '@Watches: the first argument is not a kind'],
  ['SelectableField', SelectableField, [], '@SelectableField: the path must be a string'],
  ['SelectableField', SelectableField, [{}], '@SelectableField: the path must be a string'],
  ['Description', Description, [], '@Description: the description must be a string'],
  ['ExactlyOneOf', ExactlyOneOf, [null], '@ExactlyOneOf: the arguments must be names of fields'],
])(
  'missing and wrong arguments of a class decorator are reported with the class: @%s (%#)',
  (_name, decorator, args, problem) => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Thing extends CustomResource {
      reconcile(): void {}
    }
    (decorator as unknown as (...given: readonly unknown[]) => (target: ResourceClass) => void)(...args)(Thing);

    expect(found([Thing])).toEqual([['Thing', problem]]);
  },
);

test('missing and wrong arguments of the decorator of a member are reported with the member', () => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Thing extends CustomResource {
    @Field(null as never) size!: number;
    @Field({ preserveUnknownFields: true }) @((SelectableField as AnyMemberDecorator)('.spec')) spec: unknown;
    reconcile(): void {}
    @Finalizer(undefined as never) clean(): void {}
  }
  expect(found([Thing])).toEqual([
    ['Thing.size', '@Field: the argument must be a text or an object'],
    ['Thing.clean', '@Finalizer: the name must be a string'],
    ['Thing.spec', '@SelectableField: takes no argument before a property'],
  ]);
});

test.each<[string, (target: never) => void, string]>([
  [
    'Kind.description',
    Kind({ group: 'apps.example.com', version: 'v1', description: 'A thing' } as KindOptions),
    "@Description('…') before the class, or a doc comment",
  ],
  ...['baseDelay', 'maxDelay', 'reconcileTimeout', 'cacheSyncTimeout'].map(
    (name): [string, (target: never) => void, string] => [
      `Controller.${name}Ms`,
      Controller({ [`${name}Ms`]: 5 }),
      `did you mean ${name}?`,
    ],
  ),
])('an option of an earlier version is an error that names the new spelling: %s', (option, decorate, hint) => {
  const [decorator = '', name = ''] = option.split('.');
  class Thing extends CustomResource {
    reconcile(): void {}
  }
  if (decorator !== 'Kind') Kind({ group: 'apps.example.com', version: 'v1' })(Thing);
  decorate(Thing as never);
  expect(problemsOf([Thing])).toEqual([`@${decorator}: unknown option '${name}'`]);
  expect(diagnosticsOf([Thing])).toEqual([expect.objectContaining({ hint })]);
});

test('the description of a field among its options is an error that names the argument', () => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Thing extends CustomResource {
    @Field({ description: 'The size', minimum: 1 } as FieldOptions) size!: number;
    reconcile(): void {}
  }
  expect(found([Thing])).toEqual([['Thing.size', "@Field: unknown option 'description'"]]);
  expect(diagnosticsOf([Thing])).toEqual([
    expect.objectContaining({ hint: "@Field('The size', { minimum: 1 }) size" }),
  ]);
});

test.each([
  ['Finalizer', Finalizer],
  ['Dependent', Dependent],
  ['Daemon', Daemon],
  ['Inject', Inject],
  ['XValidation', XValidation],
])('a decorator of a member without parentheses is an error: @%s', (name, decorator) => {
  class Thing {
    method(): void {}
  }
  const apply = decorator as unknown as (target: object, member: string) => void;
  expect(() => apply(Thing.prototype, 'method')).toThrow(`@${name} has no parentheses, in class Thing`);
});

test.each([
  ['Policy', Policy],
  ['Scale', Scale],
  ['Sample', Sample],
  ['Schema', Schema],
  ['Union', Union],
  ['ExactlyOneOf', ExactlyOneOf],
  ['Every', Every],
  ['Description', Description],
])('a class decorator without parentheses is an error: @%s', (name, decorator) => {
  class Thing {}
  const apply = decorator as unknown as (target: object) => unknown;
  // Lists of fields are evaluated when the decorator is applied.
  expect(() => (apply(Thing) as (target: object) => void)(Thing)).toThrow(
    `@${name} has no parentheses, in class Thing`,
  );
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

function found(classes: ResourceClass[]): unknown[] {
  try {
    buildResourceModels(classes);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return error.diagnostics.map(({ className, member, problem }) => [
      [className, ...(member === undefined ? [] : [member])].join('.'),
      problem,
    ]);
  }
  return [];
}

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
