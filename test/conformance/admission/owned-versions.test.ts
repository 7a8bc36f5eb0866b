import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  AdmissionSuite,
  configMap,
  text,
  WebhookServer,
  type Json,
  type Reply,
} from '../../e2e/admission/admission-suite.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'owned.example.com';
const string = { type: 'string' };

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const version = (name: string, properties: object, more: object = {}): object => ({
  name,
  served: true,
  storage: name === 'v2',
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
  ...more,
});

/** A kind of its own, and what to do with its objects. */
class Kind {
  constructor(private readonly name: string) {}

  async define(versions: readonly object[], more: object = {}): Promise<void> {
    const plural = `${this.name.toLowerCase()}s`;
    const names = { plural, singular: this.name.toLowerCase(), kind: this.name, listKind: `${this.name}List` };
    await suite.must('POST', DEFINITIONS, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${GROUP}` },
      spec: { group: GROUP, scope: 'Namespaced', names, versions, ...more },
    });
    await suite.until(
      () => suite.send('GET', this.path('v2', '')),
      ({ code }) => code === 200,
    );
  }

  redefine(versions: readonly object[]): Promise<Json> {
    const path = `${DEFINITIONS}/${this.name.toLowerCase()}s.${GROUP}`;
    return suite.must('PATCH', path, { spec: { versions } }, 'application/merge-patch+json');
  }

  path(inVersion: string, object: string): string {
    return `/apis/${GROUP}/${inVersion}/namespaces/default/${this.name.toLowerCase()}s/${object}`;
  }

  apply(inVersion: string, object: string, manager: string, spec: object, force = false): Promise<Reply> {
    const body = { apiVersion: `${GROUP}/${inVersion}`, kind: this.name, metadata: { name: object }, spec };
    const path = `${this.path(inVersion, object)}?fieldManager=${manager}&force=${force}`;
    return suite.send('PATCH', path, body, 'application/apply-patch+yaml');
  }

  applyLabelled(inVersion: string, object: string, labels: object, spec: object): Promise<Reply> {
    const metadata = { name: object, labels };
    const body = { apiVersion: `${GROUP}/${inVersion}`, kind: this.name, metadata, spec };
    return suite.send(
      'PATCH',
      `${this.path(inVersion, object)}?fieldManager=one`,
      body,
      'application/apply-patch+yaml',
    );
  }

  merge(inVersion: string, object: string, body: object): Promise<Reply> {
    return suite.send('PATCH', this.path(inVersion, object), body, 'application/merge-patch+json');
  }
}

/** What each manager owns of the spec, and in which version; in order of their names, as theirs depends on the second. */
const owned = ({ body }: Reply): string[] =>
  ((body.metadata?.managedFields ?? []) as unknown as Json[])
    .map(
      ({ manager, apiVersion, fieldsV1 }) =>
        `${text(manager)} ${text(apiVersion).split('/').at(-1)!} ${Object.keys(fieldsV1!['f:spec'] ?? {}).join()}`,
    )
    .sort();

const hooked = (object: Json, apiVersion: string): object => {
  const { level, value, ...others } = (object.spec ?? {}) as Record<string, { level?: unknown } | undefined>;
  const amount = level ?? value?.level;
  const own = apiVersion.endsWith('/v2') ? { value: { level: amount } } : { level: amount };
  return { ...object, apiVersion, spec: amount === undefined ? others : { ...others, ...own } };
};

test('fields are owned in the version in which they were applied, and conflicts name that version', async () => {
  const server = await WebhookServer.start((request) => {
    const apiVersion = text(request.desiredAPIVersion);
    const convertedObjects = (request.objects as unknown as Json[]).map((object) => hooked(object, apiVersion));
    const response = { uid: request.uid, result: { status: 'Success' }, convertedObjects };
    return { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response };
  }, 'whole');
  const hook = new Kind('Hook');
  const level = { level: { type: 'integer' } };
  const versions = [
    version('v1', { ...level, unit: string }),
    version('v2', { value: { type: 'object', properties: level }, unit: string }),
  ];
  const webhook = { clientConfig: server.clientConfig(), conversionReviewVersions: ['v1'] };
  await hook.define(versions, { conversion: { strategy: 'Webhook', webhook } });

  await hook.apply('v1', 'h', 'one', { level: 1, unit: 'bar' });
  const refused = await hook.apply('v2', 'h', 'two', { value: { level: 2 } });
  expect([refused.code, refused.body.message]).toEqual([
    409,
    'Apply failed with 1 conflict: conflict with "one": .spec.level',
  ]);
  expect(owned(await hook.apply('v2', 'h', 'two', { value: { level: 2 } }, true))).toEqual([
    'one v1 f:unit',
    'two v2 f:value',
  ]);
  const moved = await hook.apply('v2', 'h', 'one', { unit: 'psi' });
  expect([moved.body.spec, owned(moved)]).toEqual([
    { unit: 'psi', value: { level: 2 } },
    ['one v2 f:unit', 'two v2 f:value'],
  ]);
  expect(owned(await hook.merge('v1', 'h', { spec: { level: 3 } }))).toEqual(['one v2 f:unit', 'test v1 f:level']);
  server.stop();
});

test('a conversion webhook receives the remaining fields without metadata when labels are pruned', async () => {
  let isLosing = false;
  const seen: Json[] = [];
  const server = await WebhookServer.start((request) => {
    const apiVersion = text(request.desiredAPIVersion);
    const objects = request.objects as unknown as Json[];
    seen.push(...objects);
    const convertedObjects = objects.map((object) => ({
      ...hooked(object, apiVersion),
      ...(object.metadata || isLosing ? {} : { metadata: { creationTimestamp: null } }),
    }));
    const response = { uid: request.uid, result: { status: 'Success' }, convertedObjects };
    return { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response };
  }, 'whole');
  const loop = new Kind('Loop');
  const level = { level: { type: 'integer' } };
  const versions = [
    version('v1', { ...level, unit: string }),
    version('v2', { value: { type: 'object', properties: level }, unit: string }),
  ];
  const webhook = { clientConfig: server.clientConfig(), conversionReviewVersions: ['v1'] };
  await loop.define(versions, { conversion: { strategy: 'Webhook', webhook } });

  for (const name of ['bare', 'shared', 'lost']) {
    await loop.applyLabelled('v1', name, { a: '1', b: '1' }, { level: 1 });
    if (name !== 'bare') await loop.apply('v1', name, 'two', { unit: 'bar' });
  }
  const applied = async (name: string): Promise<unknown[]> => {
    seen.length = 0;
    const { code, body } = await loop.applyLabelled('v2', name, { a: '1' }, { value: { level: 2 } });
    const left = seen.filter(({ metadata }) => !metadata);
    return [code, body.message ?? body.spec, body.metadata?.labels, left];
  };
  expect(await applied('bare')).toEqual([200, { value: { level: 2 } }, { a: '1' }, []]);
  const left = [{ apiVersion: `${GROUP}/v1`, kind: 'Loop', spec: { unit: 'bar' } }];
  expect(await applied('shared')).toEqual([200, { unit: 'bar', value: { level: 2 } }, { a: '1' }, left]);
  isLosing = true;
  const message =
    'failed to prune fields: failed add back owned items: failed to convert pruned object at version ' +
    `${GROUP}/v2: conversion webhook for ${GROUP}/v1, Kind=Loop returned invalid metadata: ` +
    'missing metadata in converted object';
  expect(await applied('lost')).toEqual([500, message, undefined, left]);
  server.stop();
});

test('an object is read and stored without fields that the schema of the version does not define', async () => {
  const plain = new Kind('Plain');
  await plain.define([version('v1', { foo: string, old: string }), version('v2', { foo: string, fresh: string })]);
  const stored = await plain.apply('v1', 'a', 'one', { foo: '1', old: 'x' });
  expect([stored.code, stored.body.spec]).toEqual([201, { foo: '1' }]);
  // The object as it is applied cannot be converted for whom owns fields in the other version.
  const refused = await plain.apply('v2', 'a', 'two', { fresh: 'y' });
  expect([refused.code, refused.body.message]).toEqual([
    500,
    'failed to convert new object: .spec.fresh: field not declared in schema',
  ]);
  await plain.apply('v2', 'b', 'one', { foo: '1', fresh: 'y' });
  const { body } = await suite.send('GET', plain.path('v1', 'b'));
  expect(body.spec).toEqual({ foo: '1' });
  // Ownership by updates that cannot be converted is dropped.
  expect(owned(await plain.merge('v2', 'a', { spec: { fresh: 'y' } }))).toEqual([]);
});

test('objects stored under an older schema are read with the current one', async () => {
  const stale = new Kind('Stale');
  await stale.define([version('v2', { foo: string, gone: string })]);
  await stale.apply('v2', 'a', 'one', { foo: '1', gone: 'x' });
  await stale.redefine([version('v2', { foo: string, filled: { ...string, default: 'd' } })]);
  const { body } = await suite.until(
    () => suite.send('GET', stale.path('v2', 'a')),
    (reply) => reply.body.spec?.gone === undefined,
  );
  expect(body.spec).toEqual({ foo: '1', filled: 'd' });
});

test('apply fails while fields are owned in a version that was removed, until the entries are dropped', async () => {
  const aged = new Kind('Aged');
  const properties = { foo: string, bar: string };
  await aged.define([version('v1', properties), version('v2', properties)]);
  for (const name of ['a', 'b', 'c']) await aged.apply('v1', name, 'one', { foo: '1' });
  expect(owned(await aged.apply('v2', 'c', 'one', { foo: '1' }))).toEqual(['one v2 f:foo']);

  await aged.redefine([version('v1', properties, { served: false }), version('v2', properties)]);
  await suite.until(
    () => suite.send('GET', aged.path('v1', 'a')),
    ({ code }) => code === 404,
  );
  const conflict = await aged.apply('v2', 'a', 'two', { foo: '2' });
  expect(conflict.body.message).toBe('Apply failed with 1 conflict: conflict with "one": .spec.foo');

  await aged.redefine([version('v2', properties)]);
  const { body } = await suite.until(
    () => aged.apply('v2', 'b', 'two', { bar: '2' }),
    ({ code }) => code !== 200,
  );
  expect([body.code, body.message]).toEqual([
    500,
    'request to convert CR to an invalid group/version: owned.example.com/v1',
  ]);
  expect(owned(await aged.merge('v2', 'b', { spec: { bar: '3' } }))).toEqual([]);
  expect((await aged.apply('v2', 'b', 'one', { foo: '1' })).code).toBe(200);
});

test('the owner of members of a field that became atomic owns the whole field', async () => {
  const molecule = new Kind('Molecule');
  const map = { type: 'object', additionalProperties: string };
  await molecule.define([version('v2', { map })]);
  await molecule.apply('v2', 'm', 'one', { map: { a: '1' } });
  await molecule.redefine([version('v2', { map: { ...map, 'x-kubernetes-map-type': 'atomic' } })]);
  const { body } = await suite.until(
    () => molecule.apply('v2', 'm', 'two', { map: { b: '1' } }),
    ({ code }) => code !== 200,
  );
  expect(body.message).toBe('Apply failed with 1 conflict: conflict with "one": .spec.map');
});

test('conflicts about fields of an autoscaler name the version of their owner', async () => {
  const path = (inVersion: string): string =>
    `/apis/autoscaling/${inVersion}/namespaces/default/horizontalpodautoscalers/h`;
  const apply = (inVersion: string, manager: string, spec: object, force = false): Promise<Reply> => {
    const body = {
      apiVersion: `autoscaling/${inVersion}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3, ...spec },
    };
    const query = `fieldManager=${manager}&force=${force}`;
    return suite.send('PATCH', `${path(inVersion)}?${query}`, body, 'application/apply-patch+yaml');
  };
  const target = { type: 'Utilization', averageUtilization: 60 };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  await apply('v1', 'one', { targetCPUUtilizationPercentage: 50 });
  expect((await apply('v2', 'two', { metrics })).body.message).toBe(
    'Apply failed with 1 conflict: conflict with "one": .spec.targetCPUUtilizationPercentage',
  );
  const taken = await apply('v2', 'two', { metrics }, true);
  expect([taken.body.status, owned(taken)]).toEqual([
    { currentMetrics: null, desiredReplicas: 0 },
    ['one v1 f:maxReplicas,f:scaleTargetRef', 'two v2 f:maxReplicas,f:metrics,f:scaleTargetRef'],
  ]);
  expect((await apply('v1', 'one', { minReplicas: 2 })).body.spec?.targetCPUUtilizationPercentage).toBe(60);
});

test('fields owned in an unknown version have no owner', async () => {
  const entry = (apiVersion: string): object => ({
    manager: 'm',
    operation: 'Apply',
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:x': {} } },
  });
  const managers = async (name: string, apiVersion: string): Promise<unknown[]> => {
    const object = configMap(name, { x: '1' }, { managedFields: [entry(apiVersion)] });
    const { metadata } = await suite.must('POST', '/api/v1/namespaces/default/configmaps', object);
    return ((metadata?.managedFields ?? []) as unknown as Json[]).map(({ manager }) => manager);
  };
  expect(await managers('known', 'v1')).toEqual(['test']);
  expect(await managers('unserved', 'apps/v1')).toEqual(['test']);
  expect(await managers('malformed', 'a/b/c')).toEqual([]);
});
