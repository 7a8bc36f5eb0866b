// Decorators and types for operator classes.
export {
  isFeatureEnabled,
  setFeatureGates,
  type FeatureGate,
  type FeatureGates,
  type Gated,
} from './resource/feature-gates.js';
export { Admission, type AdmissionOptions } from './resource/decorators/admission.js';
export {
  Controller,
  type ControllerCache,
  type ControllerOptions,
  type ObjectControllerOptions,
  type RateLimit,
} from './resource/decorators/controller.js';
export { ConvertsTo, type ConversionFunctions } from './resource/decorators/converts-to.js';
export {
  drop,
  each,
  keep,
  map,
  move,
  type ConversionStep,
  type MapFunction,
} from './resource/decorators/conversion-step.js';
export { Daemon, type DaemonTask } from './resource/decorators/daemon.js';
export { Dependent, type DependentObjects, type DependentOptions } from './resource/decorators/dependent.js';
export { Description } from './resource/decorators/description.js';
export { Every, type EveryDecorator, type EveryOptions } from './resource/decorators/every.js';
export { Field } from './resource/decorators/field.js';
export { Finalizer } from './resource/decorators/finalizer.js';
export { Index } from './resource/decorators/index-decorator.js';
export { Inject, type InjectionToken } from './resource/decorators/inject.js';
export { Kind, type KindOptions, type WebhookConversion } from './resource/decorators/kind.js';
export { Mutate, type MutateOptions } from './resource/decorators/mutate.js';
export { Owns, type OwnsOptions } from './resource/decorators/owns.js';
export { Policy, type MutatingPolicyOptions, type PolicyOptions } from './resource/decorators/policy.js';
export { PrintColumn, type FieldPrintColumn } from './resource/decorators/print-column.js';
export {
  Rbac,
  type RbacOptions,
  type RbacResources,
  type RbacUrls,
  type PrivilegedVerb,
} from './resource/decorators/rbac.js';
export { RuntimeOnly } from './resource/decorators/runtime-only.js';
export { Sample, type SampleOptions } from './resource/decorators/sample.js';
export { Scale, type ScaleOptions } from './resource/decorators/scale.js';
export { Schema, type SchemaOptions } from './resource/decorators/schema.js';
export { SelectableField } from './resource/decorators/selectable-field.js';
export {
  Source,
  type SecretText,
  type SourceAuth,
  type SourceContext,
  type SourceKey,
  type SourceMethod,
  type SourceOptions,
  type SourceRequest,
} from './resource/decorators/source.js';
export { Validate, type ValidateDecorator } from './resource/decorators/validate.js';
export type { WebhookDecorator, WebhookOptions } from './resource/decorators/webhook-method.js';
export { AtLeastOneOf } from './resource/decorators/rules/at-least-one-of.js';
export { AtMostOneOf } from './resource/decorators/rules/at-most-one-of.js';
export { ExactlyOneOf } from './resource/decorators/rules/exactly-one-of.js';
export type { ClassRuleDecorator } from './resource/decorators/rules/one-of-rule.js';
export { Immutable } from './resource/decorators/rules/immutable.js';
export type { UnionOptions } from './resource/decorators/rules/class-rule.js';
export { Union } from './resource/decorators/rules/union.js';
export { XValidation, type SchemaDecorator } from './resource/decorators/rules/x-validation.js';
export { Watches, type WatchesOptions } from './resource/decorators/watches.js';
export {
  Context,
  type ApplyOptions,
  type CreateOptions,
  type DeleteOptions,
  type EventOptions,
  type GetOptions,
  type ListOptions,
  type PatchOptions,
  type ActingAs,
  type TenantClient,
  type WatchTarget,
} from './resource/context.js';
export { CustomResource } from './resource/custom-resource.js';
export { ObjectController } from './resource/object-controller.js';
export { kindByName, type NamedKind } from './resource/kind-by-name.js';
export { Condition } from './resource/definitions/condition.js';
export { LabelSelector, LabelSelectorRequirement } from './resource/definitions/label-selector.js';
export type {
  ExternalDocs,
  FieldClass,
  FieldOptions,
  TypeName,
  ValueOptions,
} from './resource/decorators/field-options.js';
export {
  allObjects,
  byLabel,
  type CacheListOptions,
  type CacheReader,
  type MappedObject,
  type Mapper,
} from './resource/mapper.js';
export { Review } from './resource/review.js';
export type { Priority } from './api/events/priority.js';
export type { Result } from './resource/result.js';

// The vocabulary of Kubernetes.
export type { AdmissionRequest } from './api/protocol/admission-review.js';
export type { JsonSchema, ValidationRule } from './api/schema/json-schema.js';
export type { Format } from './api/schema/formats.js';
export type { Definition } from './api/kinds/definition.js';
export { setCondition, setReady, type ConditionLike } from './api/objects/condition.js';
export { isPodActive, type PodPhase } from './api/objects/is-pod-active.js';
export {
  toKindRef,
  type BuiltInKind,
  type InputOf,
  type KindClass,
  type KindLike,
  type KindRef,
  type ObjectOf,
  type Scope,
} from './api/kinds/kind-ref.js';
export * from './api/kinds/kinds.js';
export type {
  DeepPartial,
  Desired,
  KubeObject,
  Live,
  ObjectMeta,
  OwnerReference,
  ReadonlyDeep,
  UnstructuredObject,
} from './api/objects/kube-object.js';
export type { DesiredOf, StoredObject, StoredOf, WritableObject, WritableOf } from './api/objects/stored-object.js';
export {
  indexBy,
  type CacheIndex,
  type IndexMatch,
  type IndexOptions,
  type IndexPath,
} from './api/selection/cache-index.js';
export type { KindPart } from './api/kinds/kind-part.js';
export type { FieldMatch, FieldValues } from './api/selection/field-match.js';
export type { ListerOptions } from './api/selection/object-filter.js';
export { partOf, type CacheSelection, type PartOptions, type Transform } from './api/selection/part-of.js';
export type { FieldPath, PartialObject } from './api/objects/partial-object.js';
export type { CreatedSubresource, Subresource, SubresourceObject } from './api/kinds/subresource.js';
export { matchesSelector } from './api/selection/label-selector.js';
export {
  addQuantities,
  compareQuantities,
  normalizeQuantity,
  quantityToNumber,
  type QuantityLike,
} from './api/schema/quantity-arithmetic.js';
export type { ChangeOf, ObjectEvent } from './api/events/object-event.js';
export type { NamespacedName, ObjectKey } from './api/objects/object-key.js';
export type { Verb } from './api/access/policy-rule.js';
export type { Status, StatusDetails } from './api/protocol/status.js';
export {
  allOf,
  annotationsChanged,
  anyOf,
  deletionChanged,
  finalizersChanged,
  generationChanged,
  labelsChanged,
  not,
  ownChange,
  resourceVersionChanged,
  specChanged,
  statusChanged,
  type Predicate,
} from './api/events/predicate.js';
export { joinObservers } from './api/reconcile/join-observers.js';
export type {
  Cause,
  End,
  EventCause,
  EventOp,
  GetOp,
  HotLoopReport,
  ListOp,
  Op,
  ReconcileObserver,
  RequestHeaders,
  RetryReason,
  Run,
  RunRef,
  TriggerCause,
  TriggerRun,
  WriteOp,
} from './api/reconcile/reconcile-observer.js';

// Building blocks for any program.
export type { EventHandler } from './cache/event-dispatcher.js';
export type { ErrorListener } from './cache/connection-status.js';
export { Informer, type InformerOptions } from './cache/informer.js';
export { InformerFactory, type InformerFactoryOptions, type InformerScope } from './cache/informer-factory.js';
export { Lister } from './cache/lister.js';
export type { Access, AccessListener } from './client/access/access.js';
export { ApiClient } from './client/api-client.js';
export { Client, type ClientOptions } from './client/client.js';
export type {
  ApplyOptions as ClientApplyOptions,
  CallOptions,
  DeleteOptions as ClientDeleteOptions,
  GetOptions as ClientGetOptions,
  InterceptOptions,
  ListOptions as ClientListOptions,
  OutgoingRequest,
  PatchOptions as ClientPatchOptions,
  RawRequest,
  ReadOptions,
  RequestInterceptor,
  RequestTarget,
  SelectionOptions,
  WatchOptions,
  WriteOptions,
} from './client/client-options.js';
export { clientMetrics, type ClientMetrics } from './client/client-metrics.js';
export { Clusters } from './client/clusters.js';
export { clientNodeApi } from './client/client-node/client-node.js';
export { toKubeConfig } from './client/client-node/to-kube-config.js';
export { fromClientNode } from './client/client-node/from-client-node.js';
export { loadClusterConfig, type ClusterConfig, type ConfigOptions } from './client/cluster-config.js';
export type { KubeList } from './client/pager.js';
export type { WatchEvent, WatchEventType, WatchHandler } from './client/watch/watch-decoder.js';
export { Manager } from './manager/manager.js';
export {
  clusterApiClusters,
  clusterProfiles,
  type ClusterAccessProvider,
  type ClusterProfileOptions,
  type ClusterProvider,
  type ClusterProviderOptions,
} from './manager/fleet/cluster-providers.js';
export type { CustomMetrics } from './manager/metrics/custom-metrics.js';
export type { HealthCheck, HealthCheckOptions } from './manager/health/health-checks.js';
export type { Disposer, StartContext, StartHook } from './manager/start-hooks.js';
export type {
  LeaderElectionOptions,
  ShardingOptions,
  ManagerOptions,
  WebhookAuthority,
  WebhookServing,
} from './manager/manager-options.js';
export type { ControllerOverride, ControllerOverrides } from './manager/controller-overrides.js';
export type { CacheUsage } from './manager/informers/cache-usage.js';

export { installCrds, type InstallCrdsOptions } from './manager/install/install-crds.js';
export { customResourceDefinitionsOf, manifestsOf } from './manifests/manifests-of.js';
export type { CertificateSource, LayoutName, ManifestOptions } from './manifests/operator.js';
export type { GeneratedFile } from './manifests/output/generated-file.js';
export { validate } from './validation/validate.js';
export type { ValidationCause } from './validation/validator.js';

// Errors.
export {
  AlreadyExistsError,
  ApiError,
  ConflictError,
  DisruptionBudgetError,
  ForbiddenError,
  GoneError,
  InvalidError,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
} from './client/api-error.js';
export {
  CommandError,
  type AttachOptions,
  type ContainerOptions,
  type ExecResult,
  type PodLogOptions,
} from './client/pods/pod-stream-options.js';
export { ConnectionError, type ConnectionFailure } from './client/connection-error.js';
export { WatchError, type WatchFailure } from './client/watch-error.js';
export { isRejectedRequest } from './controller/run/retry-rules.js';
export { WriteFencedError } from './controller/write/write-fence.js';
export { LeaseLostError } from './manager/election/lease-lost-error.js';
export { AlreadyOwnedError } from './controller/run/already-owned-error.js';
export { NotOwnedError } from './controller/run/not-owned-error.js';
export type { Clock } from './base/clock.js';
export { calendarSchedule, type CronSchedule } from './base/cron/calendar-schedule.js';
export type { Duration } from './base/duration.js';
export { OperatorError, type OperatorErrorOptions } from './base/operator-error.js';
export { TerminalError } from './base/terminal-error.js';
export { createMetrics } from './base/metrics.js';
export type { CounterMetric, GaugeMetric, HistogramMetric, Metrics } from './base/metrics.js';
export { createLogger, type LoggerOptions } from './base/create-logger.js';
export { LogThreshold, type LogLevel } from './base/log-threshold.js';
export { silentLogger, type LogFields, type Logger } from './base/logger.js';
