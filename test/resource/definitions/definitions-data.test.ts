/** @own-environment: replaces a module that other suites may have loaded */
import { expect, jest, test } from '@jest/globals';
import { EnvVar } from '../../../src/definitions.js';
import { Field } from '../../../src/resource/decorators/field.js';

const read = jest.fn(() => {
  throw new Error('the schemas were read');
});
jest.unstable_mockModule('../../../src/resource/definitions/definitions-data.ts', () => ({
  definitionsData: read,
  isObjectMeta: () => false,
}));
const { buildResourceModels } = await import('../../../src/resource/build-models.js');
const { kindWithSpec } = await import('../mistakes/classes.js');

test('the schemas of Kubernetes are read only when a class refers to one', () => {
  class Plain {
    @Field() name!: string;
  }
  class Referring {
    @Field({ type: EnvVar }) variable!: EnvVar;
  }
  buildResourceModels([kindWithSpec(Plain)]);
  expect(read).not.toHaveBeenCalled();
  expect(() => buildResourceModels([kindWithSpec(Referring)])).toThrow('the schemas were read');
});
