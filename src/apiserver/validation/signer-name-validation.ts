import { goQuoted } from '../../base/go-quoted.js';
import { invalidValue, required, tooLong, type FieldError } from '../../api/field-error.js';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../api/names.js';

const MAX_DOMAIN = 253;
const MAX_NAME = MAX_DOMAIN + 253 + 63 + 1 + 1;

/** Problems of the name of a signer of certificates: a domain and a path of one segment. */
export function validateSignerName(field: string, name: string): FieldError[] {
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

/** Of the first label that is none. */
function labelErrors(field: string, value: string, errorsOf: (label: string) => string[]): FieldError[] {
  const label = value.split('.').find((one) => errorsOf(one).length > 0);
  if (label === undefined) return [];
  return errorsOf(label).map((why) => invalidValue(field, value, `validating label ${goQuoted(label)}: ${why}`));
}
