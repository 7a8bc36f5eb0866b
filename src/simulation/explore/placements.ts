import type { Fault } from '../faults/fault.js';
import { faultNamed } from '../faults/registry.js';
import { formatFault } from '../plan/fault-text.js';
import type { PlannedFault, Trigger } from '../plan/plan.js';
import { firstAndLast, type Occurrence, type Occurrences } from './occurrences.js';

type Place = (run: Occurrences) => readonly Occurrence[];

const START: Occurrence = { trigger: { point: 'start', nth: 1 }, likeness: 'start', at: 0, kind: '' };

const writes: Place = ({ writes: found }) => found;
const attempts: Place = ({ attempts: found }) => found;
const requests: Place = ({ requests: found }) => found;
const reconciles: Place = ({ reconciles: found }) => found;
const events: Place = ({ events: found }) => found;
const start: Place = () => [START];
const steps: Place = ({ steps: found }) => found;

/** The moment after the first write of each child: it exists then, whatever else the run does. */
const children: Place = ({ writes: found, children: made }) => {
  const objects = new Set(made.map(({ object }) => object));
  const first = new Map<string, Occurrence>();
  for (const each of found) {
    const { object = '' } = each.trigger;
    if (objects.has(object) && !first.has(object)) first.set(object, each);
  }
  return [...first.values()];
};

const verbs =
  (...names: readonly string[]): Place =>
  ({ requests: found }) =>
    found.filter(({ trigger: { verb = '' } }) => names.includes(verb));

/** The places of each fault, in the order in which they are tried. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['crash', writes],
  ['lost-answer', writes],
  ['refuse', requests],
  ['takeover', (run: Occurrences) => [...run.reconciles, ...run.steps]],
  ['skip', events],
  ['lag', events],
  ['conflict', attempts],
  ['recreate', reconciles],
  ['delete-mid', reconciles],
  ['delete-child', children],
  ['edit', children],
  ['merge', events],
  ['relist', events],
  ['duplicate', events],
  ['down', steps],
  ['stop', reconciles],
  ['two-leaders', reconciles],
  ['crash-loop', writes],
  ['early-crash', start],
  ['old-list', verbs('list')],
  ['forbidden', attempts],
  ['slow-api', requests],
  ['webhook', attempts],
  ['foreign', verbs('create', 'apply')],
  ['held', children],
  ['namespace', reconciles],
  ['slow', steps],
  ['blocked', reconciles],
  ['clock', reconciles],
]);

/** Returns where a fault begins: at places that are chosen for it, otherwise where it can. */
function placesFor({ name, points }: Fault): Place {
  const known = PLACES.get(name);
  if (known) return known;
  const byPoint: Partial<Record<Trigger['point'], Place>> = {
    committed: writes,
    sent: requests,
    delivered: events,
    'reconcile begins': reconciles,
    step: steps,
  };
  return byPoint[points.find((point) => byPoint[point] !== undefined) ?? 'start'] ?? start;
}

/** Places that are known from other runs, and how thoroughly places are used. */
export interface PlaceOptions {
  /** Also use occurrences between the first and the last of those that are alike. */
  readonly isThorough?: boolean;
  /** Faults at occurrences that earlier runs had as well: they are left out, and those of this run are added. */
  readonly seen?: Set<string>;
}

/**
 * Returns all single faults of a run, each once and grouped by fault, in the order of their places.
 *
 * @param faults the names of the faults to place
 */
export function placeFaults(
  run: Occurrences,
  faults: readonly string[],
  { isThorough = false, seen }: PlaceOptions = {},
): Map<string, PlannedFault[]> {
  const placed = new Map<string, PlannedFault[]>();
  const added = new Set<string>();
  for (const fault of faults) {
    const found = new Map<string, PlannedFault>();
    for (const { place, planned } of placesOf(fault, run, isThorough)) {
      if (seen?.has(place) !== true) found.set(formatFault(planned), planned);
      added.add(place);
    }
    if (found.size > 0) placed.set(fault, [...found.values()]);
  }
  for (const place of added) seen?.add(place);
  return placed;
}

/** In an order in which neither the first variant at all places, nor all variants at the first place, come first. */
function placesOf(name: string, run: Occurrences, isThorough: boolean) {
  const { name: fault, variants } = faultNamed(name);
  const found = placesFor(faultNamed(name))(run);
  const places = (isThorough ? found : firstAndLast(found)).flatMap(({ trigger, likeness }, index) =>
    variants.map((values, variant) => {
      const planned: PlannedFault = { fault, trigger, ...(Object.keys(values).length > 0 && { options: values }) };
      return { planned, place: `${fault} ${JSON.stringify(values)} ${likeness}`, order: index + variant };
    }),
  );
  return places.sort((a, b) => a.order - b.order);
}
