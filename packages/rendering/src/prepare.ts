import {
  checkEmailTemplate,
  checkMessages,
  checkTemplate,
  collectReferences,
  type EmailTemplateSource,
  isMjml,
  type TemplateCheck,
  type TemplateIssue,
  type TemplateReference,
  type TemplateSource,
} from '@postrider/domain';
import { compileMjml } from './mjml.ts';
import { createMjmlPositions } from './mjml-positions.ts';

type MjmlSource = EmailTemplateSource & { html: string };

/** Whether the source must be compiled. */
export function isWrittenInMjml(source: TemplateSource): source is MjmlSource {
  return source.format === 'email' && source.html !== null && isMjml(source.html);
}

/** Compiles MJML and checks the result. Returns the source of a new template version, or all issues. */
export async function prepareTemplate(source: TemplateSource): Promise<TemplateCheck> {
  if (!isWrittenInMjml(source)) return checkTemplate(source);
  // Liquid is checked in the source as written, so that the positions of issues refer to it and not to the compiled
  // HTML.
  const { result: issues, references } = collectReferences(() => checkEmailTemplate(source));
  issues.push(...references.filter(({ type }) => type === 'layout').map(layoutIssue));
  if (issues.some(({ path }) => path === '/html')) return { outcome: 'invalid', issues };
  const compiled = await compileMjml(source.html);
  if (compiled.outcome === 'invalid') return { outcome: 'invalid', issues: [...issues, ...compiled.issues] };
  const checked = checkTemplate({ ...source, html: compiled.html, mjml: source.html });
  const toSource = createMjmlPositions(source.html, compiled.html);
  if (checked.outcome === 'sound') return { ...checked, references: checked.references.map(toSource) };
  return { outcome: 'invalid', issues: checked.issues.map(toSource) };
}

/** MJML creates a whole document, which a layout cannot contain. */
function layoutIssue({ type: _type, name, ...position }: TemplateReference): TemplateIssue {
  const message = `MJML is a whole document: write the layout ${name} in MJML, and what goes into it in HTML`;
  return { ...position, message };
}

/** A new version of a part: the Liquid of a layout or partial, or the messages of a translation. */
export type NewPart =
  | { readonly type: 'layout' | 'partial'; readonly content: string }
  | { readonly type: 'translation'; readonly messages: Readonly<Record<string, string>> };

export type PartCheck =
  | {
      readonly outcome: 'sound';
      /** The stored content: MJML is compiled, messages are JSON. */
      readonly content: string;
      readonly mjml: string | null;
      readonly references: readonly TemplateReference[];
    }
  | { readonly outcome: 'invalid'; readonly issues: readonly TemplateIssue[] };

const inContent = <At extends { path: string }>(at: At): At => ({ ...at, path: '/content' });

/** Where a layout has the content of its templates; a layout of a layout may leave that to the outer one. */
const HAS_BLOCK = /\{%-?\s*(?:block|layout)\b/;

/** Checks a new version of a part, and compiles a layout that is MJML. Paths of issues are those of the request. */
export async function preparePart(part: NewPart): Promise<PartCheck> {
  if (part.type === 'translation') {
    const issues = checkMessages(part.messages);
    if (issues.length > 0) return { outcome: 'invalid', issues };
    return { outcome: 'sound', content: JSON.stringify(part.messages), mjml: null, references: [] };
  }
  if (part.type === 'partial' && isMjml(part.content)) {
    const message = 'is MJML, which is a whole document; a partial is HTML or text';
    return { outcome: 'invalid', issues: [{ path: '/content', message }] };
  }
  if (part.type === 'layout' && !HAS_BLOCK.test(part.content)) {
    const message = 'has no {% block %}{% endblock %}, so the content of templates would be lost';
    return { outcome: 'invalid', issues: [{ path: '/content', message }] };
  }
  // The source is checked as the HTML of an otherwise valid email.
  const checked = await prepareTemplate({
    format: 'email',
    subject: part.type,
    html: part.content,
    text: null,
    mjml: null,
  });
  if (checked.outcome === 'invalid') return { outcome: 'invalid', issues: checked.issues.map(inContent) };
  const { html, mjml } = checked.template as EmailTemplateSource;
  return { outcome: 'sound', content: html ?? '', mjml, references: checked.references.map(inContent) };
}
