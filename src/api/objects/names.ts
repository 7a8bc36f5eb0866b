const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;
const C_IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const DNS_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';

const matchers = new Map<string, RegExp>();

function matches(pattern: string, value: string): boolean {
  let matcher = matchers.get(pattern);
  if (!matcher) matchers.set(pattern, (matcher = new RegExp(`^${pattern}$`)));
  return matcher.test(value);
}

/** Kubernetes reports limits of labels and qualified names in bytes, and limits of object names in characters. */
function tooLong(max: number, unit: 'bytes' | 'characters'): string {
  return `must be no more than ${max} ${unit}`;
}

/** Formats apimachinery's RegexError: the requirement, examples and the expression. */
function patternError(what: string, pattern: string, ...examples: readonly string[]): string {
  const [first = '', ...rest] = examples;
  const listed = [`e.g. '${first}'`, ...rest.map((example) => ` or '${example}'`)].join(', ');
  return examples.length === 0
    ? `${what} (regex used for validation is '${pattern}')`
    : `${what} (${listed}, regex used for validation is '${pattern}')`;
}

/** Returns the errors of a C identifier. */
export function cIdentifierErrors(value: string): string[] {
  if (matches(C_IDENTIFIER, value)) return [];
  const what =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return [patternError(what, C_IDENTIFIER, 'my_name', 'MY_NAME', 'MyName')];
}

/** Returns the errors of a DNS-1123 label. */
export function dnsLabelErrors(value: string): string[] {
  const errors = value.length > 63 ? [tooLong(63, 'characters')] : [];
  if (!matches(LABEL, value)) {
    const what =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
    errors.push(matches(SUBDOMAIN, value) ? 'must not contain dots' : patternError(what, LABEL, 'my-name', '123-abc'));
  }
  return errors;
}

/** Returns the errors of a DNS-1123 subdomain: the name of most objects. */
export function dnsSubdomainErrors(value: string): string[] {
  return subdomainErrors(value, 'characters');
}

function subdomainErrors(value: string, unit: 'bytes' | 'characters'): string[] {
  const errors = value.length > 253 ? [tooLong(253, unit)] : [];
  if (!matches(SUBDOMAIN, value)) {
    const what =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
    errors.push(patternError(what, SUBDOMAIN, 'example.com'));
  }
  return errors;
}

/** Returns the errors of a host with a wildcard as its first label. */
export function wildcardSubdomainErrors(value: string): string[] {
  const pattern = `\\*\\.${SUBDOMAIN}`;
  const errors = value.length > 253 ? [tooLong(253, 'characters')] : [];
  if (!matches(pattern, value)) {
    const what =
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
    errors.push(patternError(what, pattern, '*.example.com'));
  }
  return errors;
}

/** Returns the errors of a DNS-1035 label: the name of a Service. */
export function dns1035LabelErrors(value: string): string[] {
  const errors = value.length > 63 ? [tooLong(63, 'characters')] : [];
  if (!matches(DNS_1035, value)) {
    const what =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
    errors.push(patternError(what, DNS_1035, 'my-name', 'abc-123'));
  }
  return errors;
}

/** Returns the errors of a qualified name: a label key, a finalizer. */
export function qualifiedNameErrors(value: string): string[] {
  const parts = value.split('/');
  const name = parts.at(-1) ?? '';
  const what =
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  if (parts.length > 2) {
    return [
      `${patternError(what, QUALIFIED, 'MyName', 'my.name', '123-abc')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  return [...(parts.length === 2 ? prefixErrors(parts[0] ?? '') : []), ...namePartErrors(name)];
}

function prefixErrors(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return subdomainErrors(prefix, 'bytes').map((error) => `prefix part ${error}`);
}

function namePartErrors(name: string): string[] {
  const errors: string[] = [];
  if (name === '') errors.push('name part must be non-empty');
  else if (name.length > 63) errors.push(`name part ${tooLong(63, 'bytes')}`);
  if (!matches(QUALIFIED, name)) {
    const what =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    errors.push(patternError(what, QUALIFIED, 'MyName', 'my.name', '123-abc'));
  }
  return errors;
}

export function labelValueErrors(value: string): string[] {
  const errors = value.length > 63 ? [tooLong(63, 'bytes')] : [];
  if (!matches(LABEL_VALUE, value)) {
    const what =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    errors.push(patternError(what, LABEL_VALUE, 'MyValue', 'my_value', '12345'));
  }
  return errors;
}

/** Returns the errors of a name that only has to be a path segment: RBAC kinds. */
export function pathSegmentErrors(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%']
    .filter((character) => value.includes(character))
    .map((character) => `may not contain '${character}'`);
}

/** Returns the errors of the name of a port. */
export function portNameErrors(value: string): string[] {
  const errors = value.length > 15 ? [tooLong(15, 'characters')] : [];
  if (!/^[-a-z0-9]+$/.test(value))
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** Returns the errors of a key of a ConfigMap or Secret. */
export function configKeyErrors(value: string): string[] {
  const errors = value.length > 253 ? [tooLong(253, 'characters')] : [];
  const pattern = '[-._a-zA-Z0-9]+';
  if (!matches(pattern, value)) {
    const what = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    errors.push(patternError(what, pattern, 'key.name', 'KEY_NAME', 'key-name'));
  } else if (value === '.') errors.push("must not be '.'");
  else if (value === '..') errors.push("must not be '..'");
  else if (value.startsWith('..')) errors.push("must not start with '..'");
  return errors;
}
