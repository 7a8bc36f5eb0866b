import { expect, test } from '@jest/globals';
import { DueMethods } from '../../../src/controller/triggers/due-methods.js';

test('a method that becomes due while another one runs is left for the next reconcile', async () => {
  const due = new DueMethods();
  due.add('ns/a', 'slow');
  due.add('ns/a', 'slower');
  const calls: string[] = [];
  const call = (method: string): void => {
    calls.push(method);
    if (calls.length > 10) throw new Error('the methods alternate');
    // Each call takes longer than the intervals.
    due.add('ns/a', 'slow');
    due.add('ns/a', 'slower');
  };
  await due.run('ns/a', call);
  expect(calls).toEqual(['slow', 'slower']);
  expect(due.has('ns/a')).toBe(true);
  await due.run('ns/a', (method) => void calls.push(method));
  expect(due.has('ns/a')).toBe(false);
});

test('a method that fails stays due, with those after it', async () => {
  const due = new DueMethods();
  for (const method of ['first', 'failing', 'last']) due.add('ns/a', method);
  const failing = due.run('ns/a', (method) => {
    if (method === 'failing') throw new Error('no route');
  });
  await expect(failing).rejects.toThrow('no route');
  const calls: string[] = [];
  await due.run('ns/a', (method) => void calls.push(method));
  expect(calls.toSorted()).toEqual(['failing', 'last']);
});

test('a method that fails after its object was deleted is forgotten', async () => {
  const due = new DueMethods();
  due.add('ns/a', 'failing');
  const failing = due.run('ns/a', () => {
    due.forget('ns/a');
    throw new Error('no route');
  });
  await expect(failing).rejects.toThrow('no route');
  expect(due.has('ns/a')).toBe(false);
});
