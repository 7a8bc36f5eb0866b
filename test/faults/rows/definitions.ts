import { CustomResource, CustomResourceDefinition, Field, Finalizer, Kind, NotFoundError } from 'kindwright';
import { installKinds } from '../../e2e/sdk/running-manager.js';
import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import { Gear } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';

const group = 'definitions.kindwright.dev';

class SpringSpec {
  @Field() value!: string;
}

abstract class SpringResource extends CustomResource {
  abstract spec: SpringSpec;
}

type SpringClass = new () => SpringResource;

/** What happened to the objects of one kind, as `reconciled NAME` and `deleted NAME`. */
type Log = string[];

/** Declares a kind that only one row uses, since the row changes its definition. */
function declareKind(kind: string, log: Log): SpringClass {
  @Kind({ group, version: 'v1', kind })
  class Spring extends SpringResource {
    @Field() spec!: SpringSpec;

    reconcile(): void {
      log.push(`reconciled ${this.metadata.name}`);
    }

    override deleted(): void {
      log.push(`deleted ${this.metadata.name}`);
    }
  }
  return Spring;
}

function declareFinalizedKind(kind: string, log: Log): SpringClass {
  @Kind({ group, version: 'v1', kind })
  class Spring extends SpringResource {
    @Field() spec!: SpringSpec;

    reconcile(): void {
      log.push(`reconciled ${this.metadata.name}`);
    }

    @Finalizer('definitions.kindwright.dev/release')
    release(): void {
      log.push(`released ${this.metadata.name}`);
    }
  }
  return Spring;
}

class SpringStatus {
  @Field({ optional: true }) seen?: string;
}

function declareKindWithStatus(kind: string) {
  @Kind({ group, version: 'v1', kind })
  class Spring extends SpringResource {
    @Field() spec!: SpringSpec;
    @Field() status!: SpringStatus;

    reconcile(): void {
      this.status.seen = this.spec.value;
    }
  }
  return Spring;
}

/** The path of a definition that was just installed may not be served yet. */
async function createObject({ admin, namespace }: World, kind: SpringClass, name: string): Promise<void> {
  await within(30_000, () => admin.create(kind, { metadata: { name, namespace }, spec: { value: 'a' } }));
}

const logged = (log: Log, line: string, timeoutMs = 30_000): Promise<void> =>
  within(timeoutMs, () => assert(log.includes(line), `not "${line}" in: ${log.join(', ')}`));

async function untilDefinitionIsDeleted({ admin }: World, name: string): Promise<void> {
  await within(45_000, async () => {
    const found = await admin.get(CustomResourceDefinition, name).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      return undefined;
    });
    assert(found === undefined, `${name} exists`);
  });
}

export const DEFINITION_ROWS: readonly Row[] = [
  {
    id: 'F4',
    title: 'a controller waits for a definition that is installed later, while other kinds work',
    async run(world) {
      const log: Log = [];
      const Late = declareKind('Late', log);
      world.launch({}, [Gear, Late]);
      await world.createGear('other');
      await assertConverged(world, 30_000);
      await installKinds(world.admin, [Late]);
      await createObject(world, Late, 'first');
      await logged(log, 'reconciled first');
      await assertConverged(world);
    },
  },
  {
    id: 'F5',
    title: 'when a definition is deleted and created again, deletions and new objects are seen',
    async run(world) {
      const log: Log = [];
      const Passing = declareKind('Passing', log);
      await installKinds(world.admin, [Passing]);
      world.launch({}, [Gear, Passing]);
      await createObject(world, Passing, 'first');
      await logged(log, 'reconciled first');
      const name = `passings.${group}`;
      await world.admin.delete(CustomResourceDefinition, name);
      await untilDefinitionIsDeleted(world, name);
      await logged(log, 'deleted first');
      await world.createGear('other');
      await assertConverged(world, 30_000);
      await installKinds(world.admin, [Passing]);
      await createObject(world, Passing, 'second');
      await logged(log, 'reconciled second', 45_000);
      const requests = world.proxy.calls.filter(({ resource }) => resource === 'passings').length;
      assert(requests <= 60, `${requests} requests`);
    },
  },
  {
    id: 'F6',
    title: 'a controller waits while its version is not served, and deletes nothing',
    async run(world) {
      const { admin } = world;
      const log: Log = [];
      const Unserved = declareKind('Unserved', log);
      await installKinds(admin, [Unserved]);
      world.launch({}, [Gear, Unserved]);
      await createObject(world, Unserved, 'first');
      await logged(log, 'reconciled first');
      const name = `unserveds.${group}`;
      const serve = (isServed: boolean) =>
        admin.patch(
          CustomResourceDefinition,
          name,
          [{ op: 'replace', path: '/spec/versions/0/served', value: isServed }],
          {
            type: 'json',
          },
        );
      await serve(false);
      for (const watch of world.proxy.watches('unserveds')) watch.reset();
      await world.createGear('other');
      await assertConverged(world, 30_000);
      await serve(true);
      await createObject(world, Unserved, 'second');
      await logged(log, 'reconciled second', 45_000);
      const deletions = log.filter((line) => line.startsWith('deleted'));
      assertEqual(deletions, [], 'reported deletions');
    },
  },
  {
    id: 'F80',
    title: 'when a definition with 20 objects with finalizers is deleted, all of them are released',
    async run(world) {
      const log: Log = [];
      const Finalized = declareFinalizedKind('Finalized', log);
      await installKinds(world.admin, [Finalized]);
      world.launch({}, [Finalized]);
      const names = Array.from({ length: 20 }, (_, index) => `f-${index}`);
      for (const name of names) await createObject(world, Finalized, name);
      for (const name of names) await logged(log, `reconciled ${name}`);
      const definition = `finalizeds.${group}`;
      await world.admin.delete(CustomResourceDefinition, definition);
      await untilDefinitionIsDeleted(world, definition);
      for (const name of names) assert(log.includes(`released ${name}`), `${name} was not released`);
    },
  },
  {
    id: 'F99',
    title: 'a status that the definition does not serve for some time is logged as an error, and is not lost',
    async run(world) {
      const { admin, namespace } = world;
      const Reported = declareKindWithStatus('Reported');
      await installKinds(admin, [Reported]);
      const { manager } = await world.start({}, [Reported]);
      await createObject(world, Reported, 'first');
      const untilSeen = (value: string) =>
        within(45_000, async () => {
          assertEqual((await admin.get(Reported, 'first', { namespace })).status, { seen: value }, 'status');
        });
      await untilSeen('a');
      const path = '/spec/versions/0/subresources';
      const change = (operation: object) =>
        admin.patch(CustomResourceDefinition, `reporteds.${group}`, [{ path, ...operation }], { type: 'json' });
      await change({ op: 'remove' });
      let value = 'a';
      // The server takes over a changed definition after some time.
      await within(45_000, async () => {
        value += 'b';
        await admin.patch(Reported, 'first', { spec: { value } }, { namespace });
        assert(manager.logger.toString().includes('no subresource status'), 'no error');
      });
      await change({ op: 'add', value: { status: {} } });
      await untilSeen(value);
    },
  },
];
