import { Context, CustomResource, Every, Field, Kind } from 'kindwright';

class SiteSpec {
  @Field() url!: string;
}

class SiteStatus {
  @Field() isUp?: boolean;
  @Field({ format: 'int32' }) backups?: number;
}

@Kind({ group: 'example.com', version: 'v1' })
@Every('1h')
export class Site extends CustomResource {
  @Field() spec!: SiteSpec;
  @Field() status!: SiteStatus;

  @Every('30s', { jitter: '5s' })
  async check(ctx: Context): Promise<void> {
    const response = await fetch(this.spec.url, { signal: ctx.signal }).catch(() => undefined);
    this.status.isUp = response?.ok ?? false;
  }

  @Every('0 3 * * *', { timeZone: 'Europe/Berlin' })
  backUp(): void {
    this.status.backups = (this.status.backups ?? 0) + 1;
  }

  reconcile(ctx: Context): void {
    if (this.status.isUp === false) ctx.event('Warning', 'Down', `${this.spec.url} does not respond`);
  }
}
