import type { TemplateIssue } from '@postrider/domain';
import { Parser } from 'htmlparser2';
import type { MaskedSource } from './liquid-mask.ts';
import { positionAt } from './text-position.ts';

/** MJML reads files for it, or nothing: there are no files that belong to a template. */
const INCLUDE = 'mj-include';

/**
 * What MJML itself passes over in silence: its tags that are never closed, and `mj-include`. Reads the source
 * as MJML does.
 */
export function findTagIssues(source: string, masked: MaskedSource): TemplateIssue[] {
  const issues: TemplateIssue[] = [];
  const open: { name: string; offset: number }[] = [];

  function add(message: string, offset: number): void {
    issues.push({ path: '/html', message, ...positionAt(source, masked.sourceOffset(offset)) });
  }

  const parser = new Parser(
    {
      onopentag(name) {
        open.push({ name, offset: parser.startIndex });
        if (name === INCLUDE) add(`${INCLUDE} is not supported: a template stands alone`, parser.startIndex);
      },
      onclosetag(_name, isImplied) {
        const opened = open.pop();
        // What closes itself is closed where it was opened.
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
