import { describe, expect, test } from '@jest/globals';
import { parseProjectSettings } from '../../../src/manifests/settings/parse-project-settings.js';

const parse = (kindwright: unknown) => parseProjectSettings(JSON.stringify({ name: 'a', kindwright }), 'package.json');
const deployment = (settings: unknown) => () => parse({ deployment: settings });

describe('parseProjectSettings', () => {
  test('parseProjectSettings returns the settings of a package.json', () => {
    const settings = {
      out: 'deploy',
      layout: 'helm',
      image: 'registry.example.com/web:1',
      namespace: 'web',
      watchNamespaces: ['a', 'b'],
      maxDescriptionLength: 0,
      deployment: {
        replicas: 2,
        args: ['--log-level=debug'],
        env: [{ name: 'REGION', value: 'eu' }],
        envFrom: [{ secretRef: { name: 'credentials' } }],
        volumes: [{ name: 'cache', emptyDir: { sizeLimit: '1Gi' } }],
        volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
        resources: { limits: { memory: '1Gi', cpu: 2 } },
        imagePullSecrets: [{ name: 'registry' }],
      },
      deployments: { web: { volumeMounts: [{ name: 'cache', mountPath: '/elsewhere' }] } },
    };
    expect(parse(settings)).toEqual(settings);
  });

  test('parseProjectSettings returns no settings for a package.json without them', () => {
    expect(parseProjectSettings('{ "name": "a" }', 'package.json')).toEqual({});
  });

  test.each([
    [{ deploymint: {} }, 'package.json: kindwright.deploymint: unknown key; did you mean deployment?'],
    [{ zzzzzz: 1 }, /^package\.json: kindwright\.zzzzzz: unknown key; known keys are out, layout, /],
    [{ layout: 'ansible' }, /kindwright\.layout: Unsupported value: "ansible"/],
    [{ namespace: 'Web' }, /kindwright\.namespace: Invalid value: "Web"/],
    [{ watchNamespaces: ['a', 'a'] }, 'package.json: kindwright.watchNamespaces[1]: Duplicate value: "a"'],
    ['web', /^package\.json: kindwright: Invalid value: "string"/],
  ])('the settings %j are rejected', (settings, message) => {
    expect(() => parse(settings)).toThrow(message);
  });

  test.each([
    [{ replicas: 'two' }, /kindwright\.deployment\.replicas: .*must be of type integer/],
    [{ replicas: -1 }, /kindwright\.deployment\.replicas: .*greater than or equal to 0/],
    [{ env: [{ value: 'b' }] }, 'package.json: kindwright.deployment.env[0].name: Required value'],
    [{ env: [{ name: 'A', value: 1 }] }, /kindwright\.deployment\.env\[0\]\.value: .*must be of type string/],
    [
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'b', kee: 'c', key: 'd' } } }] },
      'package.json: kindwright.deployment.env[0].valueFrom.secretKeyRef.kee: unknown key; did you mean key?',
    ],
    [{ volumes: [{ name: 'a' }, { name: 'a' }] }, /kindwright\.deployment\.volumes\[1\]: Duplicate value/],
    [
      { volumes: [{ name: 'cache' }], volumeMounts: [{ name: 'cash', mountPath: '/c' }] },
      'package.json: kindwright.deployment.volumeMounts[0].name: references unknown volume "cash"',
    ],
    [{ resources: { limits: { memory: 'much' } } }, /kindwright\.deployment\.resources\.limits\.memory: Invalid value/],
  ])('the deployment settings %j are rejected', (settings, message) => {
    expect(deployment(settings)).toThrow(message);
  });

  test('a mount of an operator without a volume in its own and the common settings is rejected', () => {
    const volumeMounts = [{ name: 'cache', mountPath: '/c' }];
    expect(() => parse({ deployments: { web: { volumeMounts } } })).toThrow(
      'package.json: kindwright.deployments.web.volumeMounts[0].name: references unknown volume "cache"',
    );
  });

  test('all errors of the settings are reported together', () => {
    expect(() => parse({ imag: 'a', deployment: { envs: [], replicas: 1.5 } })).toThrow(
      /^package\.json:\n {2}kindwright\.imag: .*\n {2}kindwright\.deployment\.envs: .*\n {2}kindwright\.deployment\.replicas: .*$/,
    );
  });

  test('a package.json that is not JSON is reported', () => {
    expect(() => parseProjectSettings('{', 'package.json')).toThrow('package.json is not valid JSON');
  });
});
