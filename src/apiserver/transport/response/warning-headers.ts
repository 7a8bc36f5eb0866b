const MAX_LENGTH = 4096;
const MAX_LENGTH_OF_EACH = 256;
const CONTROL = /\p{Cc}/u;

/**
 * The values of the Warning headers that tell the texts, each once: texts that are long together are cut, and what is
 * then still too much is left out (apiserver's endpoints/filters/warning.go). Control characters cannot be told.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const headers: string[] = [];
  let length = 0;
  const tell = (text: string): void => {
    if (CONTROL.test(text)) return;
    length += lengthOf(text);
    headers.push(headerOf(text));
  };
  const met: string[] = [];
  let areCut = false;
  for (const text of new Set(texts)) {
    if (text === '' || (areCut && length >= MAX_LENGTH)) continue;
    met.push(text);
    if (areCut) tell(cut(text));
    else if (CONTROL.test(text) || length + lengthOf(text) <= MAX_LENGTH) tell(text);
    else {
      areCut = true;
      length = 0;
      headers.length = 0;
      for (const each of met) tell(cut(each));
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

/** As Node takes it: a character for each byte of what goes over the wire. */
function headerOf(text: string): string {
  return Buffer.from(`299 - "${text.replaceAll(/["\\]/g, '\\$&')}"`).toString('latin1');
}
