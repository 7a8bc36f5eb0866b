import { expect, test } from '@jest/globals';
import { DecodeReport } from '../../../src/apiserver/schema/decode-report.js';
import { decodeGo } from '../../../src/apiserver/schema/go-codec.js';
import { encodeGo, normalizeAsStored } from '../../../src/apiserver/schema/encode-go.js';

const POLICY = 'networking/v1.NetworkPolicySpec';
const ROLE = 'rbac/v1.Role';
const SECRET = 'core/v1.Secret';

const decode = (struct: string, value: Record<string, unknown>) => decodeGo(struct, value, new DecodeReport());

test('an empty list or map is kept as it is given', () => {
  const spec = { podSelector: { matchLabels: {} }, ingress: [], egress: [{ ports: [] }] };
  expect(decode(POLICY, spec)).toEqual(spec);
});

test('an empty list is omitted where Go omits it', () => {
  const spec = { podSelector: { matchLabels: {} }, ingress: [], egress: [{ ports: [] }] };
  expect(encodeGo(POLICY, spec)).toEqual({ podSelector: {}, egress: [{}] });
});

test('an empty list that Go never omits is encoded, and read from the store as null', () => {
  const role = decode(ROLE, { metadata: { name: 'r' }, rules: [{ verbs: [], resources: [] }] });
  expect(encodeGo(ROLE, role).rules).toEqual([{ verbs: [] }]);
  expect(normalizeAsStored(ROLE, role).rules).toEqual([{ verbs: null }]);
  expect(normalizeAsStored(ROLE, decode(ROLE, { metadata: { name: 'r' }, rules: [] })).rules).toBeNull();
});

test('null bytes are stored as empty bytes', () => {
  const secret = decode(SECRET, { metadata: { name: 's' }, data: { key: null } });
  expect([secret.data, normalizeAsStored(SECRET, secret).data]).toEqual([{ key: null }, { key: '' }]);
});
