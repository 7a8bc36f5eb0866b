import { Secret } from '../../../src/api/kinds/kinds.js';
import { Controller } from '../../../src/resource/decorators/controller.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { ObjectController } from '../../../src/resource/object-controller.js';
import { Sound } from './classes.js';

@Kind({ group: 'apps.example.com', version: 'v1' })
abstract class Static extends CustomResource {
  static reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Property extends CustomResource {
  reconcile = (): Promise<void> => Promise.resolve();
}

@Controller({ for: Secret })
class PropertyOfSecrets extends ObjectController<Secret> {
  override reconcile = (): Promise<void> => Promise.resolve();
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Arity extends Sound {
  override reconcile(..._rest: []): void;
  override reconcile(_ctx?: unknown, _other?: unknown): void {
    return undefined;
  }
}
Object.defineProperty(Arity.prototype.reconcile, 'length', { value: 2 });

@Kind({ group: 'apps.example.com', version: 'v1' })
class Injected extends Sound {
  constructor(readonly service: string) {
    super();
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Throwing extends Sound {
  constructor() {
    super();
    throw new Error('no database');
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Controller({
  name: 'No_Name',
  namespace: 'No_Namespace',
  fieldManager: '',
  maxConcurrentReconciles: 0,
  reconcileTimeout: NaN,
  baseDelay: 10,
  maxDelay: 5,
})
class Settings extends Sound {}

export const classes = [Static, Property, PropertyOfSecrets, Arity, Injected, Throwing, Settings];
