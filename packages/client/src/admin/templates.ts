import { pagedList } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { BodyOf, QueryOf, TemplateSummary } from '../types.ts';
import { type AdminCalls, once } from './calls.ts';

const TEMPLATES = '/admin/v1/environments/{environmentId}/templates';
const TEMPLATE = '/admin/v1/templates/{templateId}';

/**
 * What is sent for an event: versions that never change, of which one is active for each event and kind of
 * channel.
 */
export function templatesOf({ http, perform }: AdminCalls) {
  const on = (templateId: string) => ({ params: { path: { templateId } } });
  return {
    /** Those of one environment, without their contents. */
    of: (environmentId: string) =>
      pagedList<QueryOf<'listTemplates'>, TemplateSummary>((query, options) =>
        perform(
          (init) => http.GET(TEMPLATES, { ...init, params: { path: { environmentId }, query } }),
          options,
        ),
      ),
    get: (templateId: string, options?: CallOptions) =>
      perform((init) => http.GET(TEMPLATE, { ...init, ...on(templateId) }), options),
    /** Adds a version. */
    create: (environmentId: string, body: BodyOf<'createTemplate'>, options?: CallOptions) =>
      perform(
        (init) => http.POST(TEMPLATES, { ...init, params: { path: { environmentId } }, body }),
        once(options),
      ),
    /** Sends this version from now on, also an older one. */
    activate: (templateId: string, options?: CallOptions) =>
      perform((init) => http.POST(`${TEMPLATE}/activate`, { ...init, ...on(templateId) }), options),
    deactivate: (templateId: string, options?: CallOptions) =>
      perform((init) => http.POST(`${TEMPLATE}/deactivate`, { ...init, ...on(templateId) }), options),
    /** Renders it and sends nothing. */
    preview: (templateId: string, body: BodyOf<'previewTemplate'> = {}, options?: CallOptions) =>
      perform((init) => http.POST(`${TEMPLATE}/preview`, { ...init, ...on(templateId), body }), options),
  };
}
