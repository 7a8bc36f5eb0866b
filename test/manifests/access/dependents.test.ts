import { expect, test } from '@jest/globals';
import { Controller, CustomResource, Dependent, Deployment, Kind, Owns, Secret } from 'kindwright';
import { decoratorText } from '../../../src/manifests/access/decorator-text.js';
import { grantedRules } from '../../../src/manifests/access/granted-rules.js';
import { operatorRoles } from '../../../src/manifests/access/operator-roles.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceClass } from '../../../src/resource/model.js';

@Kind({ group: 'example.com', version: 'v1' })
abstract class Site extends CustomResource {
  @Dependent(Deployment)
  web(): undefined {
    return undefined;
  }

  @Dependent(Deployment)
  worker(): undefined {
    return undefined;
  }
}

@Kind({ group: 'example.com', version: 'v1' })
@Owns(Deployment, { verbs: ['get'] })
abstract class OwningSite extends CustomResource {
  @Dependent(Deployment)
  web(): undefined {
    return undefined;
  }
}

@Kind({ group: 'example.com', version: 'v1' })
abstract class OptionalSite extends CustomResource {
  @Dependent(Deployment, { optional: true })
  web(): undefined {
    return undefined;
  }
}

const rolesOf = (target: ResourceClass) =>
  operatorRoles({ name: 'site', models: buildResourceModels([target]), watchNamespaces: [] });

test.each<[string, ResourceClass]>([
  ['alone', Site],
  ['of a kind that may be missing', OptionalSite],
  ['beside a narrower @Owns', OwningSite],
])('the role of @Dependent %s contains what it needs, and nothing else', (_, target) => {
  const [role] = rolesOf(target);
  expect(role?.rules).toEqual([
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create', 'delete', 'get', 'list', 'patch', 'watch'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: ['example.com'], resources: expect.any(Array), verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['example.com'], resources: [expect.stringMatching('/finalizers$')], verbs: ['update'] },
  ]);
});

test('the kind is watched once, as an owned kind', () => {
  const [model] = buildResourceModels([Site]);
  expect(model?.isReconciled).toBe(true);
  expect(model?.owns.map(({ kind }) => kind.kind)).toEqual(['Deployment']);
});

test('a rule is attributed to @Dependent', () => {
  const [model] = buildResourceModels([Site]);
  const texts = model && grantedRules(model).map(({ origin }) => decoratorText(origin));
  expect(new Set(texts)).toEqual(new Set(['@Kind', '@Dependent(Deployment)']));
});

test('an observed kind is read only, the configuration of pods too, and ServiceAccounts are impersonated by name', () => {
  @Kind({ group: 'example.com', version: 'v1' })
  @Controller({ impersonate: ['deployer'] })
  abstract class ObservingSite extends CustomResource {
    @Dependent(Secret, { observeOnly: true })
    login(): undefined {
      return undefined;
    }

    @Dependent(Deployment, { configHash: true })
    web(): undefined {
      return undefined;
    }
  }
  const rules = rolesOf(ObservingSite).flatMap((role) => role.rules);
  const of = (resource: string) => rules.filter(({ resources }) => resources?.includes(resource));
  for (const kind of ['secrets', 'configmaps'])
    expect(of(kind)).toEqual([expect.objectContaining({ verbs: ['get', 'list', 'watch'] })]);
  const impersonation = { apiGroups: [''], verbs: ['impersonate'], resourceNames: ['deployer'] };
  expect(of('serviceaccounts')).toEqual([expect.objectContaining(impersonation)]);
});

test('an operator that selects its namespaces may list and watch namespaces', () => {
  const owner = { name: 'site', models: buildResourceModels([Site]), watchNamespaces: [] };
  const [role] = operatorRoles({ ...owner, namespaceArguments: ['--namespace-selector=team=x'] });
  const rule = expect.objectContaining({ resources: ['namespaces'], verbs: ['list', 'watch'] });
  expect(role).toMatchObject({ namespace: undefined, rules: expect.arrayContaining([rule]) });
  expect(operatorRoles(owner)[0]?.rules).not.toContainEqual(rule);
});
