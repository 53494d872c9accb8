import type { JsonObject, JsonPath, JsonValue } from '@postrider/domain';
import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  visit,
} from 'yaml';

/** A YAML file, as JSON and with the lines of its values. */
export interface YamlFile {
  readonly data: JsonObject;
  /** The line of a value, or of the closest one around it, from 1. */
  lineOf(path: JsonPath): number;
}

/** What is wrong in a file, and in which line. */
interface FileIssue {
  readonly line: number;
  readonly message: string;
}

type Parsed = { readonly file: YamlFile } | { readonly issues: readonly FileIssue[] };

/** Far deeper than what the service takes, and shallow enough for the parser's stack. */
const MAX_DEPTH = 200;
const JSON_ONLY = {
  version: '1.2',
  schema: 'core',
  stringKeys: true,
  resolveKnownTags: false,
  // Its search takes quadratic time.
  uniqueKeys: false,
  // They would quote the file.
  prettyErrors: false,
} as const;
/** More are not listed for one file. */
const MAX_ISSUES = 20;

const startOf = (node: unknown): number => (node as Node | null | undefined)?.range?.[0] ?? 0;

/** Why JSON has no such value; null if it has. */
function whyNotJson(value: unknown, source: string | undefined): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'JSON has no such number.';
  if (typeof value === 'number' && /^[-+]?\d+$/.test(source ?? '') && !Number.isSafeInteger(value))
    return 'The number is beyond 2^53 and would lose digits: write it as a text.';
  return null;
}

/** The keys that an object has before. */
function repeatedKeys(items: readonly Pair[]): unknown[] {
  const seen = new Set<unknown>();
  return items.flatMap(({ key }) => {
    const name = isScalar(key) ? key.value : key;
    if (seen.has(name)) return [key];
    seen.add(name);
    return [];
  });
}

function issuesOf(document: Document.Parsed, lineAt: (offset: number) => number): FileIssue[] {
  const issues: FileIssue[] = [...document.errors, ...document.warnings].map(({ pos: [at], message }) => ({
    line: lineAt(at),
    message,
  }));
  if (issues.length > 0) return issues;
  const add = (node: unknown, message: string) => issues.push({ line: lineAt(startOf(node)), message });
  visit(document, {
    Alias: (_, node) => void add(node, 'Aliases are not supported: repeat the value.'),
    Map: (_, { items }) => {
      for (const key of repeatedKeys(items)) add(key, `The key ${String(key)} occurs twice.`);
    },
    Scalar: (_, node) => {
      const why = whyNotJson(node.value, node.source);
      if (why) add(node, why);
    },
  });
  if (issues.length === 0 && !isMap(document.contents)) add(null, 'The file must contain an object.');
  return issues;
}

/** The node at a path, or the closest one around it; in an object its key, which is where people look. */
function nodeAt(root: unknown, path: JsonPath): unknown {
  let [shown, node]: [unknown, unknown] = [root, root];
  for (const name of path) {
    const found: unknown = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : isSeq(node)
        ? node.items[Number(name)]
        : undefined;
    if (found === undefined) break;
    [shown, node] = isPair(found) ? [found.key, found.value] : [found, found];
  }
  return shown;
}

/** The line in which values are nested deeper than {@link MAX_DEPTH}; null if that is nowhere. Takes linear time. */
function tooDeepAt(text: string): number | null {
  const parser = new Parser();
  let line = 1;
  for (const token of new Lexer().lex(text)) {
    void [...parser.next(token)];
    if (parser.stack.length > MAX_DEPTH) return line;
    line += token.split('\n').length - 1;
  }
  return null;
}

/**
 * Parses YAML 1.2 that is JSON in other words: one object, without aliases, tags and repeated keys. Takes time and memory in
 * proportion to the text.
 */
export function parseYaml(text: string): Parsed {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== null) return { issues: [{ line: tooDeep, message: 'The values are nested too deeply.' }] };
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line || 1;
  const document = parseDocument(text, { ...JSON_ONLY, lineCounter: lines });
  const issues = issuesOf(document, lineAt);
  if (issues.length > 0) return { issues: issues.slice(0, MAX_ISSUES) };
  return {
    file: {
      data: document.toJS() as JsonObject,
      lineOf: (path) => lineAt(startOf(nodeAt(document.contents, path))),
    },
  };
}

/** The segments of a JSON pointer: RFC 6901. */
export const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Every text in a value, with its path. */
export function textsOf(
  value: JsonValue | undefined,
  path: JsonPath = [],
): { path: JsonPath; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => textsOf(child, [...path, name]));
}
