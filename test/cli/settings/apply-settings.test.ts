import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOperatorCommand } from '../../../src/cli/commands/run-operator-command.js';
import {
  applySettings,
  effectiveSettings,
  unknownVariables,
  variableOf,
} from '../../../src/cli/settings/apply-settings.js';

const folder = mkdtempSync(join(tmpdir(), 'settings-'));
const file = join(folder, 'config.yaml');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function settingsOf(args: readonly string[], env: NodeJS.ProcessEnv = {}, config?: string) {
  const command = runOperatorCommand();
  if (config !== undefined) writeFileSync(file, config);
  command.parseOptions([...args, ...(config === undefined ? [] : ['--config', file])]);
  const controllers = await applySettings(command, env);
  const described = effectiveSettings(command, controllers, false);
  return { values: command.opts<Record<string, unknown>>(), described, command };
}

test('a flag takes precedence over a variable, a variable over the file, the file over the default', async () => {
  const config = 'metricsBindAddress: ":3"\nhealthProbeBindAddress: ":3"\nwebhookPort: 3\n';
  const env = { KINDWRIGHT_METRICS_BIND_ADDRESS: ':2', KINDWRIGHT_HEALTH_PROBE_BIND_ADDRESS: ':2' };
  const { values, described } = await settingsOf(['--metrics-bind-address', ':1'], env, config);
  expect(values).toMatchObject({
    metricsBindAddress: ':1',
    healthProbeBindAddress: ':2',
    webhookPort: 3,
    logLevel: 'info',
  });
  expect(described).toEqual({
    config: `${file} (flag)`,
    metricsBindAddress: ':1 (flag)',
    healthProbeBindAddress: ':2 (env)',
    webhookPort: '3 (config)',
  });
});

test('a selector is described without its text', async () => {
  const { described } = await settingsOf(['--embedded', '--fail-pods', 'app=bad']);
  expect(described).toMatchObject({ failPods: 'set (flag)' });
});

test('values are parsed as those of the flags', async () => {
  const env = {
    KINDWRIGHT_NAMESPACE: 'team-a,team-b',
    KINDWRIGHT_LEADER_ELECT: 'true',
    KINDWRIGHT_PREFLIGHT: 'false',
    KINDWRIGHT_GRACEFUL_SHUTDOWN_TIMEOUT: '1m30s',
    KINDWRIGHT_WATCH_AUDIT_INTERVAL: '0',
  };
  const { values } = await settingsOf([], env);
  expect(values).toMatchObject({
    namespace: ['team-a', 'team-b'],
    leaderElect: true,
    preflight: false,
    gracefulShutdownTimeout: 90_000,
    watchAuditInterval: 0,
  });
  const { values: ofFile } = await settingsOf([], {}, 'namespace: [team-a, team-b]\nleaderElect: true\n');
  expect(ofFile).toMatchObject({ namespace: ['team-a', 'team-b'], leaderElect: true });
});

test('options of controllers are merged one by one', async () => {
  const config = 'controllers:\n  podset: { maxConcurrentReconciles: 3, baseDelay: 3 }\n  other: { maxDelay: 3 }\n';
  const env = { KINDWRIGHT_CONTROLLER: 'podset.baseDelay=2,podset.cacheSyncTimeout=2m' };
  const { values, described } = await settingsOf(['--controller', 'podset.baseDelay=1'], env, config);
  expect(values['controller']).toEqual({
    podset: { maxConcurrentReconciles: 3, baseDelay: 1, cacheSyncTimeout: '2m' },
    other: { maxDelay: 3 },
  });
  expect(described['controller']?.split(', ').toSorted()).toEqual([
    'other.maxDelay=3 (config)',
    'podset.baseDelay=1 (flag)',
    'podset.cacheSyncTimeout=2m (env)',
    'podset.maxConcurrentReconciles=3 (config)',
  ]);
});

test('of two options that exclude each other, the one of the origin with precedence is set', async () => {
  const env = { KINDWRIGHT_WEBHOOK_AUTHORITY: 'demo' };
  const { values } = await settingsOf(['--webhook-cert-dir', '/certs'], env, 'webhookAuthority: demo\n');
  expect(values).toMatchObject({ webhookCertDir: '/certs' });
  expect(values['webhookAuthority']).toBeUndefined();
  const { values: ofEnv } = await settingsOf([], env, 'webhookCertDir: /certs\n');
  expect(ofEnv).toMatchObject({ webhookAuthority: 'demo' });
  expect(ofEnv['webhookCertDir']).toBeUndefined();
});

test.each([
  [{ KINDWRIGHT_LEADER_ELECT: 'yes' }, undefined, 'KINDWRIGHT_LEADER_ELECT: "yes" is neither true nor false'],
  [{ KINDWRIGHT_WEBHOOK_PORT: 'x' }, undefined, 'KINDWRIGHT_WEBHOOK_PORT: "x" is invalid. Pass a port, 0 to 65535.'],
  [{ KINDWRIGHT_LOG_LEVEL: 'loud' }, undefined, /KINDWRIGHT_LOG_LEVEL: "loud" is invalid. Allowed choices are debug/],
  [{ KINDWRIGHT_CONTROLLER: 'podset' }, undefined, 'KINDWRIGHT_CONTROLLER: "podset" is not <controller>.<option>='],
  [
    { KINDWRIGHT_WEBHOOK_AUTHORITY: 'demo', KINDWRIGHT_WEBHOOK_CERT_DIR: '/certs' },
    undefined,
    'KINDWRIGHT_WEBHOOK_CERT_DIR: the option excludes webhookAuthority, which is set too',
  ],
  [{}, 'leaderElekt: true', `${file}: leaderElekt is not an option`],
  [{}, 'embedded: true', `${file}: embedded is not an option`],
  [{}, 'leaderElect: { a: b }', `${file}: leaderElect: the value must be a string`],
  [{}, '- leaderElect', `the configuration file ${file} is not a mapping`],
  [
    {},
    'controllers: { podset: { maxRetries: 3 } }',
    `${file}: controllers: "maxRetries" is not an option of a controller`,
  ],
  [{}, 'controllers: { podset: { baseDelay: 0 } }', `${file}: controllers: baseDelay must be a duration longer than 0`],
])('%j with the file %j is rejected with the source of the error', async (env, config, message) => {
  await expect(settingsOf([], env, config)).rejects.toThrow(message);
});

test('variables that no option has are reported, except those that Kubernetes sets for Services', () => {
  const env = {
    PATH: '/bin',
    KINDWRIGHT_LEADER_ELECT: 'true',
    KINDWRIGHT_LEADR_ELECT: 'true',
    KINDWRIGHT_EMBEDDED: 'true',
    KINDWRIGHT_SERVICE_HOST: '10.0.0.1',
    KINDWRIGHT_PORT: 'tcp://10.0.0.1:80',
    KINDWRIGHT_WEB_SERVICE_PORT_HTTP: '80',
    KINDWRIGHT_WEB_PORT_80_TCP_ADDR: '10.0.0.1',
  };
  expect(unknownVariables(runOperatorCommand(), env)).toEqual([
    'unknown environment variable KINDWRIGHT_LEADR_ELECT: no option of run-operator reads it; did you mean KINDWRIGHT_LEADER_ELECT?',
    'unknown environment variable KINDWRIGHT_EMBEDDED: no option of run-operator reads it',
  ]);
});

test('a missing configuration file is an error', async () => {
  await expect(settingsOf([], { KINDWRIGHT_CONFIG: '/missing.yaml' })).rejects.toThrow(
    'the configuration file /missing.yaml cannot be read',
  );
});

test('credentials of a URL are not described', async () => {
  const { described } = await settingsOf(['--master', 'https://admin:secret@api.example.com:6443']);
  expect(described['master']).toBe('https://redacted@api.example.com:6443 (flag)');
});

test('every option has a different variable', () => {
  const variables = runOperatorCommand().options.map(variableOf);
  expect(new Set(variables).size).toBe(variables.length);
  expect(variables).toContain('KINDWRIGHT_LEADER_ELECT_LEASE_DURATION');
});
