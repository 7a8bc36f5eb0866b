import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import type { FieldPath } from '../../../src/base/changed-fields.js';
import { fieldManagersOf, fieldValue } from '../../../src/controller/hot-loops/field-managers.js';

const object = {
  metadata: {
    name: 'web',
    finalizers: ['a', 'b'],
    managedFields: [
      { manager: 'hpa', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      {
        manager: 'kubectl',
        fieldsV1: {
          'f:metadata': { 'f:finalizers': { 'v:"b"': {} } },
          'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } }, 'f:nodeSelector': {} },
        },
      },
      { manager: 'nothing' },
    ],
  },
  spec: { replicas: 3, containers: [{ name: 'side' }, { name: 'web', image: 'x' }], nodeSelector: { disk: 'ssd' } },
} as unknown as KubeObject;

test.each<[FieldPath, string[]]>([
  [['spec', 'replicas'], ['hpa']],
  [['spec', 'containers', 1, 'image'], ['kubectl']],
  [['spec', 'containers', 0, 'image'], []],
  [['spec', 'nodeSelector', 'disk'], ['kubectl']],
  [['metadata', 'finalizers', 1], ['kubectl']],
  [['metadata', 'finalizers', 0], []],
  [['spec'], ['hpa', 'kubectl']],
  [['status', 'ready'], []],
])('the managers of %j are %j', (path, managers) => {
  expect(fieldManagersOf(object, path)).toEqual(managers);
});

test('fieldValue follows members and indexes, and returns undefined for missing ones', () => {
  expect(fieldValue(object, ['spec', 'containers', 1, 'image'])).toBe('x');
  expect(fieldValue(object, ['spec', 'absent', 'deeper'])).toBeUndefined();
});
