import { ChevronRight } from 'lucide-react';
import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (props: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** The errors of the fields within, by label. */
export const ErrorsByLabel = createContext<Readonly<Record<string, string>>>({});

function Field({ label, hint, error: own, children }: FieldProps) {
  const id = useId();
  const refused = useContext(ErrorsByLabel)[String(label)];
  const error = own ?? refused;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true as const }),
      })}
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className="field-error">
          {error}
        </span>
      )}
    </div>
  );
}

/** The value of a text field, a text area or a choice, and what sets it. */
export const bind = (value: string, set: (value: string) => void) => ({
  value,
  onChange: ({ target }: { target: { value: string } }) => set(target.value),
});

/** What a form does instead of loading another page. */
export const submitting = (submit: () => void) => (event: FormEvent) => {
  event.preventDefault();
  submit();
};

interface TaskState<Result> {
  readonly busy?: boolean;
  readonly error?: unknown;
  readonly data?: Result;
}

/**
 * Runs a task: `busy` while it runs, then `error` if it failed, or its `data`. Only the newest run counts, and none after `reset`.
 * `initialError` is the error before the first run.
 */
export function useTask<Result = unknown>(initialError?: unknown) {
  const [state, setState] = useState<TaskState<Result>>({ error: initialError });
  const newest = useRef<unknown>(null);
  const start = (task: unknown, first: TaskState<Result>) => {
    newest.current = task;
    setState(first);
  };
  const run = (task: () => Promise<Result>) => {
    const end = (last: TaskState<Result>) => {
      if (newest.current === task) setState(last);
    };
    start(task, { busy: true });
    return task().then(
      (data) => end({ data }),
      (error) => end({ error }),
    );
  };
  return { ...state, run, reset: () => start(null, {}) };
}

type Extra = { readonly label: ReactNode; readonly hint?: ReactNode; readonly error?: string | undefined };

export function TextField({ label, hint, error, ...input }: Extra & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <input className="input" autoComplete="off" {...props} {...input} />}
    </Field>
  );
}

export function TextArea({ label, hint, error, ...input }: Extra & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <textarea className="input" spellCheck={false} {...props} {...input} />}
    </Field>
  );
}

type Option = string | readonly [value: string, text: string];

const optionsOf = (options: readonly Option[]) =>
  options.map((option) => {
    const [value, text] = typeof option === 'string' ? [option, option.replaceAll('_', ' ')] : option;
    return (
      <option key={value} value={value}>
        {text}
      </option>
    );
  });

export function SelectField({
  label,
  hint,
  error,
  options,
  any,
  ...select
}: Extra &
  ComponentProps<'select'> & {
    readonly options: readonly Option[];
    /** The text of the empty choice. */
    readonly any?: string;
  }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <select className="input" {...props} {...select}>
          {any !== undefined && <option value="">{any}</option>}
          {optionsOf(options)}
        </select>
      )}
    </Field>
  );
}

/** A choice in one line with its label, such as in the head of a card. */
export function InlineSelect({
  label,
  options,
  ...select
}: ComponentProps<'select'> & { readonly label: string; readonly options: readonly Option[] }) {
  return (
    <label className="row small">
      <span>{label}</span>
      <select className="input" style={{ width: 'auto', maxWidth: 260 }} {...select}>
        {optionsOf(options)}
      </select>
    </label>
  );
}

/** The list with the item, or without it. */
export const toggled = <Item,>(list: readonly Item[], item: Item): readonly Item[] =>
  list.includes(item) ? list.filter((each) => each !== item) : [...list, item];

export function Check({ label, hint, error, ...input }: Extra & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className="check">
      <input
        type="checkbox"
        id={id}
        {...(error && { 'aria-invalid': true as const, 'aria-describedby': `${id}-error` })}
        {...input}
      />
      <label htmlFor={id}>
        {label}
        {hint && <span className="hint"> {hint}</span>}
        {error && (
          <span id={`${id}-error`} className="field-error">
            {' '}
            {error}
          </span>
        )}
      </label>
    </div>
  );
}

/** A choice of a few, all of them visible. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset className="segmented" aria-label={label}>
      {options.map(([each, text]) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}

/** A part of a form that is hidden at first. It opens when one of its fields has an error. */
export function Disclosure({
  title,
  about,
  hasError,
  children,
}: {
  readonly title: string;
  readonly about: string;
  readonly hasError: boolean;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (hasError) setOpen(true);
  }, [hasError]);
  return (
    <details
      className="disclosure"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <ChevronRight className="icon" aria-hidden="true" />
        <span>{title}</span>
        <span className="small muted truncate">{about}</span>
      </summary>
      {isOpen && <div className="stack">{children}</div>}
    </details>
  );
}
