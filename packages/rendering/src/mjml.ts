import type { TemplateIssue } from '@postrider/domain';
import type { MjmlIssue, MjmlOptions } from 'mjml-browser';
import { type MaskedSource, maskLiquid } from './liquid-mask.ts';
import { findTagIssues } from './mjml-tags.ts';
import { offsetOfLine, positionAt } from './text-position.ts';

type CompiledMjml =
  | { readonly outcome: 'compiled'; readonly html: string }
  | { readonly outcome: 'invalid'; readonly issues: readonly TemplateIssue[] };

/** A source that is wrong in more places is named by its first. */
const MAX_ISSUES = 20;
const MAX_MESSAGE_CHARACTERS = 200;

type Compiled = { html: string; issues: readonly MjmlIssue[] } | { failure: string };

/** Loads the compiler, which takes half a second; most processes never need it. */
export const loadMjml = async () => (await import('mjml-browser')).default;

/**
 * The build for browsers is the one that cannot read files: it has no file system, whatever a source asks
 * for. `ignoreIncludes` says so once more.
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

const issue = (message: string, place: object = {}): TemplateIssue => ({
  path: '/html',
  message: message.trim().slice(0, MAX_MESSAGE_CHARACTERS),
  ...place,
});

/**
 * Compiles MJML, whose Liquid has been checked, into the HTML that a template version keeps. Liquid survives
 * as it is written: a tag or an output that MJML drops, or computes with, is an issue, as is every issue that
 * MJML finds; line and column count in the source. MJML itself knows lines only.
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
 * What MJML complains of. It takes Liquid for a wrong colour or length; that is no issue where the Liquid
 * arrives in the HTML all the same.
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
      return issue(`${tagName}: ${masked.restore(message)}`, { line: positionAt(source, offset).line });
    });
}

function lostLiquid(source: string, masked: MaskedSource, html: string): TemplateIssue[] {
  const arrived = masked.tokensIn(html);
  return masked.tokens.flatMap(({ text, offset }, index) => {
    if (arrived.has(index)) return [];
    const message = `${text.slice(0, 60)} is dropped by MJML here: between its tags, Liquid stands in mj-raw`;
    return [issue(message, positionAt(source, offset))];
  });
}
