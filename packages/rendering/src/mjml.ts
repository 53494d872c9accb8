import type { TemplateFault } from '@postrider/domain';
import type { MjmlFault, MjmlOptions } from 'mjml-browser';
import { type MaskedSource, maskLiquid } from './liquid-mask.ts';
import { findTagFaults } from './mjml-tags.ts';
import { offsetOfLine, positionAt } from './text-position.ts';

export type CompiledMjml =
  | { readonly outcome: 'compiled'; readonly html: string }
  | { readonly outcome: 'faulty'; readonly faults: readonly TemplateFault[] };

/** A source that is wrong in more places is named by its first. */
const MAX_FAULTS = 20;
const MAX_MESSAGE_CHARACTERS = 200;

type Compiled = { html: string; faults: readonly MjmlFault[] } | { failure: string };

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
    return { html, faults: errors };
  } catch (error) {
    const { errors, message } = error as { errors?: readonly MjmlFault[]; message?: string };
    return errors ? { html: '', faults: errors } : { failure: message ?? String(error) };
  }
}

const fault = (message: string, place: object = {}): TemplateFault => ({
  path: '/html',
  message: message.trim().slice(0, MAX_MESSAGE_CHARACTERS),
  ...place,
});

/**
 * Compiles MJML, whose Liquid has been checked, into the HTML that a template version keeps. Liquid survives
 * as it is written: a tag or an output that MJML drops, or computes with, is a fault, as is every fault that
 * MJML finds; line and column count in the source. MJML itself knows lines only.
 */
export async function compileMjml(source: string): Promise<CompiledMjml> {
  const masked = maskLiquid(source);
  const tagFaults = findTagFaults(source, masked);
  const validated = await compile(masked.text, 'strict');
  if ('failure' in validated) return { outcome: 'faulty', faults: [...tagFaults, fault(validated.failure)] };
  const compiled = validated.faults.length > 0 ? await compile(masked.text, 'skip') : validated;
  const html = 'html' in compiled ? compiled.html : '';
  const found = [...tagFaults, ...reportedFaults(source, masked, validated.faults, html)];
  if (found.length === 0) found.push(...lostLiquid(source, masked, html));
  if (found.length > 0) return { outcome: 'faulty', faults: found.slice(0, MAX_FAULTS) };
  return { outcome: 'compiled', html: masked.restore(html) };
}

/**
 * What MJML complains of. It takes Liquid for a wrong colour or length; that is no fault where the Liquid
 * arrives in the HTML all the same.
 */
function reportedFaults(
  source: string,
  masked: MaskedSource,
  reported: readonly MjmlFault[],
  html: string,
): TemplateFault[] {
  const arrived = masked.tokensIn(html);
  return reported
    .filter(({ message }) => {
      const named = [...masked.tokensIn(message)];
      return named.length === 0 || named.some((token) => !arrived.has(token));
    })
    .map(({ message, tagName, line }) => {
      const offset = masked.sourceOffset(offsetOfLine(masked.text, line));
      return fault(`${tagName}: ${masked.restore(message)}`, { line: positionAt(source, offset).line });
    });
}

function lostLiquid(source: string, masked: MaskedSource, html: string): TemplateFault[] {
  const arrived = masked.tokensIn(html);
  return masked.tokens.flatMap(({ text, offset }, index) => {
    if (arrived.has(index)) return [];
    const message = `${text.slice(0, 60)} is dropped by MJML here: between its tags, Liquid stands in mj-raw`;
    return [fault(message, positionAt(source, offset))];
  });
}
