// Draws the result of a race as SVG, with echarts. The bench installs it beside the peers; the package does not need it.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ECHARTS = 'echarts@6.1.0';

/** CPU time and memory of one candidate after a cold sync. */
export interface RacePoint {
  readonly name: string;
  readonly objects: number;
  readonly cpuMs: number;
  readonly megabytes: number;
}

interface Charts {
  init(
    dom: null,
    theme: null,
    options: object,
  ): { setOption(option: object): void; renderToSVGString(): string; dispose(): void };
}

/** Returns an SVG with two diagrams, both axes logarithmic. `folder` receives echarts. */
export function drawRace(points: readonly RacePoint[], folder: string): string {
  const chart = charts(folder).init(null, null, { renderer: 'svg', ssr: true, width: 880, height: 380 });
  const names = [...new Set(points.map(({ name }) => name))];
  const panels = [
    { title: 'CPU time of the sync, ms', value: ({ cpuMs }: RacePoint) => cpuMs },
    { title: 'memory after it, MB', value: ({ megabytes }: RacePoint) => megabytes },
  ];
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    color: ['#d9480f', '#1c7ed6', '#2b8a3e'],
    title: panels.map(({ title }, panel) => ({
      text: title,
      left: `${panel * 50 + 5}%`,
      textStyle: { fontSize: 14, fontWeight: 'normal' },
    })),
    legend: { data: names, bottom: 0, itemGap: 40 },
    grid: panels.map((_, panel) => ({ left: `${panel * 50 + 7}%`, width: '38%', top: 40, bottom: 80 })),
    xAxis: panels.map((_, gridIndex) => ({
      type: 'log',
      gridIndex,
      min: Math.min(...points.map(({ objects }) => objects)),
      name: 'objects of 1 KB',
      nameLocation: 'middle',
      nameGap: 30,
    })),
    yAxis: panels.map((_, gridIndex) => ({ type: 'log', gridIndex, min: 10 })),
    series: panels.flatMap(({ value }, panel) =>
      names.map((name) => ({
        ...{ name, type: 'line', xAxisIndex: panel, yAxisIndex: panel },
        data: points.filter((point) => point.name === name).map((point) => [point.objects, Math.round(value(point))]),
      })),
    ),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

function charts(folder: string): Charts {
  mkdirSync(folder, { recursive: true });
  const { resolve } = createRequire(join(folder, 'index.js'));
  try {
    resolve('echarts');
  } catch {
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, ECHARTS], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return createRequire(join(folder, 'index.js'))('echarts') as Charts;
}
