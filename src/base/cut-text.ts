const GAP = ' … ';

/**
 * Returns a text of at most `length` characters. A longer one loses its middle: the beginning of a message names what has
 * failed, its end often the cause, as in `Job is invalid: spec.template: Invalid value: {…}: field is immutable`.
 */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  if (length <= GAP.length) return text.slice(0, Math.max(0, length));
  const kept = length - GAP.length;
  const end = Math.floor(kept / 2);
  // Half a character of two UTF-16 units is dropped.
  const first = text.slice(0, kept - end).replace(/[\ud800-\udbff]$/, '');
  return first + GAP + text.slice(text.length - end).replace(/^[\udc00-\udfff]/, '');
}

/**
 * Joins texts to one of at most `length` characters. All get the same room, and what short ones do not need is left to the
 * others, so that each remains visible.
 */
export function joinFairly(texts: readonly string[], separator: string, length: number): string {
  let room = length - separator.length * (texts.length - 1);
  const limits = new Map<number, number>();
  const shortestFirst = [...texts.keys()].sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
  for (const [done, index] of shortestFirst.entries()) {
    const share = Math.floor(room / (texts.length - done));
    const limit = Math.max(0, Math.min(share, texts[index]?.length ?? 0));
    limits.set(index, limit);
    room -= limit;
  }
  const cut = texts.map((text, index) => cutMiddle(text, limits.get(index) ?? 0));
  return cut.join(separator).slice(0, length);
}
