import type { TemplateIssue } from './template-types.ts';

/** Parts that templates of an environment share. Each is versioned, with one active version per name. */
export const PART_TYPES = ['layout', 'partial', 'translation'] as const;
export type PartType = (typeof PART_TYPES)[number];

/** The name of a layout or partial. */
export const PART_NAME_PATTERN = '^[a-z0-9][a-z0-9_-]{0,63}$';

/** A version of a part that a template version uses; `id` is a UUID. The `name` of a translation is its locale. */
export interface PinnedPart {
  readonly id: string;
  readonly type: PartType;
  readonly name: string;
  readonly version: number;
}

/**
 * A reference in a source to a layout, a partial or a message key. `name` is null if the message key is
 * computed.
 */
export type TemplateReference = Omit<TemplateIssue, 'message'> & {
  readonly type: PartType;
  readonly name: string | null;
};

/**
 * A stored reference of a source: `layout:main`, `partial:footer`, `message:order.title`, or `messages` if it
 * translates at all.
 */
export type Use = string;

const MESSAGES: Use = 'messages';
const MESSAGE = 'message:';

/** The distinct references. */
export function usesOf(references: readonly TemplateReference[]): Use[] {
  const uses = references.flatMap(({ type, name }) => {
    if (type !== 'translation') return [`${type}:${name}`];
    return name === null ? [MESSAGES] : [MESSAGES, MESSAGE + name];
  });
  return [...new Set(uses)];
}

const PART_USE = new RegExp(`^(${PART_TYPES.join('|')}):([A-Za-z0-9][A-Za-z0-9_-]{0,63})$`);

/** The part of a text such as `layout:main`, in any of its versions; null if it is none. */
export function parseUse(text: string): Pick<PinnedPart, 'type' | 'name'> | null {
  const [, type, name] = PART_USE.exec(text) ?? [];
  return type === undefined || name === undefined ? null : { type: type as PartType, name };
}

/** A version of a part without its content. */
export interface PartSummary extends PinnedPart {
  readonly uses: readonly Use[];
  /** Length of its source. */
  readonly characters: number;
}

/** The deepest chain of layouts and partials of a template. */
const MAX_PART_DEPTH = 10;
export const MAX_PARTS = 50;
/** The total length of all layouts and partials of a template. */
export const MAX_PARTS_CHARACTERS = 512 * 1_024;

/**
 * A problem with a reference: `use` is the reference, such as `partial:footer`; `within` is the part that contains
 * it, null for the template itself.
 */
export interface PartProblem {
  readonly use: Use;
  readonly within: Use | null;
  readonly message: string;
}

export type ResolvedParts =
  | {
      readonly ok: true;
      readonly parts: readonly PinnedPart[];
      /** The message keys that the template and its parts use. */
      readonly messageKeys: readonly string[];
      readonly translates: boolean;
    }
  | { readonly ok: false; readonly problem: PartProblem };

class Unresolvable extends Error {
  readonly problem: PartProblem;
  constructor(problem: PartProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

const nameOf = (use: Use) => use.replace(':', ' ');
const pinOf = ({ id, type, name, version }: PartSummary): PinnedPart => ({ id, type, name, version });

/**
 * Resolves the parts of a template and their own parts, from the `available` versions (one per name). Cycles, missing
 * parts and exceeded limits are problems.
 */
export function resolveParts(uses: readonly Use[], available: readonly PartSummary[]): ResolvedParts {
  const byUse = new Map(available.map((part) => [`${part.type}:${part.name}`, part]));
  const found = new Map<Use, PartSummary>();
  const messageKeys = new Set<string>();
  let translates = false;
  let characters = 0;

  function add(use: Use, path: readonly Use[]): void {
    const problem = (message: string) => new Unresolvable({ use, within: path.at(-1) ?? null, message });
    const part = byUse.get(use);
    if (!part) throw problem(`there is no active ${nameOf(use)}`);
    if (path.includes(use))
      throw problem(`${[...path, use].map(nameOf).join(' uses ')}: a circular reference`);
    if (path.length >= MAX_PART_DEPTH)
      throw problem(`parts may be nested at most ${MAX_PART_DEPTH} levels deep`);
    if (!found.has(use)) characters += part.characters;
    found.set(use, part);
    if (found.size > MAX_PARTS) throw problem(`a template may use at most ${MAX_PARTS} layouts and partials`);
    if (characters > MAX_PARTS_CHARACTERS) {
      throw problem(
        `layouts and partials of a template may have ${MAX_PARTS_CHARACTERS} characters in total`,
      );
    }
    addAll(part.uses, [...path, use]);
  }

  // A part that was found before needs no second visit: its own references are known to end.
  const followed = new Set<Use>();
  function addAll(used: readonly Use[], path: readonly Use[]): void {
    for (const use of used) {
      if (use === MESSAGES) translates = true;
      else if (use.startsWith(MESSAGE)) messageKeys.add(use.slice(MESSAGE.length));
      else if (!followed.has(use) || path.includes(use)) {
        add(use, path);
        followed.add(use);
      }
    }
  }

  try {
    addAll(uses, []);
  } catch (error) {
    if (error instanceof Unresolvable) return { ok: false, problem: error.problem };
    throw error;
  }
  const translations = translates ? available.filter(({ type }) => type === 'translation') : [];
  const parts = [...found.values(), ...translations].map(pinOf);
  return { ok: true, parts, messageKeys: [...messageKeys], translates };
}

/** The reference of a source that uses the part, and how a version pins it. A version pins all translations. */
export function referenceTo({ type, name }: Pick<PinnedPart, 'type' | 'name'>): {
  readonly use: Use;
  readonly pinned: Partial<PinnedPart>;
} {
  return type === 'translation'
    ? { use: MESSAGES, pinned: { type } }
    : { use: `${type}:${name}`, pinned: { type, name } };
}

/** Whether a version with these `uses`, directly or through its parts, must be republished when this part changes. */
export function isAffected(
  changed: Pick<PinnedPart, 'type' | 'name'>,
  { uses, parts }: { readonly uses: readonly Use[]; readonly parts: readonly PinnedPart[] },
): boolean {
  const { use, pinned } = referenceTo(changed);
  return (
    uses.includes(use) ||
    parts.some(({ type, name }) => type === pinned.type && (pinned.name ?? name) === name)
  );
}
