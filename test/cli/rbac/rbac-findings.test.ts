import { describe, expect, test } from '@jest/globals';
import type { Verb } from '../../../src/api/access/policy-rule.js';
import { AccessRecord, type RecordedAccess } from '../../../src/client/access/access-record.js';
import { missingPermissions, unusedPermissions } from '../../../src/cli/rbac/rbac-findings.js';
import { grantedRules } from '../../../src/manifests/access/granted-rules.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Finalizer } from '../../../src/resource/decorators/finalizer.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Owns } from '../../../src/resource/decorators/owns.js';
import { Rbac } from '../../../src/resource/decorators/rbac.js';
import { Watches } from '../../../src/resource/decorators/watches.js';
import { byLabel } from '../../../src/resource/mapper.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { Deployment, Node, Sound } from '../../resource/mistakes/classes.js';

@Kind({ group: 'x.dev', version: 'v1' })
@Owns(Deployment)
@Watches(Node, byLabel('pool'))
@Rbac(Node, 'update')
@Rbac({ urls: ['/logs/*', '/stats'] }, 'get')
@Rbac({ groups: [''], resources: ['pods', 'pods/log'] }, 'get', 'delete')
@Rbac({ groups: ['policy'], resources: ['evictions'], allowUnused: true }, 'create')
@Rbac({ urls: ['/debug'], allowUnused: true }, 'get')
class Pool extends Sound {
  @Field({ type: 'object', preserveUnknownFields: true }) status!: object;
  @Finalizer('x.dev/clean')
  clean(): void {
    return undefined;
  }
}

const models = buildResourceModels([Pool]);
const granted = models.flatMap(grantedRules);

/** A record of `verb group/resource`. */
function record(...accesses: string[]): RecordedAccess[] {
  const made = new AccessRecord();
  const listener = made.listener('operator');
  for (const access of accesses) {
    const [verb = '', target = ''] = access.split(' ');
    const [, group = '', resource = ''] = /^([^/]*)\/(.*)$/.exec(target) ?? [];
    const url = group === '' && resource.startsWith('/') ? resource : undefined;
    listener({ verb, group, resource: url === undefined ? resource : '', namespace: 'default', url });
  }
  return made.entries();
}

const OWNED: readonly Verb[] = ['create', 'patch', 'update', 'delete'];
/** As many accesses as it takes to use every rule. */
const ALL = [
  'watch x.dev/pools',
  'patch x.dev/pools',
  'patch x.dev/pools/status',
  'list apps/deployments',
  ...OWNED.map((verb) => `${verb} apps/deployments`),
  'watch /nodes',
  'update /nodes',
  'get //logs/a/b',
  'get //stats',
  ...['get', 'delete'].flatMap((verb) => [`${verb} /pods`, `${verb} /pods/log`]),
];

const unused = (...accesses: string[]) =>
  unusedPermissions(granted, record(...accesses)).map(({ problem, fix }) => `${problem} → ${fix}`);
const missing = (...accesses: string[]) =>
  missingPermissions(granted, record(...accesses), models).map(({ problem, fix }) => `${problem} → ${fix}`);
const without = (...accesses: string[]) => ALL.filter((access) => !accesses.includes(access));

describe('rules beside a record', () => {
  test('rules agree with a record that contains each of them, for reads with any verb', () => {
    expect([...unused(...ALL), ...missing(...ALL)]).toEqual([]);
  });

  test('rules that may be unused agree with a record that contains them too', () => {
    expect([...unused(...ALL, 'create policy/evictions', 'get //debug'), ...missing('get //debug')]).toEqual([]);
  });

  test.each<[string, string[], string]>([
    [
      'of @Owns',
      ['update apps/deployments', 'delete apps/deployments'],
      "@Owns(Deployment) grants unused permissions: update, delete on deployments in apps → write @Owns(Deployment, { verbs: ['get', 'list', 'watch', 'create', 'patch'] })",
    ],
    [
      'of @Watches',
      ['watch /nodes'],
      '@Watches(Node) grants unused permissions: get, list, watch on nodes → remove it, or record a run that needs it',
    ],
    [
      'of all of @Rbac',
      ['update /nodes'],
      '@Rbac(nodes) grants unused permissions: update on nodes → remove it, record a run that needs it, or set allowUnused: true',
    ],
    [
      'of paths',
      ['get //logs/a/b'],
      "@Rbac(/logs/*, /stats) grants unused permissions: get on /logs/* → write @Rbac({ urls: ['/stats'] }, 'get')",
    ],
    [
      'of a part of @Rbac',
      ['delete /pods', 'delete /pods/log', 'get /pods/log'],
      "@Rbac(pods, pods/log) grants unused permissions: delete on pods; get, delete on pods/log → write @Rbac(Pod, 'get')",
    ],
    [
      'of @Finalizer',
      ['patch x.dev/pools'],
      '@Finalizer grants unused permissions: patch on pools in x.dev → record a run in which the operator does its work',
    ],
    [
      'of a status',
      ['patch x.dev/pools/status'],
      '@Kind grants unused permissions: patch on pools/status in x.dev → record a run in which the operator does its work',
    ],
  ])('findings list rules that are unused %s', (_what, left, expected) => {
    expect(unused(...without(...left))).toEqual([expected]);
  });

  test('findings list missing rules with the line to add', () => {
    expect(
      missing(
        ...ALL,
        'get /secrets',
        'list /secrets',
        'patch /nodes/status',
        'patch /services',
        'create /services',
        'update x.dev/pools',
      ),
    ).toEqual([
      "no decorator grants patch on nodes/status, which the record contains → add @Rbac({ groups: [''], resources: ['nodes/status'] }, 'patch') to Pool",
      "no decorator grants get, list on secrets, which the record contains → add @Watches(Secret, …) to Pool if their changes must lead to a reconcile, else @Rbac(Secret, 'get', 'list')",
      "no decorator grants create, patch on services, which the record contains → add @Owns(Service) to Pool if it owns the objects, else @Rbac(Service, 'create', 'patch')",
      "no decorator grants update on pools in x.dev, which the record contains → add @Rbac(Pool, 'update') to Pool",
    ]);
  });

  test('findings ignore requests that every client may send, and those of the manager itself', () => {
    expect(
      missing(
        'get //apis/apps/v1',
        'get //version',
        'create authorization.k8s.io/selfsubjectaccessreviews',
        'create events.k8s.io/events',
      ),
    ).toEqual([]);
    expect(missing('get //metrics')).toHaveLength(1);
  });
});
