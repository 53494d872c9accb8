import type { ConfiguredChannel } from '@postrider/client';
import { type FormEvent, useState } from 'react';
import { useAdmin } from '../../api/session.ts';
import { ErrorNotice, useToast } from '../../ui/feedback.tsx';
import { Button, Card } from '../../ui/parts.tsx';
import { type JsonSchema, SchemaFields } from '../../ui/schema-form.tsx';
import { schemaOfKind } from './create.tsx';

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

/** Fields that have their own section on the screen. */
const SKIP = ['enabled', 'filter'];

/** The fields that the form can change, from the kind's schema. */
const editable = (channel: ConfiguredChannel, schema: JsonSchema | undefined): Json =>
  Object.fromEntries(
    Object.entries(channel).filter(
      ([name]) => name !== 'kind' && !SKIP.includes(name) && schema?.properties?.[name] !== undefined,
    ),
  );

/** The settings of a channel, as a form for its kind's schema. Only changes are sent. */
export function ChannelSettings({
  channel,
  onSaved,
}: {
  channel: ConfiguredChannel;
  onSaved: () => Promise<unknown>;
}) {
  const admin = useAdmin();
  const toast = useToast();
  const schema = schemaOfKind(channel.kind);
  const [value, setValue] = useState<Json>(() => editable(channel, schema));
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  /** Increased by each undo, so that the fields are created again. */
  const [round, setRound] = useState(0);
  const patch = mergePatch(editable(channel, schema), value);
  const isChanged = Object.keys(patch).length > 0;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await admin.channels.update(channel.id, patch as never);
      await onSaved();
      toast('The settings are saved. They apply within 5 seconds.');
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  if (!schema) return null;
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Card
        title="Settings"
        foot={
          <>
            {isChanged && <span className="small muted grow">There are unsaved changes.</span>}
            <Button
              disabled={!isChanged}
              onClick={() => {
                setValue(editable(channel, schema));
                setRound(round + 1);
              }}
            >
              Undo
            </Button>
            <Button type="submit" variant="primary" disabled={!isChanged} busy={busy}>
              Save
            </Button>
          </>
        }
      >
        <div className="stack">
          <SchemaFields key={round} schema={schema} value={value} onChange={setValue} skip={SKIP} />
          <ErrorNotice error={error} />
        </div>
      </Card>
    </form>
  );
}
