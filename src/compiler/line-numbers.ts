/** Returns a function from an offset in UTF-16 units to its line, counted from 1. */
export function lineNumbers(source: string): (offset: number) => number {
  const ends = Array.from(source.matchAll(/\r\n|[\n\r\u2028\u2029]/g), ({ index, 0: text }) => index + text.length);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
