import { IsInt, IsString, Max, Min } from 'class-validator';
import { CustomResource, Field, Kind, Sample } from 'kindwright';
import type { Context } from 'kindwright';

/** MydemoSpec defines the desired state of Mydemo */
class MydemoSpec {
  /** IP is the address of the demo service */
  @Field() @IsString() ip!: string;

  /** Port is the port of the demo service */
  @Field({ format: 'int32' }) @IsInt() @Min(1) @Max(65535) port!: number;
}

/** Mydemo is the Schema for the mydemos API */
@Kind({
  group: 'crddemo.k8s.io',
  version: 'v1',
  // The server refuses a *.k8s.io group that does not say whether the Kubernetes API reviewers approved it.
  annotations: { 'api-approved.kubernetes.io': 'unapproved, experimental-only' },
})
@Sample({ name: 'example-mydemo', spec: { ip: '127.0.0.1', port: 8080 } })
export class Mydemo extends CustomResource {
  @Field() spec!: MydemoSpec;

  reconcile(ctx: Context): void {
    ctx.event('Normal', 'Synced', 'Mydemo synced successfully');
    ctx.log.info(`Successfully synced '${this.key}'`);
  }

  override deleted(ctx: Context): void {
    ctx.log.info(`Mydemo '${this.key}' no longer exists, it is deleted`);
  }

  private get key(): string {
    return `${this.metadata.namespace ?? ''}/${this.metadata.name}`;
  }
}
