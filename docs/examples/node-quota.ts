import { CustomResource, Field, Kind, Policy } from 'kindwright';

class QuotaSpec {
  @Field({ format: 'int32', minimum: 1 }) nodes!: number;
  @Field() zone?: string;
}

/** A request for nodes. More than ten need the permission to `scale` quotas. */
@Kind({ group: 'docs.example.com', version: 'v1' })
@Policy(
  'object.spec.nodes <= 10 || authorizer.requestResource.check("scale").allowed()',
  'only scalers get more than 10',
)
@Policy({
  apply: 'Object{spec: Object.spec{zone: namespaceObject.metadata.labels[?"zone"].orValue("any")}}',
  match: '!has(object.spec.zone)',
})
export class NodeQuota extends CustomResource {
  @Field() spec!: QuotaSpec;
}
