import { writeFileSync } from 'node:fs';
import {
  describeRenderErrors,
  fillEnvelope,
  isMjml,
  previewEmailTemplate,
  previewJsonTemplate,
  type RenderedEmail,
  readAttachments,
  renderEmailTemplate,
  renderEnvelope,
  renderJsonTemplate,
  type TemplateContext,
} from '@postrider/domain';
import { type Complete, complete } from './kept-contents.ts';
import { warningsOfMail, warningsOfSource } from './mail-warnings.ts';
import { loadMjml } from './mjml.ts';
import { createMjmlPositions } from './mjml-positions.ts';
import { outliveParentBy } from './outlive-parent.ts';
import { toPlainText } from './plain-text.ts';
import { isWrittenInMjml, preparePart, prepareTemplate } from './prepare.ts';
import type { Answers, PreviewedEmail, Report, SourcedEmail, Work } from './task.ts';

type Parts = { html: string | null; text: string | null };

const withText = <Rendered extends Parts>(rendered: Rendered): Rendered =>
  rendered.text === null && rendered.html !== null
    ? { ...rendered, text: toPlainText(rendered.html) }
    : rendered;

const unchanged = <At>(at: At): At => at;

const toSourceOf = ({ html, mjml }: SourcedEmail) =>
  html !== null && mjml ? createMjmlPositions(mjml, html) : unchanged;

function withEnvelope(
  rendered: Extract<RenderedEmail, { ok: true }>,
  { envelope }: SourcedEmail,
  context: TemplateContext,
): RenderedEmail {
  if (!envelope) return rendered;
  const filled = renderEnvelope(envelope, context);
  return filled.ok ? { ...rendered, envelope: filled.envelope } : filled;
}

const cidsOf = ({ envelope }: SourcedEmail) =>
  (envelope?.attachments ?? []).flatMap(({ cid }) => (cid === undefined ? [] : [cid]));

/** The rendered envelope with the sizes of its files. */
function previewEnvelope({ envelope }: SourcedEmail, context: TemplateContext) {
  if (!envelope) return { parts: {}, missing: [], issues: [] };
  const filled = fillEnvelope(envelope, context);
  const { attachments = [], ...parts } = filled.envelope;
  const files = readAttachments(attachments, context);
  const shown = files.read.map((file) => ({
    filename: file.filename,
    content_type: file.content_type,
    cid: file.cid ?? null,
    bytes: 'content' in file ? file.content.byteLength : null,
  }));
  return {
    parts: { ...parts, ...(shown.length > 0 ? { attachments: shown } : {}) },
    missing: [...filled.missing, ...files.missing],
    issues: [...filled.issues, ...files.issues],
  };
}

function renderEmail(template: SourcedEmail, context: TemplateContext): RenderedEmail {
  const rendered = renderEmailTemplate(template, context);
  if (rendered.ok) return withEnvelope(withText(rendered), template, context);
  return { ok: false, ...describeRenderErrors(rendered.issues.map(toSourceOf(template))) };
}

function previewEmail({ template, context }: Extract<Work, { kind: 'preview_email' }>): PreviewedEmail {
  const previewed = previewEmailTemplate(template, context);
  const { parts, missing, issues } = previewEnvelope(template, context);
  const toSource = toSourceOf(template);
  const preview = {
    ...previewed,
    missing: [...previewed.missing.map(toSource), ...missing],
    issues: [...previewed.issues.map(toSource), ...issues],
  };
  if (preview.rendered === null || issues.length > 0) return { ...preview, rendered: null, warnings: [] };
  const rendered = withText(preview.rendered);
  return {
    ...preview,
    rendered: { ...rendered, ...parts },
    warnings: warningsOfMail({
      ...rendered,
      hasText: template.text !== null,
      cids: cidsOf(template),
      unsubscribeUrl: context.unsubscribe_url ?? null,
    }),
  };
}

function answer(work: Complete): Answers[Work['kind']] | Promise<Answers[Work['kind']]> {
  switch (work.kind) {
    case 'email':
      return renderEmail(work.template, work.context);
    case 'json':
      return renderJsonTemplate(work.template, work.context);
    case 'preview_email':
      return previewEmail(work);
    case 'preview_json':
      return previewJsonTemplate(work.body, work.context);
    case 'inspect':
      return warningsOfSource(work.html);
    case 'prepare':
      return prepareTemplate(work.source);
    case 'prepare_part':
      return preparePart(work.part);
  }
}

function isMjmlToCompile(work: Complete): boolean {
  if (work.kind === 'prepare') return isWrittenInMjml(work.source);
  return work.kind === 'prepare_part' && work.part.type === 'layout' && isMjml(work.part.content);
}

async function perform(requested: Work): Promise<Report> {
  const work = complete(requested);
  if (work === null) return { type: 'wanted' };
  // Loading the compiler does not count towards the time limit.
  if (isMjmlToCompile(work)) await loadMjml();
  report({ type: 'started' });
  try {
    return { type: 'answered', answer: await answer(work) };
  } catch (error) {
    return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

function report(message: Report): void {
  if (process.connected) process.send?.(message);
}

/** Linux kills the process with the highest score first when memory runs out: this one, not its parent. */
function raiseOomScore(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Other systems do not have this file.
  }
}

/**
 * The entry point of a render process, which does one piece of work at a time. Its argument is the process id of its
 * parent.
 */
raiseOomScore();
outliveParentBy(0, Number(process.argv[2]));
process.on('disconnect', () => process.exit());
process.on('message', async (work: Work) => report(await perform(work)));
report({ type: 'ready' });
