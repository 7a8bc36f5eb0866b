import type { ObjectRefWire } from './wire/objects.js';
import type { FieldChange } from './wire/runs.js';

/**
 * The JSON of HTTP API v1 of the console and of its event stream. Types only: the page imports this file, too.
 *
 * Times (`…At`, `at`) are milliseconds since the epoch; durations (`…Ms`, `ms`) are milliseconds. All text is redacted.
 * Members may be added; readers must ignore unknown members, events and values of `rule`.
 *
 * | route                                          | response                                                          |
 * | ---------------------------------------------- | ----------------------------------------------------------------- |
 * | GET /api/v1/hello                              | Hello                                                             |
 * | GET /api/v1/objects?kind=&namespace=&q=&after=&limit= | ObjectPage; `kind` is a KindId, `q` a part of the name      |
 * | GET /api/v1/find?kind=&namespace=&name=        | ObjectPage; `kind` also as in kubectl: `podset`, `pods`, `deploy…` |
 * | GET /api/v1/objects/{uid}                      | ObjectDetail                                                      |
 * | GET /api/v1/objects/{uid}/tree                 | ObjectTree                                                        |
 * | GET /api/v1/objects/{uid}/events               | EventList                                                         |
 * | GET /api/v1/objects/{uid}/runs?before=&limit=  | RunPage; `before` is RunPage.next of the page before               |
 * | GET /api/v1/runs?controller=&before=&limit=    | RunPage; runs of all objects, the newest first                    |
 * | GET /api/v1/runs/{id}                          | RunDetail                                                         |
 * | GET /api/v1/why/{uid}                          | WhyReport; the newest runs of the object with their causes        |
 * | GET /api/v1/runtime                            | RuntimeState                                                      |
 * | GET /api/v1/caches                             | CacheList                                                         |
 * | GET /api/v1/logs?run=&level=&after=&limit=     | LogPage; `after` is a ShownLine.seq                                 |
 * | GET /api/v1/metrics                            | MetricsHistory                                                    |
 * | GET /api/v1/doctor                             | FindingList                                                       |
 * | GET /api/v1/schema/{kindId}                    | the OpenAPI v3 schema of the kind, or 404                         |
 * | GET /api/v1/stream?topics=objects,runs,…       | text/event-stream of StreamEvents; topics: see StreamTopic        |
 * | POST /api/v1/reconcile/{uid}                   | Accepted; body `{}`                                               |
 * | POST /api/v1/pause/{controller}                | RuntimeState; no reconcile begins until resume; body `{}`          |
 * | POST /api/v1/resume/{controller}               | RuntimeState; body `{}`                                            |
 * | POST /api/v1/step/{controller}                 | RuntimeState; one reconcile of a paused controller; body `{}`      |
 * | POST /api/v1/validate                          | WriteOutcome; body ApplyRequest or YAML                            |
 * | POST /api/v1/apply                             | WriteOutcome; body ApplyRequest or YAML                            |
 * | POST /api/v1/delete                            | WriteOutcome; body DeleteRequest                                   |
 *
 * Every request needs `Authorization: Bearer <token>`. Errors are ApiProblem with status 400, 401, 403, 404, 405, 409, 413,
 * 415, 421, 429 or 503. POST is answered with 405 in mode `read-only`.
 */
export type { Finding, FindingList, WhyReport } from './wire/doctor.js';
export type {
  KindId,
  KindInfo,
  ControllerInfo,
  ObjectRefWire,
  StateLevel,
  ObjectRow,
  ObjectPage,
  ObjectDetail,
  ConditionWire,
  ConditionChange,
  ObjectTree,
  TreeNode,
  EventLine,
  EventList,
  RunOutcome,
} from './wire/objects.js';
export type {
  RunSummary,
  RunPage,
  RunDetail,
  CauseDetail,
  FieldChange,
  OpDetail,
  ErrorDetail,
  LineLevel,
  ShownLine,
  LogPage,
} from './wire/runs.js';
export type {
  RuntimeState,
  QueueState,
  Percentiles,
  QueuedKeyWire,
  WatchLine,
  LeadershipState,
  ShardsWire,
  WebhooksWire,
  WebhookLine,
  CacheList,
  CacheLine,
  MetricsSample,
  ControllerSample,
  MetricsHistory,
} from './wire/runtime.js';
export type { ApiProblem, Hello, StreamTopic, StreamEvents, StreamEventName } from './wire/stream.js';

export interface Accepted {
  readonly accepted: true;
}

export interface ApplyRequest {
  /** One object as YAML or JSON text. */
  readonly object: string;
}

export interface DeleteRequest {
  readonly uid: string;
  /** True to ask the API server what would happen. */
  readonly dryRun?: boolean;
}

/** The answer of the API server to a write or to its dry run; an invalid object is not an HTTP error. */
export interface WriteOutcome {
  readonly ok: boolean;
  /** The object after the write, as YAML; missing after a deletion. */
  readonly yaml?: string;
  readonly object?: ObjectRefWire;
  /** Compared with the present object. */
  readonly changes: readonly FieldChange[];
  readonly diagnostics: readonly WriteDiagnostic[];
}

export interface WriteDiagnostic {
  readonly level: 'error' | 'warning';
  readonly message: string;
  /** `spec.size`; missing if no field is named. */
  readonly path?: string;
  /** The line in the request's text, from 1; missing if it is unknown. */
  readonly line?: number;
  /** The field manager of a conflict. */
  readonly manager?: string;
}
