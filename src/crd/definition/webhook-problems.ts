import { goQuoted } from '../../base/go-quoted.js';
import { X509Certificate } from 'node:crypto';
import { invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { dnsSubdomainErrors } from '../../api/objects/names.js';
import { stringAt, type JsonObject } from '../../base/json-object.js';

const FORM = '; desired format: https://host[/path]';

const URI = /^(?:([a-zA-Z][-+.a-zA-Z0-9]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** Returns the errors of a webhook URL: ValidateWebhookURL. */
export function urlProblems(field: string, text: string): FieldError[] {
  const match = URI.exec(text);
  if (!match) return [required(field, `url must be a valid URL: parse ${goQuoted(text)}: invalid${FORM}`)];
  const [scheme = '', authority = '', , query = '', fragment = ''] = match.slice(1);
  const at = authority.lastIndexOf('@');
  const [user, host] = [authority.slice(0, Math.max(0, at)), authority.slice(at + 1)];
  const checks: readonly (readonly [isWrong: boolean, value: string, detail: string])[] = [
    [scheme.toLowerCase() !== 'https', scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`],
    [host === '', host, `host must be specified${FORM}`],
    [at >= 0, user, 'user information is not permitted in the URL'],
    [fragment !== '', fragment, 'fragments are not permitted in the URL'],
    [query !== '', query, 'query parameters are not permitted in the URL'],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, value, detail]) => invalidValue(field, value, detail));
}

/**
 * Returns the errors of a webhook service: ValidateWebhookService, which the CRD validation calls with name and
 * namespace swapped.
 */
export function serviceProblems(field: string, service: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (stringAt(service, 'namespace') === '') errors.push(required(`${field}.name`));
  if (stringAt(service, 'name') === '') errors.push(required(`${field}.namespace`));
  const port = Number(service.port ?? 443);
  if (port < 1 || port > 65535)
    errors.push(invalidValue(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  return typeof service.path === 'string' ? [...errors, ...pathProblems(`${field}.path`, service.path)] : errors;
}

function pathProblems(field: string, path: string): FieldError[] {
  if (path === '/' || path === '') return [];
  if (path === '//') return [invalidValue(field, path, 'segment[0] may not be empty')];
  const errors = path.startsWith('/') ? [] : [invalidValue(field, path, "must start with a '/'")];
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  path
    .slice(1, Math.max(1, end))
    .split('/')
    .forEach((segment, index) => {
      if (segment === '') errors.push(invalidValue(field, path, `segment[${index}] may not be empty`));
      else
        errors.push(
          ...dnsSubdomainErrors(segment).map((error) => invalidValue(field, path, `segment[${index}]: ${error}`)),
        );
    });
  return errors;
}

/** Returns the errors of a base64-encoded certificate bundle: ValidateCABundle. */
export function caBundleProblems(field: string, bundle: string): FieldError[] {
  const pem = Buffer.from(bundle, 'base64').toString('latin1');
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > 0 && blocks.every(isCertificate)) return [];
  return [invalidValue(field, bundle, 'unable to load root certificates: unable to parse bytes as PEM block')];
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).fingerprint256 !== '';
  } catch {
    return false;
  }
}
