declare module 'parse-prometheus-text-format' {
  /** The families of metrics on a page of Prometheus' text format; throws where it is none. */
  export default function parsePrometheusTextFormat(
    page: string,
  ): readonly { readonly name: string; readonly help: string; readonly type: string }[];
}
