import { relativeTo } from './moment.ts';

export { toLocalInput } from './moment.ts';

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const DAY = { month: 'short', day: 'numeric' } as const;
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Makes a function that formats moments in the user's language and time zone. */
function timeFormat(options: Intl.DateTimeFormatOptions) {
  const { format } = new Intl.DateTimeFormat(undefined, options);
  return (at: string | number) => format(new Date(at));
}

const percentFormat = (maximumFractionDigits: number) =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits }).format;

export const formatNumber: (value: number) => string = new Intl.NumberFormat().format;
export const formatPercent: (value: number) => string = percentFormat(1);
/** A small share such as that of complaints, where 0.1 % is a lot. */
export const formatShare: (value: number) => string = percentFormat(2);
export const formatDateTime = timeFormat({ year: 'numeric', ...DAY, ...CLOCK });
export const formatDayTime = timeFormat({ ...DAY, ...CLOCK });
export const formatDay = timeFormat(DAY);
export const formatHour = timeFormat({ hour: '2-digit', minute: '2-digit' });
export const formatClock = timeFormat(CLOCK);

/** The same moment in UTC, as in the logs and the API. */
export const formatUtc = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`;

/** Such as "3 minutes ago". */
export const formatRelative = (iso: string, nowMs?: number) => relativeTo(relative, iso, nowMs);

/** Such as "153 ms", "2.4 s", "3 min 5 s" or "2 h 4 min". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** A duration; a dash if it is unknown because it is above the highest bucket. */
export const formatLatency = (ms: number | null | undefined) => (ms == null ? '–' : formatDuration(ms));

/** The share of deliveries that succeeded; a dash if none has ended. */
export function formatSuccessRate({ delivered, failed }: { delivered: number; failed: number }): string {
  const ended = delivered + failed;
  return ended === 0 ? '–' : formatPercent(delivered / ended);
}

/** The remaining time, such as "00:04:12". */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** The value of `<input type="datetime-local">` as RFC 3339; undefined if it is empty. */
export const fromLocalInput = (value: string) => (value ? new Date(value).toISOString() : undefined);

/** Such as "3.2 KB": 1 KB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${formatNumber(Math.round(size * 10) / 10)} ${unit}`;
}

/** A text as the beginning of a sentence. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const toJson = (value: unknown) => JSON.stringify(value, null, 2);

/** A text as one word of a shell. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Parses typed JSON. Throws a SyntaxError, also for a number beyond 2^53 that would lose digits, as the service refuses
 * them. Browsers older than 2025 do not pass the source of a number, and round it.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source }: { source?: string } = {}) => {
    const isLarge = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
    if (isLarge && source && !/e/i.test(source) && String(value) !== source.replace(/\.0+$/, '')) {
      throw new SyntaxError(`the number ${source} would lose digits: write it as a string`);
    }
    return value;
  });
}

/** The value of a field for JSON; undefined if it is empty. Text that {@link parseJson} refuses is sent unchanged: the response refuses it. */
export function typedField(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
