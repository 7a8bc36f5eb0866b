import { parseDuration } from '../cel/evaluate/duration.js';

const PART = /(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
const UNITS = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'];
/** Whatever goes on like these: `milliseconds`, `hours`, and so `days` and `secretly`. */
const BEGINNINGS = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const MAX = (1n << 63n) - 1n;

/** Whether a text is a duration as strfmt takes it: Go's, or one in which some number has a unit in words. */
export function isDuration(text: string): boolean {
  if (parseDuration(text)) return true;
  const parts = [...text.matchAll(PART)].map(
    ([, count = '', unit = '']) => [BigInt(count), unit.toLowerCase()] as const,
  );
  return parts.every(([count]) => count <= MAX) && parts.some(([, unit]) => isUnit(unit));
}

function isUnit(unit: string): boolean {
  return UNITS.includes(unit) || BEGINNINGS.some((beginning) => unit.startsWith(beginning));
}
