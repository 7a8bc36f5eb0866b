import { describe, expect, test } from '@jest/globals';
import { decoratorLines } from '../../../src/cli/rbac/rule-places.js';

const SOURCE = `import { Kind, Owns } from 'kindwright';

@Kind({ group: 'a' })
@Owns(Deployment)
@Owns(
  Service,
)
export class PodSet {
  @Finalizer('x/y')
  cleanUp() {}
}

abstract class Base {}
export default @k.Kind({}) @Plain class Other {}
`;

describe('the lines of decorators', () => {
  test('lines of decorators are found by class, in the order of the source, members last', () => {
    expect(Object.fromEntries(decoratorLines('x.ts', SOURCE))).toEqual({
      PodSet: [
        { name: 'Kind', line: 3 },
        { name: 'Owns', line: 4 },
        { name: 'Owns', line: 5 },
        { name: 'Finalizer', line: 9 },
      ],
      Base: [],
      Other: [{ name: 'Plain', line: 14 }],
    });
  });
});
