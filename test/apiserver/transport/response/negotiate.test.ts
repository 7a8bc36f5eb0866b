import { describe, expect, test } from '@jest/globals';
import { negotiate } from '../../../../src/apiserver/transport/response/negotiate.js';

const PARTIAL = 'as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const TABLE = 'as=Table;g=meta.k8s.io;v=v1';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const ALL = { hasProtobuf: true, hasTable: true };
const NO_TABLE = { ...ALL, hasTable: false };
const accepting = (accept: string | undefined) => ({ accept, userAgent: undefined });

describe('content negotiation', () => {
  test.each([
    ['JSON without an Accept header', undefined, true, 'object json'],
    ['JSON for a client that accepts any type', '*/*', true, 'object json'],
    ['the first type that is supported', `${PROTOBUF},application/json`, true, 'object protobuf'],
    ['JSON where protobuf is not supported', `${PROTOBUF},application/json`, false, 'object json'],
    ['metadata in protobuf for every kind', `${PROTOBUF};${PARTIAL},application/json`, false, 'partial protobuf'],
    ['no table in protobuf', `${PROTOBUF};${TABLE},application/json;${TABLE}`, true, 'table json'],
    ['YAML on request', 'application/yaml', true, 'object yaml'],
  ])('the content type of a response is negotiated: %s', (_what, accept, isProtobuf, expected) => {
    const { as, format } = negotiate(accepting(accept), { hasProtobuf: isProtobuf, hasTable: true });
    expect(`${as} ${format}`).toBe(expected);
  });

  test.each([
    ['v1', 'meta.k8s.io/v1'],
    ['v1beta1', 'meta.k8s.io/v1beta1'],
  ])('a table has the requested version, %s', (version, metaVersion) => {
    const accept = `application/json;as=Table;g=meta.k8s.io;v=${version}`;
    expect(negotiate(accepting(accept), ALL)).toMatchObject({ as: 'table', metaVersion });
  });

  test('a table is refused for a resource without one, unless another type is accepted', () => {
    expect(() => negotiate(accepting(`application/json;${TABLE}`), NO_TABLE)).toThrow(/media types/);
    expect(negotiate(accepting(`application/json;${TABLE},application/json`), NO_TABLE).as).toBe('object');
  });

  test('the error for an unsupported type lists the supported ones', () => {
    const listed = `only the following media types are accepted: application/json, application/yaml, ${PROTOBUF}`;
    for (const accept of ['application/cbor', ',', 'json', 'application/json/x', 'application/json;as=Table'])
      expect(() => negotiate(accepting(accept), ALL)).toThrow(listed);
    expect(() => negotiate(accepting(PROTOBUF), { ...ALL, hasProtobuf: false })).toThrow(listed);
  });

  test('the media type with the highest quality is chosen, then the most specific one', () => {
    const format = (accept: string) => negotiate(accepting(accept), ALL).format;
    expect(format('*/*;q=0.1,application/yaml;q=0.9')).toBe('yaml');
    expect(format('application/*,application/yaml')).toBe('yaml');
    expect(format('text/html, application/*')).toBe('json');
  });

  test('a response that cannot be reduced to metadata uses the next accepted type', () => {
    const offer = { ...ALL, isWhole: true };
    expect(negotiate(accepting(`${PROTOBUF};${PARTIAL},application/json`), offer)).toMatchObject({
      as: 'object',
      format: 'json',
    });
  });

  test.each([
    ['pretty', undefined, true],
    ['x', 'curl/8', false],
    ['', 'curl/8', true],
    [null, 'Mozilla/4.0', false],
  ])('a response is indented on request: %s by %s', (pretty, userAgent, expected) => {
    const asked = { accept: undefined, userAgent, pretty: pretty === 'pretty' ? 'True' : pretty };
    expect(negotiate(asked, ALL).isPretty).toBe(expected);
  });
});
