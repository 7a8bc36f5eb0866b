// Reads a kind from the server instead of the cache.
import { Context, CustomResource, Field, Kind, Node, Rbac, type Result, Sample } from 'kindwright';

class HeadcountSpec {
  @Field({ enum: ['nodes', 'none'] }) counted!: string;
}

class HeadcountStatus {
  @Field({ format: 'int32' }) count?: number;
}

/** Counts the nodes every 5 minutes. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Rbac(Node, 'list')
@Sample({ name: 'all', spec: { counted: 'nodes' } })
export class Headcount extends CustomResource {
  @Field() spec!: HeadcountSpec;
  @Field() status!: HeadcountStatus;

  async reconcile({ client }: Context): Promise<Result> {
    const isCounted = this.spec.counted === 'nodes';
    this.status.count = isCounted ? (await client.list(Node)).items.length : 0;
    return { requeueAfter: '5m' };
  }
}
