import { describe, expect, test } from '@jest/globals';
import { mapOf, widget } from './objects.js';
import { listed } from './versioned-store-setup.js';

describe('VersionedStore observing own deletions', () => {
  test('removes the object at once and drops its events', () => {
    const { versions, seen, has } = listed();
    versions.observeDeletion(widget('a', 10));
    expect(has()).toEqual([]);
    versions.apply('MODIFIED', widget('a', 21));
    versions.apply('DELETED', widget('a', 22));
    expect(seen).toEqual(['delete a@10']);
    expect(has()).toEqual([]);
    expect(versions.resourceVersion).toBe('22');
  });

  test('shows the successor of the deleted object', () => {
    const { versions, seen, has } = listed();
    versions.observeDeletion(widget('a', 10));
    versions.observe(widget('a', 25, { uid: 'new' }));
    versions.apply('MODIFIED', widget('a', 21));
    versions.apply('DELETED', widget('a', 22));
    expect(seen).toEqual(['delete a@10', 'add a@25']);
    expect(has()).toEqual(['a@25']);
  });

  test('drops events of an object that had the name before the deleted one', () => {
    const { versions, has } = listed();
    versions.observe(widget('a', 30, { uid: 'new' }));
    versions.observeDeletion(widget('a', 30, { uid: 'new' }));
    versions.apply('MODIFIED', widget('a', 21));
    expect(has()).toEqual([]);
    versions.apply('DELETED', widget('a', 22));
    versions.apply('ADDED', widget('a', 30, { uid: 'new' }));
    expect(has()).toEqual([]);
  });

  test('ignores answers to earlier writes of the deleted object', () => {
    const { versions, has } = listed();
    versions.observeDeletion(widget('a', 10));
    versions.observe(widget('a', 24));
    expect(has()).toEqual([]);
  });

  test('hides the object from a list that was requested before the deletion', () => {
    const { versions, has } = listed();
    versions.beginReplace();
    versions.observeDeletion(widget('a', 10));
    versions.replace(mapOf(widget('a', 21)), '30');
    expect(has()).toEqual([]);
    versions.apply('MODIFIED', widget('a', 31));
    expect(has()).toEqual([]);
  });

  test('accepts a list that was requested after the deletion', () => {
    const { versions, relist, has } = listed();
    versions.observeDeletion(widget('a', 10));
    relist(15, widget('a', 10));
    expect(has()).toEqual(['a@10']);
  });

  test('ignores the deletion of an object that the store does not hold', () => {
    const { versions, seen, has } = listed();
    versions.observeDeletion(widget('a', 10, { uid: 'another' }));
    versions.observeDeletion(widget('b', 10));
    versions.apply('ADDED', widget('b', 21));
    expect(seen).toEqual(['add b@21']);
    expect(has()).toEqual(['a@10', 'b@21']);
  });
});
