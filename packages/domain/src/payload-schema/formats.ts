import type { FormatName } from 'ajv-formats';

/**
 * The formats that payloads are held against: those of JSON Schema 2020-12 (validation section 7.3) but the
 * internationalised ones, and those of OpenAPI. Each reads its text once: the library's `url`, which does not,
 * is left out.
 */
export const PAYLOAD_FORMATS = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'regex',
  'int32',
  'int64',
  'float',
  'double',
  'password',
  'binary',
] as const satisfies readonly FormatName[];
