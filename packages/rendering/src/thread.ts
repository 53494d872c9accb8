import {
  checkEmailTemplate,
  checkJsonTemplate,
  type RenderedEmail,
  renderEmailTemplate,
  renderJsonTemplate,
} from '@postrider/domain';
import { toPlainText } from './plain-text.ts';
import type { Answers, Task, Work } from './task.ts';

function renderEmail({ template, context }: Extract<Work, { kind: 'email' }>): RenderedEmail {
  const rendered = renderEmailTemplate(template, context);
  if (!rendered.ok || rendered.text !== null || rendered.html === null) return rendered;
  return { ...rendered, text: toPlainText(rendered.html) };
}

function answer(work: Work): Answers[Work['kind']] {
  switch (work.kind) {
    case 'email':
      return renderEmail(work);
    case 'json':
      return renderJsonTemplate(work.body, work.context);
    case 'check_email':
      return checkEmailTemplate(work.template);
    case 'check_json':
      return checkJsonTemplate(work.body);
  }
}

/** The entry of a render thread: one synchronous piece of work per call. */
export default function runTask({ work, started }: Task): Answers[Work['kind']] {
  started.postMessage('started');
  return answer(work);
}
