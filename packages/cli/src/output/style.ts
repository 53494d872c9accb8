import type { Colors } from 'picocolors/types.js';

/** Colours, on a terminal only and never with NO_COLOR, and the width of the terminal. */
export interface Style extends Colors {
  /** In characters; left out if the output is not a terminal, where nothing is cut. */
  readonly width?: number | undefined;
}

/** The style of a table with sentences: nothing in it is cut, and the terminal wraps it. */
export const withoutWidth = (style: Style): Style => ({ ...style, width: undefined });

const COLORS = {
  green: ['active', 'delivered', 'succeeded', 'completed', 'ok'],
  red: ['failed', 'suspended', 'revoked'],
  yellow: ['partially_delivered', 'past_due', 'retrying', 'unknown', 'warning'],
  cyan: ['pending', 'queued', 'running', 'scheduled'],
  dim: ['cancelled', 'unrouted', 'skipped'],
};

/** A status in its usual colour. */
export function status(text: string, style: Style): string {
  const [color] = Object.entries(COLORS).find(([, statuses]) => statuses.includes(text)) ?? [];
  return color ? style[color as keyof typeof COLORS](text) : text;
}
