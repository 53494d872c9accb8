import { choice } from './fields.ts';
import { accepted, type Field, optional, orNull, refused } from './read-environment.ts';

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The URL of a collector; an issue does not repeat it, because it may contain a password. */
function endpoint(variable: string): Field<string | null> {
  return orNull<string>(variable, (text) =>
    isHttpUrl(text) ? accepted(text) : refused('must be a URL that starts with http:// or https://'),
  );
}

/**
 * Tracing, with OpenTelemetry's own variables. It is off unless one of the endpoints is set. Traces are sent as OTLP
 * over HTTP. The exporter itself reads the variables that are not here, such as OTEL_EXPORTER_OTLP_HEADERS.
 */
export const tracing = {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: the collector, such as http://collector:4318. */
  otlpEndpoint: endpoint('OTEL_EXPORTER_OTLP_ENDPOINT'),
  /** `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`: the complete URL for traces, if they have their own. */
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
  /** `OTEL_TRACES_SAMPLER_ARG`: the share of traces that ratio samplers send, from 0 to 1; 1 by default. */
  tracesSamplerRatio: optional('OTEL_TRACES_SAMPLER_ARG', 1, (text) => {
    const ratio = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
    return ratio >= 0 && ratio <= 1 ? accepted(ratio) : refused('must be a number from 0 to 1');
  }),
};

/**
 * `TRACE_URL_TEMPLATE`: the URL of the page that shows a trace, with the placeholder `{trace_id}`, for links in the
 * console; none by default.
 */
export const traceUrlTemplate: Field<string | null> = orNull<string>('TRACE_URL_TEMPLATE', (text) =>
  isHttpUrl(text) && text.includes('{trace_id}')
    ? accepted(text)
    : refused('must be a URL that starts with http:// or https:// and contains {trace_id}'),
);
