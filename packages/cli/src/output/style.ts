import type { Colors } from 'picocolors/types.js';

/** Colours, on a terminal only, and never with NO_COLOR. */
export type Style = Colors;

const COLORS = {
  green: ['active', 'delivered', 'succeeded', 'completed'],
  red: ['failed', 'suspended', 'revoked'],
  yellow: ['partially_delivered', 'past_due', 'retrying', 'unknown'],
  cyan: ['pending', 'queued', 'running', 'scheduled'],
  dim: ['cancelled', 'unrouted'],
};

/** A status in its usual colour. */
export function status(text: string, style: Style): string {
  const [color] = Object.entries(COLORS).find(([, statuses]) => statuses.includes(text)) ?? [];
  return color ? style[color as keyof typeof COLORS](text) : text;
}
