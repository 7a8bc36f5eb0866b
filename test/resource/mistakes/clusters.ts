import { ConfigMap, Secret } from '../../../src/api/kinds/kinds.js';
import { Controller } from '../../../src/resource/decorators/controller.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Mutate } from '../../../src/resource/decorators/mutate.js';
import { Rbac } from '../../../src/resource/decorators/rbac.js';
import { Source } from '../../../src/resource/decorators/source.js';
import { Validate } from '../../../src/resource/decorators/validate.js';
import { ObjectController } from '../../../src/resource/object-controller.js';
import { Sound } from './classes.js';

class Reconciling extends ObjectController<ConfigMap> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: ConfigMap, clusters: [] })
class NoCluster extends Reconciling {}

@Controller({ for: ConfigMap, clusters: ['edge', ''] })
class EmptyName extends Reconciling {}

@Controller({ for: ConfigMap, clusters: 'edge' as 'all' })
class NameWithoutList extends Reconciling {}

@Controller({ for: Secret, clusters: 'all' })
class Served extends ObjectController<Secret> {
  @Source({ path: '/hooks', auth: { bearer: { env: 'TOKEN' } } })
  static hook(): string[] {
    return [];
  }

  reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Controller({ clusters: 'all' })
class Reviewed extends Sound {
  @Mutate() setDefaults(): void {
    return undefined;
  }

  @Validate() check(): void {
    return undefined;
  }
}

@Controller({ for: ConfigMap })
@Rbac({ groups: [''], resources: ['secrets'], clusters: true }, 'get')
class OwnCluster extends Reconciling {}

export const classes = [NoCluster, EmptyName, NameWithoutList, Served, Reviewed, OwnCluster];
