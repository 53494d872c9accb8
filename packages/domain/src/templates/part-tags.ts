import {
  LayoutTag,
  type Liquid,
  type Parser,
  RenderTag,
  type Tag,
  type TagToken,
  type TopLevelToken,
} from 'liquidjs';
import { PART_NAME_PATTERN, type PartType } from './parts.ts';
import type { TemplateResources } from './resources.ts';

type SourceType = Exclude<PartType, 'translation'>;

/** Called when a tag that loads a part is parsed. */
export type OnLoad = (type: SourceType, name: string, token: TagToken) => void;

/** Layouts and partials by the names under which liquidjs loads them, where both share one namespace. */
export type PartSources = Readonly<Record<string, string>>;

const SEPARATOR = '/';
const NAME = new RegExp(PART_NAME_PATTERN);

export function sourcesOf({ layouts, partials }: TemplateResources): PartSources {
  const named = (type: SourceType, sources: Readonly<Record<string, string>>) =>
    Object.entries(sources).map(([name, source]) => [type + SEPARATOR + name, source] as const);
  const entries = [...named('layout', layouts), ...named('partial', partials)];
  // Without a prototype, so that names such as `constructor` are not found.
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as PartSources;
}

/** The name of a loaded part in messages: `partial footer`. */
export const labelOfPart = (file: string): string => file.replace(SEPARATOR, ' ');

/** Private fields of liquidjs' tags. */
type Binding = { alias?: string };
type LoadingTag = { file?: unknown; with?: Binding; forBinding?: Binding };

/**
 * Makes a tag load parts of one type. The name must be a literal, so that the parts of a template are known when it
 * is stored.
 */
function loadPart(tag: Tag, token: TagToken, type: SourceType, onLoad: OnLoad): void {
  const loading = tag as unknown as LoadingTag;
  const { file } = loading;
  // `{% layout none %}`
  if (file === undefined && type === 'layout') return;
  if (typeof file !== 'string' || !NAME.test(file)) {
    throw new Error(
      `the name of a ${type} must be a text in quotes, such as '${type === 'layout' ? 'main' : 'footer'}'`,
    );
  }
  for (const binding of [loading.with, loading.forBinding]) {
    if (binding) binding.alias ??= file;
  }
  loading.file = type + SEPARATOR + file;
  onLoad(type, file, token);
}

type LoadingTagClass = new (
  token: TagToken,
  rest: TopLevelToken[],
  engine: Liquid,
  parser: Parser,
) => Tag & { render: Tag['render'] };

/** Adds `{% layout %}` and `{% render %}`, which load the parts of the resources. */
export function registerPartTags(liquid: Liquid, onLoad: OnLoad): void {
  const loading = (Base: LoadingTagClass, type: SourceType) =>
    class extends Base {
      constructor(...given: ConstructorParameters<LoadingTagClass>) {
        super(...given);
        loadPart(this, given[0], type, onLoad);
      }
    };
  liquid.registerTag('layout', loading(LayoutTag, 'layout'));
  liquid.registerTag('render', loading(RenderTag, 'partial'));
}
