import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const APIS = '/apis/apiregistration.k8s.io/v1/apiservices';
const GADGETS = { name: 'gadgets', singularName: 'gadget', namespaced: true, kind: 'Gadget', verbs: ['get', 'list'] };

const OPEN_API = (of: string): string => `/openapi/v3/apis/${of}/v1?hash=0A1B`;

let suite: AdmissionSuite;
let remote: Server;
let group: string;
let count = 0;
let seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[];

beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const { keyPem, certPem } = createServingIdentity(Date.now());
  remote = createServer({ key: keyPem, cert: certPem }, (message, response) => {
    let body = '';
    message.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    message.on('end', () => {
      const { method = '', url = '', headers } = message;
      seen.push({ method, url, headers, body });
      const reply = (code: number, content: object): void => {
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(content));
      };
      if (url === `/apis/${group}/v1`)
        reply(200, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1`, resources: [GADGETS] });
      else if (url.startsWith(`/apis/${group}/v1/namespaces/default/gadgets`))
        reply(method === 'POST' ? 201 : 200, { kind: 'Gadget', said: `${method} ${url}`, body });
      else if (url === '/openapi/v3')
        reply(200, { paths: { [`apis/${group}/v1`]: { serverRelativeURL: OPEN_API(group) } } });
      else if (url.startsWith(`/openapi/v3/apis/${group}/v1`)) reply(200, { openapi: '3.0.0', info: { title: group } });
      else reply(404, { kind: 'Status', code: 404 });
    });
  });
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  remote.close();
  remote.closeAllConnections();
  await suite.stop();
});
beforeEach(() => {
  group = `gadgets${count++}.example.com`;
  seen = [];
});
afterEach(async () => {
  await suite.send('DELETE', `${APIS}/v1.${group}`);
  await suite.send('DELETE', '/api/v1/namespaces/default/services/gadgets');
});

const port = (): number => (remote.address() as AddressInfo).port;

/** An APIService, which checks no certificate. */
async function register(service: object = {}): Promise<Json> {
  return suite.must('POST', APIS, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 500,
      versionPriority: 15,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'gadgets', port: port(), ...service },
    },
  });
}

/** A Service with an external name that resolves to this machine. */
function serve(spec: object = { type: 'ExternalName', externalName: '127.0.0.1' }): Promise<Json> {
  const metadata = { name: 'gadgets' };
  return suite.must('POST', '/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec,
  });
}

async function condition(reason: string): Promise<Json> {
  const get = (): Promise<Reply> => suite.send('GET', `${APIS}/v1.${group}`);
  const first = ({ body }: Reply): Json | undefined => (body.status!.conditions as unknown as Json[] | undefined)?.[0];
  const reply = await suite.until(get, (each) => text(first(each)?.reason) === reason);
  const { type, status, message } = first(reply)!;
  return { type, status, message } as Json;
}

/** Registers the running server, and waits until requests go there. */
async function available(): Promise<void> {
  await serve();
  await register();
  await condition('Passed');
  await suite.until(
    () => suite.send('GET', `/apis/${group}/v1`),
    ({ code }) => code === 200,
  );
}

const groupIn = ({ body }: Reply): Json | undefined =>
  (body.groups as unknown as Json[]).find(({ name }) => text(name) === group);
const below = (path: string): string => `/apis/${group}/v1/namespaces/default/gadgets${path}`;

describe('an APIService with a Service', () => {
  test('the documents of an aggregated API are requested, and it is available when it responds', async () => {
    await serve();
    const made = await register();
    expect(made.status).toEqual({});
    expect(await condition('Passed')).toEqual({ type: 'Available', status: 'True', message: 'all checks passed' });
  });

  test('an aggregated API gets the requests for its version with the user, but without the credentials', async () => {
    await available();
    const reply = await suite.send('GET', below('/one?limit=5'));
    expect(reply).toMatchObject({ code: 200, body: { said: `GET ${below('/one?limit=5')}` } });
    const { headers } = seen.find(({ url }) => url === below('/one?limit=5'))!;
    expect(headers['x-remote-user']).toMatch(/admin/);
    expect(headers['x-remote-group']).toContain('system:masters');
    expect(headers.host).toBe(`127.0.0.1:${port()}`);
    expect(headers).not.toHaveProperty('authorization');
  });

  test('an aggregated API gets the bodies of writes', async () => {
    await available();
    expect(await suite.send('POST', below(''), { kind: 'Gadget', size: 'S' })).toMatchObject({
      code: 201,
      body: { body: '{"kind":"Gadget","size":"S"}' },
    });
    expect((await suite.send('PATCH', below('/one'), '[]', 'application/json-patch+json')).code).toBe(200);
    expect(seen).toContainEqual(expect.objectContaining({ method: 'PATCH', body: '[]' }));
  });

  test('the group of an aggregated API is listed, and its documents are those of the Service', async () => {
    await available();
    const versions = [{ groupVersion: `${group}/v1`, version: 'v1' }];
    const told = { name: group, versions, preferredVersion: versions[0] };
    const groups = await suite.until(
      () => suite.send('GET', '/apis'),
      (reply) => groupIn(reply) !== undefined,
    );
    expect(groupIn(groups)).toEqual(told);
    const own = { kind: 'APIGroup', apiVersion: 'v1', ...told };
    expect(
      (
        await suite.until(
          () => suite.send('GET', `/apis/${group}`),
          ({ code }) => code === 200,
        )
      ).body,
    ).toEqual(own);
    expect((await suite.must('GET', `/apis/${group}/v1`)).resources).toEqual([GADGETS]);
  });

  test('aggregated discovery contains the resources of an aggregated API', async () => {
    await serve();
    await register();
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const items = (reply: Reply): Json[] => reply.body.items as unknown as Json[];
    const ours = (reply: Reply): Json | undefined =>
      items(reply).find(({ metadata }) => text(metadata!.name) === group);
    const get = (): Promise<Reply> => suite.send('GET', '/apis', undefined, undefined, { accept });
    const reply = await suite.until(get, (each) => JSON.stringify(ours(each)?.versions).includes('"Current"'));
    expect(ours(reply)).toEqual({
      metadata: { name: group },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            {
              resource: 'gadgets',
              responseKind: { group: '', version: '', kind: 'Gadget' },
              scope: 'Namespaced',
              singularResource: 'gadget',
              verbs: ['get', 'list'],
            },
          ],
        },
      ],
    });
    expect(
      items(reply)
        .map(({ metadata }) => text(metadata!.name))
        .indexOf(group),
    ).toBeGreaterThan(15);
  });

  test('the OpenAPI index contains the document of an aggregated API', async () => {
    await serve();
    await register();
    const index = await suite.until(
      () => suite.send('GET', '/openapi/v3'),
      ({ body }) => body.paths![`apis/${group}/v1`] !== undefined,
    );
    expect(index.body.paths![`apis/${group}/v1`]).toEqual({ serverRelativeURL: OPEN_API(group) });
    expect(await suite.must('GET', OPEN_API(group))).toMatchObject({ openapi: '3.0.0', info: { title: group } });
  });

  test('an aggregated API without its Service is unavailable, and requests fail with the cause', async () => {
    await register();
    const message = 'service/gadgets in "default" is not present';
    expect(await condition('ServiceNotFound')).toEqual({ type: 'Available', status: 'False', message });
    for (const path of [below(''), `/apis/${group}/v1`]) {
      const { body } = await suite.until(
        () => suite.send('GET', path),
        ({ code }) => code === 503,
      );
      expect(body).toEqual({ text: 'service unavailable\n' });
    }
  });

  test('an aggregated API becomes available with its Service, and unavailable without it', async () => {
    await register();
    await condition('ServiceNotFound');
    await serve();
    await condition('Passed');
    await suite.must('DELETE', '/api/v1/namespaces/default/services/gadgets');
    await condition('ServiceNotFound');
    await suite.until(
      () => suite.send('GET', below('')),
      ({ code }) => code === 503,
    );
  });

  test('an APIService reports what its Service lacks', async () => {
    await serve({ ports: [{ name: 'api', port: 443 }] });
    await register({ port: 444 });
    expect(await condition('ServicePortError')).toEqual({
      type: 'Available',
      status: 'False',
      message: 'service/gadgets in "default" is not listening on port 444',
    });
    await suite.must('DELETE', `${APIS}/v1.${group}`);
    await register({ port: 443 });
    expect((await condition('EndpointsNotFound')).message).toBe(
      'cannot find endpointslices for service/gadgets in "default"',
    );
  });

  test('an APIService reports why its server does not respond', async () => {
    await serve();
    await register({ port: 1 });
    const url = `https://127.0.0.1:1/apis/${group}/v1`;
    expect((await condition('FailedDiscoveryCheck')).message).toBe(
      `failing or missing response from ${url}: Get "${url}": dial tcp 127.0.0.1:1: connect: connection refused`,
    );
  });

  test('a deleted aggregated API leaves nothing behind', async () => {
    await available();
    await suite.must('DELETE', `${APIS}/v1.${group}`);
    await suite.until(
      () => suite.send('GET', below('')),
      ({ code }) => code === 404,
    );
    await suite.until(
      () => suite.send('GET', '/apis'),
      (reply) => groupIn(reply) === undefined,
    );
  });
});
