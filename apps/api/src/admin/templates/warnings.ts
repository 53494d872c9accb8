import type { ChannelRegistry } from '@postrider/channels';
import {
  channelsTaking,
  listTemplates,
  readEventType,
  readResources,
  type UnboundDatabase,
} from '@postrider/db';
import type { TemplateRecord, TemplateWarning } from '@postrider/domain';
import type { Renderer } from '@postrider/rendering';
import { turnOf } from '../operation.ts';

/** Warnings about missing content. The preview checks the rendered form. */
export function contentWarnings({ html, text }: TemplateRecord): TemplateWarning[] {
  if (html === null || text !== null) return [];
  return [
    { code: 'text_derived', path: '/text', message: 'is derived from the HTML, because there is none' },
  ];
}

/** Warnings about the HTML as written; none if no process was free to check it. */
export async function sourceWarnings(
  { db, renderer }: { db: UnboundDatabase; renderer: Renderer },
  template: TemplateRecord,
): Promise<TemplateWarning[]> {
  const { html, environmentId } = template;
  if (html === null) return [];
  const inspected = await renderer.inspect(html, await turnOf(db, environmentId));
  return inspected.ok ? inspected.answer : [];
}

/** A warning if an email in a stream has no unsubscribe link in its template and parts. The preview sees what is shown. */
export async function unsubscribeWarnings(
  { db, kinds }: { db: UnboundDatabase; kinds: ChannelRegistry },
  template: TemplateRecord,
): Promise<TemplateWarning[]> {
  const { environmentId, eventKey, channelKind, html, text } = template;
  if (kinds.get(channelKind).suppressibleField === undefined) return [];
  const eventType = await readEventType(db, { environmentId, eventKey });
  if (!eventType?.stream) return [];
  const resources = await readResources(db, environmentId, template, {});
  if ([html, text, JSON.stringify(resources)].some((each) => each?.includes('unsubscribe_url'))) return [];
  const message = `does not use {{ unsubscribe_url }}, and the event has the stream ${eventType.stream}`;
  return [{ code: 'unsubscribe_missing', path: html === null ? '/text' : '/html', message }];
}

/** Warnings about the effects of activating or deactivating a version. */
export async function deliveryWarnings(
  { db, kinds }: { db: UnboundDatabase; kinds: ChannelRegistry },
  template: TemplateRecord,
): Promise<TemplateWarning[]> {
  const { environmentId, eventKey, channelKind, active } = template;
  const channels = await channelsTaking(db, { environmentId, eventKey, kind: channelKind });
  const isTaken = channels.length > 0;
  const path = '/event_key';
  if (active && !isTaken) {
    const message = `no enabled ${channelKind} channel takes ${eventKey}: nothing is sent with this version`;
    return [{ code: 'no_matching_channel', path, message }];
  }
  const { warningsOf } = kinds.get(channelKind);
  if (active) {
    return channels.flatMap(({ name, config }) =>
      (warningsOf?.(config) ?? []).map(({ code, message }) => ({
        code,
        path,
        message: `${name} ${message}`,
      })),
    );
  }
  if (!isTaken || !kinds.get(channelKind).requiresTemplate) return [];
  const filter = { eventKey, channelKind, active: true };
  const { rows } = await listTemplates(db, { environmentId, filter, after: null, limit: 1 });
  if (rows.length > 0) return [];
  const consequence = 'its events are refused until a version is active';
  const message = `an enabled ${channelKind} channel takes ${eventKey}: ${consequence}`;
  return [{ code: 'template_required', path, message }];
}
