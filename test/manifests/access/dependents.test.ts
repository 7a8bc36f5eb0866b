import { expect, test } from '@jest/globals';
import { CustomResource, Dependent, Deployment, Kind, Owns } from 'kindwright';
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
