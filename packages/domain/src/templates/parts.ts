import type { TemplateIssue } from './template-types.ts';

/** What templates of an environment share: each is versioned, and one version of a name is active. */
export const PART_TYPES = ['layout', 'partial', 'translation'] as const;
export type PartType = (typeof PART_TYPES)[number];

/** Of a layout and a partial; templates write it as it is. */
export const PART_NAME_PATTERN = '^[a-z0-9][a-z0-9_-]{0,63}$';

/** A version of a part that a template version is rendered with; `id` is a UUID. `name` of a translation is its locale. */
export interface PinnedPart {
  readonly id: string;
  readonly type: PartType;
  readonly name: string;
  readonly version: number;
}

/**
 * A place in a source that names something else: a layout, a partial, or the key of a message; `name` is null where the
 * key of a message is not written in the template.
 */
export type TemplateReference = Omit<TemplateIssue, 'message'> & {
  readonly type: PartType;
  readonly name: string | null;
};

/**
 * What a source uses, as it is stored with it: `layout:main`, `partial:footer`, `message:order.title`, and `messages`
 * where it translates at all.
 */
export type Use = string;

const MESSAGES: Use = 'messages';
const MESSAGE = 'message:';

/** Each thing that is used, once. */
export function usesOf(references: readonly TemplateReference[]): Use[] {
  const uses = references.flatMap(({ type, name }) => {
    if (type !== 'translation') return [`${type}:${name}`];
    return name === null ? [MESSAGES] : [MESSAGES, MESSAGE + name];
  });
  return [...new Set(uses)];
}

/** A version of a part without its content. */
export interface PartSummary extends PinnedPart {
  readonly uses: readonly Use[];
  /** Length of its source. */
  readonly characters: number;
}

/** How many layouts and partials lead from a template to one of them, at most. */
export const MAX_PART_DEPTH = 10;
/** How many layouts and partials a template is made of, at most. */
export const MAX_PARTS = 50;
/** Length of all layouts and partials of a template. */
export const MAX_PARTS_CHARACTERS = 512 * 1_024;

/** `use` is what the problem is with, such as `partial:footer`; `within` the part that uses it, null for the template itself. */
export interface PartProblem {
  readonly use: Use;
  readonly within: Use | null;
  readonly message: string;
}

export type ResolvedParts =
  | {
      readonly ok: true;
      readonly parts: readonly PinnedPart[];
      /** Keys of the messages that the template and its parts name. */
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
 * The versions that a template which uses `uses` is rendered with, and those that they use in turn, out of the ones that
 * are `available` (one version of a name). A circle, a part that is not there, and more than may be are problems.
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
    if (path.includes(use)) throw problem(`${[...path, use].map(nameOf).join(' uses ')}: that is a circle`);
    if (path.length >= MAX_PART_DEPTH) throw problem(`parts may use parts ${MAX_PART_DEPTH} levels deep`);
    if (!found.has(use)) characters += part.characters;
    found.set(use, part);
    if (found.size > MAX_PARTS) throw problem(`a template may use ${MAX_PARTS} layouts and partials`);
    if (characters > MAX_PARTS_CHARACTERS) {
      throw problem(
        `layouts and partials of a template may have ${MAX_PARTS_CHARACTERS} characters together`,
      );
    }
    addAll(part.uses, [...path, use]);
  }

  /** Where a part was found before, its own uses are known to end: they are not followed again. */
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

/** Whether a version that uses `uses`, itself or through its parts, has to be made again when this part changes. */
export function isAffected(
  { type, name }: Pick<PinnedPart, 'type' | 'name'>,
  { uses, parts }: { readonly uses: readonly Use[]; readonly parts: readonly PinnedPart[] },
): boolean {
  if (type === 'translation') return uses.includes(MESSAGES) || parts.some((part) => part.type === type);
  return uses.includes(`${type}:${name}`) || parts.some((part) => part.type === type && part.name === name);
}
