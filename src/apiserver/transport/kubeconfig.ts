/** A kubeconfig that reaches the server as its administrator. */
export function kubeconfigYaml(server: string, caPem: string, token: string): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: kindwright
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(caPem).toString('base64')}
users:
  - name: kindwright
    user:
      token: "${token}"
contexts:
  - name: kindwright
    context:
      cluster: kindwright
      user: kindwright
current-context: kindwright
`;
}
