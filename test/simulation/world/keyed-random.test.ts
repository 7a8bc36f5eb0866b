import { describe, expect, it } from '@jest/globals';
import { KeyedRandom } from '../../../src/simulation/world/keyed-random.js';

describe('keyed random values', () => {
  it('depend on the seed, the purpose and the number of values for it, and on nothing else', () => {
    const one = new KeyedRandom(1);
    const other = new KeyedRandom(1);
    other.next('something else');
    const values = [one.next('latency'), one.next('latency')];
    expect([other.next('latency'), other.next('latency')]).toEqual(values);
    expect(values[0]).not.toBe(values[1]);
    expect(new KeyedRandom(2).next('latency')).not.toBe(values[0]);
  });

  it('are spread evenly', () => {
    const random = new KeyedRandom(3);
    const values = Array.from({ length: 2000 }, () => random.next('number'));
    for (let part = 0; part < 10; part++)
      expect(values.filter((value) => Math.floor(value * 10) === part).length).toBeGreaterThan(140);
  });

  it('give as many digits as asked for', () => {
    expect(new KeyedRandom(4).hex('uid', 16)).toMatch(/^[0-9a-f]{32}$/);
  });
});
