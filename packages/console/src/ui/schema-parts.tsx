import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Check, TextArea, TextField } from './form.tsx';
import { Button } from './parts.tsx';

type Item = Record<string, unknown>;

/** A text of "Name: value" lines. */
export const toLines = (value: unknown) =>
  Object.entries((value as Item | null) ?? {})
    .map(([name, each]) => `${name}: ${each}`)
    .join('\n');
export const fromLines = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.split(/:(.*)/s).map((part) => part.trim()))
      .filter(([name]) => name)
      .map(([name, each]) => [name, each ?? '']),
  );

/** A document as text. A text that is no JSON is sent as it is typed, so that the response says what is wrong. */
const toJsonText = (value: unknown) => (value == null ? '' : JSON.stringify(value, null, 2));
function fromJsonText(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An input whose text is converted to another value. It keeps the text as typed. */
export function Translated({
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

/** An object without known fields: a document if it is open to any value, else texts by their names. */
export function ObjectText({
  isOpen,
  hint = '',
  ...field
}: Pick<Parameters<typeof Translated>[0], 'label' | 'hint' | 'value' | 'onChange'> & { isOpen: boolean }) {
  return isOpen ? (
    <Translated {...field} lines={6} hint={`${hint} As JSON.`} toText={toJsonText} fromText={fromJsonText} />
  ) : (
    <Translated
      {...field}
      lines={3}
      hint={`${hint} One “Name: value” per line.`}
      toText={toLines}
      fromText={fromLines}
    />
  );
}

/** A group of fields with a name and a hint. */
function Group({
  legend,
  hint,
  children,
}: {
  legend: string;
  hint: string | undefined;
  children: ReactNode;
}) {
  const hintId = useId();
  return (
    <fieldset className="stack-tight" aria-describedby={hint ? hintId : undefined}>
      <legend>{legend}</legend>
      {hint && (
        <p id={hintId} className="hint">
          {hint}
        </p>
      )}
      {children}
    </fieldset>
  );
}

interface GroupProps<Value> {
  readonly legend: string;
  readonly hint: string | undefined;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of several words. */
export function Choices({
  legend,
  hint,
  options,
  value,
  onChange,
}: GroupProps<readonly string[]> & { options: readonly string[] }) {
  return (
    <Group legend={legend} hint={hint}>
      <div className="row">
        {options.map((option) => (
          <Check
            key={option}
            label={option}
            checked={value.includes(option)}
            onChange={({ target }) =>
              onChange(options.filter((each) => (each === option ? target.checked : value.includes(each))))
            }
          />
        ))}
      </div>
    </Group>
  );
}

/** Secret values by name. `true` is a stored one, which is kept if nothing is typed. */
export function SecretMap({
  legend,
  hint,
  value,
  onChange,
}: GroupProps<Readonly<Record<string, string | true>>>) {
  const [name, setName] = useState('');
  const add = () => {
    onChange({ ...value, [name.trim()]: '' });
    setName('');
  };
  return (
    <Group legend={legend} hint={hint}>
      {Object.entries(value).map(([each, secret]) => (
        <div key={each} className="filters">
          <TextField
            label={each}
            type="password"
            autoComplete="new-password"
            placeholder={secret === true ? 'set; type to replace it' : ''}
            value={secret === true ? '' : secret}
            onChange={({ target }) => onChange({ ...value, [each]: target.value })}
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
        <TextField
          label={`Name, to add to ${legend.toLowerCase()}`}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button icon={Plus} disabled={!name.trim() || name.trim() in value} onClick={add}>
          Add
        </Button>
      </div>
    </Group>
  );
}

/** An ordered list of objects, each with its own fields. */
export function ListOf({
  legend,
  hint,
  max = 100,
  value,
  onChange,
  children,
}: GroupProps<readonly Item[]> & {
  max?: number | undefined;
  children: (item: Item, onChange: (item: Item) => void) => ReactNode;
}) {
  const nameOf = (index: number) => `${legend.replace(/s$/, '')} ${index + 1}`;
  return (
    <Group legend={legend} hint={hint}>
      {value.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields are those of the place in the list
        <fieldset key={index} className="list-item stack-tight">
          <legend>{nameOf(index)}</legend>
          {children(item, (changed) => onChange(value.map((each, at) => (at === index ? changed : each))))}
          <div>
            <Button small icon={Trash2} onClick={() => onChange(value.filter((_each, at) => at !== index))}>
              {`Remove ${nameOf(index).toLowerCase()}`}
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button small icon={Plus} disabled={value.length >= max} onClick={() => onChange([...value, {}])}>
          {`Add to ${legend.toLowerCase()}`}
        </Button>
      </div>
    </Group>
  );
}
