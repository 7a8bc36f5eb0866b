import { drop, each, keep, map, move } from '../../../src/resource/decorators/conversion-step.js';
import { ConvertsTo } from '../../../src/resource/decorators/converts-to.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Sound } from './classes.js';

const group = 'apps.example.com';

class Item {
  @Field() name!: string;
  @Field({ optional: true }) size?: string;
}
class OldItem {
  @Field() name!: string;
  @Field({ optional: true, format: 'int32' }) size?: number;
  @Field({ optional: true }) note?: string;
}
class Spec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) schedule?: string;
  @Field({ optional: true, items: { type: () => Item } }) items?: Item[];
  @Field({ optional: true, items: { type: () => Item } }) others?: Item[];
  @Field({ optional: true }) fresh?: string;
}
class OldSpec {
  @Field() size!: string;
  @Field({ optional: true, format: 'int32' }) schedule?: number;
  @Field({ optional: true, items: { type: () => OldItem } }) items?: OldItem[];
  @Field({ optional: true, items: { type: () => OldItem } }) others?: OldItem[];
  @Field({ optional: true }) old?: string;
}

@Kind({ group, version: 'v1', kind: 'Job', storage: true })
class JobV1 extends Sound {
  @Field() spec!: Spec;
}

const same = (value: unknown): unknown => value;

@Kind({ group, version: 'v1beta1', kind: 'Job' })
@ConvertsTo(JobV1, [
  move('spec.size', 'spec.size'),
  move('spec.replicas', 'spec.fresh'),
  move('metadata.name', 'spec.fresh'),
  map('spec.schedule', 'spec.schedule', same, same),
  map('spec.schedule', ['spec.size', 'spec.none'], same, same),
  keep('spec.items'),
  keep('spec.nothing'),
  each('spec.items', [keep('note'), move('size', 'size')]),
  each('spec.old', 'spec.fresh', []),
])
abstract class JobV1Beta1 extends CustomResource {
  @Field() spec!: OldSpec;
}

@Kind({ group, version: 'v1alpha1', kind: 'Job' })
@ConvertsTo(JobV1, [map('spec.schedule', 'spec.schedule', same, same), each('spec.others', [drop('note')])])
abstract class JobV1Alpha1 extends CustomResource {
  @Field() spec!: OldSpec;
}

@Kind({ group, version: 'v2', kind: 'Job' })
abstract class JobV2 extends CustomResource {
  @Field() spec!: Spec;
}

@Kind({ group, version: 'v3', kind: 'Job' })
@ConvertsTo(JobV1Beta1, [])
abstract class JobV3 extends CustomResource {
  @Field() spec!: Spec;
}

@Kind({ group, version: 'v4', kind: 'Job', conversion: 'None' })
@ConvertsTo(JobV1, [])
@ConvertsTo(JobV1, [])
abstract class JobV4 extends CustomResource {
  @Field() spec!: Spec;
}

@Kind({ group, version: 'v1', kind: 'Other' })
@ConvertsTo(JobV1, [])
class Other extends Sound {
  @Field() spec!: Spec;
}

export const classes = [JobV1, JobV1Beta1, JobV1Alpha1, JobV2, JobV3, JobV4, Other];
