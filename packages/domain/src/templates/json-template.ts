import type { JsonValue } from '../storable-json.ts';
import type { TemplateContext, TemplateFault } from './template-types.ts';

export type RenderedJson = { ok: true; value: JsonValue } | { ok: false; message: string };

export function renderJsonTemplate(_body: JsonValue, _context: TemplateContext): RenderedJson {
  throw new Error('in the making');
}

export function checkJsonTemplate(_body: JsonValue): TemplateFault[] {
  throw new Error('in the making');
}
