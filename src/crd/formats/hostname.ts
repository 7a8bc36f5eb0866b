const LABEL = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
const HOSTNAME = new RegExp(
  String.raw`^(?:${LABEL}(?:-?${LABEL}{0,62})?|(?:${LABEL}(?:[-a-zA-Z0-9\p{S}\p{L}]{0,61}${LABEL})?\.)+[a-zA-Z\p{L}]{2,63})$`,
  'u',
);

/** Whether a text is a host's name as strfmt takes it: a label, or labels and a domain of letters; symbols count. */
export function isHostname(text: string): boolean {
  return (
    HOSTNAME.test(text) &&
    Buffer.byteLength(text) <= 255 &&
    text.split('.').every((label) => Buffer.byteLength(label) <= 63)
  );
}
