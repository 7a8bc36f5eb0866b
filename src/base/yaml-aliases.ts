import type { DocumentEvent, Event, EVENT_ID, PopEvent } from 'js-yaml';

/** The events of a document, with the identifiers of their types. */
interface YamlSource {
  readonly events: readonly Event[];
  readonly types: typeof EVENT_ID;
}

/** Below these numbers of decoded nodes, Go's decoder accepts any proportion of aliases. */
const FREE_ALIASED = 100;
const FREE_NODES = 1000;
/** Between these numbers of decoded nodes, the accepted proportion of aliased nodes falls from 99% to 10%. */
const RANGE_LOW = 400_000;
const RANGE_HIGH = 4_000_000;

/** Returns whether a text can have an anchor and an alias; the complete check is slower. */
export function mayHaveAliases(text: string): boolean {
  return text.includes('&') && text.includes('*');
}

/**
 * Returns the error of Go's YAML decoder (decode.go in go.yaml.in/yaml/v2) for the first document of a text with aliases that
 * contain themselves or that expand to too many nodes; undefined without any. The work is bounded by the same limit.
 */
export function aliasProblem(text: string, source: YamlSource): string | undefined {
  return new AliasWalk(text, source).problem();
}

/** An alias that is being expanded. */
interface Expansion {
  /** The index of the event after the alias. */
  readonly next: number;
  /** How many collections are open at the alias. */
  readonly depth: number;
}

/** Visits the nodes of a document in order, with aliases replaced by the nodes they refer to. */
class AliasWalk {
  private decoded = 0;
  private aliased = 0;
  /** Indexes of anchored nodes by name. */
  private readonly anchors = new Map<string, number>();
  /** Indexes of the collections that contain the current node. */
  private readonly open: number[] = [];
  private readonly expansions: Expansion[] = [];

  constructor(
    private readonly text: string,
    private readonly source: YamlSource,
  ) {}

  problem(): string | undefined {
    const { events, types } = this.source;
    let at = 0;
    for (let event = events[at]; event !== undefined; event = events[at]) {
      if (event.type === types.ALIAS) {
        if (this.isExcessive()) return 'document contains excessive aliasing';
        const name = this.text.slice(event.anchorStart, event.anchorEnd);
        const anchored = this.anchors.get(name);
        if (anchored === undefined) return undefined; // the parser reports it
        if (this.open.includes(anchored)) return `anchor '${name}' value contains itself`;
        this.expansions.push({ next: at + 1, depth: this.open.length });
        at = anchored;
        continue;
      }
      if (event.type === types.POP) this.open.pop();
      else {
        if (event.type === types.DOCUMENT) this.startDocument();
        else {
          if (this.isExcessive()) return 'document contains excessive aliasing';
          this.storeAnchor(event, at);
        }
        if (event.type !== types.SCALAR) this.open.push(at);
      }
      at = this.afterExpansions(at + 1);
    }
    return undefined;
  }

  /** The limits and anchors are those of one document. */
  private startDocument(): void {
    this.decoded = 0;
    this.aliased = 0;
    this.anchors.clear();
  }

  /** Counts one node. */
  private isExcessive(): boolean {
    this.decoded++;
    if (this.expansions.length > 0) this.aliased++;
    const { aliased, decoded } = this;
    return aliased > FREE_ALIASED && decoded > FREE_NODES && aliased / decoded > acceptedRatio(decoded);
  }

  private storeAnchor(event: Exclude<Event, DocumentEvent | PopEvent>, index: number): void {
    if (event.anchorStart < 0 || this.expansions.length > 0) return;
    this.anchors.set(this.text.slice(event.anchorStart, event.anchorEnd), index);
  }

  /** Returns where to continue; after the alias if its node, or that of several nested aliases, has ended. */
  private afterExpansions(following: number): number {
    let next = following;
    while (this.expansions.at(-1)?.depth === this.open.length) next = this.expansions.pop()?.next ?? next;
    return next;
  }
}

function acceptedRatio(decoded: number): number {
  if (decoded <= RANGE_LOW) return 0.99;
  if (decoded >= RANGE_HIGH) return 0.1;
  return 0.99 - (0.89 * (decoded - RANGE_LOW)) / (RANGE_HIGH - RANGE_LOW);
}
