import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { KubeObject } from '../../api/kube-object.js';
import { controllerOf } from '../../api/owner-reference.js';
import { Deployment, Pod } from '../../api/kinds.js';
import type { ResourceModel } from '../../resource/model.js';
import { kubeconfigLine } from '../embedded-server.js';
import type { DemoState } from './demo-state.js';

/** Commands to try in another terminal, with the names of objects that exist now. */
export function suggestions(kubeconfig: string, models: readonly ResourceModel[], state: DemoState): string[] {
  const [deployment] = state.listOwned(Deployment);
  const pod = state.list(Pod).find(controllerOf);
  const plurals = models.map(({ kind }) => kind.plural).sort();
  const commands = [
    kubeconfigLine(kubeconfig),
    `kubectl get ${plurals.join(',')}`,
    ...(deployment ? [`kubectl scale deployment ${addressOf(deployment)} --replicas=7`] : []),
    ...(pod ? [`kubectl delete pod ${addressOf(pod)}`] : []),
  ];
  return [
    'Try these in another terminal and watch the operators react here:',
    ...commands.map((line) => `  ${line}`),
    ...(hasKubectl() ? [] : ['(kubectl is not on this PATH: https://kubernetes.io/docs/tasks/tools/)']),
    'Press Ctrl-C to stop.',
  ];
}

function addressOf({ metadata: { name, namespace = 'default' } }: KubeObject): string {
  return namespace === 'default' ? name : `${name} -n ${namespace}`;
}

function hasKubectl(): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => ['kubectl', 'kubectl.exe'].some((name) => existsSync(join(folder, name))));
}
