import schemas from 'virtual:channel-schemas';
import type { ChannelInput } from '@postrider/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { path } from '../../api/path.ts';
import { useAdmin, useInvalidate } from '../../api/session.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import { ErrorNotice } from '../../ui/feedback.tsx';
import { submitting } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlays.tsx';
import { Button } from '../../ui/parts.tsx';
import { type JsonSchema, SchemaFields } from '../../ui/schema-form.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';

const KINDS: ReadonlyMap<string, JsonSchema> = new Map(
  schemas.oneOf.map((schema) => [String(schema.properties?.kind?.enum?.[0]), schema]),
);
/** These keep their defaults here and can be changed on the channel's screen. */
const LATER = ['retry', 'filter', 'failure_policy'];

/** The kinds that a channel can have. */
export const CHANNEL_KINDS: readonly string[] = [...KINDS.keys()];
/** The schema of a kind's settings in the OpenAPI document. */
export const schemaOfKind = (kind: string): JsonSchema | undefined => KINDS.get(kind);

export function CreateChannel({ onClose }: { onClose: () => void }) {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const [kind, setKind] = useState(CHANNEL_KINDS[0] ?? '');
  const [value, setValue] = useState<Record<string, unknown>>({});
  const create = useMutation({
    mutationFn: () => admin.channels.create(environmentId, { kind, ...value } as ChannelInput),
    onSuccess: () => invalidate('channels', environmentId),
  });
  const created = create.data;
  const open = () =>
    created && void navigate({ to: path`/e/${environmentId}/channels/${created.id}` as string });

  if (created)
    return (
      <Dialog
        open
        onClose={onClose}
        title="The channel was created"
        foot={
          <Button variant="primary" onClick={open}>
            Open the channel
          </Button>
        }
      >
        {'secret' in created && created.secret ? (
          <SecretOnce value={String(created.secret)} label="Signing secret" />
        ) : (
          <p>Send a test before events depend on it.</p>
        )}
      </Dialog>
    );
  const schema = KINDS.get(kind);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Create a channel"
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form="create-channel" variant="primary" busy={create.isPending}>
            Create
          </Button>
        </>
      }
    >
      <form id="create-channel" className="stack" onSubmit={submitting(create.mutate)}>
        <Target />
        <fieldset className="segmented" aria-label="Kind">
          {CHANNEL_KINDS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === kind}
              onClick={() => {
                setKind(each);
                setValue({ ...(value.name ? { name: value.name } : {}) });
              }}
            >
              {each}
            </button>
          ))}
        </fieldset>
        {schema && <SchemaFields key={kind} schema={schema} value={value} onChange={setValue} skip={LATER} />}
        <ErrorNotice error={create.error} />
      </form>
    </Dialog>
  );
}
