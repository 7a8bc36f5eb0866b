const STRING = /"(?:[^"\\]|\\.)*"/y;
const SPACE = /\s*/y;
const SCALAR = /[^,\]}\s]+/y;

/** Goes through a JSON text, which must be valid, member by member, where JSON.parse would lose some. */
export class JsonScanner {
  private position = 0;

  constructor(private readonly text: string) {}

  /** The first letter of the value that comes next. */
  peek(): string {
    this.take(SPACE);
    return this.text.charAt(this.position);
  }

  /** The text of a value that is neither an object nor an array. */
  scalar(): string {
    const found = this.take(this.peek() === '"' ? STRING : SCALAR);
    this.take(SPACE);
    return found;
  }

  /** Tells the keys of the object that comes next; who is told reads the value before the next key. */
  members(onKey: (key: string) => void): void {
    this.each('}', () => {
      const key = JSON.parse(this.scalar()) as string;
      this.position++;
      onKey(key);
    });
  }

  /** Tells of each item of the array that comes next, for it to be read. */
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
