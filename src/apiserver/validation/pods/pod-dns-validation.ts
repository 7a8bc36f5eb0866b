import { invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import { arrayAt, eachObject, isJsonObject, stringAt, type JsonObject } from '../../objects/api-object.js';
import { checkDnsSubdomain, type Check } from '../fields/field-checks.js';
import { validateAddress } from '../fields/ip-address.js';

const [MAX_NAMESERVERS, MAX_SEARCHES, MAX_SEARCH_LENGTH, MAX_NAME] = [3, 32, 2048, 253];
const LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SEARCH = new RegExp(`^${LABEL}(\\.${LABEL})*$`);
const SEARCH_DETAIL = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${LABEL}(\\.${LABEL})*')`;

/** Returns the errors of a pod's DNS configuration: core's validatePodDNSConfig. */
export function validateDnsConfig({ dnsConfig, dnsPolicy }: JsonObject, field: string): FieldError[] {
  if (!isJsonObject(dnsConfig))
    return dnsPolicy === 'None' ? [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')] : [];
  const [nameservers, searches] = [arrayAt(dnsConfig, 'nameservers'), arrayAt(dnsConfig, 'searches')].map((list) =>
    list.map(String),
  ) as [string[], string[]];
  if (dnsPolicy === 'None' && nameservers.length === 0)
    return [required(`${field}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  return [
    ...(nameservers.length > MAX_NAMESERVERS
      ? [invalidValue(`${field}.nameservers`, nameservers, `must not have more than ${MAX_NAMESERVERS} nameservers`)]
      : []),
    ...nameservers.flatMap((address, index) => validateAddress(`${field}.nameservers[${index}]`, address)),
    ...searchErrors(searches, `${field}.searches`),
    ...eachObject(dnsConfig.options).flatMap((option, index) =>
      stringAt(option, 'name') === '' ? [required(`${field}.options[${index}]`, 'must not be empty')] : [],
    ),
  ];
}

function searchErrors(searches: readonly string[], field: string): FieldError[] {
  const length = `must not have more than ${MAX_SEARCH_LENGTH} characters (including spaces) in the search list`;
  return [
    ...(searches.length > MAX_SEARCHES
      ? [invalidValue(field, searches, `must not have more than ${MAX_SEARCHES} search paths`)]
      : []),
    ...(Buffer.byteLength(searches.join(' ')) > MAX_SEARCH_LENGTH ? [invalidValue(field, searches, length)] : []),
    ...searches.flatMap((search, index) =>
      search === '.' ? [] : validateSearch(`${field}[${index}]`, search.replace(/\.$/, '')),
    ),
  ];
}

const validateSearch: Check<string> = (field, name) => [
  ...(Buffer.byteLength(name) > MAX_NAME ? [invalidValue(field, name, 'must be no more than 253 characters')] : []),
  ...(SEARCH.test(name) ? [] : [invalidValue(field, name, SEARCH_DETAIL)]),
];

/** Returns the errors of a pod's host aliases. */
export function validateHostAliases(aliases: unknown, field: string): FieldError[] {
  return eachObject(aliases).flatMap((alias, index) => [
    ...validateAddress(`${field}[${index}].ip`, stringAt(alias, 'ip')),
    ...arrayAt(alias, 'hostnames').flatMap((name, place) =>
      checkDnsSubdomain(`${field}[${index}].hostnames[${place}]`, String(name)),
    ),
  ]);
}
