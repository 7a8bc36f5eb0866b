import { ValidateBy } from 'class-validator';
import { CustomResource, Field, Kind, Mutate, Review, RuntimeOnly, Scale, Validate } from 'kindwright';

class ReviewedSpec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) zone?: string;
  @Field({ optional: true, format: 'int64' }) limit?: number;
  @Field({ optional: true, preserveUnknownFields: true }) extra?: Record<string, unknown>;
}

class ReviewedStatus {
  @Field({ optional: true, format: 'int32' }) ready?: number;
}

/** What the methods do with objects of a name; `seen` records each call. */
export const behavior = {
  seen: [] as { readonly method: string; readonly review: Review; readonly object: ReviewedPodSet }[],
  validate: (_object: ReviewedPodSet, _review: Review<ReviewedPodSet>): void | Promise<void> => undefined,
  mutate: (object: ReviewedPodSet): void => {
    object.spec.zone ??= 'a';
  },
};

@Kind({ group: 'reviews.example.com', version: 'v1', kind: 'PodSet' })
@Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' })
export class ReviewedPodSet extends CustomResource {
  @Field() spec!: ReviewedSpec;
  @Field() status!: ReviewedStatus;

  reconcile(): void {
    return undefined;
  }

  @Mutate() fill(review: Review<ReviewedPodSet>): void {
    behavior.seen.push({ method: 'fill', review, object: this });
    behavior.mutate(this);
  }

  @Validate() async check(review: Review<ReviewedPodSet>): Promise<void> {
    behavior.seen.push({ method: 'check', review, object: this });
    await behavior.validate(this, review);
  }

  @Validate({ on: ['DELETE'] }) keep(review: Review<ReviewedPodSet>): void {
    behavior.seen.push({ method: 'keep', review, object: this });
    if (this.spec.zone === 'locked') review.forbidden('is locked');
  }

  @Validate({ subresources: ['scale'] }) static limit(
    scale: { readonly spec: { readonly replicas: number } },
    review: Review,
  ): void {
    if (scale.spec.replicas > 10) review.invalid('spec.replicas', 'must be at most 10');
  }
}

/** A kind whose webhook never ends, and one that may fail. */
@Kind({ group: 'reviews.example.com', version: 'v1' })
export class Stuck extends CustomResource {
  @Field({ optional: true }) note?: string;

  reconcile(): void {
    return undefined;
  }

  @Validate({ timeoutSeconds: 1 }) async check(): Promise<void> {
    if (this.note === 'stuck') await new Promise<never>(() => undefined);
  }

  @Validate({ failurePolicy: 'Ignore' }) mayFail(): void {
    if (this.note === 'ignored') throw new TypeError('x is not a function');
  }

  @Validate() mustNotFail(): void {
    if (this.note === 'broken') throw new TypeError('x is not a function');
  }
}

const IsPalindrome = (): PropertyDecorator =>
  ValidateBy({
    name: 'isPalindrome',
    validator: {
      validate: (value) => Array.from(String(value)).reverse().join('') === value,
      defaultMessage: () => 'must read the same backwards',
    },
  });

class NamedPort {
  @Field() @RuntimeOnly() @IsPalindrome() name!: string;
}

class RuledSpec {
  @Field({ items: NamedPort }) ports!: NamedPort[];
}

/** A kind with rules that only the operator can check. */
@Kind({ group: 'reviews.example.com', version: 'v1' })
@Validate()
export class Ruled extends CustomResource {
  @Field() spec!: RuledSpec;

  reconcile(): void {
    return undefined;
  }
}
