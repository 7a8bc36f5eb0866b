import { expect, test } from '@jest/globals';
import { SpareBlocks } from '../../src/webhook/spare-blocks.js';

test('a block that was given back is taken again, and no block is taken twice', () => {
  const blocks = new SpareBlocks();
  const [first, second] = [blocks.take(), blocks.take()];
  blocks.giveBack([first]);
  blocks.giveBack([second]);
  const taken = [blocks.take(), blocks.take(), blocks.take()];
  expect(new Set(taken).size).toBe(3);
  expect(new Set([...taken, first, second]).size).toBe(3);
});
