import { expect, test } from '@jest/globals';
import { keywordOptions } from '../../../src/import-crd/values/value-options.js';

test('a keyword with the name of a member of all objects is kept as it is', () => {
  expect(keywordOptions({ constructor: 1, maxLength: 2 } as never)).toEqual({ constructor: 1, maxLength: 2 });
});
