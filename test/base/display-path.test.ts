import { describe, expect, test } from '@jest/globals';
import { displayPath } from '../../src/base/display-path.js';

describe('displayPath', () => {
  test('a path inside the working directory is displayed as relative', () => {
    expect(displayPath('/project/operators/podset.ts', '/project')).toBe('operators/podset.ts');
  });

  test('a path outside the working directory is displayed as absolute', () => {
    expect(displayPath('/elsewhere/podset.ts', '/project')).toBe('/elsewhere/podset.ts');
  });
});
