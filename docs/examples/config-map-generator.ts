import {
  ConfigMap,
  type Context,
  Controller,
  CustomResource,
  Field,
  Kind,
  Owns,
  type Result,
  Sample,
} from 'kindwright';

class ConfigMapGeneratorSpec {
  @Field() content!: string;
}

@Kind({ group: 'nullable.se', version: 'v1', shortNames: ['cmg'] })
@Owns(ConfigMap)
@Controller({ maxConcurrentReconciles: 2 })
@Sample({ name: 'foo', spec: { content: 'Hey!' } })
export class ConfigMapGenerator extends CustomResource {
  @Field() spec!: ConfigMapGeneratorSpec;

  async reconcile(ctx: Context): Promise<Result> {
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { content: this.spec.content } });
    return { requeueAfter: '5m' };
  }
}
