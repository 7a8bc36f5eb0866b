import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly T[];
  readonly rowHeight: number;
  readonly className: string;
  readonly keyOf: (row: T) => string;
  /** Called for a click on a row and for Enter. */
  readonly onOpen: (row: T) => void;
  /** Returns the cells of a row, each an element of role `gridcell`. */
  readonly children: (row: T) => ComponentChildren;
}

const SPARE_ROWS = 6;

/** The height of the row of column headers, which stays visible. */
const HEAD_HEIGHT = 28;

/**
 * A grid of rows of one height, of which only the visible ones are in the document.
 *
 * The selected row is identified by its key, so that it stays selected when rows are added or sorted. Rows that are added at
 * the top do not move what is being read.
 */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, columns, rows, rowHeight, className, keyOf } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { top, height } = useScroll(frame);
  const [selected, setSelected] = useState('');
  useAnchor(frame, rows, rowHeight, keyOf);
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
  const last = Math.min(rows.length, first + Math.ceil(height / rowHeight) + 1 + 2 * SPARE_ROWS);
  const index = selected === '' ? -1 : rows.findIndex((row) => keyOf(row) === selected);

  const select = (next: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, next))];
    if (!row || !frame.current) return;
    setSelected(keyOf(row));
    scrollToRow(frame.current, rows.indexOf(row), rowHeight);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[index];
    if (event.key === 'Enter' && row) props.onOpen(row);
    const next = nextIndex(event.key, index, rows.length, Math.floor(height / rowHeight));
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    select(next);
  };
  const activeId = index >= first && index < last ? `${className}-row-${String(index)}` : undefined;
  return (
    <div
      ref={frame}
      class={`list ${className}`}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={activeId}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (index < 0) select(Math.ceil(top / rowHeight));
      }}
    >
      <div class="list-head" role="row" aria-rowindex={1}>
        {columns.map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div class="list-spacer" role="rowgroup" style={{ height: `${String(rows.length * rowHeight)}px` }}>
        {pooledIndexes(first, last).map((at, slot) => {
          const row = rows[at];
          if (!row) return null;
          return (
            <div
              key={slot}
              id={`${className}-row-${String(at)}`}
              class="list-row"
              role="row"
              aria-rowindex={at + 2}
              aria-selected={at === index}
              style={{ transform: `translateY(${String(at * rowHeight)}px)`, height: `${String(rowHeight)}px` }}
              onClick={(event) => {
                setSelected(keyOf(row));
                // The link in the row opens it too, in a new tab with Ctrl.
                if (!(event.target as Element).closest('a')) props.onOpen(row);
              }}
            >
              {props.children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/**
 * Returns the indexes of rows from `first` to before `last`, each at its index modulo their number: when the list is scrolled
 * by a row, only one element gets another row.
 */
function pooledIndexes(first: number, last: number): number[] {
  const size = Math.max(0, last - first);
  const indexes = Array.from({ length: size }, (_, offset) => first + offset);
  return indexes.sort((a, b) => (a % size) - (b % size));
}

function nextIndex(key: string, index: number, count: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return index + 1;
    case 'ArrowUp':
    case 'k':
      return index - 1;
    case 'PageDown':
      return index + page;
    case 'PageUp':
      return index - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function scrollToRow(frame: HTMLElement, index: number, rowHeight: number): void {
  const top = index * rowHeight;
  if (top < frame.scrollTop) frame.scrollTop = top;
  const bottom = top + rowHeight + HEAD_HEIGHT - frame.clientHeight;
  if (bottom > frame.scrollTop) frame.scrollTop = bottom;
}

/** The visible part of a scrolled element, updated with each frame. */
function useScroll(frame: { readonly current: HTMLElement | null }): { readonly top: number; readonly height: number } {
  const [view, setView] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const update = () => {
      setView({ top: element.scrollTop, height: element.clientHeight - HEAD_HEIGHT });
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [frame]);
  return view;
}

/**
 * Keeps the first visible row where it is when rows are added above it, unless the list is at its top. At the top, rows move
 * only while the pointer is elsewhere, so that a click does not reach another row.
 */
function useAnchor<T>(
  frame: { readonly current: HTMLElement | null },
  rows: readonly T[],
  rowHeight: number,
  keyOf: (row: T) => string,
): void {
  const anchor = useRef<{ key: string; offset: number } | undefined>(undefined);
  const isHeldAtTop = useRef(false);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const held = anchor.current;
    if (held) {
      const index = rows.findIndex((row) => keyOf(row) === held.key);
      if (index >= 0) element.scrollTop = index * rowHeight + held.offset;
    }
    const remember = () => {
      const { scrollTop } = element;
      const row = rows[Math.floor(scrollTop / rowHeight)];
      const isHeld = scrollTop > 0 || element.matches(':hover');
      anchor.current = row && isHeld ? { key: keyOf(row), offset: scrollTop % rowHeight } : undefined;
    };
    const enter = () => {
      isHeldAtTop.current = element.scrollTop === 0;
      remember();
    };
    const leave = () => {
      if (isHeldAtTop.current) element.scrollTop = 0;
      isHeldAtTop.current = false;
      remember();
    };
    const wheel = () => {
      isHeldAtTop.current = false;
    };
    remember();
    element.addEventListener('scroll', remember, { passive: true });
    element.addEventListener('wheel', wheel, { passive: true });
    element.addEventListener('mouseenter', enter);
    element.addEventListener('mouseleave', leave);
    return () => {
      element.removeEventListener('scroll', remember);
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('mouseenter', enter);
      element.removeEventListener('mouseleave', leave);
    };
  }, [frame, rows, rowHeight, keyOf]);
}
