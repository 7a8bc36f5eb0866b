import { describe, expect, test } from '@jest/globals';
import { displayPath } from '../../src/base/display-path.js';

describe('displayPath', () => {
  test('is relative for what is inside the working directory', () => {
    expect(displayPath('/project/operators/podset.ts', '/project')).toBe('operators/podset.ts');
  });

  test('is absolute for what is outside', () => {
    expect(displayPath('/elsewhere/podset.ts', '/project')).toBe('/elsewhere/podset.ts');
  });
});
