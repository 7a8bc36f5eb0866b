import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ClusterSuite, items } from './cluster-suite.js';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

test('a ControllerRevision contains the template in the same bytes as on Kubernetes', async () => {
  await suite.create('apps/v1/daemonsets', 'DaemonSet', 'set', {
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  const list = await suite.once(suite.path('apps/v1/controllerrevisions'), (found) => items(found).length > 0);
  expect(JSON.stringify(items(list)[0]!.data)).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"image":"i",' +
      '"imagePullPolicy":"Always","name":"c","resources":{},"terminationMessagePath":"/dev/termination-log",' +
      '"terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":' +
      '"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}}}',
  );
});
