import { expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { SpareBlocks } from '../../src/webhook/spare-blocks.js';

test('a block that was given back is taken again, and no block is taken twice', () => {
  const blocks = new SpareBlocks(new FakeClock());
  const [first, second] = [blocks.take(), blocks.take()];
  blocks.giveBack([first]);
  blocks.giveBack([second]);
  const taken = [blocks.take(), blocks.take(), blocks.take()];
  expect(new Set(taken).size).toBe(3);
  expect(new Set([...taken, first, second]).size).toBe(3);
});

test('blocks are freed a minute after the last response', async () => {
  const clock = new FakeClock();
  const blocks = new SpareBlocks(clock);
  const block = blocks.take();
  blocks.giveBack([block]);
  await clock.advance(59_000);
  expect(blocks.take()).toBe(block);
  blocks.giveBack([block]);
  await clock.advance(59_000);
  expect(blocks.take()).toBe(block);
  blocks.giveBack([block]);
  await clock.advance(60_000);
  expect(blocks.take()).not.toBe(block);
});

test('released blocks are freed, and no timer is left', () => {
  const clock = new FakeClock();
  const blocks = new SpareBlocks(clock);
  const block = blocks.take();
  blocks.giveBack([block]);
  blocks.release();
  expect(clock.pending).toBe(0);
  expect(blocks.take()).not.toBe(block);
});
