import { describe, expect, test } from '@jest/globals';
import { ConfigMap } from '../../src/api/kinds/kinds.js';
import { partOf } from '../../src/api/selection/part-of.js';
import type { PolicyRule } from '../../src/api/access/policy-rule.js';
import { type Logger, silentLogger } from '../../src/base/logger.js';
import type { Client } from '../../src/client/client.js';
import { reportMissingPermissions } from '../../src/manager/missing-permissions.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Owns } from '../../src/resource/decorators/owns.js';
import { Rbac } from '../../src/resource/decorators/rbac.js';
import { Watches } from '../../src/resource/decorators/watches.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { Deployment, Sound } from '../resource/mistakes/classes.js';

@Kind({ group: 'x.dev', version: 'v1' })
@Owns(Deployment, { verbs: ['get', 'list', 'watch', 'create'] })
@Rbac({ groups: [''], resources: ['secrets'], resourceNames: ['ca'] }, 'get')
class Pool extends Sound {}

@Kind({ group: 'x.dev', version: 'v1', plural: 'pools' })
@Watches(partOf(ConfigMap, { fieldSelector: 'metadata.name=settings' }), () => [])
class NamedPool extends Sound {}

@Kind({ group: 'x.dev', version: 'v1', plural: 'pools' })
@Watches(partOf(ConfigMap, { namespaces: ['a', 'b'] }), () => [])
class PlacedPool extends Sound {}

const READ: PolicyRule['verbs'] = ['get', 'list', 'watch'];
const OWN: PolicyRule = { apiGroups: ['x.dev'], resources: ['pools'], verbs: READ };
const OWNED: PolicyRule = { apiGroups: ['apps'], resources: ['deployments'], verbs: [...READ, 'create'] };
const SECRET: PolicyRule = { apiGroups: [''], resources: ['secrets'], resourceNames: ['ca'], verbs: ['get'] };

interface Review {
  readonly spec: {
    readonly namespace?: string;
    readonly resourceAttributes?: { readonly verb: string; readonly name?: string };
  };
}

/** Returns the log and the reviews for these rules, and for these verbs in single reviews. */
async function preflight(
  rules: readonly PolicyRule[],
  allowed: readonly string[] = [],
  namespaces: string[] = [],
  cluster?: string,
  target: new () => object = Pool,
) {
  const asked: Review['spec'][] = [];
  const lines: string[] = [];
  const hints: unknown[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (message, fields) => {
      lines.push([message, fields?.['namespace']].filter(Boolean).join(' in '));
      hints.push(fields?.['hint']);
    },
  };
  const create = (_kind: unknown, { spec }: Review): Promise<unknown> => {
    asked.push(spec);
    const { resourceAttributes: single } = spec;
    return Promise.resolve({ status: single ? { allowed: allowed.includes(single.verb) } : { resourceRules: rules } });
  };
  const client = { create } as unknown as Client;
  const { signal } = new AbortController();
  await reportMissingPermissions(buildResourceModels([target]), { client, logger, namespaces, signal, cluster });
  return { asked, lines, hints };
}

describe('missing permissions', () => {
  test('there are no missing permissions when one review lists all', async () => {
    const { asked, lines } = await preflight([OWN, OWNED, SECRET]);
    expect(lines).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  test('missing permissions are reported with the decorator that requires them', async () => {
    expect((await preflight([OWN])).lines).toEqual([
      'no permission to get, list, watch, create deployments.apps, which @Owns(Deployment) of Pool needs',
      'no permission to get secrets, which @Rbac(secrets) of Pool needs',
    ]);
  });

  test('the reads of a cache with the selector metadata.name=X are reviewed with this name', async () => {
    const { asked, lines } = await preflight([], READ, [], undefined, NamedPool);
    expect(lines).toEqual([]);
    const named = asked.flatMap(({ resourceAttributes }) =>
      resourceAttributes?.name === 'settings' ? [resourceAttributes.verb] : [],
    );
    expect(named).toEqual(READ);
    const rule = { apiGroups: [''], resources: ['configmaps'], resourceNames: ['settings'], verbs: READ };
    expect((await preflight([OWN, rule], [], [], undefined, NamedPool)).lines).toEqual([]);
  });

  test('the reads of a cache of some namespaces are reviewed in these, whatever the watched namespaces are', async () => {
    const { lines } = await preflight([OWN], [], ['c'], undefined, PlacedPool);
    expect(lines).toEqual([
      'no permission to get, list, watch configmaps, which @Watches(ConfigMap) of PlacedPool needs in a',
      'no permission to get, list, watch configmaps, which @Watches(ConfigMap) of PlacedPool needs in b',
    ]);
  });

  test('permissions that one review does not list are reviewed one by one before they are reported', async () => {
    const { lines } = await preflight([OWN, SECRET], READ);
    expect(lines).toEqual(['no permission to create deployments.apps, which @Owns(Deployment) of Pool needs']);
  });

  test('missing permissions are reported for each watched namespace', async () => {
    const { lines, asked } = await preflight([OWN, SECRET], READ, ['a', 'b']);
    expect(lines).toEqual([
      'no permission to create deployments.apps, which @Owns(Deployment) of Pool needs in a',
      'no permission to create deployments.apps, which @Owns(Deployment) of Pool needs in b',
    ]);
    expect(asked.flatMap(({ namespace }) => namespace ?? [])).toEqual(['a', 'b']);
  });

  test('missing permissions in another cluster are those of the kubeconfig, without the ones of @Rbac', async () => {
    const { lines, hints } = await preflight([OWN], [], [], 'edge');
    expect(lines).toEqual([
      'no permission to get, list, watch, create deployments.apps, which @Owns(Deployment) of Pool needs',
    ]);
    expect(hints).toEqual(['grant the permission to the user of the kubeconfig of cluster edge']);
  });

  test('nothing is reported where reviews are refused', async () => {
    const client = { create: () => Promise.reject(new Error('forbidden')) } as unknown as Client;
    const { signal } = new AbortController();
    const options = { client, logger: silentLogger, namespaces: [], signal };
    await expect(reportMissingPermissions(buildResourceModels([Pool]), options)).resolves.toBeUndefined();
  });
});
