import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, type Json } from '../../e2e/admission/admission-suite.js';

const GROUP = 'probe.example.com';
const ITEM = `/apis/${GROUP}/v1/namespaces/{namespace}/widgets/{name}`;
const schema = {
  type: 'object',
  description: 'A widget',
  properties: {
    spec: {
      type: 'object',
      required: ['replicas'],
      properties: {
        replicas: { type: 'integer', format: 'int32', nullable: true },
        size: { type: 'string', default: 'S' },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
};

let suite: AdmissionSuite;
let v2: Json;
let v3: Json;

beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {}, scale },
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  });
  const isTold = ({ body }: { readonly body: Json }): boolean => body.paths?.[ITEM] !== undefined;
  v2 = (await suite.until(() => suite.send('GET', '/openapi/v2'), isTold)).body;
  v3 = (await suite.until(() => suite.send('GET', `/openapi/v3/apis/${GROUP}/v1`), isTold)).body;
});
afterAll(() => suite.stop());

/** In the order of their names: the servers have another one each. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
/** Without the long descriptions, which are Kubernetes' own. */
const described = (item: Json | undefined): unknown =>
  JSON.parse(JSON.stringify(sorted(item)), (key, value: unknown) =>
    key === 'description' && String(value).length > 80 ? undefined : value,
  ) as unknown;

describe.each(['v2', 'v3'] as const)('OpenAPI %s', (version) => {
  const document = (): Json => (version === 'v2' ? v2 : v3);

  test(`OpenAPI ${version} has the paths of a custom resource`, () => {
    expect(
      Object.keys(document().paths!)
        .filter((path) => path.includes(GROUP))
        .sort(),
    ).toEqual([
      `/apis/${GROUP}/v1/namespaces/{namespace}/widgets`,
      ITEM,
      `${ITEM}/scale`,
      `${ITEM}/status`,
      `/apis/${GROUP}/v1/widgets`,
    ]);
  });

  test.each([ITEM.replace('/{name}', ''), ITEM, `${ITEM}/scale`, `${ITEM}/status`, `/apis/${GROUP}/v1/widgets`])(
    'OpenAPI lists the operations at %s',
    (path) => {
      expect(described(document().paths![path])).toMatchSnapshot();
    },
  );

  test(`OpenAPI ${version} has the schemas of a custom resource`, () => {
    const schemas = version === 'v2' ? document().definitions! : document().components!.schemas!;
    const own = ['Widget', 'WidgetList'].map((kind) => schemas[`com.example.probe.v1.${kind}`]);
    expect(own.map(described)).toMatchSnapshot();
  });
});

describe('OpenAPI of a version other than v1', () => {
  const OTHER = 'other.example.com';
  const VERSION = 'v2alpha1';
  const ITEM_PATHS = ['namespaces/{namespace}/gadgets', 'namespaces/{namespace}/gadgets/{name}', 'gadgets'];
  const paths = ITEM_PATHS.map((path) => `/apis/${OTHER}/${VERSION}/${path}`);

  beforeAll(async () => {
    await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `gadgets.${OTHER}` },
      spec: {
        group: OTHER,
        scope: 'Namespaced',
        names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
        versions: [{ name: VERSION, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
  });

  test.each(['/openapi/v2', `/openapi/v3/apis/${OTHER}/${VERSION}`])(
    'the document %s names the version of its kinds',
    async (document) => {
      const { body } = await suite.until(
        () => suite.send('GET', document),
        (reply) => reply.body.paths?.[paths[0]!] !== undefined,
      );
      const kinds = paths
        .flatMap((path) => Object.values(body.paths![path]!))
        .map((operation) => operation['x-kubernetes-group-version-kind'])
        .filter((kind) => kind !== undefined);
      expect(kinds.length).toBeGreaterThan(5);
      for (const kind of kinds) expect(kind).toEqual({ group: OTHER, kind: 'Gadget', version: VERSION });
    },
  );
});
