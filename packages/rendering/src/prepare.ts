import {
  checkEmailTemplate,
  checkTemplate,
  type EmailContent,
  isMjml,
  type TemplateContent,
  type TemplateVerdict,
} from '@postrider/domain';
import { compileMjml } from './mjml.ts';
import { createMjmlPositions } from './mjml-positions.ts';

type MjmlContent = EmailContent & { html: string };

/** Whether it has to be compiled. */
export function isWrittenInMjml(content: TemplateContent): content is MjmlContent {
  return content.format === 'email' && content.html !== null && isMjml(content.html);
}

/** Compiles what is MJML and checks the result: what a new template version keeps, or all that is wrong. */
export async function prepareTemplate(content: TemplateContent): Promise<TemplateVerdict> {
  if (!isWrittenInMjml(content)) return checkTemplate(content);
  // Liquid is checked as it was written: its issues shall be found there, and not in what MJML makes of it.
  const issues = checkEmailTemplate(content);
  if (issues.some(({ path }) => path === '/html')) return { outcome: 'invalid', issues };
  const compiled = await compileMjml(content.html);
  if (compiled.outcome === 'invalid') return { outcome: 'invalid', issues: [...issues, ...compiled.issues] };
  const verdict = checkTemplate({ ...content, html: compiled.html, mjml: content.html });
  if (verdict.outcome === 'sound') return verdict;
  return { outcome: 'invalid', issues: verdict.issues.map(createMjmlPositions(content.html, compiled.html)) };
}
