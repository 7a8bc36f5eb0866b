/** Returns a function for the UTC offset of an IANA time zone at a time, in milliseconds. */
export function zoneOffset(timeZone: string): (timeMs: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (timeMs) => {
    const name = format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(name) ?? [];
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return (sign === '-' ? -size : size) * 1000;
  };
}

const OFFSET = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;
