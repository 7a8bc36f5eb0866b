import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Client,
  CustomResourceDefinition,
  ForbiddenError,
  kindByName,
  type OperatorError,
  partOf,
  Secret,
  ServiceAccount,
} from 'kindwright';
import { type Cluster, eventually } from 'kindwright/testing';
import { Secret as HiddenText } from '../../../src/client/secret.js';
import { NeedOperator } from './need-operator.js';

const Widget = kindByName({ group: 'test.kindwright.dev', version: 'v1', kind: 'Widget' });

let cluster: Cluster;
let namespace: string;
let operator: NeedOperator;

beforeAll(async () => {
  cluster = await NeedOperator.startCluster();
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  namespace = await cluster.namespace();
  operator = new NeedOperator(cluster, namespace);
});
afterEach(() => operator.stop());

describe('a watch that cannot begin', () => {
  const definition = {
    metadata: { name: 'widgets.test.kindwright.dev' },
    spec: {
      group: 'test.kindwright.dev',
      scope: 'Namespaced' as const,
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object' as const, 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };

  test('an object that needs a kind that is not served is reconciled when its CRD is installed', async () => {
    operator.inReconcile = async (ctx) => {
      const isServed = await ctx.watch(Widget);
      operator.seen.push(isServed ? `${String((await ctx.list(Widget)).length)} widgets` : 'no kind');
    };
    await operator.run();
    await operator.create('first');
    await operator.sees('no kind');
    expect(operator.errors).toEqual([]);
    expect(operator.logger.messages('error').join()).toMatch(/could not find .*widgets/);
    await cluster.client.create(CustomResourceDefinition, definition);
    await operator.sees('0 widgets', 8000);
    await cluster.create(Widget, { metadata: { name: 'w', namespace } });
    await operator.sees('1 widgets');
    expect(operator.counter.opened(Widget)).toBe(1);
    await operator.delete('first');
    await operator.opens(0, Widget);
  }, 15_000);

  test('ctx.watch returns false after the CRD was deleted, and true when it is installed again', async () => {
    operator.inReconcile = async (ctx) => {
      const isServed = await ctx.watch(Widget);
      operator.seen.push(isServed ? `${String((await ctx.list(Widget)).length)} widgets` : 'no kind');
    };
    const { client } = cluster;
    await client.apply(CustomResourceDefinition, definition, { fieldManager: 'test' });
    await operator.run();
    await operator.create('first');
    await operator.sees('0 widgets', 8000);
    await cluster.create(Widget, { metadata: { name: 'v', namespace } });
    await operator.sees('1 widgets');
    operator.seen.length = 0;
    await client.delete(CustomResourceDefinition, definition.metadata.name);
    await operator.sees('no kind', 8000);
    operator.seen.length = 0;
    await eventually(() => client.apply(CustomResourceDefinition, definition, { fieldManager: 'test' }));
    await operator.sees('0 widgets', 8000);
    await cluster.create(Widget, { metadata: { name: 'w', namespace } });
    await operator.sees('1 widgets');
    expect(operator.errors).toEqual([]);
    expect(operator.counter.opened(Widget)).toBe(1);
    await client.delete(CustomResourceDefinition, definition.metadata.name);
  }, 30_000);

  test('a missing permission fails the reconcile with the @Rbac to add, and the watch begins when it is granted', async () => {
    const account = { metadata: { name: 'reader', namespace } };
    await cluster.create(ServiceAccount, account);
    const request = { ...account, spec: { audiences: [] } };
    const { status } = await cluster.client.create(ServiceAccount, request, { subresource: 'token' });
    const { tls, ...config } = cluster.client.config;
    const auth = { token: new HiddenText(status?.token ?? '') };
    const reader = new Client({ ...config, tls: { ...(tls?.ca && { ca: tls.ca }) }, auth });
    const grant = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'reader', namespace } };
    const rules = (...resources: string[]) =>
      cluster.apply([
        {
          ...grant,
          kind: 'Role',
          rules: [{ apiGroups: ['', 'test.example.com'], resources, verbs: ['list', 'watch'] }],
        },
        {
          ...{
            ...grant,
            kind: 'RoleBinding',
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
          },
          subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace }],
        },
      ]);
    await rules('needs', 'configmaps');
    operator = new NeedOperator(cluster, namespace, reader);
    await operator.run();
    await operator.create('first', ['a']);
    await eventually(() => expect(operator.errors).not.toEqual([]));
    const [error] = operator.errors as OperatorError[];
    expect(error?.cause).toBeInstanceOf(ForbiddenError);
    expect(error).toMatchObject({
      code: 'E_NOT_WATCHED',
      message: expect.stringMatching(
        /cannot watch Secret: secrets is forbidden: .*cannot (list|watch) resource "secrets"/,
      ),
      hint: "add @Rbac(Secret, 'list', 'watch') to Need, then run generate-manifests and apply the generated roles",
    });
    const supervised = operator.logger.lines.find(({ message }) => message.startsWith('cannot list and watch secrets'));
    expect(supervised?.fields['hint']).toContain(
      "add @Rbac(Secret, 'list', 'watch') to the class that calls ctx.watch",
    );
    await rules('needs', 'configmaps', 'secrets');
    await operator.sees('first: missing', 8000);
    await operator.stop();
    reader.close();
  }, 15_000);

  test('a namespace that the operator does not watch is an error', async () => {
    operator.inReconcile = async (ctx) => {
      await ctx.watch(Secret, { name: 'a', namespace: 'kube-system' });
    };
    await operator.run();
    await operator.create('first');
    await eventually(() => expect(operator.errors).not.toEqual([]));
    expect(operator.errors[0]).toMatchObject({
      code: 'E_NOT_WATCHED',
      message: 'Secret objects of namespace kube-system cannot be watched',
    });
    await operator.opens(0);
  });

  test('a part of a kind may have a namespace that the operator does not watch', async () => {
    operator.inReconcile = async (ctx) => {
      const Elsewhere = partOf(Secret, { namespaces: ['kube-system'] });
      await ctx.watch(Elsewhere, { name: 'on-demand', namespace: 'kube-system' });
      const found = await ctx.get(Elsewhere, 'on-demand', { namespace: 'kube-system' });
      operator.seen.push(found ? 'found' : 'not found');
    };
    await operator.run();
    await operator.create('first');
    await operator.sees('not found');
    await cluster.create(Secret, { metadata: { name: 'on-demand', namespace: 'kube-system' } });
    await operator.sees('found');
  });

  test('a daemon cannot declare what its object needs', async () => {
    await operator.run();
    await operator.create('daemon');
    await eventually(() => expect(operator.errors).toMatchObject([{ code: 'E_NOT_WATCHED' }]));
    expect(operator.counter.requested(Secret)).toBe(0);
  });
});
