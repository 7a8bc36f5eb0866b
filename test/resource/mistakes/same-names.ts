import { Controller } from '../../../src/resource/decorators/controller.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Sound } from './classes.js';

@Kind({ group: 'apps.example.com', version: 'v1', shortNames: ['ps'] })
class PodSet extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1', kind: 'PodSet', plural: 'others', singular: 'other' })
@Controller({ name: 'other' })
class OtherPodSet extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1', shortNames: ['ps'] })
@Controller({ name: 'podset' })
class PodSlice extends Sound {}

/** The same name in another group is another thing. */
@Kind({ group: 'other.example.com', version: 'v1', kind: 'PodSet', shortNames: ['ps'] })
@Controller({ name: 'elsewhere' })
class Elsewhere extends Sound {}

export const classes = [PodSet, OtherPodSet, PodSlice, Elsewhere];
