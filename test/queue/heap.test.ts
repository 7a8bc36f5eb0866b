import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Heap, type HeapItem } from '../../src/queue/heap.js';

interface Item extends HeapItem {
  rank: number;
}

test('a heap returns its elements in order, however they were added and raised', () => {
  const raises = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 50 })));
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 100 }), { minLength: 1 }), raises, (ranks, changes) => {
      const items: Item[] = ranks.map((rank) => ({ rank, heapIndex: 0 }));
      const heap = new Heap<Item>((a, b) => a.rank < b.rank);
      for (const item of items) heap.push(item);
      for (const [index, by] of changes) {
        const item = items[index % items.length]!;
        item.rank -= by;
        heap.raise(item);
      }
      const taken: number[] = [];
      for (let item = heap.pop(); item; item = heap.pop()) taken.push(item.rank);
      expect(taken).toEqual(items.map(({ rank }) => rank).sort((a, b) => a - b));
    }),
  );
});
