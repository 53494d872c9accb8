import { useId } from 'react';
import { Check, SelectField, TextArea, TextField } from './form.tsx';
import { fromLocalInput, toLocalInput } from './format.ts';
import { Choices, ListOf, ObjectText, SecretMap, Translated } from './schema-parts.tsx';

/** The parts of JSON Schema that the forms use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly (string | number | null)[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly writeOnly?: boolean;
  readonly format?: string;
}

type Value = Record<string, unknown>;

interface FieldProps {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** The alternative of a schema that is not null: an empty field represents null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const alternatives = schema.anyOf ?? schema.oneOf;
  const other = alternatives?.find(({ type }) => type !== 'null');
  return other ? { ...schema, ...other, description: schema.description ?? other.description ?? '' } : schema;
}

function typeOf({ type, properties }: JsonSchema): string {
  if (Array.isArray(type)) return type.find((each) => each !== 'null') ?? 'string';
  return (type as string | undefined) ?? (properties ? 'object' : 'string');
}

const wordsOf = (name: string) => {
  const words = name
    .replaceAll('_', ' ')
    .replace(/\b(url|smtp|ses|tls|ca|arn|api|ms|id)\b/g, (each) =>
      each === 'ms' ? '(ms)' : each.toUpperCase(),
    );
  return words[0]?.toUpperCase() + words.slice(1);
};

const isSecret = (name: string, { writeOnly }: JsonSchema) => writeOnly || /password|secret/.test(name);

/** Texts that may be longer have several lines, such as certificates. */
const MAX_ONE_LINE = 8_192;

/** Read-only fields, which the API ignores in requests. */
const isShownOnly = ({ description }: JsonSchema) => description === 'Ignored.';

const isNullable = ({ type }: JsonSchema) => Array.isArray(type) && type.includes('null');

/** Whether an object is optional as a whole. Its fields are then hidden until the user adds it. */
const isOptionalPart = (schema: JsonSchema, isRequired: boolean) => !isRequired && schema.default == null;

/** Whether the values of a map are secrets, which are only shown as `true`. */
const isSecretMap = ({ additionalProperties }: JsonSchema) =>
  typeof additionalProperties === 'object' &&
  (additionalProperties.anyOf?.some((each) => each.const === true) ?? false);

/** Descriptions that add nothing to the label. */
const EMPTY_HINTS = new Set(['A display name.']);

/** The first sentence of a description. */
function hintOf({ description }: JsonSchema): string | undefined {
  const hint = description?.match(/^.*?[.;](?=\s|$)/)?.[0] ?? description;
  return hint && !EMPTY_HINTS.has(hint) ? hint.replaceAll('`', '').replace(/;$/, '.') : undefined;
}

/** The default of a number; null is no number at all. */
const placeholderOf = ({ default: value }: JsonSchema) =>
  value === undefined ? undefined : value === null ? 'none' : String(value);

/** Whether a part belongs to a choice: an object with the fields `provider`, `smtp` and `ses` has the part that its provider names. */
const isOfChoice = (name: string, { properties = {} }: JsonSchema): boolean =>
  properties.provider?.enum?.includes(name) === true;

/** The fields that come first: name, event keys, and the destination's settings. Those with defaults follow. */
const FIRST = ['name', 'event_keys', 'config'];
const rankOf = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

function SchemaField({ name, schema: given, isRequired, value, onChange }: FieldProps) {
  const schema = withoutNull(given);
  const hint = hintOf(schema);
  const label = isRequired ? wordsOf(name) : `${wordsOf(name)} (optional)`;
  switch (typeOf(schema)) {
    case 'object':
      if (schema.properties && isOptionalPart(schema, isRequired))
        return <OptionalPart name={name} schema={schema} hint={hint} value={value} onChange={onChange} />;
      if (schema.properties)
        return (
          <SchemaFields
            legend={wordsOf(name)}
            hint={hint}
            schema={schema}
            value={(value as Value | undefined) ?? {}}
            onChange={onChange}
          />
        );
      if (isSecretMap(schema))
        return (
          <SecretMap
            legend={wordsOf(name)}
            hint={hint}
            value={(value as Record<string, string | true> | undefined) ?? {}}
            onChange={onChange}
          />
        );
      return (
        <ObjectText isOpen={schema.additionalProperties === true} {...{ label, hint, value, onChange }} />
      );
    case 'array': {
      if (schema.items?.properties) {
        const { items } = schema;
        return (
          <ListOf
            legend={wordsOf(name)}
            hint={hint}
            max={schema.maxItems}
            value={(value as Value[] | null | undefined) ?? []}
            onChange={(changed) => onChange(changed.length === 0 && isNullable(schema) ? null : changed)}
          >
            {(item, change) => <SchemaFields schema={items} value={item} onChange={change} />}
          </ListOf>
        );
      }
      if (schema.items?.enum)
        return (
          <Choices
            legend={wordsOf(name)}
            hint={hint}
            options={schema.items.enum.map(String)}
            value={(value ?? schema.default ?? []) as string[]}
            onChange={onChange}
          />
        );
      const isNumeric = ['number', 'integer'].includes(typeOf(schema.items ?? {}));
      return (
        <Translated
          label={label}
          hint={hint}
          value={value}
          toText={(each) => ((each as unknown[] | undefined) ?? []).join(', ')}
          fromText={(text) => {
            const parts = text.split(/[\s,]+/).filter(Boolean);
            if (parts.length === 0 && isNullable(schema)) return undefined;
            return isNumeric ? parts.map(Number) : parts;
          }}
          onChange={onChange}
        />
      );
    }
    case 'boolean':
      return (
        <Check
          label={wordsOf(name)}
          hint={hint}
          checked={Boolean(value ?? schema.default)}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case 'integer':
    case 'number':
      return (
        <TextField
          label={label}
          hint={hint}
          type="number"
          step={typeOf(schema) === 'integer' ? 1 : 'any'}
          required={isRequired}
          min={schema.minimum}
          max={schema.maximum}
          value={value == null ? '' : String(value)}
          placeholder={placeholderOf(schema)}
          onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
        />
      );
  }
  if (schema.enum)
    return (
      <SelectField
        label={label}
        hint={hint}
        any="–"
        options={schema.enum.filter((each) => each !== null).map(String)}
        value={String(value ?? schema.default ?? '')}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    );
  if ((schema.maxLength ?? 0) > MAX_ONE_LINE)
    return (
      <TextArea
        label={label}
        hint={hint}
        rows={3}
        required={isRequired}
        maxLength={schema.maxLength}
        value={String(value ?? '')}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    );
  if (schema.format === 'date-time')
    return (
      <TextField
        label={label}
        hint={hint}
        type="datetime-local"
        required={isRequired}
        value={toLocalInput(value as string | undefined)}
        onChange={(event) => onChange(fromLocalInput(event.target.value))}
      />
    );
  return (
    <TextField
      label={label}
      hint={hint}
      type={isSecret(name, schema) ? 'password' : schema.format === 'email' ? 'email' : 'text'}
      autoComplete={isSecret(name, schema) ? 'new-password' : 'off'}
      required={isRequired}
      maxLength={schema.maxLength}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  );
}

/** An optional object. Its fields are shown once it is added. */
function OptionalPart({
  name,
  schema,
  hint,
  value,
  onChange,
}: Omit<FieldProps, 'isRequired'> & { hint: string | undefined }) {
  const isOn = value != null;
  return (
    <div className="part stack-tight">
      <Check
        label={`Set ${wordsOf(name)}`}
        hint={isOn ? undefined : hint}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked ? {} : isNullable(schema) ? null : undefined)}
      />
      {isOn && (
        <SchemaFields
          legend={wordsOf(name)}
          hint={hint}
          schema={schema}
          value={value as Value}
          onChange={onChange}
        />
      )}
    </div>
  );
}

/** The fields of an object's schema. Empty fields are left out of the value. */
export function SchemaFields({
  schema,
  value,
  onChange,
  legend,
  hint,
  skip = [],
}: {
  schema: JsonSchema;
  value: Value;
  onChange: (value: Value) => void;
  legend?: string;
  hint?: string | undefined;
  /** Fields that are shown elsewhere. */
  skip?: readonly string[];
}) {
  const hintId = useId();
  const fields = Object.entries(schema.properties ?? {})
    .filter(
      ([name, each]) =>
        // A field with one possible value, such as `kind`, is not a setting.
        each.enum?.length !== 1 &&
        !isShownOnly(each) &&
        !skip.includes(name) &&
        (!isOfChoice(name, schema) || value.provider === name),
    )
    .sort(([a], [b]) => rankOf(a) - rankOf(b));
  const content = fields.map(([name, each]) => (
    <SchemaField
      key={name}
      name={name}
      schema={each}
      isRequired={(schema.required?.includes(name) ?? false) || isOfChoice(name, schema)}
      value={value[name]}
      onChange={(changed) => {
        const { [name]: _old, ...others } = value;
        onChange(changed === undefined ? others : { ...others, [name]: changed });
      }}
    />
  ));
  if (!legend) return <div className="form-row form-wide">{content}</div>;
  return (
    <fieldset className="stack-tight" aria-describedby={hint ? hintId : undefined}>
      <legend>{legend}</legend>
      {hint && (
        <p id={hintId} className="hint">
          {hint}
        </p>
      )}
      <div className="form-row">{content}</div>
    </fieldset>
  );
}
