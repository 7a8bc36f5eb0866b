/** Annotations of the real controllers on volumes and claims. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const FORMER_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
