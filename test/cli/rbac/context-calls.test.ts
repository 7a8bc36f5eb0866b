import { expect, test } from '@jest/globals';
import { contextCalls } from '../../../src/cli/rbac/context-calls.js';

const callsOf = (body: string) =>
  contextCalls('gauge.ts', `export class Gauge {\n  async reconcile(ctx: Context) {\n${body}\n  }\n}\n`);

test('a call has its class, method, kind and line', () => {
  expect(callsOf('await ctx.apply(Deployment, {});')).toEqual([
    { className: 'Gauge', member: 'reconcile', method: 'apply', kind: 'Deployment', isOwnedWrite: true, line: 3 },
  ]);
});

test.each([
  ['ctx.create(Secret, {})', true],
  ['ctx.create(Secret, {}, { owned: true })', true],
  ['ctx.create(Secret, {}, options)', true],
  ['ctx.apply(Secret, {}, { force: false, owned: false })', false],
  ['ctx.get(Secret, name)', false],
  ['ctx.list(Secret)', false],
])('the call %s writes an owned object: %p', (call, isOwnedWrite) => {
  expect(callsOf(call)).toMatchObject([{ kind: 'Secret', isOwnedWrite }]);
});

test.each(['ctx.apply(kinds.Secret, {})', 'ctx.apply()', 'cache.get(Secret)', 'ctx.log.info(Secret)', 'get(Secret)'])(
  'the call %s is ignored',
  (call) => {
    expect(callsOf(call)).toEqual([]);
  },
);

test('a parameter of type Context is a context, whatever its name, also in arrow functions', () => {
  const source = `class Gauge { check = (c: Context) => c.list(Node); static other(x: Other) { x.list(Pod); } }`;
  expect(contextCalls('gauge.ts', source)).toMatchObject([{ member: 'check', method: 'list', kind: 'Node' }]);
});
