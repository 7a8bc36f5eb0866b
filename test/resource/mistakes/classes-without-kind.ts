import { Kind } from '../../../src/resource/decorators/kind.js';
import { Owns } from '../../../src/resource/decorators/owns.js';
import { Deployment, Sound } from './classes.js';

@Owns(Deployment)
class NoKind extends Sound {}

@Kind({ group: 'a.example.com', version: 'v1' })
@Kind({ group: 'b.example.com', version: 'v1' })
class TwoKinds extends Sound {}

@Kind({ group: 'a.example.com', version: 'v1' })
class NoResource {
  metadata = { name: 'x' };
}

export const classes = [NoKind, TwoKinds, NoResource];
