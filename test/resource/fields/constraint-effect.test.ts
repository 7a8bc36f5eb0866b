import { expect, test } from '@jest/globals';
import * as classValidator from 'class-validator';
import { decoratorName } from '../../../src/resource/fields/constraint-effect.js';

/** The names by which class-validator records its decorators, such as `isMacAddress`. */
const recorded = Object.entries(classValidator).flatMap(([name, value]) =>
  /^[A-Z_0-9]+$/.test(name) && typeof value === 'string' ? [value] : [],
);

test('messages name each constraint as its decorator is called', () => {
  expect(recorded.length).toBeGreaterThan(90);
  const names = recorded.map((name) => decoratorName({ name } as Parameters<typeof decoratorName>[0]).slice(1));
  expect(names.filter((name) => !(name in classValidator))).toEqual([]);
});
