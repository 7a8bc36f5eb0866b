/** Where Go's base64 decoder stops at a text that it cannot read, if it does. */
export function wrongBase64Byte(text: string): number | undefined {
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (letter === '\n' || letter === '\r') continue;
    if (letter === '=') return wrongPaddingByte(text, at, digits % 4);
    if (!/[A-Za-z0-9+/]/.test(letter)) return at;
    digits++;
  }
  const rest = digits % 4;
  return rest === 0 ? undefined : text.length - rest;
}

/** What is wrong from the first sign of padding on, after so many digits of four. */
function wrongPaddingByte(text: string, start: number, digits: number): number | undefined {
  if (digits < 2) return start;
  let at = afterBreaks(text, start + 1);
  if (digits === 2) {
    if (at === text.length) return at;
    if (text[at] !== '=') return at - 1;
    at = afterBreaks(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

function afterBreaks(text: string, start: number): number {
  let at = start;
  while (text[at] === '\n' || text[at] === '\r') at++;
  return at;
}
