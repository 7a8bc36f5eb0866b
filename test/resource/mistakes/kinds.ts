import { Kind } from '../../../src/resource/decorators/kind.js';
import { Sound } from './classes.js';

@Kind({ group: 'apps', version: '1' })
class NoDomain extends Sound {}

@Kind({ group: 'Apps.Example.com', version: 'V1' })
class BigGroup extends Sound {}

@Kind({ group: 'sets.k8s.io', version: 'v1beta' })
class Protected extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1', kind: 'pod_set' })
class SmallKind extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1', plural: 'Pod Sets', singular: '1set', shortNames: ['PS'] })
class Names extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1', plural: 'twins', shortNames: ['tw', 'tw'], categories: ['All'] })
class Twin extends Sound {}

@Kind({
  group: 'apps.example.com',
  version: 'v1',
  labels: { team: 'not a value' },
  annotations: { 'not a key': '' },
})
class Metadata extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1' })
class AVeryLongNameThatIsMuchTooLongForAKindEvenBeforeTheWordListIsAdded extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1', listKind: 'OwnList' })
class OwnList extends Sound {}

@Kind({ group: 'apps.example.com', version: 'V1', kind: 'any_name', anyNames: true })
class AnyName extends Sound {}

@Kind({ group: `${'long.'.repeat(50)}example.com`, version: 'v1' })
class LongGroup extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1', shortNames: ['s'.repeat(64)] })
class LongName extends Sound {}

@Kind({ version: 'v1' } as never)
class NoGroup extends Sound {}

@Kind('apps.example.com/v1' as never)
class TextAsKind extends Sound {}

export const classes = [
  NoGroup,
  TextAsKind,
  LongGroup,
  LongName,
  NoDomain,
  BigGroup,
  Protected,
  SmallKind,
  Names,
  Twin,
  Metadata,
  OwnList,
  AnyName,
  AVeryLongNameThatIsMuchTooLongForAKindEvenBeforeTheWordListIsAdded,
];
