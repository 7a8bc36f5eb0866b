import { expect, test } from '@jest/globals';
import { Contains, Length, Max, Min, NotContains } from 'class-validator';
import { CustomResource, Field, Kind } from 'kindwright';
import { hiddenMessages } from '../../../src/manifests/problems/hidden-messages.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';

class Base {
  @Field({ format: 'int32' }) @Min(1, { message: 'must be positive' }) @Max(9) size!: number;
}
class Spec extends Base {
  @Field() @Contains('-', { message: '$property must contain $constraint1' }) name!: string;
  @Field() @NotContains('x', { message: ({ value }) => `not ${String(value)}` }) computed!: string;
  @Field({ items: String }) @Length(1, 9, { each: true, message: 'is too long' }) words!: string[];
}
@Kind({ group: 'apps.example.com', version: 'v1' })
abstract class Named extends CustomResource {
  @Field() spec!: Spec;
}
const [model] = buildResourceModels([Named]);

test('a message that users never see causes a warning that names the replacement', () => {
  const own = (name: string): string =>
    `message of ${name} is not shown, as the API server writes its own: ` +
    `remove it, or use @XValidation({ rule: '…', message: '…' }) instead of ${name}`;
  expect(hiddenMessages(model!).map((warning) => warning.replace(/^\S+:\d+ /, ''))).toEqual([
    `Spec.size: ${own('@Min')}`,
    `Spec.computed: message of @NotContains depends on the value: use ` +
      `@XValidation({ rule: "!self.contains('x')", messageExpression: '…' }) instead of @NotContains`,
    `Spec.words: ${own('@Length')}`,
  ]);
});

test('a fixed message of a constraint that becomes a CEL rule is the message of the rule', () => {
  const spec = model!.classModel.fields.find(({ name }) => name === 'spec')?.value.class;
  const name = spec?.fields.find((field) => field.name === 'name');
  expect(name?.value.rules['x-kubernetes-validations']).toEqual([
    { rule: "self.contains('-')", message: 'name must contain -' },
  ]);
});
