import {
  ConvertsTo,
  CustomResource,
  Field,
  Inject,
  Kind,
  move,
  Mutate,
  Validate,
  type Disposer,
  type Review,
  type StartContext,
} from 'kindwright';

/** A connection that a review uses until its process has stopped. */
class Connection {
  private isClosed = false;

  query(): void {
    if (this.isClosed) throw new Error('the connection is closed');
  }

  close(): void {
    this.isClosed = true;
  }
}

/** A kind with every sort of webhook; its converter runs in the operator too. */
@Kind({ group: 'guarded.example.com', version: 'v1' })
export class GuardedSet extends CustomResource {
  @Field() size!: string;
  @Field({ optional: true }) zone?: string;

  @Inject(Connection) private readonly connection!: Connection;

  static onStart({ provide }: StartContext): Disposer {
    const connection = new Connection();
    provide(Connection, connection);
    return () => connection.close();
  }

  reconcile(): void {
    return undefined;
  }

  @Mutate({ timeoutSeconds: 10 }) fill(review: Review<GuardedSet>): void {
    this.zone ??= review.namespace === 'production' ? 'b' : 'a';
  }

  @Validate({ timeoutSeconds: 10 }) check(review: Review<GuardedSet>): void {
    this.connection.query();
    if (this.size === 'huge') review.invalid('size', 'is too large');
  }
}

@Kind({ group: 'guarded.example.com', version: 'v1beta1', kind: 'GuardedSet' })
@ConvertsTo(GuardedSet, [move('replicas', 'size')])
export abstract class GuardedSetV1Beta1 extends CustomResource {
  @Field() replicas!: string;
  @Field({ optional: true }) zone?: string;
}
