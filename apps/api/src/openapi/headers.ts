/** `#/components/headers`: contract sections 1 to 3. */
export const RESPONSE_HEADERS = {
  'X-Request-ID': {
    description: 'Your X-Request-ID, when you sent one that is acceptable.',
    schema: { type: 'string' },
  },
  'X-Trace-ID': {
    description: 'The W3C trace id of the request, from your `traceparent` when you sent one.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  'RateLimit-Policy': {
    description:
      'The bucket of the environment: `q` requests in `w` seconds. Absent on a plan without a limit.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
    example: '"default";q=100;w=2',
  },
  RateLimit: {
    description: 'What is left of it: `r` requests; it is full again in `t` seconds.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=99;t=1',
  },
  'Retry-After': {
    description:
      'Whole seconds after which the same request may succeed. With 409 only for `idempotency_in_progress`.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Idempotent-Replayed': {
    description: 'Present when this is the stored answer of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': {
    description: 'The scheme that is wanted.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
};
