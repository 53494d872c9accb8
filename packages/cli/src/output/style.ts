import type { Colors } from 'picocolors/types.js';

/** Colours, on a terminal only, and never with NO_COLOR. */
export type Style = Colors;

const STATUS_COLORS: Readonly<Record<string, 'green' | 'red' | 'yellow' | 'cyan' | 'dim'>> = {
  active: 'green',
  delivered: 'green',
  succeeded: 'green',
  completed: 'green',
  failed: 'red',
  suspended: 'red',
  revoked: 'red',
  partially_delivered: 'yellow',
  past_due: 'yellow',
  retrying: 'yellow',
  unknown: 'yellow',
  pending: 'cyan',
  queued: 'cyan',
  running: 'cyan',
  scheduled: 'cyan',
  cancelled: 'dim',
  unrouted: 'dim',
};

/** A status in its usual colour. */
export function status(text: string, style: Style): string {
  const color = Object.hasOwn(STATUS_COLORS, text) ? STATUS_COLORS[text] : undefined;
  return color ? style[color](text) : text;
}
