const STRING = /"(?:[^"\\]|\\.)*"/y;
const SPACE = /\s*/y;
const SCALAR = /[^,\]}\s]+/y;

/** Scans valid JSON text member by member, including duplicates that JSON.parse drops. */
export class JsonScanner {
  private position = 0;

  constructor(private readonly text: string) {}

  /** Returns the first character of the next value. */
  peek(): string {
    this.take(SPACE);
    return this.text.charAt(this.position);
  }

  /** Reads a value that is neither an object nor an array; returns its text. */
  scalar(): string {
    const found = this.take(this.peek() === '"' ? STRING : SCALAR);
    this.take(SPACE);
    return found;
  }

  /** Reads the next object; `onKey` is called with each key and must read the value. */
  members(onKey: (key: string) => void): void {
    this.each('}', () => {
      const key = JSON.parse(this.scalar()) as string;
      this.position++;
      onKey(key);
    });
  }

  /** Reads the next array; `onItem` is called with each index and must read the item. */
  items(onItem: (index: number) => void): void {
    let index = 0;
    this.each(']', () => {
      onItem(index++);
    });
  }

  private each(end: string, read: () => void): void {
    this.position++;
    while (this.peek() !== end) {
      read();
      if (this.peek() === ',') this.position++;
    }
    this.position++;
    this.take(SPACE);
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.position += found.length;
    return found;
  }
}
