import { expect, test } from '@jest/globals';
import { schemaWarnings } from '../../../src/manifests/problems/schema-warnings.js';

test('what the API server takes and does not hold to is told, with its place', () => {
  const warnings = schemaWarnings({
    type: 'object',
    properties: {
      address: { type: 'string', format: 'ip4' },
      sound: { type: 'string', format: 'ipv4' },
      shares: { type: 'array', items: { type: 'number', format: 'double', minimum: 0.5, maximum: 1 } },
      steps: { type: 'object', additionalProperties: { type: 'number', multipleOf: 0.5 } },
      size: { type: 'integer', format: 'int16', minimum: 1 },
    },
  });
  expect(warnings).toEqual([
    ".address has format 'ip4', which the API server does not check; pattern or a rule in CEL would hold",
    '.shares[] has minimum 0.5, with which the API server holds whole numbers to 0; a rule in CEL would hold',
    '.steps.* has multipleOf 0.5, with which the API server refuses whole numbers; a rule in CEL would hold',
    ".size has format 'int16', which the API server does not check; pattern or a rule in CEL would hold",
  ]);
});
