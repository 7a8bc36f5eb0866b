import { Max, Min } from 'class-validator';
import { Context, CustomResource, Field, Kind, PrintColumn, Sample } from 'kindwright';

/** MydemoSpec defines the desired state of Mydemo */
class MydemoSpec {
  /** IP is the address of the demo service */ @Field() ip!: string;
  /** Port is the port of the demo service */ @Field({ format: 'int32' }) @Min(1) @Max(65535) port!: number;
}

const annotations = { 'api-approved.kubernetes.io': 'unapproved, experimental-only' }; // required of *.k8s.io groups
/** Mydemo is the Schema for the mydemos API */
@Kind({ group: 'crddemo.k8s.io', version: 'v1', annotations })
@PrintColumn({ name: 'IP', type: 'string', jsonPath: '.spec.ip' })
@PrintColumn({ name: 'Port', type: 'integer', jsonPath: '.spec.port' })
@PrintColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@Sample({ name: 'example-mydemo', spec: { ip: '127.0.0.1', port: 8080 } })
export class Mydemo extends CustomResource {
  @Field() spec!: MydemoSpec;

  reconcile(ctx: Context): void {
    ctx.log.info('[DemoCRD] Try to process mydemo', { spec: this.spec });
    ctx.event('Normal', 'Synced', 'Mydemo synced successfully');
    ctx.log.info(`Successfully synced '${this.metadata.namespace}/${this.metadata.name}'`);
  }

  override deleted(ctx: Context): void {
    const key = `${this.metadata.namespace}/${this.metadata.name}`;
    ctx.log.warn(`DemoCRD: ${key} does not exist in local cache, will delete it from Mydemo`);
    ctx.log.info(`[DemoCRD] Deleting mydemo: ${key}`);
  }
}
