import { positionOf, type TemplateIssue } from '@postrider/domain';
import { Parser } from 'htmlparser2';
import type { MjmlIssue, MjmlOptions } from 'mjml-browser';
import { type MaskedSource, maskLiquid } from './liquid-mask.ts';
import { offsetOfLine } from './mjml-positions.ts';

/** MJML would read a file for it, but templates have no files. */
const INCLUDE = 'mj-include';

/** Finds issues that MJML ignores silently: unclosed tags, and `mj-include`. Parses the source like MJML. */
function findTagIssues(source: string, masked: MaskedSource): TemplateIssue[] {
  const issues: TemplateIssue[] = [];
  const open: { name: string; offset: number }[] = [];

  const add = (message: string, offset: number) =>
    issues.push(issue(message, positionOf(source, masked.sourceOffset(offset))));

  const parser = new Parser(
    {
      onopentag(name) {
        open.push({ name, offset: parser.startIndex });
        if (name === INCLUDE)
          add(`${INCLUDE} is not supported: templates cannot include files`, parser.startIndex);
      },
      onclosetag(_name, isImplied) {
        const opened = open.pop();
        // A self-closing tag needs no closing tag.
        if (!isImplied || !opened || opened.offset === parser.startIndex) return;
        if (opened.name.startsWith('mj')) add(`${opened.name} is not closed`, opened.offset);
      },
    },
    {
      recognizeCDATA: true,
      decodeEntities: false,
      recognizeSelfClosing: true,
      lowerCaseAttributeNames: false,
    },
  );
  parser.end(masked.text);
  return issues;
}

type CompiledMjml =
  | { readonly outcome: 'compiled'; readonly html: string }
  | { readonly outcome: 'invalid'; readonly issues: readonly TemplateIssue[] };

/** Further issues are not reported. */
const MAX_ISSUES = 20;
const MAX_MESSAGE_CHARACTERS = 200;

type Compiled = { html: string; issues: readonly MjmlIssue[] } | { failure: string };

/** Loads the compiler, which takes half a second; most processes never need it. */
export const loadMjml = async () => (await import('mjml-browser')).default;

/**
 * Uses MJML's browser build, which has no file system, so no source can read files. `ignoreIncludes` is a second
 * safeguard.
 */
async function compile(text: string, validationLevel: MjmlOptions['validationLevel']): Promise<Compiled> {
  const mjml2html = await loadMjml();
  try {
    const { html, errors } = await mjml2html(text, { validationLevel, ignoreIncludes: true });
    return { html, issues: errors };
  } catch (error) {
    const { errors, message } = error as { errors?: readonly MjmlIssue[]; message?: string };
    return errors ? { html: '', issues: errors } : { failure: message ?? String(error) };
  }
}

const issue = (message: string, position: object = {}): TemplateIssue => ({
  path: '/html',
  message: message.trim().slice(0, MAX_MESSAGE_CHARACTERS),
  ...position,
});

/**
 * Compiles MJML with checked Liquid to HTML. Liquid stays unchanged: a tag or output that MJML drops or computes with
 * is an issue, as is everything that MJML reports. Line and column refer to the MJML; MJML itself knows only lines.
 */
export async function compileMjml(source: string): Promise<CompiledMjml> {
  const masked = maskLiquid(source);
  const tagIssues = findTagIssues(source, masked);
  const validated = await compile(masked.text, 'strict');
  if ('failure' in validated) return { outcome: 'invalid', issues: [...tagIssues, issue(validated.failure)] };
  const compiled = validated.issues.length > 0 ? await compile(masked.text, 'skip') : validated;
  const html = 'html' in compiled ? compiled.html : '';
  const found = [...tagIssues, ...reportedIssues(source, masked, validated.issues, html)];
  if (found.length === 0) found.push(...lostLiquid(source, masked, html));
  if (found.length > 0) return { outcome: 'invalid', issues: found.slice(0, MAX_ISSUES) };
  return { outcome: 'compiled', html: masked.restore(html) };
}

/**
 * The issues that MJML reports. It considers Liquid an invalid colour or length, which is not an issue if the Liquid is
 * in the HTML.
 */
function reportedIssues(
  source: string,
  masked: MaskedSource,
  reported: readonly MjmlIssue[],
  html: string,
): TemplateIssue[] {
  const arrived = masked.tokensIn(html);
  return reported
    .filter(({ message }) => {
      const named = [...masked.tokensIn(message)];
      return named.length === 0 || named.some((token) => !arrived.has(token));
    })
    .map(({ message, tagName, line }) => {
      const offset = masked.sourceOffset(offsetOfLine(masked.text, line));
      return issue(`${tagName}: ${masked.restore(message)}`, { line: positionOf(source, offset).line });
    });
}

function lostLiquid(source: string, masked: MaskedSource, html: string): TemplateIssue[] {
  const arrived = masked.tokensIn(html);
  return masked.tokens.flatMap(({ text, offset }, index) => {
    if (arrived.has(index)) return [];
    const message = `${text.slice(0, 60)} is dropped by MJML here: between its tags, put Liquid into mj-raw`;
    return [issue(message, positionOf(source, offset))];
  });
}
