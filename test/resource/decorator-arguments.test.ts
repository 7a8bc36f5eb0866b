import { expect, test } from '@jest/globals';
import {
  CustomResource,
  Description,
  Field,
  Kind,
  PrintColumn,
  Sample,
  SelectableField,
  XValidation,
} from '../../src/index.js';
import { ModelError } from '../../src/resource/model-error.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass } from '../../src/resource/model.js';

type AnyDecorator = (argument?: unknown) => (target: ResourceClass) => void;

test.each([
  ['PrintColumn', PrintColumn, {}],
  ['Sample', Sample, undefined],
  ['SelectableField', SelectableField, 3],
  ['Description', Description, 3],
  ['XValidation', XValidation, {}],
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

function diagnosticsOf(classes: ResourceClass[]) {
  try {
    buildResourceModels(classes);
  } catch (error) {
    if (error instanceof ModelError) return error.diagnostics.map(({ className, hint }) => ({ className, hint }));
    throw error;
  }
  return [];
}
