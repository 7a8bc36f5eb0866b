import { expect, test } from '@jest/globals';
import { typedProblems } from '../../../src/apiserver/apply/typed-problems.js';
import { goMergeType } from '../../../src/apiserver/schema/go-merge-type.js';

const pod = goMergeType('core/v1.Pod');
const configMap = goMergeType('core/v1.ConfigMap');

test('a configuration of the right type has no problems', () => {
  expect(typedProblems(pod, { spec: { containers: [{ name: 'a', image: 'b' }], hostNetwork: true } })).toEqual([]);
});

test('null is a value of every type', () => {
  expect(typedProblems(pod, { metadata: null, spec: { containers: null, hostNetwork: null } })).toEqual([]);
});

test.each([
  [{ data: { x: {} } }, '.data.x: expected string, got &value.valueUnstructured{Value:map[string]interface {}{}}'],
  [{ data: 'x' }, '.data: expected map, got &{x}'],
  [{ immutable: 'yes' }, '.immutable: expected boolean, got &{yes}'],
  [{ odd: 1 }, '.odd: field not declared in schema'],
])('the error for %j is that of structured-merge-diff', (value, problem) => {
  expect(typedProblems(configMap, value)).toEqual([problem]);
});

test('an error in an atomic list names the index of the item', () => {
  const value = { metadata: { labels: {} }, spec: { containers: [{ name: 'a', args: ['x', 1] }] } };
  expect(typedProblems(pod, value)).toEqual([
    '.spec.containers[name="a"].args[1]: expected string, got &value.valueUnstructured{Value:1}',
  ]);
});

test('two items with the same keys are duplicates, unless duplicates are allowed', () => {
  const value = { spec: { containers: [{ name: 'a' }, { name: 'a' }] } };
  expect(typedProblems(pod, value)).toEqual(['.spec.containers: duplicate entries for key [name="a"]']);
  expect(typedProblems(pod, value, true)).toEqual([]);
});

test('the default of a required key is the zero value of its type', () => {
  expect(typedProblems(pod, { spec: { containers: [{ image: 'b' }] } })).toEqual([]);
});

test('quantities and times may be any scalar', () => {
  const container = { name: 'a', resources: { limits: { cpu: 1, memory: '1Gi' } } };
  expect(typedProblems(pod, { metadata: { creationTimestamp: 'never' }, spec: { containers: [container] } })).toEqual(
    [],
  );
});
