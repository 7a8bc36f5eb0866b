import { ConfigMap } from '../../../src/api/kinds/kinds.js';
import { Admission } from '../../../src/resource/decorators/admission.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Mutate } from '../../../src/resource/decorators/mutate.js';
import { Validate } from '../../../src/resource/decorators/validate.js';
import type { WebhookOptions } from '../../../src/resource/decorators/webhook-method.js';
import { Sound } from './classes.js';

const nothing = (): void => undefined;

/** Without the check of the method's parameters. */
const unchecked = Validate as unknown as (options: WebhookOptions) => MethodDecorator;

@Kind({ group: 'apps.example.com', version: 'v1', scope: 'Cluster' })
class Options extends Sound {
  @unchecked({ on: [] }) never(_one: unknown, _two: unknown): void {
    nothing();
  }
  @Validate({ on: ['CONNECT'] } as unknown as WebhookOptions) connect(): void {
    nothing();
  }
  @Mutate({ on: ['CREATE', 'DELETE'] }) deletion(): void {
    nothing();
  }
  @Validate({ timeoutSeconds: 11 }) slow(): void {
    nothing();
  }
  @Validate({ timeoutSeconds: 0.5 }) fast(): void {
    nothing();
  }
  @Validate({ failurePolicy: 'fail', sideEffects: 'Some' } as unknown as WebhookOptions) policies(): void {
    nothing();
  }
  @Validate({ match: ' ', namespaceSelector: { matchLabels: { team: 'a' } } }) selection(): void {
    nothing();
  }
  @Validate({ name: 'size.example', path: '/Validate//size' }) address(): void {
    nothing();
  }
  @Validate({
    objectSelector: {
      matchLabels: { 'a b': 'x y' },
      matchExpressions: [
        { key: 'team', operator: 'In' },
        { key: 'team', operator: 'Exists', values: ['a'] },
        { key: 'team', operator: 'Is' as 'In', values: ['a'] },
      ],
    },
  })
  labels(): void {
    nothing();
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class OfSubresources extends Sound {
  @Validate({ subresources: [] }) none(): void {
    nothing();
  }
  @Validate({ subresources: ['*'], objectSelector: { matchLabels: { team: 'a' } } }) all(): void {
    nothing();
  }
  @Validate({ subresources: ['status', 'scale'], on: ['CREATE'] }) statusAndScale(): void {
    nothing();
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class SameNames extends Sound {
  @Validate({ name: 'check.pods.example.com', path: '/check' }) first(): void {
    nothing();
  }
  @Validate({ name: 'check.pods.example.com', path: '/check', timeoutSeconds: 2 }) second(): void {
    nothing();
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class SameNamesElsewhere extends Sound {
  @Mutate({ name: 'check.pods.example.com', path: '/check' }) other(): void {
    nothing();
  }
}

@Admission(ConfigMap)
class SamePath {
  @Validate({ path: '/check' }) again(): void {
    nothing();
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class PathOfConversion extends Sound {
  @Validate({ path: '/convert' }) check(): void {
    nothing();
  }
}

@Kind({ group: 'apps.example.com', version: 'v1', kind: 'Versioned', storage: true })
class VersionedV1 extends Sound {
  @Validate() check(): void {
    nothing();
  }
}

@Kind({ group: 'apps.example.com', version: 'v2', kind: 'Versioned' })
class VersionedV2 extends Sound {
  @Validate() check(): void {
    nothing();
  }
}

/** `@Mutate` before a class, as JavaScript permits it. */
const mutateClass = Mutate() as unknown as ClassDecorator;

@Kind({ group: 'apps.example.com', version: 'v1' })
@Validate({ on: ['DELETE'], subresources: ['status'] })
@Validate()
@mutateClass
class WithoutRules extends Sound {}

export const classes = [
  Options,
  OfSubresources,
  SameNames,
  SameNamesElsewhere,
  SamePath,
  PathOfConversion,
  VersionedV1,
  VersionedV2,
  WithoutRules,
];
