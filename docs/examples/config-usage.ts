import {
  Context,
  CustomResource,
  Deployment,
  Field,
  Index,
  indexBy,
  Kind,
  type MappedObject,
  partOf,
  Watches,
} from 'kindwright';

const Workload = partOf(Deployment, { fields: ['spec.template.spec.volumes'] });

/** The ConfigMaps that a Deployment mounts, alone or in a projected volume. */
const byConfigMap = indexBy(Workload, {
  reads: ['spec.template.spec.volumes'],
  values: ({ spec }) =>
    (spec?.template.spec?.volumes ?? []).flatMap(({ configMap, projected }) => [
      ...(configMap?.name === undefined ? [] : [configMap.name]),
      ...(projected?.sources ?? []).flatMap((source) => source.configMap?.name ?? []),
    ]),
});

class ConfigUsageSpec {
  @Field() configMap!: string;
}

class ConfigUsageStatus {
  @Field({ items: String }) usedBy?: string[];
}

/** Lists the Deployments that mount a ConfigMap. */
@Kind({ group: 'example.com', version: 'v1' })
@Watches(Workload, (deployment, cache): MappedObject[] =>
  byConfigMap
    .valuesOf(deployment)
    .flatMap((configMap) => cache.list(ConfigUsage, { where: { 'spec.configMap': configMap } }))
    .map(({ metadata }) => metadata),
)
@Index(byConfigMap)
export class ConfigUsage extends CustomResource {
  @Field() spec!: ConfigUsageSpec;
  @Field() status!: ConfigUsageStatus;

  async reconcile(ctx: Context): Promise<void> {
    const found = await ctx.list(Workload, { index: { by: byConfigMap, value: this.spec.configMap } });
    this.status.usedBy = found.map(({ metadata }) => metadata.name);
  }
}
