import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { Verb } from '../../../src/api/access/policy-rule.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Owns } from '../../../src/resource/decorators/owns.js';
import { Rbac } from '../../../src/resource/decorators/rbac.js';
import { Watches } from '../../../src/resource/decorators/watches.js';
import type { Mapper } from '../../../src/resource/mapper.js';
import { Deployment, Node, Sound } from './classes.js';

class NoKind {
  metadata = { name: 'x' };
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Owns(Node)
@Owns(NoKind)
@Owns(undefined as unknown as KindRef)
@Watches(Deployment, undefined as unknown as Mapper)
@Rbac(Deployment, ...([] as unknown as [Verb]))
@Rbac(Deployment, 'fly' as Verb)
@Rbac({ groups: ['*'], resources: ['*'] }, '*')
@Rbac({ groups: [''], resources: ['Pods', 'pods/log/x'] }, 'get')
@Rbac({ groups: [''], resources: [] }, 'get')
@Rbac({ groups: ['rbac.authorization.k8s.io'], resources: ['roles'] }, 'bind', 'escalate')
@Rbac({ groups: ['rbac.authorization.k8s.io'], resources: ['roles'], allow: ['bind'] }, 'bind')
@Rbac({ groups: [''], resources: ['*/scale'] }, 'update')
@Rbac({ groups: [''], resources: ['pods'], resourceNames: [] }, 'get')
@Rbac({ groups: [''], resources: ['secrets'], resourceNames: ['ca'] }, 'get', 'create')
@Rbac({ groups: [''], resources: ['secrets'], namespace: 'Kube_System', roleName: 'a/b' }, 'get')
@Rbac({ groups: [''], resources: ['users', 'groups'] }, 'impersonate')
@Rbac({ urls: [] }, 'get')
@Rbac({ urls: ['/*'] }, 'get')
@Rbac({ urls: ['metrics', '/a*b'] }, 'list')
@Rbac({ urls: ['/metrics'], namespace: 'x' }, 'post')
@Rbac({ urls: ['*'], allow: ['*'] }, '*')
class Rights extends Sound {}

export const classes = [Rights];
