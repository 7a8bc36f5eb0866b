import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Description } from '../../src/resource/decorators/description.js';
import { describeClass, describeProperty, DOCS } from '../../src/resource/doc-comments.js';

const shared = globalThis as { [DOCS]?: WeakMap<object, object> | undefined };

beforeEach(() => {
  shared[DOCS] = new WeakMap();
});
afterEach(() => {
  shared[DOCS] = undefined;
});

class PodSet {}

function commented(description: string): string | undefined {
  shared[DOCS]?.set(PodSet, { description, properties: { size: 'Size is the size' } });
  return describeClass(PodSet);
}

describe('descriptions of classes and properties', () => {
  test('descriptions are taken from doc comments', () => {
    expect(commented('PodSet is a set')).toBe('PodSet is a set');
    expect(describeProperty(PodSet, 'size')).toBe('Size is the size');
  });

  test('descriptions are missing if the compiler has recorded none', () => {
    shared[DOCS] = undefined;
    expect(describeClass(PodSet)).toBeUndefined();
    expect(describeProperty(PodSet, 'size')).toBeUndefined();
  });

  test.each(['constructor', 'toString'])('descriptions are not taken from inherited members: %s', (property) => {
    commented('PodSet is a set');
    expect(describeProperty(PodSet, property)).toBeUndefined();
  });

  test.each([
    ['keep their lines and paragraphs', 'One\n  two\n\nthree\n', 'One\ntwo\n\nthree'],
    ['end before a line of dashes', 'One\n---\nfor maintainers', 'One'],
    ['leave lines out that start with TODO', 'One\nTODO(me): more\ntwo', 'One\ntwo'],
    ['keep dashes within code', 'One\n```\n---\n```', 'One\n```\n---\n```'],
    [
      'show the words of links',
      'See {@link PodSet} and {@link Pod | pods} of {@link Node nodes}',
      'See PodSet and pods of nodes',
    ],
  ])('a doc comment becomes a description: %s', (_title, comment, text) => {
    expect(commented(comment)).toBe(text);
  });

  test('@Description is taken verbatim', () => {
    @Description('TODO\n---\n {@link Pod} ')
    class Described {}
    expect(describeClass(Described)).toBe('TODO\n---\n {@link Pod} ');
  });

  test('@Description takes precedence over the doc comment', () => {
    @Description('from the decorator')
    class Described {}
    shared[DOCS]?.set(Described, { description: 'from the comment', properties: {} });
    expect(describeClass(Described)).toBe('from the decorator');
  });
});
