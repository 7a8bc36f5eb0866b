import { formatFault } from '../plan/fault-text.js';
import type { PlannedFault } from '../plan/plan.js';
import { firstAndLast, type Occurrence, type Occurrences } from './occurrences.js';

type Options = NonNullable<PlannedFault['options']>;

/** How a fault is distributed over the events of a run without faults. */
interface Placement {
  readonly at: (run: Occurrences) => readonly Occurrence[];
  /** The values with which it happens at each place. Default: once, without any. */
  readonly options?: (run: Occurrences, at: Occurrence) => readonly Options[];
}

const START: Occurrence = { trigger: { point: 'start', nth: 1 }, likeness: 'start', at: 0, kind: '' };

const writes = ({ writes: found }: Occurrences): readonly Occurrence[] => found;
const attempts = ({ attempts: found }: Occurrences): readonly Occurrence[] => found;
const requests = ({ requests: found }: Occurrences): readonly Occurrence[] => found;
const reconciles = ({ reconciles: found }: Occurrences): readonly Occurrence[] => found;
const events = ({ events: found }: Occurrences): readonly Occurrence[] => found;
const start = (): readonly Occurrence[] => [START];
const watchedKinds = ({ watchedKinds: kinds }: Occurrences): readonly Options[] => kinds.map((kind) => ({ kind }));

/** The moment after the first write of each child: it exists then, whatever else the run does. */
function children({ writes: found, children: made }: Occurrences): readonly Occurrence[] {
  const objects = new Set(made.map(({ object }) => object));
  const first = new Map<string, Occurrence>();
  for (const each of found) {
    const { object = '' } = each.trigger;
    if (objects.has(object) && !first.has(object)) first.set(object, each);
  }
  return [...first.values()];
}

const times =
  (...all: readonly number[]) =>
  (): readonly Options[] =>
    all.map((ms) => ({ ms }));

const each = (name: string, values: readonly (string | number)[]) => (): readonly Options[] =>
  values.map((value) => ({ [name]: value }));

const LAGS = [1000, 10_000, 60_000] as const;

/** The places of each fault, in the order in which they are tried. */
const PLACEMENTS: ReadonlyMap<string, Placement> = new Map(
  Object.entries<Placement>({
    crash: {
      at: (run) => [START, ...run.writes],
      options: each('restart', ['now', 'later', 'step']),
    },
    'lost-answer': { at: writes, options: each('loss', ['reset', 'timeout']) },
    refuse: {
      at: requests,
      options: () => [{ status: 503 }, { status: 500, ms: 60_000 }, { status: 429, ms: 60_000 }],
    },
    skip: { at: events },
    lag: { at: events, options: (_, { kind }) => LAGS.map((ms) => ({ kind, ms })) },
    takeover: {
      at: reconciles,
      options: (run) => [
        ...run.watchedKinds.flatMap((kind) => [
          { kind, ms: 10_000 },
          { kind, ms: 60_000 },
        ]),
      ],
    },
    conflict: { at: attempts, options: each('times', [1, 5]) },
    'delete-child': { at: children, options: each('propagation', ['Background', 'Foreground', 'Orphan']) },
    edit: { at: children, options: each('change', ['field', 'add', 'label', 'selector', 'owner', 'finalizer']) },
    recreate: { at: reconciles },
    'delete-mid': { at: reconciles, options: each('propagation', ['Background', 'Foreground', 'Orphan']) },
    merge: { at: events },
    relist: { at: reconciles, options: watchedKinds },
    duplicate: { at: events },
    'crash-loop': { at: writes, options: each('times', [3]) },
    down: { at: events, options: each('events', [1, 3]) },
    'early-crash': { at: start, options: watchedKinds },
    stop: { at: reconciles },
    'two-leaders': { at: reconciles },
    'old-list': { at: ({ requests: found }) => found.filter(({ trigger }) => trigger.verb === 'list') },
    'slow-api': { at: requests, options: times(5000, 35_000) },
    forbidden: { at: attempts, options: times(60_000) },
    webhook: { at: attempts, options: times(60_000) },
    foreign: {
      at: ({ attempts: found }) => found.filter(({ trigger }) => trigger.verb === 'create' || trigger.verb === 'apply'),
    },
    held: { at: children, options: times(3_600_000) },
    namespace: { at: reconciles },
    pods: { at: start, options: each('change', ['slow', 'failing', 'image', 'unbound']) },
    node: { at: reconciles, options: times(600_000) },
    slow: {
      at: start,
      options: each('controller', ['garbage-collector', 'deployment', 'replicaset', 'statefulset', 'kubelet']),
    },
    clock: { at: reconciles, options: times(-3_600_000, 3_600_000) },
    suspend: { at: reconciles, options: times(600_000) },
    blocked: { at: reconciles, options: times(20_000) },
    crd: { at: start },
  }),
);

/** Returns the faults that can be placed. */
export function placedFaults(): string[] {
  return [...PLACEMENTS.keys()];
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

function* placesOf(fault: string, run: Occurrences, isThorough: boolean) {
  const { at, options = () => [{}] } = PLACEMENTS.get(fault) ?? { at: start };
  for (const occurrence of isThorough ? at(run) : firstAndLast(at(run)))
    for (const values of options(run, occurrence)) {
      const { trigger, likeness } = occurrence;
      const planned: PlannedFault = { fault, trigger, ...(Object.keys(values).length > 0 && { options: values }) };
      yield { planned, place: `${fault} ${JSON.stringify(values)} ${likeness}` };
    }
}
