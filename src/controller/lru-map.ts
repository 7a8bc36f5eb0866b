/** A map that removes the least recently used entry when it holds more than `capacity` entries. */
export class LruMap<V> {
  private readonly entries = new Map<string, V>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: string): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) this.touch(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.touch(key, value);
    if (this.entries.size <= this.capacity) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  private touch(key: string, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
  }
}
