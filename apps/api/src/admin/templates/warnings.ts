import { isTakenByChannel, listTemplates, type TemplateRecord, type UnboundDatabase } from '@postrider/db';
import type { TemplateWarning } from '@postrider/domain';

/** What the content of a version lacks; its rendered form is the preview's to judge. */
export function contentWarnings({ html, text }: TemplateRecord): TemplateWarning[] {
  if (html === null || text !== null) return [];
  return [
    { code: 'text_derived', path: '/text', message: 'is derived from the HTML, because there is none' },
  ];
}

/** What will not happen, or will go wrong, now that a version has become active or has ceased to be. */
export async function deliveryWarnings(
  db: UnboundDatabase,
  template: TemplateRecord,
): Promise<TemplateWarning[]> {
  const { environmentId, eventKey, channelKind, active } = template;
  const isTaken = await isTakenByChannel(db, { environmentId, eventKey, kind: channelKind });
  const path = '/event_key';
  if (active && !isTaken) {
    const message = `no enabled ${channelKind} channel takes ${eventKey}: nothing is sent with this version`;
    return [{ code: 'no_matching_channel', path, message }];
  }
  if (active || !isTaken || channelKind !== 'email') return [];
  const filter = { eventKey, channelKind, active: true };
  const { rows } = await listTemplates(db, { environmentId, filter, after: null, limit: 1 });
  if (rows.length > 0) return [];
  const consequence = 'its events are refused until a version is active';
  const message = `an enabled email channel takes ${eventKey}: ${consequence}`;
  return [{ code: 'template_required', path, message }];
}
