import { Controller } from '../../../src/resource/decorators/controller.js';
import { Finalizer } from '../../../src/resource/decorators/finalizer.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Sound } from './classes.js';

const LONG = 'x'.repeat(64);

@Kind({ group: 'apps.example.com', version: 'v1' })
class Finalizers extends Sound {
  @Finalizer('cleanup')
  unqualified(): void {
    return undefined;
  }

  @Finalizer(`apps.example.com/${LONG}`)
  long(): void {
    return undefined;
  }

  @Finalizer('apps.example.com/cleanup')
  first(): void {
    return undefined;
  }

  @Finalizer('apps.example.com/cleanup')
  second(): void {
    return undefined;
  }

  @Finalizer('kubernetes.io/pvc-protection')
  foreign(): void {
    return undefined;
  }

  @Finalizer('apps.example.com/static')
  static onClass(): void {
    return undefined;
  }
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Controller({ formerFinalizers: ['former', 'kubernetes.io/former', 'apps.example.com/cleanup'] })
class FormerFinalizers extends Sound {
  @Finalizer('apps.example.com/cleanup')
  cleanup(): void {
    return undefined;
  }
}

export const classes = [Finalizers, FormerFinalizers];
