import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { CustomResource, Field, Kind, PrintColumn } from 'kindwright';

class ChecksumSpec {
  @Field() text!: string;
}

class ChecksumStatus {
  @PrintColumn()
  @Field()
  sha256?: string;

  /** The replica that has computed it: the name of its pod. */
  @PrintColumn()
  @Field()
  replica?: string;
}

/** A text with its checksum, in as many objects as one replica cannot handle. */
@Kind({ group: 'docs.example.com', version: 'v1' })
export class Checksum extends CustomResource {
  @Field() spec!: ChecksumSpec;
  @Field() status!: ChecksumStatus;

  reconcile(): void {
    const sha256 = createHash('sha256').update(this.spec.text).digest('hex');
    if (this.status.sha256 === sha256) return;
    this.status = { sha256, replica: process.env['POD_NAME'] ?? hostname() };
  }
}
