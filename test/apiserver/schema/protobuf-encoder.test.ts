import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { goPackage } from '../../../src/apiserver/schema/go-package.js';
import { decodeProtobuf } from '../../../src/apiserver/schema/protobuf.js';
import { encodeProtobuf, encodeProtobufList, watchFrame } from '../../../src/apiserver/schema/protobuf-encoder.js';

const structFor = (apiVersion: string, kind: string): string => `${goPackage(apiVersion)}.${kind}`;

const metadata = {
  name: 'a',
  generation: 3,
  creationTimestamp: '2026-11-21T20:00:00Z',
  labels: { 'app.kubernetes.io/name': 'é' },
  managedFields: [{ manager: 'm', operation: 'Apply', fieldsV1: { 'f:spec': { '.': {} } } }],
};

test.each([
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: {
      volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Gi' } }],
      containers: [
        {
          name: 'c',
          command: ['a', '', 'b'],
          resources: { limits: { cpu: '500m' } },
          livenessProbe: { httpGet: { port: 'http' }, initialDelaySeconds: 0 },
          readinessProbe: { tcpSocket: { port: 8080 } },
          securityContext: { privileged: false, runAsUser: 0 },
        },
      ],
      tolerations: [{ key: 'k', tolerationSeconds: -1 }],
    },
    status: { podIP: '10.0.0.1' },
  },
  { apiVersion: 'v1', kind: 'Secret', metadata, data: { key: 'AAEC/w==', empty: '' }, type: 'Opaque' },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata,
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-11-21T20:00:00.012345Z' },
  },
  { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, data: { spec: { x: [1, null] } }, revision: 9e15 },
  {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    metadata: {},
    spec: { token: 't' },
    status: { user: { username: 'u', groups: ['g'], extra: { scopes: ['a', 'b'] } } },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    spec: {
      group: 'example.com',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: false,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                open: { type: 'object', additionalProperties: true },
                closed: { type: 'object', additionalProperties: { type: 'string', default: 'x' } },
                list: {
                  type: 'array',
                  items: { type: 'number', minimum: -1.5, multipleOf: 0.5, enum: [1, null, 'a'] },
                },
              },
            },
          },
        },
      ],
    },
  },
])('a $kind is unchanged after encoding and decoding', (object) => {
  expect(decodeProtobuf(encodeProtobuf(structFor(object.apiVersion, object.kind), object), structFor)).toEqual(object);
});

test('integers of any size are unchanged after encoding and decoding', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (generation) => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generation } };
      expect(decodeProtobuf(encodeProtobuf('core/v1.ConfigMap', object), structFor)).toEqual(object);
    }),
  );
});

test('strings of any content are unchanged after encoding and decoding', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string({ unit: 'grapheme' })),
      (data) => {
        const object = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {},
          ...(Object.keys(data).length > 0 && { data }),
        };
        expect(decodeProtobuf(encodeProtobuf('core/v1.ConfigMap', object), structFor)).toEqual(object);
      },
    ),
  );
});

test('an encoded list has its metadata first and its items without their kinds', () => {
  const items = [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }];
  const list = { apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: '7' } };
  const bytes = encodeProtobufList('core/v1.ConfigMap', list, items);
  expect(decodeProtobuf(bytes, () => 'core/v1.ConfigMapList')).toEqual({ ...list, items });
});

test('a frame of a watch starts with its length', () => {
  const frame = watchFrame('ADDED', Buffer.from('object'));
  expect(frame.readUInt32BE()).toBe(frame.length - 4);
  expect(frame.subarray(4).toString('latin1')).toBe('\n\x05ADDED\x12\x08\n\x06object');
});
