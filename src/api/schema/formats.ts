/** The formats that the API server knows, by type. */
const FORMATS = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
  string: [
    'byte',
    'date',
    'date-time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'cidr',
    'mac',
    'uri',
    'uuid',
    'uuid3',
    'uuid4',
    'uuid5',
    'k8s-short-name',
    'k8s-long-name',
    'password',
    'bsonobjectid',
    'isbn',
    'isbn10',
    'isbn13',
    'creditcard',
    'ssn',
    'hexcolor',
    'rgbcolor',
  ],
} as const;

/** A format that the API server knows. */
export type Format = (typeof FORMATS)[keyof typeof FORMATS][number];

/** Returns the formats for values of a type. */
export function formatsOf(type: string): readonly string[] {
  return Object.hasOwn(FORMATS, type) ? FORMATS[type as keyof typeof FORMATS] : [];
}

/** Returns whether a format applies only to values of other types. */
export function isForOtherTypes(format: string, type: string): boolean {
  const isKnown = Object.values<readonly string[]>(FORMATS).some((formats) => formats.includes(format));
  return isKnown && !formatsOf(type).includes(format);
}
