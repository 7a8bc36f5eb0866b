import type { CacheLine, CacheList, KindInfo, ShardsWire, WebhooksWire } from '../../wire.js';
import { formatCount, formatNoun, formatSize } from '../format.js';
import { hello, now } from '../store.js';
import { useJson } from '../use-json.js';
import { kindName } from './references.js';
import { State } from './state.js';
import { TablePanel } from './table-panel.js';

/** The time after which the caches are measured again. */
const MEASURED_MS = 10_000;

/** The replicas that share the objects by slots. */
export function ShardsPanel({ shards }: { readonly shards: ShardsWire }) {
  const { self, members, slots, ownCount, own } = shards;
  return (
    <TablePanel
      id="shards"
      title="Shards"
      note={`this replica works on ${formatCount(ownCount)} of ${formatNoun(slots, 'slot')}`}
      columns={['Replica', 'State', 'Slots']}
      numbers={1}
    >
      {members.map((member) => (
        <tr key={member.name}>
          <td>
            {member.name}
            {member.name === self && <strong> this replica</strong>}
            {member.name === self && own !== '' && (
              <details>
                <summary>Its slots</summary>
                <code>{own}</code>
              </details>
            )}
          </td>
          <td class="nowrap">
            {member.isLeaving ? (
              <State tone="warn" icon="clock" text="Stopping" />
            ) : (
              <State tone="ok" icon="ok" text="Working" />
            )}
          </td>
          <td class="number">{formatCount(member.slots)}</td>
        </tr>
      ))}
    </TablePanel>
  );
}

/** The admission and conversion webhooks of this process, with their requests. */
export function WebhooksPanel({ webhooks: { port, expiresAt, paths } }: { readonly webhooks: WebhooksWire }) {
  const served = port === undefined ? 'not served' : `served on port ${String(port)}`;
  const certificate = expiresAt === undefined ? '' : `, certificate ${validity(expiresAt, now.value)}`;
  return (
    <TablePanel
      id="webhooks"
      title="Webhooks"
      note={served + certificate}
      columns={['Path', 'Type', 'Kind', 'Requests', 'Failed']}
      numbers={2}
    >
      {paths.map(({ path, type, kinds, requests, failed }) => (
        <tr key={path}>
          <td>
            <code>{path}</code>
          </td>
          <td>{type}</td>
          <td>{kinds.map(kindName).join(', ')}</td>
          <td class="number">{formatCount(requests)}</td>
          <td class="number">
            {failed > 0 ? <span class="state-bad">{formatCount(failed)}</span> : formatCount(failed)}
          </td>
        </tr>
      ))}
    </TablePanel>
  );
}

function validity(expiresAt: number, nowMs: number): string {
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  return expiresAt > nowMs ? `valid until ${day}` : `expired on ${day}`;
}

const SHAPES = { whole: 'whole objects', fields: 'selected fields', 'metadata only': 'metadata only' };

/** The caches with their sizes, which are measured while the panel is shown. */
export function CachesPanel() {
  const { data } = useJson<CacheList>('caches', Math.floor(now.value / MEASURED_MS));
  const caches = data?.caches ?? hello.value?.kinds.map(unmeasured) ?? [];
  return (
    <TablePanel
      id="caches"
      title="Caches"
      note="sizes as JSON, estimated; in memory about 1.4 times as much"
      columns={['Kind', 'API', 'Read by', 'Cached', 'Largest field', 'Objects', 'Size']}
      numbers={2}
    >
      {caches.map((cache, index) => (
        <tr key={index}>
          <td>
            {kindName(cache.kind)}
            {cache.cluster && <span class="muted"> {cache.cluster}</span>}
          </td>
          <td class="muted">{cache.apiVersion}</td>
          <td>{cache.readBy.join(', ') || '–'}</td>
          <td class="muted">
            {SHAPES[cache.shape]}
            {cache.selector && ` with ${cache.selector}`}
          </td>
          <td class="muted">
            {cache.largest ? `${cache.largest.field} ${String(Math.round(cache.largest.share * 100))} %` : '–'}
          </td>
          <td class="number">{formatCount(cache.objects)}</td>
          <td class="number nowrap">{cache.bytes === undefined ? '–' : formatSize(cache.bytes)}</td>
        </tr>
      ))}
    </TablePanel>
  );
}

/** A kind before its caches are measured. */
function unmeasured({ id, group, version, shape, controllers, objects }: KindInfo): CacheLine {
  return { kind: id, apiVersion: group ? `${group}/${version}` : version, shape, readBy: controllers, objects };
}
