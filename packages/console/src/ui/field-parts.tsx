import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { bind, TextArea, TextField } from './form.tsx';
import { typedField } from './format.ts';
import { Button } from './parts.tsx';

type Item = Readonly<Record<string, unknown>>;

/** What the parts of a form have in common. */
interface PartProps<Value> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A text of "Name: value" lines. */
const toLines = (value: unknown) =>
  Object.entries((value as Item | null | undefined) ?? {})
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

const toJsonText = (value: unknown) => (value == null ? '' : JSON.stringify(value, null, 2));

const WORDS = {
  lines: 1,
  toText: (value: unknown) => ((value as readonly unknown[] | null | undefined) ?? []).join(', '),
  fromText: (text: string) => text.split(/[\s,]+/).filter(Boolean),
};

/** How values other than text are typed. */
const TEXTS = {
  words: WORDS,
  numbers: { ...WORDS, fromText: (text: string) => WORDS.fromText(text).map(Number) },
  pairs: { lines: 3, toText: toLines, fromText: fromLines },
  json: { lines: 6, toText: toJsonText, fromText: typedField },
} as const;

/** An input whose text stands for another value. It keeps the text as typed. */
export function Translated({
  as,
  value,
  onChange,
  isEmptyKept,
  ...field
}: PartProps<unknown> & {
  readonly as: keyof typeof TEXTS;
  readonly placeholder?: string | undefined;
  readonly required?: true | undefined;
  /** Whether an empty list is a value, and not the absence of one. */
  readonly isEmptyKept?: boolean;
}) {
  const { lines, toText, fromText } = TEXTS[as];
  const [text, setText] = useState(() => toText(value));
  const change = ({ target }: { target: { value: string } }) => {
    setText(target.value);
    const isEmpty = target.value.trim() === '';
    onChange(isEmpty && !isEmptyKept ? undefined : fromText(target.value));
  };
  return lines === 1 ? (
    <TextField {...field} value={text} onChange={change} />
  ) : (
    <TextArea {...field} rows={lines} value={text} onChange={change} />
  );
}

/** A group of fields with a name, a hint and an error. */
export function Group({
  label,
  hint,
  error,
  className = 'stack-tight',
  children,
}: Pick<PartProps<unknown>, 'label' | 'hint' | 'error'> & {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <fieldset className={className} aria-describedby={hint ? id : undefined}>
      <legend>{label}</legend>
      {hint && (
        <p id={id} className="hint">
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p className="field-error" data-invalid tabIndex={-1}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Secret values by name. `true` is a stored one, which is kept if nothing is typed. */
export function SecretMap({ value, onChange, ...group }: PartProps<Readonly<Record<string, string | true>>>) {
  const [name, setName] = useState('');
  const add = () => {
    onChange({ ...value, [name.trim()]: '' });
    setName('');
  };
  return (
    <Group {...group}>
      {Object.entries(value).map(([each, secret]) => (
        <div key={each} className="filters">
          <TextField
            label={each}
            type="password"
            autoComplete="new-password"
            placeholder={secret === true ? 'Stored; type to replace it' : ''}
            {...bind(secret === true ? '' : secret, (text) => onChange({ ...value, [each]: text }))}
          />
          <Button
            icon={Trash2}
            onClick={() => {
              const { [each]: _removed, ...others } = value;
              onChange(others);
            }}
          >
            {`Remove ${each}`}
          </Button>
        </div>
      ))}
      <div className="filters">
        <TextField label="Name of a new one" placeholder="X-Api-Key" {...bind(name, setName)} />
        <Button icon={Plus} disabled={!name.trim() || name.trim() in value} onClick={add}>
          Add
        </Button>
      </div>
    </Group>
  );
}

/** An ordered list of objects, each with its own fields. */
export function ListOf({
  value,
  onChange,
  children,
  ...group
}: PartProps<readonly Item[]> & {
  readonly children: (item: Item, index: number, onChange: (item: Item) => void) => ReactNode;
}) {
  const one = group.label.replace(/s$/, '');
  return (
    <Group {...group}>
      {value.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their index
        <fieldset key={index} className="list-item stack-tight">
          <legend>{`${one} ${index + 1}`}</legend>
          {children(item, index, (changed) =>
            onChange(value.map((each, at) => (at === index ? changed : each))),
          )}
          <div>
            <Button small icon={Trash2} onClick={() => onChange(value.filter((_each, at) => at !== index))}>
              {`Remove ${one.toLowerCase()} ${index + 1}`}
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button small icon={Plus} onClick={() => onChange([...value, {}])}>
          {`Add a ${one.toLowerCase()}`}
        </Button>
      </div>
    </Group>
  );
}
