import type { ChannelKindDefinition, ChannelRegistry } from '@postrider/channels';
import { type Queryable, readEncryptedCredentials } from '@postrider/db';
import {
  type ChannelRecord,
  credentialBinding,
  credentialInSecretColumn,
  credentialsSet,
  escapePointerSegment,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SecretBox,
  withValue,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';

/** A secret in a config: the names of the fields on its path, and its value; `true` or undefined if it is not given. */
interface SecretField {
  readonly at: readonly string[];
  readonly value: JsonValue | undefined;
}

const branchesOf = (schema: SchemaObject): SchemaObject[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(branchesOf),
];

/** Where the schema of a config has secrets (`writeOnly`), in the objects that the config has. */
function secretFieldsIn(
  schema: SchemaObject,
  value: JsonValue | undefined,
  at: readonly string[] = [],
): SecretField[] {
  const branches = branchesOf(schema);
  if (branches.some(({ writeOnly }) => writeOnly)) return [{ at, value }];
  if (Array.isArray(value)) {
    const items = branches.flatMap(({ items }) => items ?? [])[0];
    return items ? value.flatMap((item, index) => secretFieldsIn(items, item, [...at, String(index)])) : [];
  }
  if (value === undefined || !isJsonObject(value)) return [];
  const known: Readonly<Record<string, SchemaObject>> = Object.assign(
    {},
    ...branches.map(({ properties }) => properties),
  );
  const more = branches
    .map(({ additionalProperties }) => additionalProperties)
    .find((each) => isSchema(each));
  const others = more ? Object.keys(value).filter((name) => !Object.hasOwn(known, name)) : [];
  return [
    ...Object.entries(known).flatMap(([name, subschema]) =>
      secretFieldsIn(subschema, Object.hasOwn(value, name) ? value[name] : undefined, [...at, name]),
    ),
    ...others.flatMap((name) => secretFieldsIn(more as SchemaObject, value[name], [...at, name])),
  ];
}

const isSchema = (value: unknown): value is SchemaObject => typeof value === 'object' && value !== null;

const withValues = (
  config: JsonObject,
  fields: readonly SecretField[],
  toValue: (field: SecretField) => JsonValue,
) =>
  fields.reduce<JsonValue>(
    (value, field) => withValue(value, field.at, toValue(field)),
    config,
  ) as JsonObject;

/** The names under which the secrets in these fields are stored, in their order; null for those that the config does not use. */
function namesOf(
  kind: ChannelKindDefinition,
  config: JsonObject,
  fields: readonly SecretField[],
): readonly (string | null)[] {
  const mark = (field: SecretField) => `secret ${fields.indexOf(field)}`;
  const given = withValues(config, fields, mark);
  const { changes = {} } = kind.credentials?.change(null, { given, config }) ?? {};
  return fields.map(
    (field) => Object.entries(changes).find(([, value]) => value === mark(field))?.[0] ?? null,
  );
}

const pointerTo = ({ at }: SecretField) => at.map((name) => `/${escapePointerSegment(name)}`).join('');

/** JSON Pointers to the stored secrets of a channel, in its config. */
export function storedSecrets(kinds: ChannelRegistry, channel: ChannelRecord): readonly string[] {
  const kind = kinds.find(channel.kind);
  if (!kind) return [];
  const fields = secretFieldsIn(kind.config.schema, channel.config);
  const names = namesOf(kind, channel.config, fields);
  const set = new Set<string | null>(credentialsSet(channel, kind));
  return fields.filter((_, index) => set.has(names[index] ?? null)).map(pointerTo);
}

interface SecretDeps {
  readonly db: Queryable;
  readonly kinds: ChannelRegistry;
  readonly secretBox: SecretBox;
}

/**
 * The config for a change of a channel: the stored form of what was given, with the given secrets that differ from the stored ones.
 * @param given a valid config
 * @param seesSecrets whether secrets are compared: who may not change the channel could guess one otherwise
 * @returns also JSON Pointers to these secrets
 */
export async function withChangedSecrets(
  { db, kinds, secretBox }: SecretDeps,
  channel: ChannelRecord,
  given: JsonObject,
  seesSecrets: boolean,
): Promise<{ readonly config: JsonObject; readonly secrets: readonly string[] }> {
  const kind = kinds.get(channel.kind);
  const stored = kind.config.toStored(given);
  const fields = secretFieldsIn(kind.config.schema, given).filter(({ value }) => typeof value === 'string');
  if (fields.length === 0) return { config: stored, secrets: [] };
  const names = namesOf(kind, stored, fields);
  const { inColumn, named } = await readEncryptedCredentials(db, channel.id);
  const nameInColumn = credentialInSecretColumn(kind);
  const isStored = ({ value }: SecretField, name: string | null) => {
    if (!seesSecrets || name === null) return false;
    const isInColumn = name === nameInColumn;
    const encrypted = isInColumn ? inColumn : named[name];
    if (!encrypted) return false;
    const decrypted = secretBox.decrypt(
      encrypted,
      isInColumn ? channel.id : credentialBinding(channel.id, name),
    );
    return decrypted.ok && decrypted.plaintext === value;
  };
  const changed = fields.filter((field, index) => !isStored(field, names[index] ?? null));
  return {
    config: withValues(stored, changed, ({ value }) => value ?? null),
    secrets: changed.map(pointerTo),
  };
}
