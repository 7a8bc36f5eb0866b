import { indexBy, type CacheIndex } from '../../../src/api/selection/cache-index.js';
import { Pod, Secret } from '../../../src/api/kinds/kinds.js';
import { partOf } from '../../../src/api/selection/part-of.js';
import { Index } from '../../../src/resource/decorators/index-decorator.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Watches } from '../../../src/resource/decorators/watches.js';
import { byLabel } from '../../../src/resource/mapper.js';
import { Sound } from './classes.js';

const Phase = partOf(Pod, { fields: ['status.phase'] });
const byPhase = indexBy(Pod, { reads: ['status.phase'] });

@Kind({ group: 'apps.example.com', version: 'v1' })
@Watches(Phase, byLabel('x'))
@Index(byPhase)
@Index(byPhase)
@Index(indexBy(Pod, { reads: ['spec.nodeName', 'status.phase'] }))
@Index(indexBy(Secret, { reads: ['type'] }))
@Index('spec.nodeName' as unknown as CacheIndex)
class Indexes extends Sound {}

export const classes = [Indexes];
