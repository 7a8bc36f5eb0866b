import { Kind } from '../../../src/resource/decorators/kind.js';
import { Rbac } from '../../../src/resource/decorators/rbac.js';
import { Sound } from '../../resource/mistakes/classes.js';

@Kind({ group: 'apps.example.com', version: 'v1' })
@Rbac({ groups: [''], resources: ['pod', 'pod/log', 'svc', 'secrets'] }, 'get')
@Rbac({ groups: ['apps'], resources: ['deploy/scale'] }, 'update')
class Rights extends Sound {}

export const classes = [Rights];
