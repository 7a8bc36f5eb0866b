import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { setDefaults } from '../objects/set-defaults.js';

const SOURCE_DEFAULTS: Readonly<Record<string, JsonObject>> = {
  hostPath: { type: '' },
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
};

/** Sets the defaults of a volume source in a pod or a PersistentVolume. */
export function defaultVolumeSource(volume: JsonObject): void {
  for (const [source, defaults] of Object.entries(SOURCE_DEFAULTS))
    if (isJsonObject(volume[source])) setDefaults(volume[source], defaults);
}
