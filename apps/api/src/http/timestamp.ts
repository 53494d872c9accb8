/** RFC 3339, UTC, milliseconds, `Z`: contract section 1. */
export function formatTime(time: Date): string {
  return time.toISOString();
}

/** {@link formatTime} of a time that may be missing. */
export function formatOptionalTime(time: Date | null): string | null {
  return time && formatTime(time);
}
