import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PolicyRule, Verb } from '../../../src/api/access/policy-rule.js';
import { mergedRules, type WrittenRule } from '../../../src/manifests/access/merged-rules.js';
import { operatorRoles } from '../../../src/manifests/access/operator-roles.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Finalizer } from '../../../src/resource/decorators/finalizer.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Owns } from '../../../src/resource/decorators/owns.js';
import { Rbac } from '../../../src/resource/decorators/rbac.js';
import { Watches } from '../../../src/resource/decorators/watches.js';
import { byLabel } from '../../../src/resource/mapper.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceClass } from '../../../src/resource/model.js';
import { Deployment, Node, Sound } from '../../resource/mistakes/classes.js';

const GROUP = 'apps.example.com';

/** The rights of an operator as `group/resource: verbs`. */
function rights(target: ResourceClass): string[] {
  const [role] = operatorRoles({ name: 'x', watchNamespaces: [], models: buildResourceModels([target]) });
  return (role?.rules ?? []).flatMap(({ apiGroups = [], resources = [], verbs }) =>
    resources.map((resource) => `${apiGroups.join()}/${resource}: ${verbs.join(' ')}`),
  );
}

const EVENTS = 'events.k8s.io/events: create patch';

describe('the rights of an operator', () => {
  test('an operator may read its own kind and record events', () => {
    @Kind({ group: GROUP, version: 'v1' })
    class PodSet extends Sound {}
    expect(rights(PodSet)).toEqual([`${GROUP}/podsets: get list watch`, EVENTS]);
  });

  test('an operator may write the status of a kind that has one', () => {
    @Kind({ group: GROUP, version: 'v1' })
    class PodSet extends Sound {
      @Field({ type: 'object', preserveUnknownFields: true }) status!: object;
    }
    expect(rights(PodSet)).toContain(`${GROUP}/podsets/status: patch`);
  });

  test('an operator may update the finalizers of a kind that has some', () => {
    @Kind({ group: GROUP, version: 'v1' })
    class PodSet extends Sound {
      @Finalizer('apps.example.com/x')
      cleanUp(): void {
        return undefined;
      }
    }
    expect(rights(PodSet)).toEqual([`${GROUP}/podsets: get list patch watch`, EVENTS]);
  });

  test('an operator may access subresources and single objects of the kinds of @Rbac', () => {
    @Kind({ group: GROUP, version: 'v1' })
    @Rbac(Deployment, 'get', 'patch', { subresource: 'scale' })
    class PodSet extends Sound {}
    expect(rights(PodSet)).toContain('apps/deployments/scale: get patch');
    @Kind({ group: GROUP, version: 'v1', kind: 'PodSet' })
    @Rbac(Node, 'get', { resourceNames: ['a'], roleName: 'reader' })
    class Reader extends Sound {}
    const roles = operatorRoles({ name: 'x', watchNamespaces: [], models: buildResourceModels([Reader]) });
    expect(roles.flatMap(({ rules }) => rules)).toContainEqual({
      apiGroups: [''],
      resources: ['nodes'],
      resourceNames: ['a'],
      verbs: ['get'],
    });
  });

  test('an operator may access the kinds that it owns and watches', () => {
    @Kind({ group: GROUP, version: 'v1' })
    @Owns(Deployment)
    @Watches(Node, byLabel('x'))
    class PodSet extends Sound {}
    expect(rights(PodSet)).toEqual([
      '/nodes: get list watch',
      'apps/deployments: create delete get list patch update watch',
      `${GROUP}/podsets: get list watch`,
      `${GROUP}/podsets/finalizers: update`,
      EVENTS,
    ]);
  });

  test('the permissions for an owned kind are limited to the verbs of @Owns', () => {
    @Kind({ group: GROUP, version: 'v1' })
    @Owns(Deployment, { verbs: ['get', 'list', 'watch'] })
    class PodSet extends Sound {}
    expect(rights(PodSet)).toContain('apps/deployments: get list watch');
  });

  test('the permissions of an operator include those of @Rbac', () => {
    @Kind({ group: GROUP, version: 'v1' })
    @Watches(Node, byLabel('x'))
    @Rbac(Node, 'update')
    class PodSet extends Sound {}
    expect(rights(PodSet)).toContain('/nodes: get list update watch');
  });
});

describe('the roles of an operator', () => {
  test('@Rbac sets the roles of an operator, in the namespaces that it names', () => {
    @Kind({ group: GROUP, version: 'v1' })
    @Rbac({ groups: [''], resources: ['secrets'], resourceNames: ['ca'], namespace: 'infra' }, 'get')
    @Rbac({ groups: [''], resources: ['pods'], roleName: 'pod-reader' }, 'list')
    @Rbac({ urls: ['/logs/*', '/metrics'] }, 'get')
    class PodSet extends Sound {}
    expect(operatorRoles({ name: 'podset', watchNamespaces: [], models: buildResourceModels([PodSet]) })).toEqual([
      { name: 'pod-reader', namespace: undefined, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] },
      {
        name: 'podset-manager-role',
        namespace: undefined,
        rules: [
          { apiGroups: [GROUP], resources: ['podsets'], verbs: ['get', 'list', 'watch'] },
          { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
          { nonResourceURLs: ['/logs/*', '/metrics'], verbs: ['get'] },
        ],
      },
      {
        name: 'podset-manager-role',
        namespace: 'infra',
        rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['ca'], verbs: ['get'] }],
      },
    ]);
  });
});

describe('the roles of an operator of some namespaces', () => {
  test('an operator of some namespaces has Roles there, and a ClusterRole for cluster-scoped kinds', () => {
    @Kind({ group: GROUP, version: 'v1' })
    @Watches(Node, byLabel('x'))
    @Rbac({ groups: [''], resources: ['namespaces', 'secrets'] }, 'get')
    @Rbac({ groups: ['unknown.dev'], resources: ['things'] }, 'get')
    class PodSet extends Sound {}
    const models = buildResourceModels([PodSet]);
    const roles = operatorRoles({ name: 'podset', watchNamespaces: ['a', 'b'], models });
    const name = 'podset-manager-role';
    const rules = [
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
      { apiGroups: [GROUP], resources: ['podsets'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      { apiGroups: ['unknown.dev'], resources: ['things'], verbs: ['get'] },
    ];
    expect(roles).toEqual([
      {
        name,
        namespace: undefined,
        rules: [
          { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
          { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
        ],
      },
      { name, namespace: 'a', rules },
      { name, namespace: 'b', rules },
    ]);
  });

  test('an operator of some namespaces may record events about cluster-scoped objects, in default', () => {
    @Kind({ group: GROUP, version: 'v1', scope: 'Cluster' })
    class Pool extends Sound {}
    const roles = operatorRoles({ name: 'pool', watchNamespaces: ['a'], models: buildResourceModels([Pool]) });
    expect(roles.map(({ namespace, rules }) => [namespace, rules.flatMap(({ resources = [] }) => resources)])).toEqual([
      [undefined, ['pools']],
      ['a', ['events']],
      ['default', ['events']],
    ]);
  });
});

describe('merged rules', () => {
  const names = fc.option(fc.uniqueArray(fc.constantFrom('x', 'y')), { nil: undefined });
  const rule = fc
    .record({
      apiGroups: fc.uniqueArray(fc.constantFrom('', 'apps', 'batch'), { minLength: 1 }),
      resources: fc.uniqueArray(fc.constantFrom('pods', 'jobs', 'jobs/status'), { minLength: 1 }),
      verbs: fc.uniqueArray(fc.constantFrom<Verb>('get', 'list', 'create', 'patch'), { minLength: 1 }),
      resourceNames: names,
    })
    .map(({ resourceNames, ...rest }): PolicyRule => (resourceNames ? { ...rest, resourceNames } : rest));

  /** Every single right that rules give. */
  function granted(rules: readonly WrittenRule[]): Set<string> {
    const grants = rules.flatMap(({ apiGroups = [], resources = [], verbs, resourceNames = [] }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.map((verb) => [group, resource, [...resourceNames].sort().join('+'), verb].join(' ')),
        ),
      ),
    );
    return new Set(grants);
  }

  test('merged rules grant exactly the same permissions', () => {
    fc.assert(
      fc.property(fc.array(rule), (rules) => {
        expect(granted(mergedRules(rules))).toEqual(granted(rules));
      }),
    );
  });

  test('merged rules do not depend on the order of the given ones', () => {
    fc.assert(
      fc.property(fc.array(rule), (rules) => {
        expect(mergedRules([...rules].reverse())).toEqual(mergedRules(rules));
      }),
    );
  });

  test('a merged rule with any verb contains only the star', () => {
    const rules = mergedRules([
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['*'] },
    ]);
    expect(rules).toEqual([{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }]);
  });

  test('merged rules combine resources of a group with the same verbs', () => {
    const rules = mergedRules([
      { apiGroups: [''], resources: ['services'], verbs: ['list', 'get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
    ]);
    expect(rules).toEqual([{ apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'list'] }]);
  });
});
