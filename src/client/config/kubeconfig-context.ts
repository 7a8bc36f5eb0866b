import { dirname, isAbsolute, resolve } from 'node:path';
import type { AuthConfig, ExecConfig, Impersonation } from './auth-config.js';
import { parseProxy, proxyFromEnvironment, type ProxyConfig } from './proxy-config.js';
import type { ClientCertificate, TlsConfig } from './tls-config.js';
import { Secret } from '../secret.js';
import type { ClusterConfig } from './cluster.js';
import { ConfigError } from './config-error.js';
import { ConfigSection } from './config-section.js';
import type { Kubeconfig } from './kubeconfig.js';
import { parseServer } from './server-address.js';

export interface ContextOptions {
  readonly context?: string | undefined;
  readonly master?: string | undefined;
}

/**
 * Returns the configuration of one context of a kubeconfig. `master` overrides its server.
 *
 * @throws ConfigError with the file and the missing or invalid key.
 */
export function clusterConfigOf(
  kubeconfig: Kubeconfig,
  { context: wanted, master }: ContextOptions,
  env: NodeJS.ProcessEnv,
): ClusterConfig {
  const files = kubeconfig.files.join(', ');
  const name = wanted ?? kubeconfig.currentContext;
  if (name === undefined) {
    throw new ConfigError(`${files}: current-context is not set`, {
      hint: `pass --context <name>${availableNames(kubeconfig.contexts)}`,
    });
  }
  const context = kubeconfig.contexts.get(name);
  if (!context) throw new ConfigError(`${files}: context ${name} not found${availableNames(kubeconfig.contexts)}`);
  const cluster = referred(context, 'cluster', kubeconfig.clusters, master !== undefined);
  const user = referred(context, 'user', kubeconfig.users, true);
  const server = parseServer(...serverOf(cluster, master));
  const proxy = proxyOf(cluster, server, env);
  return {
    server,
    namespace: context.string('namespace'),
    source: `${files}, context ${name}`,
    user: context.string('user') ?? 'anonymous',
    tls: tlsOf(cluster, user),
    auth: authOf(user, cluster),
    ...(proxy && { proxy }),
  };
}

function availableNames(named: ReadonlyMap<string, unknown>): string {
  const names = [...named.keys()].slice(0, 20).join(', ');
  return names === '' ? '' : `; available: ${names}`;
}

function referred(
  context: ConfigSection,
  key: string,
  named: ReadonlyMap<string, ConfigSection>,
  isOptional: boolean,
): ConfigSection {
  const name = context.string(key);
  if (name === undefined) {
    if (isOptional) return ConfigSection.of(context.file, `${context.path}.${key}`, undefined);
    throw context.error(key, 'is missing');
  }
  const section = named.get(name);
  if (!section) throw context.error(key, `references unknown ${key} ${name}${availableNames(named)}`);
  return section;
}

function serverOf(cluster: ConfigSection, master: string | undefined): [string, string] {
  if (master !== undefined) return [master, '--master'];
  const server = cluster.string('server');
  if (server === undefined) throw cluster.error('server', 'is missing');
  return [server, `${cluster.file}: ${cluster.path}.server`];
}

function proxyOf(cluster: ConfigSection, server: URL, env: NodeJS.ProcessEnv): ProxyConfig | undefined {
  const url = cluster.string('proxy-url');
  return url === undefined
    ? proxyFromEnvironment(server, env)
    : parseProxy(url, `${cluster.file}: ${cluster.path}.proxy-url`);
}

function tlsOf(cluster: ConfigSection, user: ConfigSection): TlsConfig {
  const ca = cluster.material('certificate-authority');
  const serverName = cluster.string('tls-server-name');
  const clientCertificate = clientCertificateOf(user);
  return {
    ...(ca && { ca }),
    ...(serverName !== undefined && { serverName }),
    insecureSkipVerify: cluster.boolean('insecure-skip-tls-verify'),
    ...(clientCertificate && { clientCertificate }),
  };
}

function clientCertificateOf(user: ConfigSection): ClientCertificate | undefined {
  const certificate = user.material('client-certificate');
  const key = user.material('client-key');
  if (!certificate && !key) return undefined;
  if (!certificate) throw user.error('client-certificate', 'is missing but client-key is set');
  if (!key) throw user.error('client-key', 'is missing but client-certificate is set');
  return { certificate, key };
}

function authOf(user: ConfigSection, cluster: ConfigSection): AuthConfig {
  const tokenFile = user.filePath('tokenFile');
  const token = user.secret('token');
  const username = user.string('username');
  const password = user.secret('password') ?? new Secret('');
  const exec = execOf(user, cluster);
  const authProvider = authProviderOf(user);
  const impersonate = impersonationOf(user);
  return {
    ...(tokenFile !== undefined && { tokenFile }),
    ...(token && { token }),
    ...(username !== undefined && { basic: { username, password } }),
    ...(exec && { exec }),
    ...(authProvider && { authProvider }),
    ...(impersonate && { impersonate }),
  };
}

function execOf(user: ConfigSection, cluster: ConfigSection): ExecConfig | undefined {
  const exec = user.section('exec');
  if (exec.isEmpty) return undefined;
  const command = exec.string('command');
  if (command === undefined) throw exec.error('command', 'is missing');
  const apiVersion = exec.string('apiVersion');
  if (apiVersion === undefined) throw exec.error('apiVersion', 'is missing');
  const installHint = exec.string('installHint');
  return {
    apiVersion,
    command: /[\\/]/.test(command) && !isAbsolute(command) ? resolve(dirname(exec.file), command) : command,
    args: exec.strings('args').map((arg) => new Secret(arg)),
    env: new Map(
      exec.sections('env').map((entry) => [entry.string('name') ?? '', new Secret(entry.string('value') ?? '')]),
    ),
    ...(installHint !== undefined && { installHint }),
    interactiveMode: interactiveModeOf(exec),
    ...(exec.boolean('provideClusterInfo') && clusterInfoOf(cluster)),
  };
}

function interactiveModeOf(exec: ConfigSection): ExecConfig['interactiveMode'] {
  const mode = exec.string('interactiveMode') ?? 'IfAvailable';
  if (mode === 'Never' || mode === 'IfAvailable' || mode === 'Always') return mode;
  throw exec.error('interactiveMode', 'must be Never, IfAvailable or Always');
}

/** Returns `spec.cluster` of an ExecCredential. */
function clusterInfoOf(cluster: ConfigSection): Pick<ExecConfig, 'clusterInfo' | 'clusterCaFile'> {
  const extension = cluster.sections('extensions').find((entry) => entry.string('name') === EXEC_EXTENSION);
  const ca = cluster.string('certificate-authority-data');
  const file = ca === undefined ? cluster.filePath('certificate-authority') : undefined;
  const clusterInfo = {
    server: cluster.string('server'),
    'tls-server-name': cluster.string('tls-server-name'),
    'insecure-skip-tls-verify': cluster.boolean('insecure-skip-tls-verify') || undefined,
    'certificate-authority-data': ca,
    'proxy-url': cluster.string('proxy-url'),
    config: extension?.get('extension'),
  };
  return { clusterInfo: new Secret(JSON.stringify(clusterInfo)), ...(file !== undefined && { clusterCaFile: file }) };
}

const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

function authProviderOf(user: ConfigSection): AuthConfig['authProvider'] {
  const provider = user.section('auth-provider');
  if (provider.isEmpty) return undefined;
  const name = provider.string('name');
  if (name === undefined) throw provider.error('name', 'is missing');
  const config = provider.section('config');
  return { name, config: new Map(config.keys.map((key) => [key, new Secret(config.string(key) ?? '')])) };
}

function impersonationOf(user: ConfigSection): Impersonation | undefined {
  const name = user.string('as');
  const groups = user.strings('as-groups');
  const uid = user.string('as-uid');
  const extra = user.section('as-user-extra');
  if (name === undefined) {
    if (groups.length > 0 || uid !== undefined || !extra.isEmpty) throw user.error('as', 'is missing');
    return undefined;
  }
  return {
    user: name,
    groups,
    ...(uid !== undefined && { uid }),
    extra: new Map(extra.keys.map((key) => [key, extra.strings(key)])),
  };
}
