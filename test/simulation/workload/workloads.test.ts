import { describe, expect, test } from '@jest/globals';
import type { ResourceClass } from '../../../src/resource/model.js';
import { buildVersionModel } from '../../../src/resource/build-models.js';
import { SchemaValidator } from '../../../src/crd/schema/schema-validator.js';
import { mutations } from '../../../src/simulation/workload/mutations.js';
import {
  acceptedMutations,
  directSteps,
  refusedMutations,
  workloads,
  workloadSource,
} from '../../../src/simulation/workload/workloads.js';
import { NodePool } from '../../../operators/nodepool.js';
import { PodSet } from '../../../operators/podset.js';
import { HelloApp } from '../../../operators/helloapp.js';
import { Mydemo } from '../../../operators/mydemo.js';
import { PodBugger } from '../../../operators/podbugger.js';

const source = async (kind: ResourceClass) => workloadSource(buildVersionModel(kind));

describe('mutations', () => {
  test('change the size as users do, and go beyond its limits', async () => {
    const { schema, sample } = await source(PodSet);
    const found = mutations(schema, sample).filter(({ field }) => field === 'spec.size');
    const size = ({ object }: (typeof found)[number]): unknown => (object['spec'] as { size: number }).size;
    expect(found.filter(({ isInvalid }) => !isInvalid).map(size)).toEqual([1, 2, 0, 12, 10, 4, 6]);
    expect(found.filter(({ isInvalid }) => isInvalid).map(size)).toEqual([-1]);
  });

  test('change lists, maps and optional fields', async () => {
    const { schema, sample } = await source(NodePool);
    const words = mutations(schema, sample).map((mutation) => `${mutation.field} ${mutation.words}`);
    expect(words).toEqual(
      expect.arrayContaining([
        'spec.taints one more item',
        'spec.taints without the last item',
        'spec.taints absent',
        'spec.labels one more key',
        'spec.labels without a key',
        'spec.handler longer',
        'spec.handler absent',
        'spec.handler 63 characters',
        'spec.handler too long',
      ]),
    );
  });

  test.each([PodSet, NodePool, HelloApp, Mydemo, PodBugger])(
    'of %p are accepted or refused as predicted',
    async (kind) => {
      const from = await source(kind);
      const validator = new SchemaValidator(from.schema);
      for (const { object, isInvalid, field, words } of mutations(from.schema, from.sample)) {
        expect([field, words, validator.validate(object).length > 0]).toEqual([field, words, isInvalid]);
        if (isInvalid) expect([field, words, from.accepts(object)]).toEqual([field, words, false]);
      }
      for (const { object } of acceptedMutations(from)) expect(from.accepts(object)).toBe(true);
      for (const { object } of refusedMutations(from)) expect(from.accepts(object, from.sample)).toBe(false);
      expect(acceptedMutations(from).length).toBeGreaterThan(0);
    },
  );
});

describe('the workloads', () => {
  test('begin with the creation of the sample alone', async () => {
    const [first] = workloads(await source(PodSet));
    expect(first).toMatchObject({ name: 'create', steps: [{ do: 'create', object: { kind: 'PodSet' } }] });
  });

  test('change a field, and put it back with and without time in between', async () => {
    const all = workloads(await source(PodSet));
    const to = (size: number): object => ({ do: 'patch', object: 'PodSet default/example', patch: { spec: { size } } });
    expect(all.find(({ name }) => name === 'spec.size to 1 and back')?.steps.slice(1)).toEqual([
      { ...to(1), after: 'quiet' },
      { ...to(3), after: 'quiet' },
    ]);
    expect(all.find(({ name }) => name === 'spec.size to 1 and back quickly')?.steps.slice(1)).toEqual([
      { ...to(1), after: 'quiet' },
      to(3),
    ]);
    expect(all.find(({ name }) => name === 'spec.size to 1, then to 2')?.steps.at(-1)).toMatchObject(to(2));
  });

  test('have names of their own', async () => {
    const names = workloads(await source(NodePool)).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('crowd two namespaces with similar names, or one scope with cluster-scoped ones', async () => {
    const crowd = workloads(await source(PodSet)).find(({ name }) => name === 'crowd');
    expect(crowd?.given).toMatchObject([{ kind: 'Namespace', metadata: { name: 'other' } }]);
    expect(crowd?.steps.map((step) => step.do)).toEqual([...Array<string>(4).fill('create'), 'patch', 'delete']);
    const nodes = workloads(await source(NodePool)).find(({ name }) => name === 'crowd');
    expect(nodes?.given).toEqual([]);
    expect(nodes?.steps.map((step) => step.do)).toEqual(['create', 'create', 'create', 'patch', 'delete']);
  });
});

test('direct steps create the last state of each object, and no deleted ones', async () => {
  const object = (await source(PodSet)).sample;
  const patch = { spec: { size: 5 }, metadata: { labels: { a: null, b: 'c' } } };
  const other = { ...object, metadata: { name: 'other' } };
  expect(
    directSteps([
      { do: 'create', object },
      { do: 'create', object: other },
      { do: 'patch', object: 'PodSet example', patch },
      { do: 'delete', object: 'PodSet other' },
    ]),
  ).toEqual([
    { do: 'create', object: { ...object, spec: { size: 5 }, metadata: { ...object.metadata, labels: { b: 'c' } } } },
  ]);
});
