declare module 'parse-prometheus-text-format' {
  /** Parses the metric families of a page in Prometheus' text format. Throws if it is not in that format. */
  export default function parsePrometheusTextFormat(page: string): readonly {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly object[];
  }[];
}
