import { ConfigMap, Lease, Namespace, Node, Pod, TokenReview } from '../../../src/api/kinds/kinds.js';
import { partOf } from '../../../src/api/selection/part-of.js';
import { Admission } from '../../../src/resource/decorators/admission.js';
import { Mutate } from '../../../src/resource/decorators/mutate.js';
import { Owns } from '../../../src/resource/decorators/owns.js';
import { Validate } from '../../../src/resource/decorators/validate.js';

const nothing = (): void => undefined;

@Admission(Pod)
class EveryPod {
  @Mutate() ignored(): void {
    nothing();
  }
  @Validate() check(): void {
    nothing();
  }
  @Validate({ failurePolicy: 'Ignore' }) harmless(): void {
    nothing();
  }
}

@Admission(Node, { objectSelector: { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] } })
class SomeNodes {
  @Validate() check(): void {
    nothing();
  }
}

@Admission(Lease, { allow: 'cluster-wide' })
class AllowedLeases {
  @Validate() check(): void {
    nothing();
  }
}

@Admission(Pod, { namespaceSelector: { matchLabels: { team: 'a' } } })
class SelectedPods {
  @Validate() check(): void {
    nothing();
  }
}

@Admission({ group: 'apps.example.com', version: 'v1', kind: 'Region', plural: 'regions', scope: 'Cluster' })
class Regions {
  @Validate() check(): void {
    nothing();
  }
  @Validate({ match: 'object.metadata.name == "a"' }) one(): void {
    nothing();
  }
}

@Admission(TokenReview)
class Reviews {
  @Validate({ failurePolicy: 'Ignore', subresources: ['*'] }) check(
    _object: unknown,
    _review: unknown,
    ..._more: unknown[]
  ): void {
    nothing();
  }
}

@(Admission(ConfigMap) as unknown as (target: typeof Idle) => void)
@(Owns(Namespace) as unknown as (target: typeof Idle) => void)
class Idle {
  constructor(readonly size: number) {}
  reconcile(): void {
    nothing();
  }
}

@Admission(undefined as unknown as typeof Pod)
class NoKind {}

@Admission(partOf(Pod, { labelSelector: 'app=web' }))
class PartOfPods {
  @Validate() check(): void {
    nothing();
  }
}

@Admission({ group: 'apps.example.com', version: 'v1', kind: 'Anything', plural: '*', scope: 'Namespaced' })
class Everything {
  @Validate() check(): void {
    nothing();
  }
}

export const classes = [
  EveryPod,
  SomeNodes,
  AllowedLeases,
  SelectedPods,
  Regions,
  Reviews,
  Idle,
  NoKind,
  PartOfPods,
  Everything,
];
