import type { ChangedTemplatePart, TemplatePart } from '@postrider/client';
import type { Style } from './style.ts';
import { record } from './table.ts';
import { part, warningLines } from './template.ts';

/** Splits a version into fields with their own lines, and the rest. */
function split(shown: TemplatePart) {
  if ('messages' in shown) {
    const { messages, ...summary } = shown;
    return { summary, heading: 'messages', content: JSON.stringify(messages, null, 2) };
  }
  const { content, mjml, ...summary } = shown;
  return { summary, heading: mjml === null ? 'content' : 'mjml', content: mjml ?? content };
}

/** A new or activated version, the republished templates, and the warnings. */
export function changedPart({ templates, warnings, ...changed }: ChangedTemplatePart, style: Style): string {
  const renewed = templates.map(
    ({ event_key, channel_kind, version, id }) => `${event_key} ${channel_kind}: version ${version}, ${id}`,
  );
  return [
    record(split(changed).summary, style),
    ...part('templates made again', renewed.length === 0 ? null : renewed.join('\n'), style),
    ...warningLines(warnings, style),
  ].join('\n');
}

/** A version with its content. */
export function partContent(shown: TemplatePart, style: Style): string {
  const { summary, heading, content } = split(shown);
  return [record(summary, style), ...part(heading, content, style)].join('\n');
}
