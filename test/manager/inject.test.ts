import { describe, expect, test } from '@jest/globals';
import {
  Client,
  Context,
  CustomResource,
  Field,
  Finalizer,
  Inject,
  Kind,
  Manager,
  type Disposer,
  type StartContext,
} from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';

abstract class Inventory {
  abstract add(name: string): number;
}

class Shelf extends Inventory {
  readonly names: string[] = [];

  add(name: string): number {
    return this.names.push(name);
  }
}

const opened: Shelf[] = [];
const closed: Shelf[] = [];

class Spec {
  @Field() value!: string;
}

class Status {
  @Field({ format: 'int32' }) count?: number;
}

abstract class Stored extends CustomResource {
  @Inject(Inventory) readonly inventory!: Inventory;
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Box extends Stored {
  @Field() spec!: Spec;
  @Field() status!: Status;

  static onStart({ provide, isProvided }: StartContext): Disposer | undefined {
    if (isProvided(Inventory)) return undefined;
    const shelf = new Shelf();
    opened.push(shelf);
    provide(Inventory, shelf);
    return () => void closed.push(shelf);
  }

  @Finalizer('test.kindwright.dev/box')
  remove(): void {
    this.inventory.add(`remove ${this.metadata.name}`);
  }

  override deleted(): void {
    this.inventory.add(`deleted ${this.metadata.name}`);
  }

  async reconcile(ctx: Context): Promise<void> {
    this.status.count ??= this.inventory.add(this.metadata.name);
    await ctx.update(Box, this, (draft) => {
      draft.metadata.labels = { keys: Object.keys(this).toSorted().join('.') };
    });
  }
}

/** Provides the same class as Box, without looking. */
@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Crate extends Stored {
  static onStart({ provide }: StartContext): void {
    provide(Inventory, new Shelf());
  }

  reconcile(): void {
    return undefined;
  }
}

/** Provides nothing. */
@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Bag extends Stored {
  reconcile(): void {
    this.inventory.add(this.metadata.name);
  }
}

function managerWithoutServer(): { manager: Manager; client: Client } {
  const server = new URL('http://127.0.0.1:1');
  const client = new Client({ server, namespace: undefined, source: 'test', user: 'test' });
  return { manager: new Manager({ client, preflight: false }), client };
}

async function createBox(cluster: Cluster, name: string): Promise<void> {
  await cluster.create(Box, { metadata: { name, namespace: 'default' }, spec: { value: 'x' } });
  await eventually(async () => {
    expect((await cluster.client.get(Box, name, { namespace: 'default' })).status?.count).toBeDefined();
  });
}

describe('@Inject', () => {
  test('an injected property has the value that onStart provides, in every method', async () => {
    opened.length = closed.length = 0;
    {
      await using cluster = await startCluster({ server: 'embedded', strict: true });
      await cluster.run(Box);
      await createBox(cluster, 'a');
      await cluster.client.delete(Box, 'a', { namespace: 'default' });
      await eventually(() => expect(opened[0]?.names).toEqual(['a', 'remove a', 'deleted a']));
      expect(closed).toEqual([]);
    }
    expect(opened).toHaveLength(1);
    expect(closed).toEqual(opened);
  });

  test('an injected property is neither part of the object nor written to the server', async () => {
    await using cluster = await startCluster({ server: 'embedded', strict: true });
    await cluster.provide(Inventory, new Shelf()).run(Box);
    await createBox(cluster, 'a');
    await eventually(async () => {
      const box = await cluster.client.get(Box, 'a', { namespace: 'default' });
      expect(box.metadata.labels?.['keys']).toBe('apiVersion.kind.metadata.spec.status');
      expect(box).not.toHaveProperty('inventory');
    });
  });

  test('values of a test replace those of onStart, and clusters share no values', async () => {
    opened.length = 0;
    await using one = await startCluster({ server: 'embedded' });
    await using other = await startCluster({ server: 'embedded' });
    const [mine, theirs] = [new Shelf(), new Shelf()];
    await one.provide(Inventory, mine).run(Box, Crate);
    await other.provide(Inventory, theirs).run(Box);
    await createBox(one, 'a');
    await createBox(other, 'b');
    expect([mine.names, theirs.names, opened]).toEqual([['a'], ['b'], []]);
  });

  test('an injected property cannot be assigned', async () => {
    const logger = new RecordingLogger();
    @Kind({ group: 'test.kindwright.dev', version: 'v1', kind: 'Bag' })
    class Assigning extends CustomResource {
      @Inject(Shelf) shelf!: Shelf;

      reconcile(): void {
        this.shelf = new Shelf();
      }
    }
    await using cluster = await startCluster({ server: 'embedded', logger });
    await cluster.provide(Shelf, new Shelf()).run(Assigning);
    await cluster.create(Assigning, { metadata: { name: 'a', namespace: 'default' } });
    await eventually(() => expect(logger.toString()).toContain("Cannot assign to read only property 'shelf'"));
  });

  test('an operator does not start when nothing provides the value of an injected property', async () => {
    const { manager, client } = managerWithoutServer();
    await expect(manager.add(Bag).run(new AbortController().signal)).rejects.toMatchObject({
      name: 'ModelError',
      message: expect.stringMatching(/Bag\.inventory: nothing is provided for Inventory$/),
      hint: expect.stringContaining('provide(Inventory, …) in static onStart({ provide })'),
    });
    client.close();
  });

  test('stopping a cluster rejects when its operators lacked a value', async () => {
    const logger = new RecordingLogger();
    const cluster = await startCluster({ server: 'embedded', logger });
    await cluster.run(Bag);
    await eventually(() => expect(logger.messages('error')).toContain('Operators ended'));
    await expect(cluster.stop()).rejects.toThrow('Bag.inventory: nothing is provided for Inventory');
  });

  test('a second hook that provides the same class is an error', async () => {
    const { manager, client } = managerWithoutServer();
    const run = manager.add(Box).add(Crate).run(new AbortController().signal);
    await expect(run).rejects.toThrow('Crate.onStart failed: Box.onStart has already provided Inventory');
    client.close();
  });

  test('a running manager does not accept values', async () => {
    const { manager, client } = managerWithoutServer();
    const stop = new AbortController();
    const run = manager.add(Box).run(stop.signal);
    expect(() => manager.provide(Inventory, new Shelf())).toThrow('values cannot be provided to a running manager');
    stop.abort();
    await run;
    client.close();
  });

  test('the type of an injected property is checked', () => {
    // @ts-expect-error -- a Shelf cannot be assigned to a number
    expect(() => class extends Stored { @Inject(Shelf) count!: number; }).not.toThrow(); // prettier-ignore
  });
});
