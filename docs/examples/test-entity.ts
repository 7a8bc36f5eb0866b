import {
  type Context,
  ConvertsTo,
  CustomResource,
  Field,
  Finalizer,
  keep,
  Kind,
  map,
  Mutate,
  type Review,
  Validate,
} from 'kindwright';

const group = 'conversionwebhook.dev';

class TestEntitySpec {
  @Field() firstname: string = '';
  @Field() lastname: string = '';
  @Field() middleName?: string;
}

/** TestEntity is a person; this is the version in which objects are stored. */
@Kind({ group, version: 'v3', kind: 'TestEntity' })
export class TestEntity extends CustomResource {
  @Field() spec!: TestEntitySpec;

  @Mutate({ on: ['CREATE'] }) overwrite(): void {
    if (this.spec.firstname === 'overwrite') this.spec.firstname = 'random overwritten';
  }

  @Validate() check(review: Review<TestEntity>): void {
    if (this.spec.firstname === 'forbidden') review.invalid('spec.firstname', "may not be 'forbidden'");
  }

  reconcile(ctx: Context): void {
    const { firstname, middleName = '', lastname } = this.spec;
    ctx.log.info('Reconciling entity', { firstname, middleName, lastname });
  }

  @Finalizer('conversionwebhook.dev/finalizer-one')
  finalize(ctx: Context): void {
    ctx.log.info('Finalizing entity');
  }

  override deleted(ctx: Context): void {
    ctx.log.info('Deleted entity');
  }
}

class TestEntityV2Spec {
  @Field() firstname: string = '';
  @Field() lastname: string = '';
}

@Kind({ group, version: 'v2', kind: 'TestEntity' })
@ConvertsTo(TestEntity, [keep('spec.middleName')])
export class TestEntityV2 extends CustomResource {
  @Field() spec!: TestEntityV2Spec;
}

class TestEntityV1Spec {
  @Field() name: string = '';
}

@Kind({ group, version: 'v1', kind: 'TestEntity' })
@ConvertsTo(TestEntity, [map('spec.name', ['spec.firstname', 'spec.lastname'], split, join), keep('spec.middleName')])
export class TestEntityV1 extends CustomResource {
  @Field() spec!: TestEntityV1Spec;
}

function split(name: string): [string, string] {
  const [first = '', ...others] = name.split(' ');
  return [first, others.join(' ')];
}

function join(firstname = '', lastname = ''): string {
  return `${firstname} ${lastname}`;
}
