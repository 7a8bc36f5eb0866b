import { expect, test } from '@jest/globals';
import { scaledManagedFields, scaleManagedFields } from '../../../src/apiserver/apply/scale-managed-fields.js';
import type { ManagedFieldsEntry } from '../../../src/apiserver/objects/api-object.js';

const time = '2026-01-01T00:00:00Z';
const paths = { 'a/v1': ['spec', 'replicas'], 'a/v2': ['spec', 'size'], 'a/v3': null };
const replicasIn = (apiVersion: string) => paths[apiVersion as keyof typeof paths];
const to = { replicasIn, apiVersion: 'a/v1' };

type Fields = ManagedFieldsEntry['fieldsV1'];
const entry = (manager: string, operation: 'Apply' | 'Update', fields: Fields, apiVersion = 'a/v1') => ({
  ...{ manager, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1: fields ?? {} },
});
const shown = (entries: ManagedFieldsEntry[]): unknown[] =>
  entries.map(({ manager, operation, apiVersion, time: at, fieldsV1 }) => [
    manager,
    operation,
    apiVersion,
    at,
    fieldsV1,
  ]);
const ofScale = (manager: string, operation: 'Apply' | 'Update') =>
  entry(manager, operation, replicas, 'autoscaling/v1');

const replicas = { 'f:spec': { 'f:replicas': {} } };
const paused = { 'f:spec': { 'f:paused': {} } };
const both = { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } };
const size = { 'f:spec': { 'f:size': {} } };

test('a scale lists the managers of replicas in every API version', () => {
  const entries = [entry('one', 'Apply', both), entry('two', 'Update', size, 'a/v2'), entry('three', 'Update', paused)];
  expect(shown(scaleManagedFields(entries, replicasIn))).toEqual([
    ['one', 'Apply', 'autoscaling/v1', time, replicas],
    ['two', 'Update', 'autoscaling/v1', time, replicas],
  ]);
});

test('an update of the scale takes ownership of replicas, without a time', () => {
  const entries = [entry('one', 'Update', both), entry('two', 'Apply', size, 'a/v2')];
  expect(shown(scaledManagedFields(entries, [ofScale('three', 'Update')], to))).toEqual([
    ['three', 'Update', 'a/v1', undefined, replicas],
    ['one', 'Update', 'a/v1', time, paused],
  ]);
});

test('an applier that keeps the replicas has an unchanged entry', () => {
  const entries = [entry('one', 'Apply', both)];
  expect(scaledManagedFields(entries, scaleManagedFields(entries, replicasIn), to)).toEqual(entries);
});

test('an updater that keeps the replicas has a separate entry for them', () => {
  const entries = [entry('one', 'Update', both)];
  expect(shown(scaledManagedFields(entries, scaleManagedFields(entries, replicasIn), to))).toEqual([
    ['one', 'Update', 'a/v1', undefined, replicas],
    ['one', 'Update', 'a/v1', time, paused],
  ]);
});

test('entries of a version without a scale are kept, and those of an unknown version are removed', () => {
  const entries = [entry('one', 'Update', replicas, 'a/v3'), entry('two', 'Update', replicas, 'a/v4')];
  expect(scaledManagedFields(entries, [], to)).toEqual(entries.slice(0, 1));
});
