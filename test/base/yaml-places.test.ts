import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringifyYaml } from '../../src/base/yaml.js';
import { placeAt, yamlPlaces } from '../../src/base/yaml-places.js';

const TEXT = `# a comment
kind: PodSet
metadata:
  labels: {app.example.com/name: web, "b": c}
spec:
  ports:
    - name: http
      port: 80
    -
      name: https
  size: 3
---
---
- 1
- [2, {a: 3}]
`;

const placed = (document: number, path: string): string => {
  const { line, column } = placeAt(yamlPlaces(TEXT)[document]!, path);
  return `${line}:${column}`;
};

describe('the place of a field', () => {
  test.each([
    ['', '2:1'],
    ['kind', '2:1'],
    ['metadata.labels', '4:3'],
    ['metadata.labels.app.example.com/name', '4:12'],
    ['metadata.labels[app.example.com/name]', '4:12'],
    ['metadata.labels["b"]', '4:39'],
    ['spec.ports[0].port', '8:7'],
    ['spec.ports[1].name', '10:7'],
    ['spec.size', '11:3'],
  ])('%p is at its key', (path, place) => {
    expect(placed(0, path)).toBe(place);
  });

  test.each([
    ['spec.sizes', '5:1'],
    ['spec.ports[7].name', '6:3'],
    ['spec.ports[0].protocol', '7:7'],
    ['status', '2:1'],
  ])('%p, which is absent, is at the value that would contain it', (path, place) => {
    expect(placed(0, path)).toBe(place);
  });

  test('an empty document is not counted', () => {
    expect(yamlPlaces(TEXT)).toHaveLength(2);
    expect(placed(1, '[1][1].a')).toBe('15:8');
  });

  test('every value has a place, in any document', () => {
    fc.assert(
      fc.property(
        fc.array(fc.object({ maxDepth: 3, values: [fc.string(), fc.integer(), fc.boolean()] })),
        (objects) => {
          const text = objects.map((object) => `---\n${stringifyYaml(object)}`).join('');
          const names = (value: unknown): unknown =>
            typeof value === 'object' && value !== null
              ? Object.entries(value)
                  .map(([name, member]) => [name, names(member)])
                  .sort()
              : [];
          const read = ({ members }: ReturnType<typeof yamlPlaces>[number]): unknown =>
            [...members].map(([name, member]) => [name, read(member)]).sort();
          expect(yamlPlaces(text).map(read)).toEqual(objects.map(names));
        },
      ),
    );
  });
});
