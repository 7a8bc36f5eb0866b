// Bug: the ConfigMap changes, but not the template of the pods that read it when they start.
// Source: StarRocks/starrocks-kubernetes-operator 68
// Fault: spec
// Workload: create, spec.level changed
// Oracle: invariants
import { ConfigMap, Context, CustomResource, Deployment, Field, Kind, Owns, Sample } from 'kindwright';

class AnalyzerSpec {
  @Field({ enum: ['info', 'debug', 'trace'] }) level!: string;
}

/** A Deployment with settings in its environment. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Owns(Deployment)
@Sample({ name: 'sql', spec: { level: 'info' } })
export class Analyzer extends CustomResource {
  @Field() spec!: AnalyzerSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { level } = this.spec;
    await ctx.apply(ConfigMap, { metadata: { name }, data: { LEVEL: level } });
    const labels = { analyzer: name };
    const containers = [{ name: 'analyzer', image: 'starrocks', envFrom: [{ configMapRef: { name } }] }];
    const template = { metadata: { labels }, spec: { containers } };
    await ctx.apply(Deployment, { metadata: { name }, spec: { selector: { matchLabels: labels }, template } });
  }
}
