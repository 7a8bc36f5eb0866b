/** A binary heap: takes the least element first, equal elements in any order. */
export class Heap<T> {
  private readonly items: T[] = [];

  constructor(private readonly isBefore: (a: T, b: T) => boolean) {}

  get size(): number {
    return this.items.length;
  }

  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    const { items } = this;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = items[above] as T;
      if (!this.isBefore(item, parent)) break;
      items[index] = parent;
      index = above;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const { items } = this;
    const least = items[0];
    const last = items.pop();
    if (items.length > 0) this.sink(last as T);
    return least;
  }

  clear(): void {
    this.items.length = 0;
  }

  /** Moves the item down from the top to its position. */
  private sink(item: T): void {
    const { items } = this;
    const half = items.length >> 1;
    let index = 0;
    while (index < half) {
      const left = 2 * index + 1;
      const right = left + 1;
      const below = right < items.length && this.isBefore(items[right] as T, items[left] as T) ? right : left;
      if (!this.isBefore(items[below] as T, item)) break;
      items[index] = items[below] as T;
      index = below;
    }
    items[index] = item;
  }
}
