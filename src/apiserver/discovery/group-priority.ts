import { ownMember } from '../../base/own-member.js';
/** The priority of groups of custom resources. */
const CUSTOM = 1000;

/** Priorities by group: pkg/controlplane/apiserver/aggregator.go of Kubernetes. */
export const GROUP_PRIORITIES: Readonly<Record<string, number>> = {
  '': 18000,
  'admissionregistration.k8s.io': 16700,
  'apiextensions.k8s.io': 16700,
  apps: 17800,
  'authentication.k8s.io': 17700,
  'authorization.k8s.io': 17600,
  autoscaling: 17500,
  batch: 17400,
  'certificates.k8s.io': 17300,
  'coordination.k8s.io': 16500,
  'discovery.k8s.io': 16200,
  'events.k8s.io': 17750,
  'flowcontrol.apiserver.k8s.io': 16100,
  'networking.k8s.io': 17200,
  'node.k8s.io': 16300,
  policy: 17100,
  'rbac.authorization.k8s.io': 17000,
  'resource.k8s.io': 16200,
  'scheduling.k8s.io': 16600,
  'storage.k8s.io': 16800,
};
/** Returns the priority of a group that this server serves; higher ones come first in discovery. */
export function groupPriority(group: string): number {
  return group === 'apiregistration.k8s.io' ? Infinity : (ownMember(GROUP_PRIORITIES, group) ?? CUSTOM);
}
