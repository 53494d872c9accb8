import { formatId, parseId } from '../ids.ts';
import { presentFields } from '../present.ts';
import type { JsonObject, JsonValue } from '../storable-json.ts';
import { PART_TYPES, type PartType, type PinnedPart, type Use } from '../templates/parts.ts';

const PREFIXES = { layout: 'lay', partial: 'prt', translation: 'trn' } as const satisfies Record<
  PartType,
  string
>;

/** A version of a part without its content. Ids are UUIDs. */
export interface PartVersion extends PinnedPart {
  readonly environmentId: string;
  readonly active: boolean;
  readonly createdAt: Date;
}

export interface PartRecord extends PartVersion {
  /** Liquid, or the JSON of a translation's messages. */
  readonly content: string;
  /** The MJML source of a layout, if there is one. */
  readonly mjml: string | null;
  readonly uses: readonly Use[];
}

/** The public id of a version of a part. */
export const formatPartId = ({ type, id }: Pick<PinnedPart, 'type' | 'id'>): string =>
  formatId(PREFIXES[type], id);

/** The UUID in the public id of a version of a part; null if the text is not such an id. */
export function parsePartId(text: string): string | null {
  for (const type of PART_TYPES) {
    const id = parseId(PREFIXES[type], text);
    if (id !== null) return id;
  }
  return null;
}

export const partNameField = (type: PartType) => (type === 'translation' ? 'locale' : 'name');

/** A version as lists and the audit log show it, without the content: that never changes and can be read by id. */
export function presentPartVersion(part: PartVersion): JsonObject {
  return {
    ...presentFields(part, ['id', 'environmentId'], PREFIXES[part.type]),
    [partNameField(part.type)]: part.name,
    ...presentFields(part, ['version', 'active', 'createdAt']),
  };
}

/** A version as the API shows it (docs/specification.md, "Layouts, partials and translations"). */
export function presentPart(part: PartRecord): JsonObject {
  const { type, content, mjml } = part;
  const shown: JsonObject =
    type === 'translation' ? { messages: JSON.parse(content) as JsonValue } : { content, mjml };
  return { ...presentPartVersion(part), ...shown };
}

export function presentPinnedPart(part: PinnedPart): JsonObject {
  const { type, name, version } = part;
  return { id: formatPartId(part), type, name, version };
}
