// The modules of prom-client that are loaded; its own types describe its main module only.

declare module 'prom-client/lib/counter.js' {
  export { Counter as default } from 'prom-client';
}

declare module 'prom-client/lib/gauge.js' {
  export { Gauge as default } from 'prom-client';
}

declare module 'prom-client/lib/histogram.js' {
  import type { Histogram as DeclaredHistogram } from 'prom-client';
  /** With the properties that its types leave out. */
  class Histogram extends DeclaredHistogram {
    readonly labelNames: readonly string[];
    readonly upperBounds: readonly number[];
  }
  export { Histogram as default };
}

declare module 'prom-client/lib/registry.js' {
  export { Registry as default } from 'prom-client';
}

declare module 'prom-client/lib/defaultMetrics.js' {
  export { collectDefaultMetrics as default } from 'prom-client';
}
