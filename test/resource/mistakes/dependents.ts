import { partOf } from '../../../src/api/selection/part-of.js';
import { ObjectController } from '../../../src/resource/object-controller.js';
import { Controller } from '../../../src/resource/decorators/controller.js';
import { Dependent } from '../../../src/resource/decorators/dependent.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import type { Desired, KubeObject } from '../../../src/api/objects/kube-object.js';
import { Deployment, Node, Sound } from './classes.js';

type Decorate = (target: object, method: string, descriptor: PropertyDescriptor) => void;

@Kind({ group: 'apps.example.com', version: 'v1' })
class Dependents extends Sound {
  @Dependent(Deployment, { dependsOn: ['databse'] })
  web(): undefined {
    return undefined;
  }

  @Dependent(Deployment, { dependsOn: ['queue'] })
  database(): undefined {
    return undefined;
  }

  @Dependent(Deployment, { dependsOn: ['worker'] })
  queue(): undefined {
    return undefined;
  }

  @Dependent(Deployment, { dependsOn: ['database'] })
  worker(): undefined {
    return undefined;
  }

  @Dependent(Node)
  node(): Desired<KubeObject>[] {
    return [];
  }

  @Dependent(partOf(Deployment, { metadataOnly: true }))
  part(): undefined {
    return undefined;
  }

  @Dependent({} as typeof Deployment)
  notKind(): undefined {
    return undefined;
  }

  @Dependent(Deployment)
  @Dependent(Node)
  twice(): undefined {
    return undefined;
  }

  @(Dependent(Deployment) as unknown as Decorate)
  parameters(_a: unknown, _b: unknown): undefined {
    return undefined;
  }

  @(Dependent(Deployment) as unknown as Decorate)
  static onClass(): undefined {
    return undefined;
  }

  @Dependent(Deployment)
  override reconcile(): undefined {
    return undefined;
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Alone extends Sound {
  @Dependent(Deployment, { dependsOn: ['itself', 'web'] })
  web(): undefined {
    return undefined;
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Optional extends Sound {
  @Dependent(Deployment, { optional: true })
  web(): undefined {
    return undefined;
  }

  @Dependent(Deployment)
  worker(): undefined {
    return undefined;
  }

  @Dependent(
    { group: 'apps.example.com', version: 'v1', kind: 'Optional', plural: 'optionals', scope: 'Namespaced' },
    {
      optional: true,
    },
  )
  itself(): undefined {
    return undefined;
  }
}

@Controller({ for: Deployment })
class OfOthers extends ObjectController {
  @(Dependent(Deployment) as unknown as Decorate)
  web(): undefined {
    return undefined;
  }

  reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Contradicting extends Sound {
  @Dependent(Deployment, { observeOnly: true, configHash: true, deleteWhen: () => true })
  observed(): undefined {
    return undefined;
  }

  @Dependent(Deployment, { onDelete: 'orphan' as 'keep', recreate: 'always' as 'immutable', createOnly: true })
  kept(): undefined {
    return undefined;
  }
}

export const classes = [Dependents, Alone, Optional, Contradicting, OfOthers];
