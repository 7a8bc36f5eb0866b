import { Condition, ConfigMap, CustomResource, Field, Kind, LabelSelector, PersistentVolumeClaim } from 'kindwright';
import {
  Affinity,
  ConfigMapKeySelector,
  Container,
  ContainerPort,
  DeploymentStrategy,
  MetaDuration,
  MetaObjectMeta,
  MetaOwnerReference,
  EnvFromSource,
  EnvVar,
  EphemeralVolumeSource,
  HTTPGetAction,
  HorizontalPodAutoscalerSpec,
  IngressSpec,
  IntOrString,
  JSON,
  JobTemplateSpec,
  Lifecycle,
  LocalObjectReference,
  MicroTime,
  NetworkPolicySpec,
  NodeAffinity,
  ObjectReference,
  PersistentVolumeClaimSpec,
  PodDisruptionBudgetSpec,
  PodSecurityContext,
  PodSpec,
  PodTemplateSpec,
  PolicyRule,
  Probe,
  Quantity,
  RawExtension,
  ResourceRequirements,
  RoleRef,
  RollingUpdateDaemonSet,
  SecretKeySelector,
  SecretReference,
  SecurityContext,
  ServicePort,
  ServiceSpec,
  Time,
  Toleration,
  TopologySpreadConstraint,
  TypedLocalObjectReference,
  Volume,
  VolumeMount,
} from 'kindwright/definitions';

/** CatalogueSpec has a field of each type */
class CatalogueSpec {
  @Field({ type: Affinity }) affinity!: Affinity;
  @Field({ type: ConfigMapKeySelector }) configMapKeySelector!: ConfigMapKeySelector;
  @Field({ type: Container }) container!: Container;
  @Field({ type: ContainerPort }) containerPort!: ContainerPort;
  @Field({ type: EnvFromSource }) envFromSource!: EnvFromSource;
  @Field({ type: EnvVar }) envVar!: EnvVar;
  @Field({ type: EphemeralVolumeSource }) ephemeralVolumeSource!: EphemeralVolumeSource;
  @Field({ type: HTTPGetAction }) httpGetAction!: HTTPGetAction;
  @Field({ type: Lifecycle }) lifecycle!: Lifecycle;
  @Field({ type: LocalObjectReference }) localObjectReference!: LocalObjectReference;
  @Field({ type: NodeAffinity }) nodeAffinity!: NodeAffinity;
  @Field({ type: ObjectReference }) objectReference!: ObjectReference;
  @Field({ type: PersistentVolumeClaim }) persistentVolumeClaim!: PersistentVolumeClaim;
  @Field({ type: PersistentVolumeClaimSpec }) persistentVolumeClaimSpec!: PersistentVolumeClaimSpec;
  @Field({ type: PodSecurityContext }) podSecurityContext!: PodSecurityContext;
  @Field({ type: PodSpec }) podSpec!: PodSpec;
  @Field({ type: PodTemplateSpec }) podTemplateSpec!: PodTemplateSpec;
  @Field({ type: Probe }) probe!: Probe;
  @Field({ type: ResourceRequirements }) resourceRequirements!: ResourceRequirements;
  @Field({ type: SecretKeySelector }) secretKeySelector!: SecretKeySelector;
  @Field({ type: SecretReference }) secretReference!: SecretReference;
  @Field({ type: SecurityContext }) securityContext!: SecurityContext;
  @Field({ type: ServicePort }) servicePort!: ServicePort;
  @Field({ type: ServiceSpec }) serviceSpec!: ServiceSpec;
  @Field({ type: Toleration }) toleration!: Toleration;
  @Field({ type: TopologySpreadConstraint }) topologySpreadConstraint!: TopologySpreadConstraint;
  @Field({ type: TypedLocalObjectReference }) typedLocalObjectReference!: TypedLocalObjectReference;
  @Field({ type: Volume }) volume!: Volume;
  @Field({ type: VolumeMount }) volumeMount!: VolumeMount;
  @Field({ type: JobTemplateSpec }) jobTemplateSpec!: JobTemplateSpec;
  @Field({ type: DeploymentStrategy }) deploymentStrategy!: DeploymentStrategy;
  @Field({ type: RollingUpdateDaemonSet }) rollingUpdateDaemonSet!: RollingUpdateDaemonSet;
  @Field({ type: IngressSpec }) ingressSpec!: IngressSpec;
  @Field({ type: NetworkPolicySpec }) networkPolicySpec!: NetworkPolicySpec;
  @Field({ type: RoleRef }) roleRef!: RoleRef;
  @Field({ type: PolicyRule }) policyRule!: PolicyRule;
  @Field({ type: HorizontalPodAutoscalerSpec }) horizontalPodAutoscalerSpec!: HorizontalPodAutoscalerSpec;
  @Field({ type: PodDisruptionBudgetSpec }) podDisruptionBudgetSpec!: PodDisruptionBudgetSpec;
  @Field({ type: LabelSelector }) labelSelector!: LabelSelector;
  @Field({ type: Condition }) condition!: Condition;
  @Field({ type: MetaDuration }) duration!: MetaDuration;
  @Field({ type: Time }) time!: Time;
  @Field({ type: MicroTime }) microTime!: MicroTime;
  @Field({ type: MetaOwnerReference }) ownerReference!: MetaOwnerReference;
  @Field({ type: MetaObjectMeta }) objectMeta!: MetaObjectMeta;
  @Field({ type: Quantity }) quantity!: Quantity;
  @Field({ type: IntOrString }) intOrString!: IntOrString;
  @Field({ type: RawExtension }) rawExtension!: RawExtension;
  @Field({ type: JSON }) json!: JSON;

  @Field('Env is merged by name', { items: EnvVar, listType: 'map', listMapKeys: ['name'], optional: true })
  env?: EnvVar[];
  @Field('Main is a container port with a comment of its own', { type: ContainerPort }) main!: ContainerPort;
  @Field({ values: ResourceRequirements, optional: true }) byZone?: Record<string, ResourceRequirements>;
  @Field({ values: Quantity, default: { cpu: '1' }, minProperties: 1 }) limits!: Record<string, Quantity>;
  @Field({
    type: LocalObjectReference,
    default: { name: 'none' },
    validations: [{ rule: "self.name != ''", message: 'name is empty' }],
  })
  default!: LocalObjectReference;
  @Field({ type: ServicePort, mapType: 'atomic', nullable: true, optional: true }) atomic?: ServicePort | null;
  @Field({ type: Probe, preserveUnknownFields: true, optional: true }) open?: Probe;
  @Field({ type: ConfigMap, embeddedResource: true, preserveUnknownFields: true, optional: true })
  configMap?: ConfigMap;
  @Field({ items: { items: Toleration }, maxItems: 3, optional: true }) matrix?: Toleration[][];
}

/** CatalogueStatus has the conditions */
class CatalogueStatus {
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'], optional: true }) conditions?: Condition[];
  @Field({ type: Time, optional: true }) since?: Time;
}

/** Catalogue is the Schema for the catalogues API */
@Kind({ group: 'golden.kindwright.dev', version: 'v1' })
export class Catalogue extends CustomResource {
  @Field({ optional: true }) spec!: CatalogueSpec;
  @Field() status!: CatalogueStatus;

  reconcile(): void {
    // Only its schema is looked at.
  }
}
