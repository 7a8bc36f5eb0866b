import { Context, CustomResource, Daemon, type DaemonTask, Field, Kind } from 'kindwright';

class MirrorSpec {
  @Field() url!: string;
}

class MirrorStatus {
  @Field() etag?: string;
}

@Kind({ group: 'example.com', version: 'v1' })
export class Mirror extends CustomResource {
  @Field() spec!: MirrorSpec;
  @Field() status!: MirrorStatus;

  @Daemon()
  async follow(ctx: Context, task: DaemonTask): Promise<void> {
    for (let etag = ''; ; await task.sleep(5_000)) {
      const response = await fetch(this.spec.url, { method: 'HEAD', signal: task.signal });
      const latest = response.headers.get('etag') ?? '';
      if (latest !== etag) task.reconcile();
      etag = latest;
      ctx.log.debug('Checked', { etag });
    }
  }

  async reconcile(ctx: Context): Promise<void> {
    const response = await fetch(this.spec.url, { signal: ctx.signal });
    this.status.etag = response.headers.get('etag') ?? '';
  }
}
