import { ConvertsTo, CustomResource, Field, Kind, move, Mutate, Validate, type Review } from 'kindwright';

/** A kind with every sort of webhook; its converter runs in the operator too. */
@Kind({ group: 'guarded.example.com', version: 'v1' })
export class GuardedSet extends CustomResource {
  @Field() size!: string;
  @Field({ optional: true }) zone?: string;

  reconcile(): void {
    return undefined;
  }

  @Mutate({ timeoutSeconds: 10 }) fill(review: Review<GuardedSet>): void {
    this.zone ??= review.namespace === 'production' ? 'b' : 'a';
  }

  @Validate({ timeoutSeconds: 10 }) check(review: Review<GuardedSet>): void {
    if (this.size === 'huge') review.refuse('size', 'is too large');
  }
}

@Kind({ group: 'guarded.example.com', version: 'v1beta1', kind: 'GuardedSet' })
@ConvertsTo(GuardedSet, [move('replicas', 'size')])
export abstract class GuardedSetV1Beta1 extends CustomResource {
  @Field() replicas!: string;
  @Field({ optional: true }) zone?: string;
}
