import type { AttemptError, AttemptOutcome } from '@postrider/domain';

type Decided = AttemptOutcome<'decided'>;

const MEASURED = { response: null, renderMs: 0, durationMs: 1, expires: false };

/** The outcome of an attempt that delivered. */
export const SUCCEEDED: Decided = {
  ...MEASURED,
  status: 'succeeded',
  error: null,
  next: { status: 'succeeded' },
};

/** The outcome of an attempt that failed. By default the error is retryable. */
export function failedWith(
  code: AttemptError['code'],
  next: Decided['next'],
  changes: Partial<AttemptError> = {},
): Extract<Decided, { error: AttemptError }> {
  const error: AttemptError = {
    stage: 'send',
    code,
    message: 'It failed.',
    retryable: true,
    retryAfterMs: null,
    endpointGone: false,
    ...changes,
  };
  return { ...MEASURED, status: 'failed', error, next };
}
