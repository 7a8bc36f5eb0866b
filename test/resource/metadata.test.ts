import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { Controller } from '../../src/resource/decorators/controller.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Mutate } from '../../src/resource/decorators/mutate.js';
import { PrintColumn } from '../../src/resource/decorators/print-column.js';
import { RuntimeOnly } from '../../src/resource/decorators/runtime-only.js';
import { Immutable } from '../../src/resource/decorators/rules/immutable.js';
import { SelectableField } from '../../src/resource/decorators/selectable-field.js';
import { Source } from '../../src/resource/decorators/source.js';
import { Validate } from '../../src/resource/decorators/validate.js';

class Gauge {
  size = 1;
}
type ClassTarget = abstract new () => KubeObject;

/** A decorator before a class or member, without parentheses. */
type Applied = (target: object, member?: string) => unknown;

test.each<[string, unknown]>([
  ['Field', Field],
  ['PrintColumn', PrintColumn],
  ['SelectableField', SelectableField],
  ['RuntimeOnly', RuntimeOnly],
  ['Immutable', Immutable],
  ['Validate', Validate],
  ['Mutate', Mutate],
])('a decorator of a member without parentheses is an error that names the class: @%s', (name, decorator) => {
  expect(() => (decorator as Applied)(Gauge.prototype, 'size')).toThrow(`@${name} has no parentheses, in class Gauge`);
});

test.each<[string, unknown]>([
  ['Kind', Kind],
  ['Controller', Controller],
  ['Validate', Validate],
  ['Source', Source],
])('a decorator of a class or a static member without parentheses is an error: @%s', (name, decorator) => {
  expect(() => (decorator as Applied)(Gauge)).toThrow(`@${name} has no parentheses, in class Gauge`);
});

test('@Kind() without options is an error that names the class', () => {
  const decorate = (Kind as (options?: unknown) => (target: unknown) => void)();
  expect(() => decorate(Gauge)).toThrow('@Kind of class Gauge has no options');
});

describe('a decorator where it does not belong, which only a compiler with types refuses', () => {
  test('a decorator of classes before a member is an error', () => {
    const place = Gauge.prototype as unknown as ClassTarget;
    expect(() => Kind({ group: 'apps.example.com', version: 'v1' })(place)).toThrow(
      '@Kind must be applied to a class, not to a member of Gauge',
    );
  });

  test.each([
    ['Field', Field()],
    ['PrintColumn', PrintColumn()],
    ['SelectableField', SelectableField()],
    ['RuntimeOnly', RuntimeOnly()],
  ])('a decorator of properties before a static member is an error: @%s', (name, decorate) => {
    expect(() => decorate(Gauge, 'size')).toThrow(
      `@${name} must be applied to an instance property, not to the static member Gauge.size`,
    );
  });

  test('a decorator of properties before a class is an error', () => {
    const decorate = Field() as (target: object) => void;
    expect(() => decorate(Gauge)).toThrow('@Field must be applied to an instance property, not to class Gauge');
  });
});
