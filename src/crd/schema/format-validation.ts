import { isIP, isIPv4, isIPv6 } from 'node:net';

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const DURATION = /^[+-]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d|w))+$/;
const HOSTNAME = /^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\.?$/;

const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': (value) => DATE_TIME.test(value) && !Number.isNaN(Date.parse(value)),
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
  uuid: (value) => UUID.test(value),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: (value) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(value),
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  hostname: (value) => value.length <= 253 && HOSTNAME.test(value),
  uri: (value) => URL.canParse(value),
  byte: (value) => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value),
  duration: (value) => DURATION.test(value),
};

function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  const version = isIP(address);
  return rest.length === 0 && version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

/** The format, when the value does not have it; formats nobody knows always hold. */
export function formatError(format: string, value: string): string | undefined {
  return FORMATS[format]?.(value) === false ? format : undefined;
}
