import { choice } from './fields.ts';
import { accepted, type Field, optional, refused } from './read-environment.ts';

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The URL of a collector; an issue does not repeat it, because it may contain a password. */
function endpoint(variable: string): Field<string | null> {
  return optional<string | null>(variable, null, (text) =>
    isHttpUrl(text) ? accepted(text) : refused('must be a URL that starts with http:// or https://'),
  );
}

/**
 * Traces by OpenTelemetry's own variables: there are none unless one of the endpoints is given. They are sent as
 * OTLP over HTTP. What is not here, such as OTEL_EXPORTER_OTLP_HEADERS, its exporter reads itself.
 */
export const tracing = {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: the collector, such as http://collector:4318. */
  otlpEndpoint: endpoint('OTEL_EXPORTER_OTLP_ENDPOINT'),
  /** `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`: the whole URL for traces, when it is another one. */
  otlpTracesEndpoint: endpoint('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
  /** `OTEL_TRACES_SAMPLER`: which traces are sent; all by default. The caller's own decision is ignored. */
  tracesSampler: choice('OTEL_TRACES_SAMPLER', {
    fallback: 'parentbased_always_on',
    values: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
  }),
  /** `OTEL_TRACES_SAMPLER_ARG`: the part of the traces that samplers by ratio send, from 0 to 1; 1 by default. */
  tracesSamplerRatio: optional('OTEL_TRACES_SAMPLER_ARG', 1, (text) => {
    const ratio = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
    return ratio >= 0 && ratio <= 1 ? accepted(ratio) : refused('must be a number from 0 to 1');
  }),
};

/**
 * `TRACE_URL_TEMPLATE`: where a browser shows a trace, with `{trace_id}` in its place, for links of the console; none by
 * default.
 */
export const traceUrlTemplate: Field<string | null> = optional<string | null>(
  'TRACE_URL_TEMPLATE',
  null,
  (text) =>
    isHttpUrl(text) && text.includes('{trace_id}')
      ? accepted<string | null>(text)
      : refused('must be a URL that starts with http:// or https:// and contains {trace_id}'),
);
