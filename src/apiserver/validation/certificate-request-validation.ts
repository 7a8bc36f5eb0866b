import { goQuoted } from '../../base/go-quoted.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
  tooLong,
} from '../../api/protocol/field-error.js';
import { parseCertificateRequest } from '../certificates/certificate-request.js';
import { objectThenChange } from './update-order.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  numberAt,
  objectAt,
  stringAt,
} from '../objects/api-object.js';
import { X509Certificate } from 'node:crypto';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../api/objects/names.js';

const LEGACY = 'kubernetes.io/legacy-unknown';
const USAGES =
  'any,cert sign,client auth,code signing,content commitment,crl sign,data encipherment,decipher only,digital signature,email protection,encipher only,ipsec end system,ipsec tunnel,ipsec user,key agreement,key encipherment,microsoft sgc,netscape sgc,ocsp signing,s/mime,server auth,signing,timestamping'.split(
    ',',
  );
const FINAL = ['Approved', 'Denied', 'Failed'];
const MIN_SECONDS = 600;

export function validateCertificateRequest({ spec, status }: ApiObject): FieldError[] {
  const usages = arrayAt(spec, 'usages') as string[];
  const seconds = numberAt(spec, 'expirationSeconds');
  const tooShort = 'may not specify a duration less than 600 seconds (10 minutes)';
  return [
    ...requestErrors(objectAt({ spec }, 'spec').request),
    ...(usages.length === 0 ? [required('spec.usages')] : []),
    ...usages.flatMap((usage, index) =>
      USAGES.includes(usage) ? [] : notSupported(`spec.usages[${index}]`, usage, USAGES),
    ),
    ...usages.flatMap((usage, index) =>
      usages.indexOf(usage) === index ? [] : duplicate(`spec.usages[${index}]`, usage),
    ),
    ...signerErrors(stringAt(spec, 'signerName')),
    ...(seconds !== undefined && seconds < MIN_SECONDS
      ? [invalidValue('spec.expirationSeconds', seconds, tooShort)]
      : []),
    ...conditionErrors(eachObject(objectAt({ status }, 'status').conditions)),
    ...validateIssuedCertificate(stringAt(status, 'certificate')),
  ];
}

/** Validates an existing request in the same way, for every endpoint. */
const validateWhole = objectThenChange(validateCertificateRequest, () => [], { nameErrors: () => [] });

/** Approval and signing use different endpoints, each of which rejects changes of the other. */
export function validateCertificateRequestChange(next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  const errors: FieldError[] = [];
  const all = ({ status }: ApiObject, type: string): JsonObject[] =>
    eachObject(objectAt({ status }, 'status').conditions).filter((condition) => condition.type === type);
  for (const type of FINAL) {
    const gain = all(next, type).length - all(old, type).length;
    const what = `a condition of type ${goQuoted(type)}`;
    if (gain < 0) errors.push(forbiddenField('status.conditions', `updates may not remove ${what}`));
    else if (gain > 0 && type !== 'Failed' && subresource !== 'approval')
      errors.push(forbiddenField('status.conditions', `updates may not add ${what}`));
  }
  const [certificate, former] = [next, old].map(({ status }) => stringAt(status, 'certificate'));
  if (certificate !== former && subresource !== 'status')
    errors.push(forbiddenField('status.certificate', 'updates may not set certificate content'));
  else if (certificate !== former && former !== '')
    errors.push(forbiddenField('status.certificate', 'updates may not modify existing certificate content'));
  return [...validateWhole(next, old, ''), ...errors];
}

function requestErrors(given: unknown): FieldError[] {
  const request = typeof given === 'string' ? given : '';
  try {
    const { isGenuine } = parseCertificateRequest(Buffer.from(request, 'base64').toString());
    if (isGenuine) return [];
    return [invalidValue('spec.request', request, 'x509: signature verification failure')];
  } catch (error) {
    return [invalidValue('spec.request', given ?? null, error instanceof Error ? error.message : String(error))];
  }
}

function signerErrors(name: string): FieldError[] {
  return name === LEGACY
    ? [invalidValue('spec.signerName', name, 'the legacy signerName is not allowed via this API version')]
    : validateSignerName('spec.signerName', name);
}

function conditionErrors(conditions: readonly JsonObject[]): FieldError[] {
  return conditions.flatMap((condition, index) => {
    const path = `status.conditions[${index}]`;
    const [type, status] = [stringAt(condition, 'type'), stringAt(condition, 'status')];
    const allowed = FINAL.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    const earlier = conditions.slice(0, index).map((each) => stringAt(each, 'type'));
    const rival = { Approved: 'Denied', Denied: 'Approved' }[type];
    return [
      ...(type === '' ? [required(`${path}.type`)] : []),
      ...(status === '' ? [required(`${path}.status`)] : []),
      ...(status !== '' && !allowed.includes(status) ? [notSupported(`${path}.status`, status, allowed)] : []),
      ...(rival !== undefined && earlier.includes(rival)
        ? [invalidValue('status.conditions', type, 'Approved and Denied conditions are mutually exclusive')]
        : []),
      ...(earlier.includes(type) ? [duplicate(`${path}.type`, type)] : []),
    ];
  });
}

const FIELD = 'status.certificate';
const BLOCK = /-----BEGIN ([^-\n]+)-----\r?\n([\s\S]*?)-----END \1-----/g;

/** Returns the errors of the issued certificates, in base64. */
function validateIssuedCertificate(certificate: string): FieldError[] {
  const problem = certificate === '' ? undefined : pemProblem(Buffer.from(certificate, 'base64').toString());
  return problem === undefined ? [] : [invalidValue(FIELD, '<certificate data>', problem)];
}

function pemProblem(text: string): string | undefined {
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const [block, type = '', body = ''] of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuoted(type)}`;
    if (body.includes(':')) return 'no PEM block headers are permitted';
    if (!isCertificate(block)) return 'x509: malformed certificate';
  }
  return undefined;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

const MAX_DOMAIN = 253;
const MAX_NAME = MAX_DOMAIN + 253 + 63 + 1 + 1;

/** Returns the errors of the name of a certificate signer: a domain and a path of one segment. */
function validateSignerName(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0)
    return [
      invalidValue(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  const isShort = !domain.includes('.');
  return [
    ...(domain.length > MAX_DOMAIN ? [tooLong(field, MAX_DOMAIN)] : []),
    ...labelErrors(field, domain, dnsLabelErrors),
    ...(isShort
      ? [invalidValue(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...labelErrors(field, path, dnsSubdomainErrors),
    ...(name.length > MAX_NAME ? [tooLong(field, MAX_NAME)] : []),
  ];
}

/** Returns the errors of the first invalid label. */
function labelErrors(field: string, value: string, errorsOf: (label: string) => string[]): FieldError[] {
  const label = value.split('.').find((one) => errorsOf(one).length > 0);
  if (label === undefined) return [];
  return errorsOf(label).map((why) => invalidValue(field, value, `validating label ${goQuoted(label)}: ${why}`));
}
