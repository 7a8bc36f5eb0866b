import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';

/** One line of a chart; null where a value is missing. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  /** In seconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

const HEIGHT = 150;

/** The pointer is shown in all charts of the page at the same time. */
const cursors = UPlot.sync('metrics');

/** A line chart; its title, legend and table carry the same values as text. */
export function Chart(props: ChartProps) {
  const { title, times, series } = props;
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot | undefined>(undefined);
  const names = series.map(({ name }) => name).join();
  const data = [times, ...series.map(({ values }) => values)] as unknown as UPlot.AlignedData;

  useEffect(() => {
    const parent = element.current;
    if (!parent) return;
    const create = () => {
      chart.current?.destroy();
      chart.current = new UPlot(optionsOf(parent, props), data, parent);
    };
    create();
    const resized = new ResizeObserver(() => chart.current?.setSize({ width: parent.clientWidth, height: HEIGHT }));
    resized.observe(parent);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', create);
    return () => {
      resized.disconnect();
      scheme.removeEventListener('change', create);
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [names]);
  useEffect(() => {
    chart.current?.setData(data);
  }, [times]);
  return <div ref={element} class="chart" role="img" aria-label={`Chart: ${title}; the table below has its values`} />;
}

function optionsOf(parent: HTMLElement, { series, format }: ChartProps): UPlot.Options {
  const colour = (name: string) => colourOf(parent, name);
  const axis = {
    stroke: colour('muted'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: FONT,
  };
  return {
    width: parent.clientWidth,
    height: HEIGHT,
    cursor: { sync: { key: cursors.key }, points: { size: 6 }, drag: { x: false, y: false } },
    legend: { show: false },
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      { ...axis, size: 24, values: (_, ticks) => ticks.map((tick) => timeOf(tick)) },
      { ...axis, size: 58, values: (_, ticks) => ticks.map((tick) => format(tick)) },
    ],
    series: [
      {},
      ...series.map(({ name }, index) => ({
        label: name,
        stroke: colour(`series-${String(index % 6)}`),
        width: 1.5,
        points: { show: false },
      })),
    ],
  };
}

const FONT = '11px system-ui, sans-serif';

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toTimeString().slice(0, 8);
}

/** The canvas needs the value that a variable has in the present colour scheme. */
function colourOf(parent: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
