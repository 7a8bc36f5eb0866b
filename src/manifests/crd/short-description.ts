/** The ends of sentences: a mark before white space or the end, which excludes `1.5` and `pod.spec`. */
const SENTENCE_END = /[.!?](?=\s|$)|[。！？]/gu;

/** A description truncated to a number of characters: to whole sentences, else to whole words and an ellipsis. */
export function shortDescription(text: string, maxLength: number): string {
  const characters = Array.from(text);
  if (characters.length <= maxLength) return text;
  const start = characters.slice(0, maxLength).join('');
  const [sentences] = [...text.matchAll(SENTENCE_END)]
    .map(({ index }) => index + 1)
    .filter((end) => end <= start.length)
    .slice(-1);
  if (sentences !== undefined) return text.slice(0, sentences);
  if (maxLength === 0) return '';
  const isWholeWord = /\s/u.test(characters[maxLength - 1] ?? '');
  const room = characters.slice(0, maxLength - 1).join('');
  return `${(isWholeWord ? room : room.replace(/\s+\S*$/u, '')).trimEnd()}…`;
}
