import { expect, test } from '@jest/globals';
import { lineOfPath } from '../../../src/console/writes/line-of-path.js';

const text = `apiVersion: v1
spec:
  size: 1
  "quoted": 2
  containers:
    - name: a
      image: x
    - name: b
      ports:
      - containerPort: 1
      - containerPort: 2
  other: 3
status:
  size: 2
`;

test.each([
  ['spec', 2],
  ['spec.size', 3],
  ['spec.quoted', 4],
  ['spec.containers[0].image', 7],
  ['spec.containers[1].name', 8],
  ['spec.containers[1].ports[1].containerPort', 11],
  ['spec.other', 12],
  ['status.size', 14],
  ['spec.absent', 2],
  ['absent', undefined],
])('the line of %s is %p', (path, line) => {
  expect(lineOfPath(text, path)).toBe(line);
});
