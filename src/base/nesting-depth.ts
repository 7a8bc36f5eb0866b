const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = Buffer.from('"\\[]{}');

/** The maximum nesting depth of Go's JSON decoder, and so of each object that an API server accepts. */
export const MAX_DEPTH = 10_000;

/**
 * Returns whether JSON is nested more deeply than API servers accept. The text may be invalid.
 *
 * Parsing millions of levels blocks the event loop for seconds, and takes 50 times the memory of the text.
 */
export function isTooDeep(text: string): boolean {
  if (!mayBeTooDeep(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN || code === OPEN_LIST) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CLOSE || code === CLOSE_LIST) depth--;
  }
  return false;
}

/** Returns whether a text has enough brackets to exceed the depth limit; the exact check is slower. */
function mayBeTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let opened = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code === OPEN || code === OPEN_LIST) && ++opened > MAX_DEPTH) return true;
  }
  return false;
}

/** Returns the index of the closing quote; or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
