import { expect, test } from '@jest/globals';
import { scaleManagedFields } from '../../../src/apiserver/apply/scale-managed-fields.js';
import type { ApiObject, ManagedFieldsEntry } from '../../../src/apiserver/object.js';

const time = '2026-01-01T00:00:00Z';
const entry = (manager: string, operation: 'Apply' | 'Update', fieldsV1: ManagedFieldsEntry['fieldsV1']) => ({
  ...{ manager, operation, apiVersion: 'apps/v1', time, fieldsType: 'FieldsV1', fieldsV1: fieldsV1 ?? {} },
});
const objectOf = (...managedFields: ManagedFieldsEntry[]): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', managedFields },
});
const scaled = (object: ApiObject, isChanged: boolean, isSet = true): unknown[] =>
  scaleManagedFields(object, {
    path: ['spec', 'replicas'],
    apiVersion: 'apps/v1',
    manager: 'two',
    isChanged,
    isSet,
  }).map(({ manager, operation, subresource, time: at, fieldsV1 }) => [manager, operation, subresource, at, fieldsV1]);

const replicas = { 'f:spec': { 'f:replicas': {} } };
const both = { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } };
const paused = { 'f:spec': { 'f:paused': {} } };

test('who scales takes the replicas over, without a time', () => {
  expect(scaled(objectOf(entry('one', 'Update', both)), true)).toEqual([
    ['two', 'Update', 'scale', undefined, replicas],
    ['one', 'Update', undefined, time, paused],
  ]);
});

test('a scale to the same replicas leaves an applier what it has', () => {
  expect(scaled(objectOf(entry('one', 'Apply', both)), false)).toEqual([['one', 'Apply', undefined, time, both]]);
});

test('a scale to the same replicas parts them from what else an updater wrote', () => {
  expect(scaled(objectOf(entry('one', 'Update', both)), false)).toEqual([
    ['one', 'Update', undefined, undefined, replicas],
    ['one', 'Update', undefined, time, paused],
  ]);
});

test('nobody owns no replicas', () => {
  expect(scaled(objectOf(entry('one', 'Update', both)), true, false)).toEqual([
    ['one', 'Update', undefined, time, paused],
  ]);
});

test('replicas that nobody owned stay without an owner', () => {
  expect(scaled(objectOf(entry('one', 'Update', paused)), true)).toEqual([['one', 'Update', undefined, time, paused]]);
});
