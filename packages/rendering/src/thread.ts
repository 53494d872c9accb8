import {
  previewEmailTemplate,
  previewJsonTemplate,
  type RenderedEmail,
  renderEmailTemplate,
  renderJsonTemplate,
} from '@postrider/domain';
import { warningsOfMail } from './mail-warnings.ts';
import { loadMjml } from './mjml.ts';
import { toPlainText } from './plain-text.ts';
import { isWrittenInMjml, prepareTemplate } from './prepare.ts';
import type { Answers, PreviewedEmail, Task, Work } from './task.ts';

type Parts = { html: string | null; text: string | null };

const withText = <Rendered extends Parts>(rendered: Rendered): Rendered =>
  rendered.text === null && rendered.html !== null
    ? { ...rendered, text: toPlainText(rendered.html) }
    : rendered;

function renderEmail({ template, context }: Extract<Work, { kind: 'email' }>): RenderedEmail {
  const rendered = renderEmailTemplate(template, context);
  return rendered.ok ? withText(rendered) : rendered;
}

function previewEmail({ template, context }: Extract<Work, { kind: 'preview_email' }>): PreviewedEmail {
  const preview = previewEmailTemplate(template, context);
  if (preview.rendered === null) return { ...preview, warnings: [] };
  const rendered = withText(preview.rendered);
  return { ...preview, rendered, warnings: warningsOfMail({ ...rendered, hasText: template.text !== null }) };
}

function answer(work: Work): Answers[Work['kind']] | Promise<Answers[Work['kind']]> {
  switch (work.kind) {
    case 'email':
      return renderEmail(work);
    case 'json':
      return renderJsonTemplate(work.body, work.context);
    case 'preview_email':
      return previewEmail(work);
    case 'preview_json':
      return previewJsonTemplate(work.body, work.context);
    case 'prepare':
      return prepareTemplate(work.content);
  }
}

/** The entry of a render thread: one piece of work at a time. */
export default async function runTask({ work, started }: Task): Promise<Answers[Work['kind']]> {
  // Loading the compiler is not the template's fault.
  if (work.kind === 'prepare' && isWrittenInMjml(work.content)) await loadMjml();
  started.postMessage('started');
  return answer(work);
}
