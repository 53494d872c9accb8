import type { OperationId } from '@postrider/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMay } from '../api/access.ts';
import { ErrorNotice, useToast } from './feedback.tsx';
import { submitting } from './form.tsx';
import { Button, Card, May } from './parts.tsx';
import { type JsonSchema, SchemaFields } from './schema-form.tsx';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON Merge Patch (RFC 7396) between two values. Maps are compared name by name. */
function mergePatch(before: Json, after: Json): Json {
  const patch: Json = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    if (now === undefined) {
      if (old !== null) patch[name] = null;
    } else patch[name] = isObject(old) && isObject(now) ? mergePatch(old, now) : now;
  }
  return patch;
}

/** The settings of a resource, as a form for the schema of a change. Only changes are sent. */
export function SettingsForm({
  title,
  schema,
  resource,
  skip,
  operation,
  target,
  save: send,
}: {
  title: string;
  schema: JsonSchema;
  /** As the service shows it. */
  resource: object;
  /** Fields that are not in the form. */
  skip: readonly string[];
  operation: OperationId;
  target?: ReactNode;
  /** Sends a JSON Merge Patch, and reads the resource again. */
  save: (patch: never) => Promise<unknown>;
}) {
  const toast = useToast();
  const may = useMay();
  const stored: Json = Object.fromEntries(
    Object.entries(resource).filter(
      ([name]) => !skip.includes(name) && schema.properties?.[name] !== undefined,
    ),
  );
  const [value, setValue] = useState(stored);
  /** Increased by each undo, so that the fields are created again. */
  const [round, setRound] = useState(0);
  const patch = mergePatch(stored, value);
  const isChanged = Object.keys(patch).length > 0;
  const save = useMutation({
    mutationFn: async () => {
      await send(patch as never);
      toast('The settings are saved. They apply within 5 seconds.');
    },
  });
  return (
    <form onSubmit={submitting(save.mutate)}>
      <Card
        title={title}
        foot={
          <May operation={operation} explain="You cannot change the settings.">
            {isChanged && <span className="small muted grow">There are unsaved changes.</span>}
            <Button
              disabled={!isChanged}
              onClick={() => {
                setValue(stored);
                setRound(round + 1);
              }}
            >
              Undo
            </Button>
            <Button type="submit" variant="primary" disabled={!isChanged} busy={save.isPending}>
              Save
            </Button>
          </May>
        }
      >
        <fieldset className="stack" disabled={!may(operation)}>
          {target}
          <SchemaFields key={round} schema={schema} value={value} onChange={setValue} skip={skip} />
          <ErrorNotice error={save.error} />
        </fieldset>
      </Card>
    </form>
  );
}
