import {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../../api/objects/names.js';
import { formatError } from '../../formats/string-formats.js';
import { CelObject, CelOptional } from '../values/cel-value.js';
import type { CelFunction } from './cel-function.js';
import { parseTimestamp } from '../../formats/timestamp.js';

type Check = (text: string) => readonly string[];

/** A named format for validating strings. */
class CelFormat extends CelObject {
  readonly typeName = 'kubernetes.NamedFormat';

  constructor(
    readonly name: string,
    readonly check: Check,
  ) {
    super();
  }

  equals(other: CelObject): boolean {
    return other instanceof CelFormat && other.name === this.name;
  }
}

/** A prefix of a name may end with a dash. */
const prefix =
  (check: Check): Check =>
  (text) =>
    check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
const openApi =
  (format: string, problem: string): Check =>
  (text) =>
    formatError(format, text) === undefined ? [] : [problem];

const CHECKS: Readonly<Record<string, Check>> = {
  dns1123Label: dnsLabelErrors,
  dns1123Subdomain: dnsSubdomainErrors,
  dns1035Label: dns1035LabelErrors,
  qualifiedName: qualifiedNameErrors,
  dns1123LabelPrefix: prefix(dnsLabelErrors),
  dns1123SubdomainPrefix: prefix(dnsSubdomainErrors),
  dns1035LabelPrefix: prefix(dns1035LabelErrors),
  labelValue: labelValueErrors,
  uri: openApi('uri', 'invalid URI for request'),
  uuid: openApi('uuid', 'does not match the UUID format'),
  byte: openApi('byte', 'invalid base64'),
  date: (text) => (parseTimestamp(`${text}T00:00:00Z`) ? [] : ['invalid date']),
  datetime: openApi('date-time', 'invalid datetime'),
};

const FORMATS = new Map(Object.entries(CHECKS).map(([name, check]) => [name, new CelFormat(name, check)]));

function validate({ check }: CelFormat, text: string): CelOptional {
  const errors = check(text);
  return errors.length === 0 ? CelOptional.none : new CelOptional(errors);
}

export const FORMAT_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  'format-validate': validate,
  'format-named': (name: string) => {
    const format = FORMATS.get(name);
    return format ? new CelOptional(format) : CelOptional.none;
  },
  ...Object.fromEntries([...FORMATS].map(([name, format]) => [`format.${name}`, () => format])),
};
