import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Sound } from './classes.js';

const group = 'apps.example.com';

@Kind({ group, version: 'v1', kind: 'Unstored', storage: false })
class UnstoredV1 extends Sound {}

@Kind({ group, version: 'v1beta1', kind: 'Unstored' })
abstract class UnstoredV1Beta1 extends CustomResource {}

@Kind({ group, version: 'v1', kind: 'Stored', storage: true, shortNames: ['st'], labels: { team: 'a' } })
class StoredV1 extends Sound {}

@Kind({ group, version: 'v2', kind: 'Stored', storage: true, scope: 'Cluster', shortNames: ['sto'], plural: 'store' })
class StoredV2 extends Sound {}

@Kind({ group, version: 'v1', storage: false, deprecated: 'use v2\nsoon', maxDescriptionLength: -1 })
class Alone extends Sound {}

@Kind({ group, version: 'v1', deprecated: 'x'.repeat(257), conversion: { conversionReviewVersions: ['v2'] } })
class Webhook extends Sound {}

@Kind({ group, version: 'v1', kind: 'Ordered', storage: true, versionOrder: ['v2', 'v1'] })
class Ordered extends Sound {}

@Kind({
  group,
  version: 'v1',
  kind: 'Fine',
  storage: true,
  versionOrder: ['v1', 'v1alpha1'],
  shortNames: ['fi'],
  conversion: 'None',
})
class FineV1 extends Sound {}

@Kind({ group, version: 'v1alpha1', kind: 'Fine', served: false, deprecated: true })
abstract class FineV1Alpha1 extends CustomResource {}

export const classes = [UnstoredV1, UnstoredV1Beta1, StoredV1, StoredV2, Alone, Webhook, Ordered, FineV1, FineV1Alpha1];
