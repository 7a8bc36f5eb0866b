const MAX_LENGTH = 4096;
const MAX_LENGTH_OF_EACH = 256;
const CONTROL = /\p{Cc}/u;

/**
 * Returns the values of the Warning headers for distinct texts. If the texts are too long in total, they are truncated,
 * and those beyond the limit are omitted (apiserver's endpoints/filters/warning.go). Texts with control characters are
 * skipped.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const headers: string[] = [];
  let length = 0;
  const addHeader = (text: string): void => {
    if (CONTROL.test(text)) return;
    length += lengthOf(text);
    headers.push(headerOf(text));
  };
  const met: string[] = [];
  let areCut = false;
  for (const text of new Set(texts)) {
    if (text === '' || (areCut && length >= MAX_LENGTH)) continue;
    met.push(text);
    if (areCut) addHeader(cut(text));
    else if (CONTROL.test(text) || length + lengthOf(text) <= MAX_LENGTH) addHeader(text);
    else {
      areCut = true;
      length = 0;
      headers.length = 0;
      for (const each of met) addHeader(cut(each));
    }
  }
  return headers;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function cut(text: string): string {
  return Array.from(text).slice(0, MAX_LENGTH_OF_EACH).join('');
}

/** Returns a header in Node's form: one character per byte of its UTF-8 encoding. */
function headerOf(text: string): string {
  return Buffer.from(`299 - "${text.replaceAll(/["\\]/g, '\\$&')}"`).toString('latin1');
}
