import { stringifyYaml } from '../../base/yaml.js';

/** A kubeconfig that reaches the server as its administrator. */
export function kubeconfigYaml(server: string, caPem: string, token: string): string {
  const name = 'kindwright';
  return stringifyYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(caPem).toString('base64') } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
