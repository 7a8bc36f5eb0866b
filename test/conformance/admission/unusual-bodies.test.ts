import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AdmissionSuite, text, type Reply } from '../../e2e/admission/admission-suite.js';
import { untilInitialized } from '../../controlplane/until-initialized.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const GROUP = 'unusual.example.com';
const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`;
const YAML = 'application/yaml';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
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
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  });
  await suite.until(
    () => suite.send('GET', WIDGETS),
    ({ code }) => code === 200,
  );
});
afterAll(() => suite.stop());

const result = ({ code, body }: Reply): unknown[] => [code, text(body.message)];

describe('aliases of a YAML body', () => {
  const widget = (spec: string): string =>
    `apiVersion: ${GROUP}/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n${spec.replaceAll(/^/gm, '  ')}`;
  const bomb = (levels: number): string =>
    widget(
      Array.from({ length: levels }, (_, level) => {
        const item = level === 0 ? 'x' : `*l${level - 1}`;
        return `l${level}: &l${level} [${Array(10).fill(item).join(',')}]`;
      }).join('\n'),
    );
  const create = (body: string): Promise<Reply> => suite.send('POST', `${WIDGETS}?dryRun=All`, body, YAML);

  test('aliases of a YAML body may expand to a thousand nodes', async () => {
    expect((await create(bomb(3))).code).toBe(201);
  });

  test.each([4, 7, 20])(
    'aliases of a YAML body are rejected at once if they expand to %i levels of ten',
    async (levels) => {
      expect(result(await create(bomb(levels)))).toEqual([
        400,
        expect.stringContaining('yaml: document contains excessive aliasing'),
      ]);
      expect(result(await suite.send('PATCH', `${WIDGETS}/a?fieldManager=m`, bomb(levels), APPLY))).toEqual([
        400,
        'error decoding YAML: error converting YAML to JSON: yaml: document contains excessive aliasing',
      ]);
    },
  );

  test.each([
    ['contain themselves', 'a: &a [*a]', "yaml: anchor 'a' value contains itself"],
    ['have no anchor', 'a: *b', "yaml: unknown anchor 'b' referenced"],
  ])('aliases of a YAML body are rejected if they %s', async (_, spec, message) => {
    expect(result(await create(widget(spec)))).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('the nesting of a body', () => {
  const nested = (levels: number): string =>
    `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;

  test.each(['application/json', YAML])('a body may be nested a thousand levels deep in %s', async (type) => {
    expect((await suite.send('POST', `${WIDGETS}?dryRun=All`, nested(1000), type)).code).toBe(201);
  });

  test.each([
    ['application/json', 'exceeded max depth'],
    [YAML, 'exceeded max depth of 10000'],
  ])('a body that is nested more than 10,000 levels deep in %s is rejected', async (type, message) => {
    expect(result(await suite.send('POST', WIDGETS, nested(10_001), type))).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });
});

describe('a number that no float64 can hold', () => {
  const OVERFLOW = 'json: cannot unmarshal number -1e400 into Go value of type float64';
  const widget = `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"n"},"spec":{"s":"1e500","n":-1e400}}`;

  test('a number that exceeds float64 is rejected in a custom resource', async () => {
    const why = `Widget in version "v1" cannot be handled as a Widget: ${OVERFLOW}`;
    expect(result(await suite.send('POST', WIDGETS, widget))).toEqual([400, why]);
  });

  test('a number that exceeds float64 is a string when it is applied, as YAML', async () => {
    const applied = await suite.send('PATCH', `${WIDGETS}/n?fieldManager=m`, widget, APPLY);
    expect([applied.code, applied.body.spec]).toEqual([201, { s: '1e500', n: '-1e400' }]);
  });

  test('a number that exceeds float64 is rejected in patches', async () => {
    await suite.must('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'n' } });
    const path = `${CONFIG_MAPS}/n`;
    const patch = '{"data":{"n":-1e400}}';
    expect(result(await suite.send('PATCH', path, patch, MERGE))).toEqual([400, `error decoding patch: ${OVERFLOW}`]);
    expect(result(await suite.send('PATCH', path, patch, 'application/strategic-merge-patch+json'))).toEqual([
      400,
      OVERFLOW,
    ]);
    const operations = '[{"op":"add","path":"/data/n","value":-1e400}]';
    expect(result(await suite.send('PATCH', path, operations, 'application/json-patch+json'))).toEqual([
      400,
      'error decoding patch: json: cannot unmarshal number -1e400 into Go struct field jsonPatchOp.value of type float64',
    ]);
  });
});

describe('keys named like members of Object.prototype', () => {
  const keys = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', '__proto__', 'plain'];
  let count = 0;

  /** Objects as JSON text: a literal cannot have the key `__proto__`. */
  const dataOf = (names: readonly string[], value: string): string =>
    `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;

  const ownedData = ({ body }: Reply, manager: string): string[] => {
    const entries = body.metadata?.managedFields as unknown as { manager: string; fieldsV1: Record<string, object> }[];
    const { fieldsV1 = {} } = entries.find((entry) => entry.manager === manager) ?? {};
    return Object.keys(fieldsV1['f:data'] ?? {}).filter((key) => key !== '.');
  };
  const fieldsOf = (names: readonly string[]): string[] => names.map((name) => `f:${name}`).sort();

  test('keys named like members of Object.prototype are owned by the manager that writes them until it removes them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(keys, { minLength: 1 }),
        fc.subarray(keys, { minLength: 1 }),
        async (before, after) => {
          const name = `owned-${count++}`;
          const body = (names: readonly string[]): string =>
            `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":${dataOf(names, 'x')}}`;
          const created = await suite.send('POST', `${CONFIG_MAPS}?fieldManager=a`, body(before));
          expect(ownedData(created, 'a').sort()).toEqual(fieldsOf(before));
          const updated = await suite.send('PUT', `${CONFIG_MAPS}/${name}?fieldManager=a`, body(after));
          expect(ownedData(updated, 'a').sort()).toEqual(fieldsOf(after));
        },
      ),
      { numRuns: 25 },
    );
  });

  test.each(keys)(
    'keys named like members of Object.prototype conflict when another manager applies them: %s',
    async (key) => {
      const name = `conflict-${count++}`;
      const body = (value: string): string =>
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":${dataOf([key], value)}}`;
      await suite.must('POST', `${CONFIG_MAPS}?fieldManager=a`, JSON.parse(body('x')));
      const path = `${CONFIG_MAPS}/${name}?fieldManager=b`;
      const refused = await suite.send('PATCH', path, body('y'), APPLY);
      expect(result(refused)).toEqual([409, expect.stringContaining(`conflict with "a" using v1: .data.${key}`)]);
      const forced = await suite.send('PATCH', `${path}&force=true`, body('y'), APPLY);
      expect([forced.code, ownedData(forced, 'b'), ownedData(forced, 'a')]).toEqual([200, [`f:${key}`], []]);
      expect(JSON.stringify(forced.body.data)).toBe(dataOf([key], 'y'));
    },
  );
});

test.each(['application/yaml', 'application/yaml, */*'])('a watch is not sent as YAML: %s', async (accept) => {
  for (const path of [WIDGETS, CONFIG_MAPS]) {
    const watch = `${path}?watch=true&timeoutSeconds=1`;
    const { code, body } = await untilInitialized(() => suite.send('GET', watch, undefined, undefined, { accept }));
    const types = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
    expect(code).toBe(406);
    expect(JSON.stringify(body).replaceAll(/\\n +/g, ' ')).toContain(
      `only the following media types are accepted: ${types}`,
    );
  }
});

test('a ConfigMap that is too large has an error for the whole object', async () => {
  const data = { a: 'x'.repeat(1_050_000) };
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data };
  expect(result(await suite.send('POST', CONFIG_MAPS, body))).toEqual([
    422,
    'ConfigMap "large" is invalid: []: Too long: may not be more than 1048576 bytes',
  ]);
});
