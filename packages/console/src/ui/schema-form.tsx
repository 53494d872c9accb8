import { useId, useState } from 'react';
import { Check, SelectField, TextArea, TextField } from './form.tsx';

/** A JSON Schema as far as the forms need it. */
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
  readonly writeOnly?: boolean;
}

type Value = Record<string, unknown>;

interface FieldProps {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** The alternative of a schema that is not null: null is an empty field. */
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
    .replace(/\b(url|smtp|ms|id)\b/g, (each) => (each === 'ms' ? '(ms)' : each.toUpperCase()));
  return words[0]?.toUpperCase() + words.slice(1);
};

const isSecret = (name: string) => /password|secret/.test(name);

/** Text of "Name: value" lines, as headers are written. */
const toLines = (value: unknown) =>
  Object.entries((value as Value | null) ?? {})
    .map(([name, each]) => `${name}: ${each}`)
    .join('\n');
const fromLines = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.split(/:(.*)/s).map((part) => part.trim()))
      .filter(([name]) => name)
      .map(([name, each]) => [name, each ?? '']),
  );

/** Text that becomes another value; keeps what is typed as it is typed. */
function Translated({
  lines = 1,
  label,
  hint,
  value,
  toText,
  fromText,
  onChange,
}: {
  lines?: number;
  label: string;
  hint: string | undefined;
  value: unknown;
  toText: (value: unknown) => string;
  fromText: (text: string) => unknown;
  onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState(() => toText(value));
  const change = (changed: string) => {
    setText(changed);
    onChange(fromText(changed));
  };
  if (lines === 1)
    return (
      <TextField label={label} hint={hint} value={text} onChange={(event) => change(event.target.value)} />
    );
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={lines}
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  );
}

/** Says no more than a label does. */
const EMPTY_HINTS = new Set(['For people.']);

/** The first sentence of a description. */
function hintOf({ description }: JsonSchema): string | undefined {
  const hint = description?.match(/^.*?[.;](?=\s|$)/)?.[0] ?? description;
  return hint && !EMPTY_HINTS.has(hint) ? hint.replaceAll('`', '') : undefined;
}

function SchemaField({ name, schema: given, isRequired, value, onChange }: FieldProps) {
  const schema = withoutNull(given);
  const hint = hintOf(schema);
  const label = isRequired ? wordsOf(name) : `${wordsOf(name)} (optional)`;
  switch (typeOf(schema)) {
    case 'object':
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
      return (
        <Translated
          lines={3}
          label={label}
          hint={`${hint ?? ''} One “Name: value” per line.`}
          value={value}
          toText={toLines}
          fromText={fromLines}
          onChange={onChange}
        />
      );
    case 'array': {
      const isNumeric = ['number', 'integer'].includes(typeOf(schema.items ?? {}));
      return (
        <Translated
          label={label}
          hint={hint}
          value={value}
          toText={(each) => ((each as unknown[] | undefined) ?? []).join(', ')}
          fromText={(text) => {
            const parts = text.split(/[\s,]+/).filter(Boolean);
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
          required={isRequired}
          min={schema.minimum}
          max={schema.maximum}
          value={value == null ? '' : String(value)}
          placeholder={schema.default === undefined ? undefined : String(schema.default)}
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
  return (
    <TextField
      label={label}
      hint={hint}
      type={isSecret(name) ? 'password' : 'text'}
      autoComplete={isSecret(name) ? 'new-password' : 'off'}
      required={isRequired}
      maxLength={schema.maxLength}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  );
}

/** The fields of an object's schema. An empty field is left out of the value. */
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
  /** Fields that the form shows elsewhere. */
  skip?: readonly string[];
}) {
  const hintId = useId();
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name, each]) => each.const === undefined && !skip.includes(name),
  );
  const content = fields.map(([name, each]) => (
    <SchemaField
      key={name}
      name={name}
      schema={each}
      isRequired={schema.required?.includes(name) ?? false}
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
