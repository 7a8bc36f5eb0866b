import type { WatchLine } from '../proxy/fault.js';
import { editLines } from '../proxy/faults.js';
import type { ProxiedCall } from '../proxy/proxied-call.js';
import type { World } from '../harness/world.js';

/** Swallows the lines of all watches of a row while it is switched on. Must be created before the managers. */
export class LineSwitch {
  isDropping = false;

  constructor(world: World) {
    const replace = ({ text }: WatchLine): { send: string[] } => ({ send: this.isDropping ? [] : [text] });
    world.proxy.inject({ verb: 'watch' }, editLines(replace));
  }
}

/** Lists and streamed lists of a resource so far, without those of versions only. */
export function listsOf({ proxy }: World, resource: string): number {
  return proxy.calls.filter(
    (call) =>
      call.resource === resource &&
      ((call.verb === 'list' && !call.query.has('continue') && !isOfVersions(call)) ||
        call.query.has('sendInitialEvents')),
  ).length;
}

/** True for a list of one object, for the version of the server, and for one of an audit. */
function isOfVersions({ query, headers }: ProxiedCall): boolean {
  return query.get('limit') === '1' || String(headers['accept']).includes('PartialObjectMetadata');
}

/** Watches of a resource so far that resumed at a resource version. */
export function resumedWatchesOf({ proxy }: World, resource: string): number {
  return proxy.calls.filter(
    (call) => call.resource === resource && call.verb === 'watch' && !call.query.has('sendInitialEvents'),
  ).length;
}

export const isResumed = ({ query }: { query: URLSearchParams }): boolean => !query.has('sendInitialEvents');
