import { formatsOf } from '../../api/schema/formats.js';
import { type SchemaProps, schemasBelow } from '../schema-props.js';
import { isCidr, isHostname, isIPv4, isIPv6, isMac } from './addresses.js';
import { isDate, isDateTime, isDuration } from './date-time.js';
import { isEmail } from './email.js';
import { isCreditCard, isIsbn10, isIsbn13 } from './numbers.js';
import { parseUri } from './uri.js';

type Check = (text: string) => boolean;

const matching =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);
const uuid = (version: string, variant = '[0-9a-f]'): Check =>
  matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'));

/** The string formats that the API server checks, without dashes: supportedVersionedFormats of apiextensions. */
const STRING_FORMATS: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    bsonobjectid: matching(/^[0-9a-f]{24}$/i),
    uri: (text) => !('problem' in parseUri(text)),
    email: isEmail,
    hostname: isHostname,
    ipv4: isIPv4,
    ipv6: isIPv6,
    cidr: isCidr,
    mac: isMac,
    uuid: uuid('[0-9a-f]'),
    uuid3: uuid('3'),
    uuid4: uuid('4', '[89ab]'),
    uuid5: uuid('5', '[89ab]'),
    isbn: (text) => isIsbn10(text) || isIsbn13(text),
    isbn10: isIsbn10,
    isbn13: isIsbn13,
    creditcard: isCreditCard,
    ssn: matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
    hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
    rgbcolor: isRgbColor,
    byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
    password: () => true,
    date: isDate,
    duration: isDuration,
    datetime: isDateTime,
    k8sshortname: (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
    k8slongname: (text) =>
      text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
  }),
);

function isRgbColor(text: string): boolean {
  const part = '[\\t\\n\\f\\r ]*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*';
  return new RegExp(`^rgb\\(${part},${part},${part}\\)$`).test(text);
}

/** Returns the format if the string does not match it; unknown formats always match. */
export function formatError(format: string, text: string): string | undefined {
  return STRING_FORMATS.get(format.replaceAll('-', ''))?.(text) === false ? format : undefined;
}

/** Reports whether the API server checks a format for values of a type. */
export function isRecognizedFormat(type: string, format: string): boolean {
  if (type === '' || type === 'string') return STRING_FORMATS.has(format.replaceAll('-', ''));
  return formatsOf(type).includes(format);
}

/** Returns the formats in a schema and its subschemas that the API server does not check. */
export function unrecognizedFormats(schema: SchemaProps): string[] {
  const { type = '', format = '' } = schema;
  const own = format === '' || isRecognizedFormat(type, format) ? [] : [format];
  return [...own, ...schemasBelow(schema).flatMap(unrecognizedFormats)];
}
