import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { stringifyYaml } from '../../src/base/yaml.js';
import { customResourceDefinition } from '../../src/manifests/crd/crd.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { PLAIN_SCALARS } from '../base/plain-scalars.js';
import { HOSTILE_STRINGS } from '../random-classes/hostile-strings.js';
import { Sound } from '../resource/mistakes/classes.js';

class Spec {}
HOSTILE_STRINGS.forEach((text, index) => {
  Field(text, { type: String, default: text, optional: true })(Spec.prototype, `field${index}`);
});
Field({ type: String, enum: HOSTILE_STRINGS })(Spec.prototype, 'one');

const labels = Object.fromEntries(
  HOSTILE_STRINGS.filter((text) => /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text)).map((text) => [
    `example.com/${text}`,
    text,
  ]),
);
const annotations = Object.fromEntries(HOSTILE_STRINGS.map((text, index) => [`example.com/${index}`, text]));

@Kind({ group: 'hostile.example.com', version: 'v1', kind: 'Hostile', labels, annotations })
class Hostile extends Sound {
  @Field({ type: Spec }) spec!: Spec;
}

describe('a hundred strings that YAML takes for something else', () => {
  const crd: UnstructuredObject = customResourceDefinition(...buildResourceModels([Hostile]));
  const text = stringifyYaml(crd);
  let cluster: RunningControlPlane;
  beforeAll(async () => {
    cluster = await startControlPlane({ parts: ['etcd', 'apiserver'] });
  });
  afterAll(() => cluster.stop());

  test('ambiguous strings in descriptions, defaults, values, labels and annotations are read back by YAML 1.2', () => {
    expect(HOSTILE_STRINGS).toHaveLength(100);
    expect(load(text)).toEqual(crd);
  });

  test('ambiguous strings are read back by Kubernetes', async () => {
    const args = ['create', '--dry-run=server', '-o', 'json', '-f', '-'];
    const read = JSON.parse(await cluster.kubectl(args, text)) as UnstructuredObject;
    expect(read.metadata).toMatchObject({ labels, annotations });
    const schemaOf = (object: UnstructuredObject): unknown =>
      (object['spec'] as { versions: { schema: unknown }[] }).versions[0]?.schema;
    expect(schemaOf(read)).toEqual(schemaOf(crd));
  });
});

test('plain scalars have the meaning in Kubernetes that the tests of the parser expect', async () => {
  const cluster = await startControlPlane({ parts: ['etcd', 'apiserver'] });
  const lines = PLAIN_SCALARS.map(([text], index) => `  field${index}: ${text}\n`);
  const object = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: plain }\nextra:\n${lines.join('')}`;
  const args = ['create', '--dry-run=client', '--validate=false', '-o', 'json', '-f', '-'];
  const { extra } = JSON.parse(await cluster.kubectl(args, object)) as { extra: object };
  await cluster.stop();
  expect(Object.entries(extra).sort()).toEqual(
    PLAIN_SCALARS.map(([, value], index) => [`field${index}`, value]).sort(),
  );
});
