import { Screen } from './screen.js';
import { describe, expect, test } from '@jest/globals';
import { PlainDisplay } from '../../../src/cli/demo/display.js';
import type { Row } from '../../../src/cli/demo/row.js';

const row: Row = { kind: 'PodSet', name: 'example', status: 'nodes: 3', conditions: [] };

describe('PlainDisplay', () => {
  test('the plain display writes a line only when something has changed', () => {
    const screen = new Screen(80, 24);
    const display = new PlainDisplay(screen);
    display.show([row], []);
    display.show([row], []);
    display.show([{ ...row, conditions: [{ text: 'Ready=False (Conflict)', isTrue: false }] }], []);
    expect(screen.text).toBe('PodSet example: nodes: 3\nPodSet example: nodes: 3, Ready=False (Conflict)\n');
  });

  test('the plain display omits objects without a status to show', () => {
    const screen = new Screen(80, 24);
    new PlainDisplay(screen).show([{ ...row, status: '' }], []);
    expect(screen.text).toBe('');
  });

  test('the plain display writes the suggestions once', () => {
    const screen = new Screen(80, 24);
    const display = new PlainDisplay(screen);
    display.show([], ['try this']);
    display.show([], ['try that']);
    expect(screen.text.trim()).toBe('try this');
  });
});
