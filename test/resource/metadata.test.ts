import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../src/api/kube-object.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { PrintColumn } from '../../src/resource/decorators/print-column.js';
import { RuntimeOnly } from '../../src/resource/decorators/runtime-only.js';
import { SelectableField } from '../../src/resource/decorators/selectable-field.js';

class Gauge {
  size = 1;
}
type ClassTarget = abstract new () => KubeObject;

describe('a decorator where it does not belong, which only a compiler with types refuses', () => {
  test('before a member, and is for classes', () => {
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
  ])('before a class or a static member, and is for properties: @%s', (name, decorate) => {
    expect(() => decorate(Gauge, 'size')).toThrow(
      `@${name} must be applied to an instance property, not to class Gauge or a static member of it`,
    );
  });
});
