import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { KubeObject } from '../../api/kube-object.js';
import { controllerOf } from '../../api/owner-reference.js';
import { Deployment, Pod } from '../../api/kinds.js';
import type { ResourceModel } from '../../resource/model.js';
import { kubeconfigLine } from '../embedded-server.js';
import type { Board } from './board.js';

/** What to type in another terminal, with the names of what is there now. */
export function thingsToTry(kubeconfig: string, models: readonly ResourceModel[], board: Board): string[] {
  const [deployment] = board.listOwned(Deployment);
  const pod = board.list(Pod).find(controllerOf);
  const plurals = models.map(({ kind }) => kind.plural).sort();
  const commands = [
    kubeconfigLine(kubeconfig),
    `kubectl get ${plurals.join(',')}`,
    ...(deployment ? [`kubectl scale deployment ${addressOf(deployment)} --replicas=7`] : []),
    ...(pod ? [`kubectl delete pod ${addressOf(pod)}`] : []),
  ];
  return [
    'Try in another terminal, and watch here what the operators do:',
    ...commands.map((line) => `  ${line}`),
    ...(hasKubectl() ? [] : ['(kubectl is not on this PATH: https://kubernetes.io/docs/tasks/tools/)']),
    'Ctrl-C ends it.',
  ];
}

function addressOf({ metadata: { name, namespace = 'default' } }: KubeObject): string {
  return namespace === 'default' ? name : `${name} -n ${namespace}`;
}

function hasKubectl(): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => ['kubectl', 'kubectl.exe'].some((name) => existsSync(join(folder, name))));
}
