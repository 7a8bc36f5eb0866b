import { Field } from '../../../src/resource/decorators/field.js';
import { Inject, type InjectionToken } from '../../../src/resource/decorators/inject.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Sound } from './classes.js';

class Service {}

/** The value of an import in an import cycle. */
const tooEarly = undefined as unknown as InjectionToken<Service>;

const Metadata = Service as unknown as InjectionToken<Sound['metadata']>;

@Kind({ group: 'apps.example.com', version: 'v1' })
class Injections extends Sound {
  @Inject(Service) @Field({ type: () => Service }) field!: Service;
  @Inject(Service) @Inject(Service) twice!: Service;
  @Inject(tooEarly) early!: Service;
  @Inject(Metadata) declare metadata: Sound['metadata'];
}

export const classes = [Injections];
