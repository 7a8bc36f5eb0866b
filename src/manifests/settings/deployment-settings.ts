import type {
  EnvFromSource,
  EnvVar,
  LocalObjectReference,
  ResourceRequirements,
  Volume,
  VolumeMount,
} from '../../resource/definitions/kubernetes-definitions.js';

/** Settings of the Deployment that runs an operator, in the terms of a pod's spec. */
export interface DeploymentSettings {
  /** Default 1, with webhooks or sharding 2. Without sharding, leader election keeps one of them active. */
  readonly replicas?: number;
  /** Each replica reconciles a part of the objects. Default false. */
  readonly sharding?: boolean;
  /** Arguments of run-operator, added after the generated ones. */
  readonly args?: readonly string[];
  /** Environment variables, added after `NODE_ENV=production`; one of that name replaces it. */
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly volumes?: readonly Volume[];
  readonly volumeMounts?: readonly VolumeMount[];
  /** Replaces the generated requests and limits. */
  readonly resources?: ResourceRequirements;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
}
