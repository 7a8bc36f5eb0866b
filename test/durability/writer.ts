import type { ApiEndpoint } from '../fidelity/api-endpoint.js';
import type { Chooser } from '../fidelity/chooser.js';
import { create, randomChange, replaceVersion, type Change } from './change.js';
import type { Ledger } from './ledger.js';
import { CONFIG_MAP, LOADED_KINDS, type LoadedKind, type StoredJson } from './loaded-kind.js';

const OBJECTS_PER_KIND = 4;
const COUNTERS = ['counter-1', 'counter-2'];

export interface WriterOptions {
  readonly name: string;
  readonly ledger: Ledger;
  readonly chooser: Chooser;
  /** The next number of all writers. */
  readonly nextSerial: () => number;
  /** Called for each write that the server has acknowledged. */
  readonly onAcknowledged: () => void;
}

/** Writes one thing after the other: to objects that are its own, and to counters it shares with the other writers. */
export class Writer {
  constructor(private readonly options: WriterOptions) {}

  /** Resolves when the server has ended. */
  async run(endpoint: ApiEndpoint): Promise<void> {
    const { chooser } = this.options;
    while (await (chooser.chance(0.15) ? this.count(endpoint) : this.changeOwn(endpoint)));
  }

  private changeOwn(endpoint: ApiEndpoint): Promise<boolean> {
    const { name, ledger, chooser, nextSerial } = this.options;
    const kind = chooser.pick(LOADED_KINDS);
    const index = chooser.pick(Array.from({ length: OBJECTS_PER_KIND }, (_, index) => index));
    const object = `${name}-${index}`;
    const change = randomChange(kind, object, ledger.object(`${kind.path}/${object}`), nextSerial(), chooser);
    return this.send(endpoint, kind, object, change);
  }

  /** Adds one to a counter, unless another writer comes first. */
  private async count(endpoint: ApiEndpoint): Promise<boolean> {
    const { ledger, chooser } = this.options;
    const name = chooser.pick(COUNTERS);
    const key = `${CONFIG_MAP.path}/${name}`;
    const present = ledger.object(key);
    const counted = Number(present?.metadata.labels?.serial ?? 0) + 1;
    const change = present
      ? replaceVersion(CONFIG_MAP, present, counted, chooser)
      : create(CONFIG_MAP, name, counted, chooser);
    return this.send(endpoint, CONFIG_MAP, name, change);
  }

  private async send(endpoint: ApiEndpoint, kind: LoadedKind, name: string, change: Change): Promise<boolean> {
    const { ledger, onAcknowledged } = this.options;
    const key = `${kind.path}/${name}`;
    const answer = ledger.begin(key, change);
    const { code, body } = await endpoint.send(change.call);
    if (code === 0) return false;
    if (code < 300) {
      answer.acknowledged(body as StoredJson);
      onAcknowledged();
      return true;
    }
    answer.refused();
    if (code !== 409 || !COUNTERS.includes(name))
      ledger.problems.push(`${change.call.method} ${key}: ${code} ${JSON.stringify(body)}`);
    const { code: found, body: present } = await endpoint.send({ method: 'GET', path: key });
    if (found === 200) ledger.observe(key, present as StoredJson);
    return found !== 0;
  }
}
