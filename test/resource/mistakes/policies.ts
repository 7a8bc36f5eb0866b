import { Kind } from '../../../src/resource/decorators/kind.js';
import { Policy, type PolicyOptions } from '../../../src/resource/decorators/policy.js';
import { Sound } from './classes.js';

@Kind({ group: 'apps.example.com', version: 'v1', scope: 'Cluster' })
@Policy(' ')
@Policy({})
@Policy({ apply: 'Object{}', patch: '[]' })
@Policy({ apply: 'Object{}', on: ['DELETE'] })
@Policy('true', { name: 'Size', actions: [] })
@Policy('true', { actions: ['Deny', 'Warn'] })
@Policy('true', { on: ['CONNECT'] } as unknown as PolicyOptions)
@Policy('true', { match: ' ', namespaceSelector: { matchLabels: { team: 'a b' } } })
class Policies extends Sound {}

export const classes = [Policies];
