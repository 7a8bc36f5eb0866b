import { describe, expect, test } from '@jest/globals';
import { widget } from './objects.js';
import { listed } from './versioned-store-setup.js';

describe('VersionedStore observing own deletions', () => {
  test('an own deletion removes the object immediately, and its events are dropped', () => {
    const { versions, seen, has } = listed();
    versions.observeDeletion(widget('a', 10));
    expect(has()).toEqual([]);
    versions.apply('MODIFIED', widget('a', 21));
    versions.apply('DELETED', widget('a', 22));
    expect(seen).toEqual(['delete a@10']);
    expect(has()).toEqual([]);
    expect(versions.resourceVersion).toBe('22');
  });

  test('the successor of an object that was deleted by an own write is stored', () => {
    const { versions, seen, has } = listed();
    versions.observeDeletion(widget('a', 10));
    versions.observe(widget('a', 25, { uid: 'new' }));
    versions.apply('MODIFIED', widget('a', 21));
    versions.apply('DELETED', widget('a', 22));
    expect(seen).toEqual(['delete a@10', 'add a@25']);
    expect(has()).toEqual(['a@25']);
  });

  test('after an own deletion, events of an earlier object of the same name are dropped', () => {
    const { versions, has } = listed();
    versions.observe(widget('a', 30, { uid: 'new' }));
    versions.observeDeletion(widget('a', 30, { uid: 'new' }));
    versions.apply('MODIFIED', widget('a', 21));
    expect(has()).toEqual([]);
    versions.apply('DELETED', widget('a', 22));
    versions.apply('ADDED', widget('a', 30, { uid: 'new' }));
    expect(has()).toEqual([]);
  });

  test('after an own deletion, responses to earlier writes of the object are ignored', () => {
    const { versions, has } = listed();
    versions.observeDeletion(widget('a', 10));
    versions.observe(widget('a', 24));
    expect(has()).toEqual([]);
  });

  test('a list that was requested before an own deletion does not restore the object', () => {
    const { versions, has } = listed();
    const list = versions.beginReplace();
    list.add(widget('a', 21));
    versions.observeDeletion(widget('a', 10));
    versions.replace(list, '30');
    expect(has()).toEqual([]);
    versions.apply('MODIFIED', widget('a', 31));
    expect(has()).toEqual([]);
  });

  test('a list that was requested after an own deletion is accepted', () => {
    const { versions, relist, has } = listed();
    versions.observeDeletion(widget('a', 10));
    relist(15, widget('a', 10));
    expect(has()).toEqual(['a@10']);
  });

  test('the own deletion of an object that is not stored is ignored', () => {
    const { versions, seen, has } = listed();
    versions.observeDeletion(widget('a', 10, { uid: 'another' }));
    versions.observeDeletion(widget('b', 10));
    versions.apply('ADDED', widget('b', 21));
    expect(seen).toEqual(['add b@21']);
    expect(has()).toEqual(['a@10', 'b@21']);
  });
});
