import { expect, test } from '@jest/globals';
import { schemaWarnings } from '../../../src/manifests/problems/schema-warnings.js';

test('keywords that the API server accepts and does not enforce are reported with their path', () => {
  const warnings = schemaWarnings({
    type: 'object',
    properties: {
      address: { type: 'string', format: 'ip4' },
      sound: { type: 'string', format: 'ipv4' },
      shares: { type: 'array', items: { type: 'number', format: 'double', minimum: 0.5, maximum: 1 } },
      steps: { type: 'object', additionalProperties: { type: 'number', multipleOf: 0.5 } },
      level: { type: 'string', enum: ['a', null], nullable: true },
      size: { type: 'integer', format: 'int16', minimum: 1 },
    },
  });
  expect(warnings).toEqual([
    {
      path: 'properties[address]',
      problem: "the API server does not enforce format 'ip4'; add a pattern or a CEL rule",
    },
    {
      path: 'properties[shares].items',
      problem: 'with minimum 0.5 the API server compares integers with 0; use a CEL rule instead',
    },
    {
      path: 'properties[steps].additionalProperties',
      problem: 'with multipleOf 0.5 the API server rejects integers; use a CEL rule instead',
    },
    {
      path: 'properties[level]',
      problem:
        'the API server rejects null for an enum, even if the enum lists it; ' +
        'remove nullable, or replace enum with a pattern or a CEL rule',
    },
    {
      path: 'properties[size]',
      problem: "the API server does not enforce format 'int16'; add a pattern or a CEL rule",
    },
  ]);
});
