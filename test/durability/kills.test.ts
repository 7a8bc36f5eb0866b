import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ApiEndpoint } from '../fidelity/api-endpoint.js';
import { Chooser } from '../fidelity/chooser.js';
import { Follower } from './follower.js';
import { Ledger } from './ledger.js';
import { GADGET_DEFINITION, isLoad, LOADED_KINDS, type StoredJson } from './loaded-kind.js';
import { ServedFolder } from './served-folder.js';
import { Writer } from './writer.js';

const KILLS = Number(process.env['DURABILITY_KILLS'] ?? 200);
const SEED = Number(process.env['DURABILITY_SEED'] ?? Date.now() % 1_000_000);
const WRITERS = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay'];
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let folder: ServedFolder;
beforeEach(() => {
  folder = new ServedFolder();
});
afterEach(() => {
  folder.remove();
});

interface ListJson {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly StoredJson[];
}

/** Everything the load has written that is there now. */
async function findAll(endpoint: ApiEndpoint): Promise<{ found: Map<string, StoredJson>; revision: number }> {
  const found = new Map<string, StoredJson>();
  let revision = 0;
  for (const { path, apiVersion, kind } of LOADED_KINDS) {
    const { items, metadata } = (await endpoint.send({ method: 'GET', path })).body as ListJson;
    revision = Number(metadata.resourceVersion);
    for (const item of items.filter(isLoad)) found.set(`${path}/${item.metadata.name}`, { ...item, apiVersion, kind });
  }
  return { found, revision };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

test(`${KILLS} kills lose nothing that was acknowledged (seed ${SEED})`, async () => {
  const chooser = new Chooser(SEED);
  const ledger = new Ledger();
  const followers = LOADED_KINDS.map((kind, index) => new Follower(kind, ledger, new Chooser(SEED + 100 + index)));
  let [serial, acknowledged] = [0, 0];
  let onAcknowledged: () => void = () => undefined;
  const writers = WRITERS.map((name, index) => {
    const own = new Chooser(SEED + index + 1);
    const told = (): void => onAcknowledged();
    return new Writer({ name, ledger, chooser: own, nextSerial: () => (serial += 1), onAcknowledged: told });
  });

  async function killUnderLoad(): Promise<void> {
    const server = folder.serve();
    const endpoint = new ApiEndpoint(await server.kubeconfig());
    if (acknowledged === 0) await endpoint.send({ method: 'POST', path: DEFINITIONS, body: GADGET_DEFINITION });
    const { found, revision } = await findAll(endpoint);
    ledger.verify(found, revision);
    for (const follower of followers) await follower.resume(endpoint);
    let left = chooser.pick(range(1, 60));
    const enough = new Promise<void>((resolve) => {
      onAcknowledged = () => {
        acknowledged += 1;
        left -= 1;
        if (left === 0) resolve();
      };
    });
    const load = writers.map((writer) => writer.run(endpoint));
    await Promise.race([enough, Promise.all(load)]);
    await delay(chooser.pick([0, 0, 1, 2, 3, 5]));
    await server.end('SIGKILL');
    await Promise.all(load);
    for (const follower of followers) follower.end();
    endpoint.close();
  }

  async function killAtStart(): Promise<void> {
    const server = folder.serve();
    await delay(chooser.pick(range(20, 400)));
    await server.end('SIGKILL');
  }

  for (let kill = 1; kill <= KILLS; kill++) {
    await (kill > 1 && chooser.chance(0.1) ? killAtStart() : killUnderLoad());
    expect({ kill, found: folder.integrityCheck(), problems: ledger.problems }).toEqual({
      kill,
      found: 'ok',
      problems: [],
    });
  }
  const { done, notDone } = ledger.unansweredWrites;
  expect(Math.min(acknowledged / KILLS, done, notDone)).toBeGreaterThan(1); // else it has killed idle servers
}, 900_000);
