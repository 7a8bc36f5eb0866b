/** Outlines in a square of 16 units. */
const PATHS = {
  objects: 'M2.5 4.5 8 2l5.5 2.5v7L8 14l-5.5-2.5zM2.5 4.5 8 7l5.5-2.5M8 7v7',
  runs: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 4.5V8l2.5 1.5',
  runtime: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  logs: 'M3 3.5h10M3 6.5h7M3 9.5h10M3 12.5h5',
  doctor: 'M1.5 8.5H4L6 3.5l3.5 9 2-4h3',
  metrics: 'M2.5 2.5v11h11M5 10.5l2.5-3.5 2 2L13 4.5',
  edit: 'M10.5 3 13 5.5 6 12.5l-3 .5.5-3z',
  ok: 'M3.5 8.5l3 3 6-7',
  bad: 'M4 4l8 8M12 4l-8 8',
  warn: 'M8 2.5 14.5 13.5H1.5zM8 6.5v3M8 11.7h.01',
  busy: 'M8 2a6 6 0 1 1-5.2 3',
  none: 'M4.5 8h7',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 4.5V8l2.5 1.5',
  down: 'M4 6.5l4 4 4-4',
  right: 'M6.5 4l4 4-4 4',
  back: 'M9.5 4l-4 4 4 4',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.5 10.5l3 3',
  play: 'M5 3.5v9l7-4.5z',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  leader: 'M2.5 12.5h11M2.5 10l-.5-6L5.5 7 8 3l2.5 4L14 4l-.5 6z',
} as const;

export type IconName = keyof typeof PATHS;

/** A decoration; the text beside it carries the meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
