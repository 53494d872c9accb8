import { readEnvironment, tracing } from '@postrider/config';
import { describe, expect, it } from '@postrider/testing';

const read = (variables: Record<string, string>) => readEnvironment(tracing, variables);

describe('the configuration of traces', () => {
  it('has no collector by default, and with one exports all traces', () => {
    expect(read({})).toEqual({
      ok: true,
      config: {
        otlpEndpoint: null,
        otlpTracesEndpoint: null,
        tracesSampler: 'parentbased_always_on',
        tracesSamplerRatio: 1,
      },
    });
  });

  it('reads the variables of OpenTelemetry', () => {
    const result = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/otlp/v1/traces',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    });
    expect(result).toEqual({
      ok: true,
      config: {
        otlpEndpoint: 'http://collector:4318',
        otlpTracesEndpoint: 'https://traces.example.com/otlp/v1/traces',
        tracesSampler: 'parentbased_traceidratio',
        tracesSamplerRatio: 0.05,
      },
    });
  });

  it('names every issue without values', () => {
    const result = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector-hide:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://hide.example.com',
      OTEL_TRACES_SAMPLER: 'hide',
      OTEL_TRACES_SAMPLER_ARG: '1.5',
    });
    const issues = result.ok ? [] : result.issues;
    expect(issues.map((issue) => issue.split(' ')[0])).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
    ]);
    expect(issues.join()).not.toContain('hide');
  });
});
