/** A timestamp in nanoseconds since 1970, UTC. */
export class CelTimestamp {
  constructor(
    readonly nanos: bigint,
    /** The offset of the original time zone from UTC, in seconds. */
    readonly offset = 0,
  ) {}
}

const SECOND = 1_000_000_000n;
const MIN = -62_135_596_800n;
const MAX = 253_402_300_799n;
const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Parses an RFC 3339 timestamp; undefined when the text is invalid. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [fraction = '', zone = ''] = match.slice(7);
  const milliseconds = timeOf(match.slice(1, 7).map(Number));
  const offset = offsetOf(zone);
  if (milliseconds === undefined || offset === undefined) return undefined;
  const seconds = BigInt(milliseconds / 1000 - offset);
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return inRange(seconds * SECOND + nanos, offset);
}

/** Returns milliseconds since 1970; undefined for an invalid day or time. */
function timeOf(parts: readonly number[]): number | undefined {
  const [year = 0, month = 0, day = 0, ...time] = parts;
  const [hour = 0, minute = 0, second = 0] = time;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const found = [
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  return found.every((part, index) => part === parts[index + 1]) ? date.getTime() : undefined;
}

function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** Returns the timestamp, if it is in CEL's range. */
export function inRange(nanos: bigint, offset = 0): CelTimestamp | undefined {
  const seconds = nanos / SECOND;
  return seconds < MIN || seconds > MAX ? undefined : new CelTimestamp(nanos, offset);
}

/** Formats a timestamp as CEL's string() does. */
export function formatTimestamp({ nanos, offset }: CelTimestamp): string {
  const fraction = ((nanos % SECOND) + SECOND) % SECOND;
  const seconds = (nanos - fraction) / SECOND;
  const text = new Date((Number(seconds) + offset) * 1000).toISOString().slice(0, 19);
  const digits = fraction.toString().padStart(9, '0').replace(/0+$/, '');
  return `${text}${digits === '' ? '' : `.${digits}`}${zoneText(offset)}`;
}

function zoneText(offset: number): string {
  if (offset === 0) return 'Z';
  const pad = (count: number): string => String(count).padStart(2, '0');
  const minutes = Math.abs(offset) / 60;
  return `${offset < 0 ? '-' : '+'}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`;
}
