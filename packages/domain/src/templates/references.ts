import type { TagToken } from 'liquidjs';
import type { TemplateReference } from './parts.ts';

/** The references found while parsing, and the path of the current source; null if they are not collected. */
let collected: { readonly references: TemplateReference[]; path: string } | null = null;

/**
 * Collects what the sources parsed by `check` refer to: layouts and partials as the parser finds them, message keys
 * as they are written. It may collect more than is used, such as a message in a comment, but never less.
 */
export function collectReferences<Result>(check: () => Result): {
  result: Result;
  references: TemplateReference[];
} {
  const references: TemplateReference[] = [];
  collected = { references, path: '' };
  try {
    return { result: check(), references };
  } finally {
    collected = null;
  }
}

/** Records the part that a parsed tag loads. */
export function recordLoad(type: 'layout' | 'partial', name: string, token: TagToken): void {
  if (!collected) return;
  const [line, column] = token.getPosition();
  const { path, references } = collected;
  references.push({ type, name, path, ...(line && column ? { line, column } : {}) });
}

/** The filter `t`, and the key before it if that is a literal. */
const TRANSLATED = /(?:(["'])([^"'\n]{1,200})\1\s*)?\|\s*t(?![\w-])/g;

/** Records the messages that a source uses, and that this source is parsed next. */
export function recordSource(path: string, source: string): void {
  if (!collected) return;
  collected.path = path;
  const { references } = collected;
  let line = 1;
  let lineStart = 0;
  let from = 0;
  for (const { 2: name = null, index } of source.matchAll(TRANSLATED)) {
    for (let end = source.indexOf('\n', from); end >= 0 && end < index; end = source.indexOf('\n', end + 1)) {
      line += 1;
      lineStart = end + 1;
    }
    from = index;
    references.push({ type: 'translation', name, path, line, column: index - lineStart + 1 });
  }
}
