import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { LiveDisplay } from '../../../src/cli/demo/live-display.js';
import type { Row } from '../../../src/cli/demo/row.js';
import { Screen } from './screen.js';

function row(name: string, status = 'Running'): Row {
  return { kind: 'Pod', name, status, conditions: [{ text: 'Ready', isTrue: true }] };
}

describe('LiveDisplay', () => {
  test('the live display aligns the columns', () => {
    const screen = new Screen(80, 24);
    new LiveDisplay(screen).show([row('a'), { ...row('longer', ''), conditions: [] }], []);
    expect(screen.text.trim().split('\n')).toEqual([
      'KIND  NAME    STATUS   CONDITIONS',
      'Pod   a       Running  Ready',
      'Pod   longer',
    ]);
  });

  test('the live display draws the next table over the last, and scrolls notes above it', () => {
    const screen = new Screen(80, 24);
    const display = new LiveDisplay(screen);
    display.note('first');
    display.show([row('a'), row('b')], ['footer']);
    display.note('second');
    display.show([row('c')], ['footer']);
    expect(screen.text).toBe(
      'first\nsecond\n\nKIND  NAME  STATUS   CONDITIONS\nPod   c     Running  Ready\n\nfooter\n',
    );
  });

  test('a low terminal shows the number of hidden rows', () => {
    const screen = new Screen(80, 10);
    new LiveDisplay(screen).show(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => row(name)),
      ['footer'],
    );
    expect(screen.text).toContain('Pod   d     Running  Ready\n… and 2 more\n\nfooter\n');
  });

  test('the live display truncates lines that are too long for the terminal', () => {
    const screen = new Screen(20, 24);
    new LiveDisplay(screen).show([row('a')], []);
    expect(screen.text).toContain('Pod   a     Running…');
  });

  test('an earlier table is erased completely in a terminal of any size', () => {
    const names = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { maxLength: 30 });
    const step = fc.oneof(names, fc.stringMatching(/^note [a-z]{0,100}$/));
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 100 }), fc.integer({ min: 12, max: 40 }), fc.array(step), (...sizes) => {
        const [columns, rows, steps] = sizes;
        const screen = new Screen(columns, rows);
        const display = new LiveDisplay(screen);
        display.show([], ['some footer that may wrap']);
        for (const given of steps) {
          if (typeof given === 'string') display.note(given);
          else
            display.show(
              given.map((name) => row(name)),
              ['some footer that may wrap'],
            );
        }
        expect(screen.text.match(/KIND/g)).toHaveLength(1);
        expect(screen.text.replaceAll('\n', '').match(/some footer/g)).toHaveLength(1);
      }),
    );
  });
});
