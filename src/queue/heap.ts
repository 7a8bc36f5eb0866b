/** An element of a Heap, which keeps its position up to date. */
export interface HeapItem {
  heapIndex: number;
}

/** A binary heap: takes the least element first, equal elements in any order. */
export class Heap<T extends HeapItem> {
  private readonly items: T[] = [];

  constructor(private readonly isBefore: (a: T, b: T) => boolean) {}

  get size(): number {
    return this.items.length;
  }

  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    this.items.push(item);
    item.heapIndex = this.items.length - 1;
    this.raise(item);
  }

  /** Must be called after an element of the heap has become smaller. */
  raise(item: T): void {
    let index = item.heapIndex;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = this.items[above] as T;
      if (!this.isBefore(item, parent)) break;
      this.place(parent, index);
      index = above;
    }
    this.place(item, index);
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
      this.place(items[below] as T, index);
      index = below;
    }
    this.place(item, index);
  }

  private place(item: T, index: number): void {
    this.items[index] = item;
    item.heapIndex = index;
  }
}
