// Replaces an immutable child on purpose, by a deletion and a creation.
import { CustomResource, Dependent, type Desired, Field, Job, Kind, Sample } from 'kindwright';

class MigrationSpec {
  @Field({ enum: ['migrate:1', 'migrate:2', 'migrate:3'] }) image!: string;
}

/** A Job with a template that cannot be changed. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Sample({ name: 'schema', spec: { image: 'migrate:1' } })
export class Migration extends CustomResource {
  @Field() spec!: MigrationSpec;

  @Dependent(Job, { recreate: 'immutable' })
  job(): Desired<Job> {
    const containers = [{ name: 'migrate', image: this.spec.image }];
    const template = { spec: { restartPolicy: 'Never', containers } };
    return { metadata: { name: this.metadata.name }, spec: { template } };
  }
}
