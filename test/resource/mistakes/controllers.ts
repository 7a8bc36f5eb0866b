import { ConfigMap, Namespace, Secret } from '../../../src/api/kinds/kinds.js';
import type { KindLike } from '../../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { partOf, type CacheSelection } from '../../../src/api/selection/part-of.js';
import { Controller } from '../../../src/resource/decorators/controller.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Finalizer } from '../../../src/resource/decorators/finalizer.js';
import { Sample } from '../../../src/resource/decorators/sample.js';
import { Validate } from '../../../src/resource/decorators/validate.js';
import { ObjectController } from '../../../src/resource/object-controller.js';

class Undecorated extends ObjectController<Namespace> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ name: 'no-kind' } as unknown as { for: KindLike<Namespace> })
class WithoutKind extends ObjectController<Namespace> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: { group: 'cert-manager.io', version: 'v1', kind: 'Certificate' } as KindLike })
class ByLiteral extends ObjectController<KubeObject> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: Undecorated as unknown as KindLike })
class OfAController extends ObjectController<KubeObject> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: Namespace })
@(Sample({ name: 'example' }) as ClassDecorator)
class WithFields extends ObjectController<Namespace> {
  @Field() team!: string;

  reconcile(): void {
    return undefined;
  }

  validate(): void {
    return undefined;
  }
}
Validate()(WithFields.prototype as never, 'validate', {});

@Controller({ for: Namespace })
abstract class WithoutReconcile extends ObjectController<Namespace> {}

@Controller({
  for: Namespace,
  name: 'rates',
  delayFactor: 0.5,
  delayJitter: 2,
  rateLimit: { total: 0, within: 'soon' },
  impersonate: [],
  formerFieldManagers: ['rates'],
})
class BadRates extends ObjectController<Namespace> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: Namespace, name: 'Labels' })
class BadName extends ObjectController<Namespace> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: ConfigMap })
class NamedByItsClassAndThatNameIsTooLongForRoles extends ObjectController<ConfigMap> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: ConfigMap, name: 'first' })
class First extends ObjectController<ConfigMap> {
  reconcile(): void {
    return undefined;
  }

  @Finalizer('apps.example.com/cleanup')
  cleanUp(): void {
    return undefined;
  }
}

@Controller({ for: ConfigMap, name: 'second', fieldManager: 'first' })
class Second extends First {}

@Controller({ for: Namespace, name: 'second' })
class SameName extends ObjectController<Namespace> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: partOf(ConfigMap, { fields: ['data'] }), name: 'of-a-part' })
class OfAPart extends ObjectController<ConfigMap> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: Secret, cache: { metadataOnly: true } as CacheSelection })
class MetadataOfItsObjects extends ObjectController<Secret> {
  reconcile(): void {
    return undefined;
  }
}

export const classes = [
  ...[Undecorated, WithoutKind, ByLiteral, OfAController, WithFields, WithoutReconcile, BadName, BadRates],
  ...[NamedByItsClassAndThatNameIsTooLongForRoles, First, Second, SameName, OfAPart, MetadataOfItsObjects],
];
