import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Reply } from '../../e2e/admission/admission-suite.js';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const APPLY = 'application/apply-patch+yaml';
/** A request with the common name a. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCQW9BZlpFVndOTGluUW5xL0pGdzRuTm9TUVMwekpwTWt5eVg3cEljT0RwZzlBSGhVdnQvbThxeFh2a2xZMmFHClVOZlJCZUNaeXJ3Z3c0eC9obUZyVVFLZ0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpQm1hbEtaR1l1RGxsM3kKOWZXdVc2OTY3OE5TbWFsdmtUWDU3YU44Nm9iWEp3SWhBT3dsWTVYeGx5ajQyRllYckpscVBJMC8zTzVTc1l2OQovM0Zpdk1nNDVMSEQKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';
/** The same, signed by RSA with SHA-1. */
const OLD_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQlN6Q0J0UUlCQURBTU1Rb3dDQVlEVlFRRERBRmhNSUdmTUEwR0NTcUdTSWIzRFFFQkFRVUFBNEdOQURDQgppUUtCZ1FEQ0pieFJuR2MvdnVTRVphS3RwVlQvODJWQU5BdlJIdDZRRWUvZmpTQytzZVVYVGJyYjNPN2lndjdrCmxaT0ErSEM3R2dxVjZzYXVUaHhDNE1aZUtSQjBMSEZYd25BMFdtOFVUQXZZTTRJc2dEdXdHRW9DZ0QzanBjUWkKek96QWFDcmNmSytUWlRvbWxFMUQ5MzhmQUt3dFBYM1RRVkNhc1BWcXlGQmVicjZCQlFJREFRQUJvQUF3RFFZSgpLb1pJaHZjTkFRRUZCUUFEZ1lFQVJsbE56WWgvdEVjT1hnVU1kQ210UUdPZ2I2WEZQSnladDVaeDBDVzErTW1yCk92Z3B5YUtoOVhCZ3gyM2w2c3lpOFoxR21mWWh6dC94WGFTTGJJNzljVWNycTNNR21Gb01LaHFPcGpKL2ZNTzQKWFJycitmY1NtM3YzdEE4dEhXNCs2eGNLMXRsZEplbi8zMmRmVFg0RjQzSFAxM1RScXVtekNxT213VzVoNHg0PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const object = (name: string, spec: object, metadata: object = {}): object => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name, ...metadata },
  spec: { request: REQUEST, usages: ['client auth'], signerName: 'example.com/a', ...spec },
});
const create = (body: object): Promise<Reply> => suite.send('POST', `${REQUESTS}?dryRun=All`, body);

test.each([
  [{ signerName: 'bad' }, `Invalid value: "bad": must be a fully qualified domain and path of the form`],
  [{ signerName: 'bad/a' }, 'Invalid value: "bad": should be a domain with at least two segments separated by dots'],
  [{ signerName: 'a.B/a' }, 'Invalid value: "a.B": validating label "B": a lowercase RFC 1123 label must consist'],
  [{ signerName: 'a.b/c d' }, 'Invalid value: "c d": validating label "c d": a lowercase RFC 1123 subdomain must'],
  [{ request: undefined }, 'spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST'],
  [{ request: '' }, 'spec.request: Invalid value: "": PEM block type must be CERTIFICATE REQUEST'],
])('a CertificateSigningRequest with %j is rejected', async (spec, message) => {
  expect(text((await create(object('x', spec))).body.message)).toContain(message);
});

test('a certificate request may be signed with SHA-1', async () => {
  expect((await create(object('x', { request: OLD_REQUEST }))).code).toBe(201);
});

test('finalizers of a CertificateSigningRequest must have a domain', async () => {
  const { body } = await create(object('x', {}, { finalizers: ['bad'] }));
  expect(text(body.message)).toContain('metadata.finalizers[0]: Invalid value: "bad": name is neither a standard');
});

test.each([
  ['.', `may not be '.'`],
  ['..', `may not be '..'`],
  ['a/b', `may not contain '/'`],
  ['a%b', `may not contain '%'`],
])('a CertificateSigningRequest may have any name except those like %s', async (name, why) => {
  expect((await create(object('A ö', {}))).code).toBe(201);
  const refused = `CertificateSigningRequest.certificates.k8s.io "${name}" is invalid`;
  const { body } = await create(object(name, {}));
  expect(body.message).toBe(`${refused}: metadata.name: Invalid value: "${name}": ${why}`);
  const { body: worse } = await create(object(name, { signerName: '' }));
  expect(worse.message).toBe(`${refused}: spec.signerName: Required value`);
});

test('conditions without a type are not reported as conflicting with others', async () => {
  await suite.must('POST', REQUESTS, object('conditions', {}));
  const conditions = [
    { type: '', status: 'True' },
    { type: 'Odd', status: 'True' },
  ];
  const path = `${REQUESTS}/conditions/status`;
  const refused = await suite.send('PATCH', path, { status: { conditions } }, 'application/merge-patch+json');
  const why =
    'CertificateSigningRequest.certificates.k8s.io "conditions" is invalid: status.conditions[0].type: Required value';
  expect(refused.body.message).toBe(why);
});

test("no field of a CertificateSigningRequest's spec has an owner, and its status accepts only certificates", async () => {
  const applied = await suite.send('PATCH', `${REQUESTS}/a?fieldManager=one`, object('a', {}), APPLY);
  expect([applied.code, applied.body.metadata?.managedFields]).toEqual([201, undefined]);
  const change = { status: { certificate: 'b2Rk' } };
  const refused = await suite.send('PATCH', `${REQUESTS}/a/status`, change, 'application/merge-patch+json');
  const why =
    'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block';
  expect(refused.body.message).toBe(`CertificateSigningRequest.certificates.k8s.io "a" is invalid: ${why}`);
});

test('a write of the status does not change the approval of a CertificateSigningRequest', async () => {
  const approval = { type: 'Approved', status: 'True', reason: 'r', message: 'm' };
  await suite.must('POST', REQUESTS, object('decided', {}));
  const status = (condition: object): object => ({ status: { conditions: [condition] } });
  const merge = 'application/merge-patch+json';
  await suite.send('PATCH', `${REQUESTS}/decided/approval`, status(approval), merge);
  const { code, body } = await suite.send(
    'PATCH',
    `${REQUESTS}/decided/status`,
    status({ ...approval, status: 'odd', message: 'other' }),
    merge,
  );
  expect([code, body.status?.conditions]).toEqual([200, [expect.objectContaining(approval)]]);
});
