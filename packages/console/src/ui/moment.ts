/** Moments without the user's language: the portal uses them with its own. */

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Such as "3 minutes ago", in the language of `format`. */
export function relativeTo(format: Intl.RelativeTimeFormat, iso: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS[3];
  return format.format(Math.round(seconds / size), unit);
}

/** A moment as a value for `<input type="datetime-local">`, in the user's time zone. */
export function toLocalInput(iso: string | undefined): string {
  if (!iso) return '';
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
