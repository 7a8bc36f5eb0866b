import { CustomResource } from '../../src/resource/custom-resource.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Mutate } from '../../src/resource/decorators/mutate.js';
import { Validate } from '../../src/resource/decorators/validate.js';
import type { Review } from '../../src/resource/review.js';
import { webhookOf } from './reviewed-kind.js';

class Port {
  @Field({ format: 'int32' }) number!: number;
  @Field({ optional: true }) name?: string;
}

class Spec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) zone?: string;
  @Field({ optional: true }) since?: Date;
  @Field({ items: Port, optional: true }) ports?: Port[];
}

class Status {
  @Field({ format: 'int32', optional: true }) ready?: number;
}

export abstract class Sized extends CustomResource {
  @Field() spec!: Spec;
  @Field() status!: Status;
  helper = (): string => 'not data';

  reconcile(): void {
    return undefined;
  }
}

/** A class `PodSet` whose only webhook runs a method. */
export function mutating(run: (object: Sized, review: Review<Sized>) => void | Promise<void>) {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class PodSet extends Sized {
    @Mutate() async fill(review: Review<PodSet>): Promise<void> {
      await run(this, review);
    }
  }
  return webhookOf(PodSet, 'Mutating');
}

export function validating(run: (object: Sized, review: Review<Sized>) => void | Promise<void>) {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class PodSet extends Sized {
    @Validate({ on: ['CREATE', 'UPDATE', 'DELETE'] }) async check(review: Review<PodSet>): Promise<void> {
      return run(this, review);
    }
  }
  return webhookOf(PodSet, 'Validating');
}
