import { describe, expect, test } from '@jest/globals';
import { text } from '../../e2e/admission/admission-suite.js';
import { isRefused, PolicySuite } from './policy-suite.js';

const suite = new PolicySuite();

describe('a mutating admission policy', () => {
  const configuration = (expression: string): object => ({
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression },
  });
  const patch = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

  test('a mutating policy merges an object into that of the request', async () => {
    await suite.bound('Mutating', {
      reinvocationPolicy: 'Never',
      variables: [{ name: 'next', expression: "object.data.a + '!'" }],
      mutations: [
        configuration('Object{metadata: Object.metadata{labels: {"by": "policy"}}, data: {"b": variables.next}}'),
      ],
    });
    const { body } = await suite.createUntil((reply) => reply.body.metadata?.labels !== undefined);
    expect([body.metadata!.labels, body.data]).toEqual([{ by: 'policy' }, { a: '1', b: '1!' }]);
  });

  test('a mutating policy applies patches one after the other', async () => {
    await suite.bound('Mutating', {
      reinvocationPolicy: 'Never',
      mutations: [
        patch('[JSONPatch{op: "replace", path: "/data/a", value: object.data.a + "2"}]'),
        patch(
          '[JSONPatch{op: "test", path: "/data/a", value: "12"}, JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("b"), value: object.data.a}]',
        ),
      ],
    });
    const { body } = await suite.createUntil((reply) => reply.body.data?.b !== undefined);
    expect(body.data).toEqual({ a: '12', b: '12' });
  });

  test('a mutating policy adds containers to pods', async () => {
    await suite.bound('Mutating', {
      reinvocationPolicy: 'IfNeeded',
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      matchConditions: [{ name: 'once', expression: '!object.spec.containers.exists(c, c.name == "proxy")' }],
      mutations: [
        configuration(
          'Object{spec: Object.spec{containers: [Object.spec.containers{name: "proxy", image: "proxy:1"}]}}',
        ),
      ],
    });
    const pods = `/api/v1/namespaces/${suite.namespace}/pods`;
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const { body } = await suite.server.until(
      () => suite.server.send('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'p-' }, spec }),
      (reply) => (reply.body.spec?.containers as unknown as unknown[] | undefined)?.length === 2,
    );
    const names = (body.spec!.containers as unknown as { name: string; imagePullPolicy: string }[]).map(
      ({ name, imagePullPolicy }) => [name, imagePullPolicy],
    );
    expect(names).toEqual([
      ['c', 'Always'],
      ['proxy', 'IfNotPresent'],
    ]);
  });

  test('a mutating policy that fails rejects the request', async () => {
    const name = await suite.bound('Mutating', {
      reinvocationPolicy: 'Never',
      mutations: [patch('[JSONPatch{op: "replace", path: "/data/missing/deep", value: "x"}]')],
    });
    const { body } = await suite.createUntil(isRefused);
    expect(text(body.message)).toContain(`policy '${name}' with binding '${name}' denied request: `);
  });
});
