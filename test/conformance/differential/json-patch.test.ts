import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedApiServer } from '../../../src/apiserver/embedded-api-server.js';
import { ControlPlane } from '../../controlplane/control-plane.js';
import { ApiEndpoint, type ApiReply } from '../../fidelity/api-endpoint.js';
import { JSON_PATCHES, PATCHED_SPEC } from '../../fidelity/json-patches.js';
import { normalize } from '../../fidelity/normalize.js';

const OBJECTS = '/apis/patch.example.com/v1/anythings';
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'anythings.patch.example.com' },
  spec: {
    group: 'patch.example.com',
    names: { kind: 'Anything', plural: 'anythings' },
    scope: 'Cluster',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema() } }],
  },
};

function schema(): object {
  return { type: 'object', properties: { spec: { 'x-kubernetes-preserve-unknown-fields': true } } };
}

let real: ControlPlane | undefined;
let embedded: EmbeddedApiServer | undefined;
let endpoints: readonly ApiEndpoint[] = [];

beforeAll(async () => {
  [real, embedded] = await Promise.all([
    ControlPlane.start({ parts: ['etcd', 'apiserver'] }),
    EmbeddedApiServer.start({ withoutControllers: true }),
  ]);
  endpoints = [new ApiEndpoint(embedded.kubeconfig), new ApiEndpoint(real.kubeconfig)];
  const object = {
    apiVersion: 'patch.example.com/v1',
    kind: 'Anything',
    metadata: { name: 'one' },
    spec: PATCHED_SPEC,
  };
  for (const endpoint of endpoints) {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await endpoint.send({ method: 'POST', path, body: DEFINITION });
    while ((await endpoint.send({ method: 'POST', path: OBJECTS, body: object })).code !== 201) await delay(50);
  }
});
afterAll(async () => {
  for (const endpoint of endpoints) endpoint.close();
  await Promise.all([real?.stop(), embedded?.stop()]);
});

/** Go orders the members of the refused object otherwise. */
function withoutObject(reply: ApiReply): unknown {
  const text = JSON.stringify(reply)
    .replace(/(patch: |"message":")Invalid value: (\\+")\{.*?\}\2: /g, '$1<object>: ')
    .replace(/missing in '\{.*?\}'/g, 'missing in <object>');
  return normalize(JSON.parse(text));
}

describe.each(['Warn', 'Strict', 'Ignore'])(
  'with fieldValidation=%s the servers agree on a JSON patch',
  (validation) => {
    test.each(JSON_PATCHES)('both servers apply the same JSON patch: %s', async (_title, body) => {
      const path = `${OBJECTS}/one?dryRun=All&fieldValidation=${validation}`;
      const call = { method: 'PATCH', path, body, contentType: 'application/json-patch+json' };
      const [ours, theirs] = await Promise.all(endpoints.map((endpoint) => endpoint.send(call)));
      expect(withoutObject(ours!)).toEqual(withoutObject(theirs!));
    });
  },
);
