type Members = Record<string, unknown>;

/** Fields that differ between any two servers: the name of the parent and of the field. */
const VARYING = new Set([
  'metadata.uid',
  'metadata.resourceVersion',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'metadata.continue',
  'managedFields.time',
  'details.uid',
  'conditions.lastTransitionTime',
  'conditions.lastUpdateTime',
  'status.lastPhaseTransitionTime',
  'spec.username',
  'status.token',
  'status.expirationTimestamp',
]);
/** Addresses and ports that a server allocates; those of the client are compared. */
const ALLOTTED: Readonly<Record<string, (value: unknown) => boolean>> = {
  'spec.clusterIP': isClusterAddress,
  'spec.clusterIPs': isClusterAddress,
  'ports.nodePort': isNodePort,
  'spec.healthCheckNodePort': isNodePort,
  ...Object.fromEntries(
    ['labels', 'matchLabels'].flatMap((labels) => [
      [`${labels}.controller-uid`, isUid],
      [`${labels}.batch.kubernetes.io/controller-uid`, isUid],
    ]),
  ),
};

function isUid(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

function isClusterAddress(value: unknown): boolean {
  return typeof value === 'string' && /^10\.0\.\d+\.\d+$/.test(value);
}

function isNodePort(value: unknown): boolean {
  return typeof value === 'number' && value >= 30000 && value <= 33000;
}

/** The reply without what differs between any two servers: uids, times, versions, allotted addresses. */
export function normalize(value: unknown): unknown {
  return visit(value, '', '');
}

function visit(value: unknown, parent: string, name: string): unknown {
  const place = `${parent}.${name}`;
  if (value !== null && value !== undefined && VARYING.has(place)) return `<${name}>`;
  if (Array.isArray(value)) return arrayOf(value as unknown[], parent, name);
  if (isObject(value)) return objectOf(value, name);
  if (ALLOTTED[place]?.(value) === true) return `<${name}>`;
  if (typeof value !== 'string') return value;
  return name === 'message' ? messageOf(value) : value.replace(ONLY_UUID, '<uid>');
}

function arrayOf(items: readonly unknown[], parent: string, name: string): unknown[] {
  const values = items.map((item) => visit(item, parent, name));
  if (name === 'managedFields') return sortedBy(values, entryOrder); // entries are sorted by their times
  return values.some((item) => isObject(item) && item.reason === 'FieldManagerConflict')
    ? sortedBy(values, JSON.stringify) // conflicts have the random order of a Go map
    : values;
}

function entryOrder(entry: unknown): string {
  const { operation, manager, subresource, apiVersion } = entry as Members;
  return JSON.stringify([operation, manager, subresource, apiVersion]);
}

function sortedBy(items: readonly unknown[], textOf: (item: unknown) => string): unknown[] {
  return items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

function objectOf(value: Members, parent: string): Members {
  const names = Object.keys(value).sort();
  // Each server has a different administrator, with different attributes.
  const isRequest = parent === 'spec' && 'signerName' in value && 'request' in value;
  const own = isRequest ? { ...value, extra: undefined, groups: undefined, uid: undefined } : value;
  const result: Members = Object.fromEntries(names.map((name) => [name, visit(own[name], parent, name)]));
  if (result.kind === 'Namespace') return withSortedFinalizers(result);
  if (result.kind === 'Table') return withoutAges(result);
  return result.kind === 'Status' ? withSortedCauses(result) : result;
}

/** Deleting a Namespace puts its finalizers in the random order of a Go map. */
function withSortedFinalizers(namespace: Members): Members {
  const metadata = namespace.metadata as { readonly finalizers?: readonly string[] } | undefined;
  if (!metadata?.finalizers) return namespace;
  return { ...namespace, metadata: { ...metadata, finalizers: metadata.finalizers.toSorted() } };
}

interface Table extends Members {
  readonly columnDefinitions: readonly { readonly name: string }[] | null;
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object?: Members }[] | null;
}

/** Cells with ages, allocated addresses and allocated ports. */
const CELLS: Readonly<Record<string, (cell: string) => string>> = {
  Age: (cell) => (/^(\d+[smhd])+$/.test(cell) ? '<age>' : cell),
  'Created At': (cell) => (/^\d{4}-/.test(cell) ? '<time>' : cell),
  'Cluster-IP': (cell) => (isClusterAddress(cell) ? '<clusterIP>' : cell),
  Requestor: () => '<user>',
  Selector: (cell) => cell.replace(UUID, '<uid>'),
  'Port(s)': (cell) => cell.replace(/:3\d{4}\//g, ':<nodePort>/'),
};

function withoutAges(table: Members): Members {
  const { columnDefinitions, rows } = table as Table;
  const hidden = (cell: unknown, index: number): unknown => {
    const hide = CELLS[columnDefinitions?.[index]?.name ?? ''];
    if (index >= (columnDefinitions?.length ?? 0)) return '<age>'; // of an IPAddress, which has no column for it
    return hide && typeof cell === 'string' ? hide(cell) : cell;
  };
  return { ...table, rows: rows?.map((row) => ({ ...row, cells: row.cells.map(hidden) })) ?? rows };
}

interface Cause {
  readonly field?: string;
  readonly message: string;
}

/** Schema errors of custom resources, and those of a map's members, have the random order of a Go map. */
function withSortedCauses(status: Members): Members {
  const { group, kind, causes } = (status.details ?? {}) as Details;
  if (status.reason !== 'Invalid' || !causes) return status;
  const isInNoOrder = group === 'fidelity.example.com' || kind === 'CustomResourceDefinition';
  const sorted = isInNoOrder ? sortedBy(causes, JSON.stringify) : sortedWithinMaps(causes, kind);
  const details = { ...(status.details as Members), causes: sorted };
  return { ...status, details, message: withSortedErrors(String(status.message), causes, sorted as Cause[]) };
}

interface Details {
  readonly group?: string;
  readonly kind?: string;
  readonly causes?: readonly Cause[];
}

/** Errors about requests may be reported among those about limits. */
const AMOUNTS = /(?<=\.resources)\.(limits|requests)$/;

/** The keys of all amounts of a LimitRange come as one map. */
function sortedWithinMaps(causes: readonly Cause[], kind: string | undefined): Cause[] {
  const member = kind === 'LimitRange' ? /\.\w+\[(?!\d+\])[^\]]*\]$/ : /\[(?!\d+\])[^\]]*\]$/;
  const mapOf = ({ field = '' }: Cause): string => field.replace(member, '').replace(AMOUNTS, '');
  const runs: Cause[][] = [];
  for (const cause of causes) {
    const last = runs.at(-1);
    if (last?.[0] && mapOf(last[0]) === mapOf(cause)) last.push(cause);
    else runs.push([cause]);
  }
  return runs.flatMap((run) => sortedBy(run, JSON.stringify)) as Cause[];
}

function withSortedErrors(message: string, causes: readonly Cause[], sorted: readonly Cause[]): string {
  const [list, sortedList] = [causes, sorted].map((all) => {
    const errors = [...new Set(all.map(({ field, message: text }) => `${field ?? ''}: ${text}`))];
    return `[${errors.join(', ')}]`;
  });
  return message.replace(list ?? '', () => sortedList ?? '');
}

/** Jobs carry their uid in labels and selectors. */
const ONLY_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
/** The name of the type of self, which contains a hash. */
const SELF_TYPE = /selfType[\w.@]*/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The version of an object in an error: quoted completely, or as the version of a failed precondition. */
const VERSION =
  /(resourceVersion\\*":\\*"|resourceVersion:|ResourceVersion in (?:the precondition|record) \(|ResourceVersion in (?:object meta|precondition): )\d+/g;
/** Of an object's version that was spoiled in writing. */
const UNREADABLE_VERSION = /(strconv\.ParseUint: parsing \\*")\d+(?=\D)/g;
const ALLOTTED_ADDRESS = /(IPAddress\.networking\.k8s\.io "|clusterIPs?\\*":\[?\\*")10\.0\.\d+\.\d+/g;

/** A node port that was allotted to two ports of one Service, which are refused for it, or of one that is quoted. */
const ALLOTTED_PORT = /(Duplicate value: |odePort\\*":)3[0-2]\d{3}\b/g;

/** The user in a quoted certificate request: each server has a different administrator. */
const REQUESTER = /,?\\*"(extra\\*":\{[^}]*\}|groups\\*":\[[^\]]*\]|username\\*":\\*"[^"\\]*\\*")/g;

function messageOf(message: string): string {
  const isOfRequest = message.includes('is invalid: patch: ') && message.includes('signerName');
  return inOrder(isOfRequest ? message.replace(REQUESTER, '') : message)
    .replace(TIME, '<time>')
    .replace(UUID, '<uid>')
    .replace(SELF_TYPE, 'selfType')
    .replace(VERSION, '$1<version>')
    .replace(UNREADABLE_VERSION, '$1<version>')
    .replace(ALLOTTED_ADDRESS, '$1<ip>')
    .replace(ALLOTTED_PORT, '$1<nodePort>');
}

/** The errors and conflicts of an applied configuration have the random order of a Go map. */
function inOrder(message: string): string {
  const [head = '', ...lines] = message.split('\n');
  if (lines.length === 0) return message;
  if (head.endsWith('errors:')) return [head, ...lines.sort()].join('\n');
  const [, failed, first] = /^(Apply failed with \d+ conflicts: )(conflicts with .*)$/.exec(head) ?? [];
  return failed === undefined ? message : [failed, ...[first, ...lines].sort()].join('\n');
}

/** The events of a stream, normalised; a table has its columns in the first event only. */
export function normalizeEvents(events: readonly { readonly type: string; readonly object: unknown }[]): unknown[] {
  let columns: unknown;
  return events.map(({ type, object }) => {
    if (!isObject(object) || object.kind !== 'Table') return { type, object: normalize(object) };
    columns ??= object.columnDefinitions;
    const isFirst = object.columnDefinitions !== null;
    return { type, isFirst, object: normalize({ ...object, columnDefinitions: columns }) };
  });
}

/** Normalised events without those that repeat the state of the previous event of the object, or of the list. */
export function withoutRepeats(events: readonly unknown[], list: unknown): unknown[] {
  const told = new Map<unknown, string>();
  const { items = [] } = list as { items?: readonly { metadata: Members }[] };
  const listed = new Map(items.map((item) => [item.metadata.name, item]));
  const news = events.filter((event) => {
    const { type, object } = event as { type: string; object: Members };
    const { metadata, ...rest } = shownIn(object);
    const item = listed.get(metadata.name);
    const before = told.get(metadata.name) ?? (item && textOfShown(item, rest));
    const text = textOfShown({ metadata, ...rest }, rest);
    const isRepeated = type === 'MODIFIED' && before === text;
    told.set(metadata.name, text);
    return !isRepeated;
  });
  // The order of the first events, and thus the event with the columns of a table, is not compared.
  return news.map((event) => ({ ...(event as Members), isFirst: undefined }));
}

/** The object of an event: some streams contain only its metadata. */
function shownIn(object: Members): { metadata: Members } & Members {
  const { rows } = object as Partial<Table>;
  const shown = (rows?.[0]?.object ?? object) as { metadata?: Members };
  const { metadata = {} } = shown;
  const isPartial = rows !== undefined || object.kind === 'PartialObjectMetadata';
  return isPartial ? { metadata, cells: rows?.[0]?.cells } : { ...shown, metadata };
}

/** What counts of an object in a stream of such as `rest` belongs to: not whether the fields it manages have times. */
function textOfShown({ metadata, ...own }: { metadata: Members } & Members, rest: Members): string {
  const { spec, status, data } = 'cells' in rest ? {} : own;
  const managedFields = (metadata.managedFields as readonly Members[] | undefined)?.map((entry) => ({
    ...entry,
    time: undefined,
  }));
  return JSON.stringify({ metadata: { ...metadata, managedFields }, spec, status, data });
}

/** Paths at which two normalised values differ, with both sides. */
export function differences(ours: unknown, real: unknown, path = ''): string[] {
  if (isObject(ours) && isObject(real)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(real)]);
    return [...keys].flatMap((key) => differences(ours[key], real[key], `${path}.${key}`));
  }
  if (Array.isArray(ours) && Array.isArray(real)) return differences(indexed(ours), indexed(real), path);
  const [a, b] = [textOf(ours), textOf(real)];
  return a === b ? [] : [`${path}: embedded ${a}, real ${b}`];
}

function indexed(items: readonly unknown[]): Members {
  return Object.fromEntries(items.map((item, index) => [String(index), item]));
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
