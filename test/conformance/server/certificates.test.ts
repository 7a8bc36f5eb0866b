import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  bitString,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utf8String,
} from '../../../src/pki/der.js';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';
import { conditionOf } from '../controllers/cluster-suite.js';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const CLIENT = 'kubernetes.io/kube-apiserver-client';

let suite: AdmissionSuite;
let count = 0;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

interface Wish {
  readonly name: string;
  readonly organizations?: readonly string[];
  readonly dns?: readonly string[];
}

/** A request of PKCS #10 in PEM, in base64, with its key. */
function newRequest({ name, organizations = [], dns = [] }: Wish): { key: string; request: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const attribute = (id: string, value: string): Buffer => set(sequence(objectIdentifier(id), utf8String(value)));
  const subject = sequence(...organizations.map((each) => attribute('2.5.4.10', each)), attribute('2.5.4.3', name));
  const names = sequence(...dns.map((each) => implicit(2, Buffer.from(each))));
  const extensions = sequence(sequence(objectIdentifier('2.5.29.17'), octetString(names)));
  const asked = sequence(objectIdentifier('1.2.840.113549.1.9.14'), set(extensions));
  const info = sequence(
    integer(Buffer.from([0])),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(0, dns.length > 0 ? asked : Buffer.alloc(0)),
  );
  const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
  const der = sequence(info, algorithm, bitString(sign('sha256', info, privateKey)));
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${lines}\n-----END CERTIFICATE REQUEST-----\n`;
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    request: Buffer.from(pem).toString('base64'),
  };
}

const send = (name: string, spec: object): Promise<Reply> =>
  suite.send('POST', REQUESTS, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { usages: ['client auth'], signerName: CLIENT, ...spec },
  });
/** Requests a certificate; returns the name of the request. */
const ask = async (spec: object): Promise<string> => {
  const name = `request-${count++}`;
  const { code, body } = await send(name, spec);
  expect([code, body.message]).toEqual([201, undefined]);
  return name;
};
const judge = (name: string, type: 'Approved' | 'Denied'): Promise<Json> =>
  suite.must(
    'PATCH',
    `${REQUESTS}/${name}/approval`,
    { status: { conditions: [{ type, status: 'True', reason: 'Test', message: 'm' }] } },
    'application/strategic-merge-patch+json',
  );
const once = async (name: string, isWanted: (request: Json) => boolean): Promise<Json> => {
  const { body } = await suite.until(
    () => suite.send('GET', `${REQUESTS}/${name}`),
    (reply) => isWanted(reply.body),
  );
  return body;
};
const signed = async (name: string): Promise<string> => {
  const { status } = await once(name, (request) => request.status?.certificate !== undefined);
  return Buffer.from(text(status!.certificate), 'base64').toString();
};

test('a certificate request contains the user who created it', async () => {
  const name = await ask({ request: newRequest({ name: 'jane' }).request, username: 'root', groups: ['wheel'] });
  const { spec, status } = (await suite.send('GET', `${REQUESTS}/${name}`)).body;
  const me = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const { userInfo } = (await suite.must('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', me)).status!;
  expect([spec!.username, [...(spec!.groups as unknown as string[])].sort(), status]).toEqual([
    userInfo!.username,
    [...(userInfo!.groups as unknown as string[])].sort(),
    {},
  ]);
});

test.each<[object, string[]]>([
  [{ request: 'YWI=' }, ['spec.request: Invalid value: "YWI=": PEM block type must be CERTIFICATE REQUEST']],
  [{ usages: [] }, ['spec.usages: Required value']],
  [{ usages: ['client auth', 'client auth'] }, ['spec.usages[1]: Duplicate value: "client auth"']],
  [
    { signerName: 'foo' },
    [
      `spec.signerName: Invalid value: "foo": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
  ],
  [
    { signerName: 'kubernetes.io/legacy-unknown' },
    [
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
  ],
  [
    { expirationSeconds: 60 },
    ['spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 600 seconds (10 minutes)'],
  ],
])('a certificate request with %j is rejected', async (spec, problems) => {
  const { code, body } = await send('refused', { request: newRequest({ name: 'jane' }).request, ...spec });
  const message = `CertificateSigningRequest.certificates.k8s.io "refused" is invalid: ${problems.join(', ')}`;
  expect([code, body.message]).toEqual([422, message]);
});

describe('a certificate for a client', () => {
  test('a client certificate is signed once approved, and authenticates its user', async () => {
    const { key, request } = newRequest({ name: 'jane', organizations: ['team:blue', 'team:red'] });
    const name = await ask({ request, expirationSeconds: 3600, usages: ['client auth', 'digital signature'] });
    const { status } = await judge(name, 'Approved');
    expect(conditionOf({ status: status! }, 'Approved')).toMatchObject({
      lastTransitionTime: expect.any(String),
      lastUpdateTime: expect.any(String),
    });
    const cert = await signed(name);
    const { validFromDate, validToDate, keyUsage, ca } = new X509Certificate(cert);
    expect([Number(validToDate) - Number(validFromDate), keyUsage, ca]).toEqual([
      3_900_000,
      ['1.3.6.1.5.5.7.3.2'],
      false,
    ]);
    const me = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { userInfo } = (await suite.as({ cert, key }).must('POST', path, me)).status!;
    const groups = [...(userInfo!.groups as unknown as string[])].sort();
    expect([userInfo!.username, groups]).toEqual(['jane', ['system:authenticated', 'team:blue', 'team:red']]);
  });

  test('a denied certificate request is not signed, and the denial cannot be undone', async () => {
    const name = await ask({ request: newRequest({ name: 'jane' }).request });
    await judge(name, 'Denied');
    const change = { status: { conditions: null } };
    const path = `${REQUESTS}/${name}/approval`;
    const { code, body } = await suite.send('PATCH', path, change, 'application/merge-patch+json');
    expect([code, text(body.message)]).toEqual([
      422,
      expect.stringContaining('status.conditions: Forbidden: updates may not remove a condition of type "Denied"'),
    ]);
  });

  test('a write of the status cannot approve a certificate request', async () => {
    const name = await ask({ request: newRequest({ name: 'jane' }).request });
    const change = { status: { conditions: [{ type: 'Approved', status: 'True' }] } };
    const path = `${REQUESTS}/${name}/status`;
    const { code, body } = await suite.send('PATCH', path, change, 'application/merge-patch+json');
    expect([code, text(body.message)]).toEqual([
      422,
      expect.stringContaining('status.conditions: Forbidden: updates may not add a condition of type "Approved"'),
    ]);
  });

  test('a client certificate cannot have the usages of servers', async () => {
    const name = await ask({ request: newRequest({ name: 'jane' }).request, usages: ['client auth', 'server auth'] });
    await judge(name, 'Approved');
    const found = await once(name, (request) => conditionOf(request, 'Failed') !== undefined);
    expect(conditionOf(found, 'Failed')).toMatchObject({
      status: 'True',
      reason: 'SignerValidationFailure',
      message: 'invalid usage for client certificate: server auth',
    });
  });
});

describe('a certificate for a kubelet', () => {
  const node = { name: 'system:node:n', organizations: ['system:nodes'] };

  test('a client certificate of a kubelet is approved for users with permission', async () => {
    const { request } = newRequest(node);
    const signerName = 'kubernetes.io/kube-apiserver-client-kubelet';
    const name = await ask({ request, signerName, usages: ['client auth', 'digital signature'] });
    await signed(name);
    const found = (await suite.send('GET', `${REQUESTS}/${name}`)).body;
    expect(conditionOf(found, 'Approved')).toMatchObject({
      reason: 'AutoApproved',
      message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    });
  });

  test('a server certificate of a kubelet has the requested names', async () => {
    const { request } = newRequest({ ...node, dns: ['n.example.com', 'n'] });
    const usages = ['digital signature', 'server auth'];
    const name = await ask({ request, signerName: 'kubernetes.io/kubelet-serving', usages });
    await judge(name, 'Approved');
    const { subjectAltName, keyUsage } = new X509Certificate(await signed(name));
    expect([subjectAltName, keyUsage]).toEqual(['DNS:n.example.com, DNS:n', ['1.3.6.1.5.5.7.3.1']]);
  });

  test.each<[string, Wish, string]>([
    ['organization', { name: 'system:node:n', dns: ['n'] }, 'subject organization is not system:nodes'],
    ['names', node, 'DNS or IP subjectAltName is required'],
    ['common name', { ...node, name: 'n', dns: ['n'] }, 'subject common name does not begin with system:node:'],
  ])('a server certificate of a kubelet is not signed for another %s', async (_what, wish, message) => {
    const usages = ['digital signature', 'server auth'];
    const { request } = newRequest(wish);
    const name = await ask({ request, signerName: 'kubernetes.io/kubelet-serving', usages });
    await judge(name, 'Approved');
    const found = await once(name, (each) => conditionOf(each, 'Failed') !== undefined);
    expect(conditionOf(found, 'Failed')).toMatchObject({ reason: 'SignerValidationFailure', message });
  });
});

describe('of certificates', () => {
  const RBAC = '/apis/rbac.authorization.k8s.io/v1';
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  let clerk: AdmissionSuite;
  const grant = async (name: string, rules: readonly object[]): Promise<void> => {
    await suite.must('POST', `${RBAC}/clusterroles`, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules });
    await suite.must('POST', `${RBAC}/clusterrolebindings`, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'clerk' }],
    });
  };
  const rule = (resources: string, verbs: readonly string[], names = {}): object => ({
    apiGroups: ['certificates.k8s.io'],
    resources: [resources],
    verbs,
    ...names,
  });
  const condition = (type: string): object => ({ type, status: 'True', reason: 'Test', message: 'm' });
  const write = (name: string, endpoint: string, conditions: readonly object[]): Promise<Reply> =>
    clerk.send(
      'PATCH',
      `${REQUESTS}/${name}/${endpoint}`,
      { status: { conditions } },
      'application/strategic-merge-patch+json',
    );

  beforeAll(async () => {
    const { key, request } = newRequest({ name: 'clerk' });
    const name = await ask({ request });
    await judge(name, 'Approved');
    clerk = suite.as({ cert: await signed(name), key });
    await grant('clerk', [
      rule('certificatesigningrequests/approval', ['patch']),
      rule('certificatesigningrequests/status', ['patch']),
    ]);
    // The real server's authoriser learns of new roles by a watch.
    const isKnown = ({ code }: Reply): boolean => code === 404;
    for (const endpoint of ['approval', 'status']) await suite.until(() => write('none', endpoint, []), isKnown);
  });

  test('no certificate for system:masters can be requested', async () => {
    const { request } = newRequest({ name: 'jane', organizations: ['system:masters'] });
    const { code, body } = await send('master', { request });
    expect([code, body.message]).toEqual([
      403,
      `certificatesigningrequests.certificates.k8s.io "master" is forbidden: use of ${CLIENT} signer with system:masters group is not allowed`,
    ]);
  });

  test.each([
    ['approve', 'approval', 'Approved'],
    ['sign', 'status', 'Failed'],
  ])('a user without permission to %s for a signer cannot write the %s', async (verb, endpoint, type) => {
    const signerName = 'example.com/clerk';
    const name = await ask({ request: newRequest({ name: 'jane' }).request, signerName });
    const { code, body } = await write(name, endpoint, [condition(type)]);
    expect([code, body.message]).toEqual([
      403,
      `certificatesigningrequests.certificates.k8s.io "${name}" is forbidden: user not permitted to ${verb} requests with signerName "${signerName}"`,
    ]);
  });

  test('permission for all signers of a domain applies to each of them', async () => {
    await grant('clerk-signers', [rule('signers', ['approve', 'sign'], { resourceNames: ['example.org/*'] })]);
    const name = await ask({ request: newRequest({ name: 'jane' }).request, signerName: 'example.org/clerk' });
    const { body } = await suite.until(
      () => write(name, 'approval', [condition('Approved')]),
      ({ code }) => code === 200,
    );
    const present = body.status!.conditions as unknown as object[];
    expect((await write(name, 'status', [...present, condition('Failed')])).code).toBe(200);
  });
});
