import type { TemplateContext, TemplateFault } from './template-types.ts';

export type EmailTemplate = { subject: string; html: string | null; text: string | null };
export type RenderedEmail =
  | { ok: true; subject: string; html: string | null; text: string | null }
  | { ok: false; message: string };

export function renderEmailTemplate(_template: EmailTemplate, _context: TemplateContext): RenderedEmail {
  throw new Error('in the making');
}

export function checkEmailTemplate(_template: EmailTemplate): TemplateFault[] {
  throw new Error('in the making');
}
