import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringifyYaml } from '../../src/base/yaml.js';
import { YamlPlaces } from '../../src/base/yaml-places.js';

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
  const { line, column } = new YamlPlaces(TEXT).of(path, document)!;
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
    expect(placed(1, '[1][1].a')).toBe('15:8');
    expect(new YamlPlaces(TEXT).of('a', 2)).toBeUndefined();
  });

  test('every value has the place of its key, in any document', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.array(fc.integer()));
    const key = fc.stringMatching(/^[a-z]{1,5}$/);
    const object = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value)), { minKeys: 1 });
    fc.assert(
      fc.property(fc.array(object, { minLength: 1 }), (objects) => {
        const text = objects.map((each) => `---\n${stringifyYaml(each)}`).join('');
        const places = new YamlPlaces(text);
        const lines = text.split('\n');
        for (const [document, each] of objects.entries())
          for (const name of Object.keys(each)) {
            const { line, column } = places.of(name, document)!;
            expect(lines[line - 1]?.slice(column - 1)).toMatch(new RegExp(`^["']?${name}["']?:`));
          }
      }),
    );
  });
});
