import { CoreV1Api, type KubeConfig, type V1Namespace, Watch } from '@kubernetes/client-node';

/** Sets the label `team` of each Namespace to the first part of its name, until the signal is aborted. */
export async function watchLoop(kubeConfig: KubeConfig, signal: AbortSignal): Promise<void> {
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const label = async ({ metadata: { name = '', labels } = {} }: V1Namespace): Promise<void> => {
    const [team = name] = name.split('-');
    if (labels?.['team'] === team) return;
    const body = [{ op: 'add', path: '/metadata/labels', value: { ...labels, team } }];
    await core.patchNamespace({ name, body });
  };
  while (!signal.aborted) {
    const { metadata, items } = await core.listNamespace();
    for (const namespace of items) await label(namespace);
    await new Promise<void>((resolve, reject) => {
      const handle = (type: string, namespace: V1Namespace): void => {
        if (type === 'ADDED' || type === 'MODIFIED') label(namespace).catch(console.error);
      };
      const query = { resourceVersion: metadata?.resourceVersion };
      const watching = new Watch(kubeConfig).watch('/api/v1/namespaces', query, handle, () => {
        resolve();
      });
      watching.then((request) => {
        signal.addEventListener('abort', () => {
          request.abort();
        });
      }, reject);
    });
  }
}
