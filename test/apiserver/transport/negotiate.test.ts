import { describe, expect, test } from '@jest/globals';
import { negotiate } from '../../../src/apiserver/transport/negotiate.js';

const PARTIAL = 'as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const TABLE = 'as=Table;g=meta.k8s.io;v=v1';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

describe('the form of an answer', () => {
  test.each([
    ['JSON for whoever does not mind', undefined, true, 'object json'],
    ['JSON for a client that takes anything', '*/*', true, 'object json'],
    ['what comes first of what there is', `${PROTOBUF},application/json`, true, 'object protobuf'],
    ['JSON where there is no protobuf', `${PROTOBUF},application/json`, false, 'object json'],
    ['metadata in protobuf of whatever kind', `${PROTOBUF};${PARTIAL},application/json`, false, 'partial protobuf'],
    ['no table in protobuf', `${PROTOBUF};${TABLE},application/json;${TABLE}`, true, 'table json'],
    ['YAML when asked for', 'application/yaml', true, 'object yaml'],
  ])('is %s', (_what, accept, isProtobuf, expected) => {
    const { as, format } = negotiate(accept, undefined, null, isProtobuf);
    expect(`${as} ${format}`).toBe(expected);
  });

  test.each([
    ['v1', 'meta.k8s.io/v1'],
    ['v1beta1', 'meta.k8s.io/v1beta1'],
  ])('is a table of the version asked for, %s', (version, metaVersion) => {
    const accept = `application/json;as=Table;g=meta.k8s.io;v=${version}`;
    expect(negotiate(accept, undefined, null, true)).toMatchObject({ as: 'table', metaVersion });
  });

  test('is no table where there is none', () => {
    expect(() => negotiate(`application/json;${TABLE}`, undefined, null, true, false)).toThrow(/media types/);
    expect(negotiate(`application/json;${TABLE},application/json`, undefined, null, true, false).as).toBe('object');
  });

  test('names what there is to whoever asks for something else', () => {
    const listed = 'only the following media types are accepted: application/json, application/yaml';
    expect(() => negotiate('application/cbor', undefined, null, true)).toThrow(`${listed}, ${PROTOBUF}`);
    expect(() => negotiate(PROTOBUF, undefined, null, false)).toThrow(new RegExp(`${listed}$`));
  });
});
