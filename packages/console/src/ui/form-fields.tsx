import { type ReactNode, useEffect, useRef } from 'react';
import { Group, ListOf, SecretMap, Translated } from './field-parts.tsx';
import { type Field, type FormShape, getAt, isShown, type Json, setAt } from './fields.ts';
import { Check, Disclosure, SelectField, TextArea, TextField } from './form.tsx';
import { fromLocalInput, toLocalInput } from './format.ts';

interface FieldsProps {
  readonly value: Json;
  readonly onChange: (value: Json) => void;
  readonly errors: ReadonlyMap<string, string>;
  /** The path of the value in the form's, which the paths of errors start with; it ends with a dot. */
  readonly within?: string;
  /** Whether the object exists, so that secrets can be stored. */
  readonly isStored?: boolean;
}

/** A number in the unit of the form, without the digits that a division adds. */
const inUnits = (value: number, per: number) => String(Number((value / per).toPrecision(12)));

const fromUnits = (text: string, per: number) => Number((Number(text) * per).toPrecision(12));

function OneField({ field, value, onChange, errors, within = '', isStored }: FieldsProps & { field: Field }) {
  const {
    at,
    label,
    hint,
    kind = 'text',
    options = [],
    placeholder,
    required,
    per = 1,
    none,
    clears,
  } = field;
  const part = getAt(value, at) ?? field.usual;
  const error = errors.get(`${within}${at}`);
  const set = (changed: unknown) => onChange(setAt(value, at, changed));
  const props = { label, hint, error };
  const input = { ...props, ...(placeholder !== undefined && { placeholder }), required };
  switch (kind) {
    case 'words':
      return (
        <Translated
          {...input}
          as={field.numeric ? 'numbers' : 'words'}
          value={part}
          onChange={set}
          isEmptyKept={field.numeric === true && Array.isArray(part)}
        />
      );
    case 'pairs':
    case 'json':
      return <Translated {...input} as={kind} value={part} onChange={set} />;
    case 'secrets':
      return <SecretMap {...props} value={(part ?? {}) as Record<string, string | true>} onChange={set} />;
    case 'list':
      return (
        <ListOf {...props} value={(part ?? []) as readonly Json[]} onChange={set}>
          {(item, index, change) =>
            field.item && (
              <FormFields
                shape={field.item}
                value={item}
                onChange={change}
                errors={errors}
                within={`${within}${at}.${index}.`}
                isStored={isStored ?? false}
              />
            )
          }
        </ListOf>
      );
    case 'several': {
      const chosen = (part ?? []) as readonly string[];
      return (
        <Group {...props}>
          <div className="row">
            {options.map(([each, text]) => (
              <Check
                key={each}
                label={text}
                checked={chosen.includes(each)}
                onChange={({ target }) =>
                  set(
                    options
                      .map(([one]) => one)
                      .filter((one) => (one === each ? target.checked : chosen.includes(one))),
                  )
                }
              />
            ))}
          </div>
        </Group>
      );
    }
    case 'check':
      return <Check {...props} checked={part === true} onChange={({ target }) => set(target.checked)} />;
    case 'choice':
      return (
        <SelectField
          {...props}
          {...(none !== undefined && { any: none })}
          options={options}
          value={String(part ?? '')}
          onChange={({ target }) =>
            target.value === '' ? onChange(setAt(value, clears ?? at, undefined)) : set(target.value)
          }
        />
      );
    case 'number':
      return (
        <TextField
          {...input}
          type="number"
          step="any"
          value={typeof part === 'number' ? inUnits(part, per) : ''}
          onChange={({ target }) => set(target.value === '' ? undefined : fromUnits(target.value, per))}
        />
      );
    case 'moment':
      return (
        <TextField
          {...input}
          type="datetime-local"
          value={toLocalInput(typeof part === 'string' ? part : undefined)}
          onChange={({ target }) => set(fromLocalInput(target.value))}
        />
      );
    case 'long':
      return (
        <TextArea
          {...input}
          rows={3}
          value={String(part ?? '')}
          onChange={({ target }) => set(target.value || undefined)}
        />
      );
  }
  const secret = field.secret && {
    type: 'password',
    autoComplete: 'new-password',
    placeholder: isStored ? 'Unchanged if empty' : (placeholder ?? ''),
  };
  return (
    <TextField
      {...input}
      type={kind}
      {...secret}
      value={String(part ?? '')}
      onChange={({ target }) => set(target.value || undefined)}
    />
  );
}

/** Fields one after the other, without a row around them. */
export function Fields({ fields, ...props }: FieldsProps & { fields: readonly Field[] }) {
  return fields
    .filter((field) => isShown(field, props.value))
    .map((field) => <OneField key={`${field.at} ${field.label}`} field={field} {...props} />);
}

const isWithin = (errors: ReadonlyMap<string, string>, fields: readonly Field[], within: string) =>
  fields.some(({ at }) => [...errors.keys()].some((each) => `${each}.`.startsWith(`${within}${at}.`)));

/** The fields of a form: the first ones, then the others below "Advanced", which opens when one of its fields has an error. */
export function FormFields({
  shape,
  children,
  ...props
}: FieldsProps & { shape: FormShape; children?: ReactNode }) {
  const groups = shape.advanced
    .map((group) => ({ ...group, fields: group.fields.filter((field) => isShown(field, props.value)) }))
    .filter(({ fields }) => fields.length > 0);
  const hasError = groups.some(({ fields }) => isWithin(props.errors, fields, props.within ?? ''));
  return (
    <>
      <div className="form-row form-wide">
        <Fields fields={shape.first} {...props} />
      </div>
      {children}
      {groups.length > 0 && (
        <Disclosure title="Advanced" about={groups.map(({ title }) => title).join(', ')} hasError={hasError}>
          {groups.map(({ title, about, fields }) => (
            <Group key={title} label={title} hint={about} className="form-group stack-tight">
              <div className="form-row form-wide">
                <Fields fields={fields} {...props} />
              </div>
            </Group>
          ))}
        </Disclosure>
      )}
    </>
  );
}

/** Returns the ref of what has the fields. When their errors change, the first field with an error is focused and scrolled into view. */
export function useFocusOnError<Place extends HTMLElement>(errors: ReadonlyMap<string, string>) {
  const form = useRef<Place>(null);
  const keys = [...errors.keys()].join(' ');
  useEffect(() => {
    if (keys === '') return;
    // After "Advanced" has opened.
    const frame = requestAnimationFrame(() => {
      const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]');
      first?.focus({ preventScroll: true });
      first?.scrollIntoView({ block: 'center' });
    });
    return () => cancelAnimationFrame(frame);
  }, [keys]);
  return form;
}
