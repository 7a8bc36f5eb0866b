import { expect, test } from '@jest/globals';
import { ConfigMap, Node } from 'kindwright';
import { PodSet } from '../../../operators/podset.js';
import { scenarioSteps } from '../../../src/simulation/workload/scenario.js';

test('the actions of a scenario are recorded as steps, with the differences of edits as merge patches', () => {
  const steps = scenarioSteps(({ create, edit, remove, settle }) => {
    const a = create(PodSet, { metadata: { name: 'a' }, spec: { size: 3 } });
    create(ConfigMap, { metadata: { name: 'b', namespace: 'other' }, data: { key: 'value' } });
    settle();
    edit(a, ({ spec }) => {
      spec.size = 1;
    });
    edit(a, ({ metadata }) => {
      metadata.labels = { app: 'a' };
    });
    remove(a, 'Foreground');
    remove(create(Node, { metadata: { name: 'n' } }));
  });
  const object = 'PodSet default/a';
  expect(steps).toEqual([
    {
      do: 'create',
      object: {
        ...{ apiVersion: 'apps.jicki.cn/v1alpha1', kind: 'PodSet' },
        ...{ metadata: { name: 'a', namespace: 'default' }, spec: { size: 3 } },
      },
    },
    {
      do: 'create',
      object: {
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'other' } },
        data: { key: 'value' },
      },
    },
    { do: 'patch', object, patch: { spec: { size: 1 } }, after: 'quiet' },
    { do: 'patch', object, patch: { metadata: { labels: { app: 'a' } } } },
    { do: 'delete', object, propagation: 'Foreground' },
    { do: 'create', object: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } } },
    { do: 'delete', object: 'Node n' },
  ]);
});

test('a scenario that is asynchronous or empty is rejected, and one that edits an object of another scenario', () => {
  const asynchronous = async (): Promise<void> => Promise.resolve();
  expect(() => scenarioSteps(asynchronous)).toThrow('scenario is asynchronous');
  expect(() => scenarioSteps(() => undefined)).toThrow('scenario has no actions');
  const other = { kind: PodSet, name: 'a', namespace: 'default' };
  expect(() => scenarioSteps(({ remove }) => remove(other))).toThrow('was not created by create of this scenario');
});
