import type { OperationId } from '@postrider/client';
import type { ComponentProps, ReactNode } from 'react';
import { useMay } from '../api/access.ts';
import { Change } from './change.tsx';
import { LeaveGuard, useDraft } from './draft.tsx';
import { ErrorNotice, InputError, Notice } from './feedback.tsx';
import { errorsOf, type Field, type FormShape, missingOf, withoutHidden } from './fields.ts';
import { submitting, useTask } from './form.tsx';
import { Fields, FormFields, useFocusOnError } from './form-fields.tsx';
import { type Json, patchBetween } from './json.ts';
import { Button, Card, May } from './parts.tsx';
import { Target } from './target.tsx';
import { toast } from './toasts.ts';

/** What the form itself refuses: a sentence for each field, by its `at`. */
export class RefusedFields extends InputError {
  readonly fields: ReadonlyMap<string, string>;

  constructor(fields: ReadonlyMap<string, string>) {
    super('Correct the marked fields.');
    this.fields = fields;
  }
}

/** Sends the value of a form unless fields are missing. Its errors are shown at their fields. */
export function useObjectForm<Result, Place extends HTMLElement = HTMLFormElement>(
  shapeOf: (value: Json) => FormShape,
  value: Json,
  send: (value: Json) => Promise<Result>,
) {
  const shape = shapeOf(value);
  const task = useTask<Result>();
  const attempt = async () => {
    const sent = withoutHidden(shape, value);
    const missing = missingOf(shape, sent);
    if (missing.size > 0) throw new RefusedFields(missing);
    return send(sent);
  };
  /** Rejects if it fails, as well. */
  const submit = () => {
    const attempted = attempt();
    void task.run(() => attempted);
    return attempted;
  };
  const { error } = task;
  const { byField, others } =
    error instanceof RefusedFields ? { byField: error.fields, others: false } : errorsOf(shape, value, error);
  const onSubmit = submitting(() => void task.run(attempt));
  return { ...task, submit, onSubmit, shape, errors: byField, others, form: useFocusOnError<Place>(byField) };
}

/** Says that fields have errors, or shows an error that belongs to no field. */
export function FormError({
  form: { error, errors, others },
}: {
  form: Pick<ReturnType<typeof useObjectForm>, 'error' | 'errors' | 'others'>;
}) {
  if (others) return <ErrorNotice error={error} />;
  if (errors.size === 0) return null;
  return (
    <Notice
      tone="bad"
      title={errors.size === 1 ? 'One field needs a change.' : `${errors.size} fields need a change.`}
    />
  );
}

/** Says that a draft was kept. */
export function RestoredNotice({
  draft: { isRestored },
}: {
  draft: Pick<ReturnType<typeof useDraft>, 'isRestored'>;
}) {
  if (!isRestored) return null;
  return (
    <Notice title="Your unsaved changes are back.">
      <p>Secrets are not kept: type them again.</p>
    </Notice>
  );
}

/** Asks for values in a dialog, and makes a change with them. Errors are shown at their fields. */
export function ChangeForm<Result>({
  draft: name,
  fields,
  initial = {},
  change,
  onSaved,
  about,
  children,
  ...asked
}: Omit<ComponentProps<typeof Change<Result>>, 'change' | 'children'> & {
  /** The name by which what was typed is kept until it is saved or undone. */
  readonly draft?: string;
  readonly fields: readonly Field[];
  readonly initial?: Json;
  readonly change: (value: Json) => Promise<Result>;
  /** Called after the change, when nothing typed can be lost any more. */
  readonly onSaved?: (value: Json) => Promise<void>;
  /** Above the fields. */
  readonly about?: ReactNode;
  /** Shown below the fields: what they cannot edit. */
  readonly children?: (value: Json, set: (part: Json) => void) => ReactNode;
}) {
  const shapeOf = (): FormShape => ({ first: fields, advanced: [] });
  const draft = useDraft(name, initial, shapeOf);
  const { value, isChanged, round } = draft;
  const form = useObjectForm<Result, HTMLDivElement>(shapeOf, value, async (sent) => {
    const result = await change(sent);
    draft.forget();
    await onSaved?.(sent);
    return result;
  });
  const undo = () => {
    form.reset();
    draft.undo();
  };
  return (
    <Change
      danger={false}
      noValidate={name !== undefined}
      {...asked}
      change={form.submit}
      problem={<FormError form={form} />}
      undo={name !== undefined && isChanged ? undo : undefined}
    >
      {name !== undefined && <LeaveGuard draft={draft} />}
      {about}
      <RestoredNotice draft={draft} />
      <div ref={form.form} className={asked.wide ? 'form-row form-wide' : 'form-row'}>
        <Fields key={round} fields={fields} value={value} onChange={draft.change} errors={form.errors} />
      </div>
      {children?.(value, (part) => draft.change({ ...value, ...part }))}
    </Change>
  );
}

/** The settings of something that exists. Only changes are sent, as a JSON Merge Patch. */
export function ObjectForm({
  name,
  title,
  stored,
  shapeOf,
  operation,
  hasTarget,
  above,
  save: send,
}: {
  /** Names its draft. */
  name: string;
  title: string;
  stored: Json;
  shapeOf: (value: Json) => FormShape;
  operation: OperationId;
  /** Whether it names the tenant and the environment. */
  hasTarget?: boolean;
  /** What is shown above the fields, such as a choice that decides on them. */
  above?: (value: Json, change: (value: Json) => void) => ReactNode;
  save: (patch: Json) => Promise<unknown>;
}) {
  const may = useMay();
  const draft = useDraft(name, stored, shapeOf);
  const { value, isChanged } = draft;
  const form = useObjectForm(shapeOf, value, async (sent) => {
    await send(patchBetween(stored, sent));
    draft.forget();
    toast('The settings are saved. They apply within 5 seconds.');
  });
  const undo = () => {
    form.reset();
    draft.undo();
  };
  return (
    <form ref={form.form} noValidate onSubmit={form.onSubmit}>
      <LeaveGuard draft={draft} />
      <Card
        title={title}
        foot={
          <May operation={operation} explain="You cannot change the settings.">
            {isChanged && <span className="small muted grow">There are unsaved changes.</span>}
            <Button disabled={!isChanged} onClick={undo}>
              Undo
            </Button>
            <Button type="submit" variant="primary" disabled={!isChanged} busy={form.busy}>
              Save
            </Button>
          </May>
        }
      >
        <fieldset className="stack" disabled={!may(operation)}>
          {hasTarget && <Target />}
          <RestoredNotice draft={draft} />
          {above?.(value, draft.change)}
          <FormFields
            key={draft.round}
            shape={form.shape}
            value={value}
            onChange={draft.change}
            errors={form.errors}
            isStored
          />
          <FormError form={form} />
        </fieldset>
      </Card>
    </form>
  );
}
