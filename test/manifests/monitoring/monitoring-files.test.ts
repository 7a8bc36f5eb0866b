import { expect, test } from '@jest/globals';
import { ReplicatedCache } from '../../../docs/examples/replicated-cache.js';
import { ScheduledTask, ScheduledTaskV2 } from '../../../docs/examples/scheduled-task.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { LayoutName, ManifestOptions } from '../../../src/manifests/operator.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceClass } from '../../../src/resource/model.js';
import { loadOperators } from '../operator-models.js';

const operators = await loadOperators();
const podSet = operators.filter(({ model }) => model.className === 'PodSet');

const contents = (options: ManifestOptions, sources = podSet) =>
  new Map(generateManifests(sources, options).map(({ path, content }) => [path, content]));

test.each<[LayoutName, string, string[]]>([
  ['plain', 'podset/monitoring/', ['alerts.yaml', 'dashboard.yaml', 'metrics.yaml']],
  ['kustomize', 'podset/config/monitoring/', ['alerts.yaml', 'dashboard.yaml', 'kustomization.yaml']],
  ['helm', 'podset/chart/templates/', ['alerts.yaml', 'dashboard.yaml']],
])('the layout %s has files for monitoring in %s', (layout, folder, names) => {
  const before = contents({ layout });
  const after = contents({ layout, monitoring: true });
  expect([...after.keys()].filter((path) => !before.has(path))).toEqual(names.map((name) => folder + name));
  const changed = [...before].filter(([path, content]) => after.get(path) !== content).map(([path]) => path);
  expect(changed).toEqual(layout === 'kustomize' ? ['podset/config/default/kustomization.yaml'] : []);
});

test('the kustomization names the folder of the alerts in a line to uncomment', () => {
  const path = 'podset/config/default/kustomization.yaml';
  expect(contents({ layout: 'kustomize', monitoring: true }).get(path)).toContain('\n  # - ../monitoring\n');
});

test('the alerts of the plain layout select the series of the namespace of the operator', () => {
  const alerts = contents({ monitoring: true, namespace: 'elsewhere' }).get('podset/monitoring/alerts.yaml');
  expect(alerts).toContain('{job="podset-controller-manager-metrics-service",namespace="elsewhere"}');
});

test('a chart selects the series of its release, and has the alert of leader election only where it is enabled', () => {
  const alerts = contents({ layout: 'helm', monitoring: true }).get('podset/chart/templates/alerts.yaml');
  expect(alerts).toContain('namespace="{{ .Release.Namespace }}"');
  expect(alerts).toMatch(/\{\{- if and .*\(or \.Values\.leaderElection\.enabled .*\}\}\n---[^]*OperatorWithoutLeader/);
});

test('an operator without classes for other clusters has no alert for these', () => {
  expect(contents({ monitoring: true }).get('podset/monitoring/alerts.yaml')).not.toContain('cluster_connected');
});

test('an operator without webhooks has no alerts for them', () => {
  expect(contents({ monitoring: true }).get('podset/monitoring/alerts.yaml')).not.toMatch(/webhook|certificate/i);
});

test.each<[string, ResourceClass[], boolean]>([
  ['with a conversion has', [ScheduledTask, ScheduledTaskV2], true],
  ['with webhooks for admission only does not have', [ReplicatedCache], false],
])('the dashboard of an operator %s a panel of converted objects', (_, classes, isShown) => {
  const models = buildResourceModels(classes);
  const sources = models.map((model) => ({ model, sourceFile: 'operators/monitored.ts' }));
  const files = generateManifests(sources, { monitoring: true });
  const dashboard = files.find(({ path }) => path.endsWith('monitoring/dashboard.yaml'))?.content;
  expect(dashboard?.includes('kindwright_conversion_objects_total')).toBe(isShown);
  expect(dashboard).toContain('controller_runtime_webhook_requests_total');
});
