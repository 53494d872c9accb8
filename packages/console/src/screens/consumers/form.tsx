import { type BodyOf, type PostriderAdmin, PostriderApiError } from '@postrider/client';
import { useNavigate } from '@tanstack/react-router';
import { keys } from '../../api/keys.ts';
import { path } from '../../api/path.ts';
import { useAdmin } from '../../api/scope.ts';
import { Target, useEnvironment } from '../../app/environment.tsx';
import type { Field, FormShape, Json } from '../../ui/fields.ts';
import { ObjectDialog, RefusedFields } from '../../ui/object-form.tsx';
import { KINDS } from '../channels/forms/index.ts';

export type Consumer = Awaited<ReturnType<PostriderAdmin['consumers']['get']>>;

const ID: Field = {
  at: 'id',
  label: 'Id',
  required: true,
  placeholder: 'org_42',
  hint: 'Your own id of this customer. It cannot be changed.',
};

const SHAPE: FormShape = {
  first: [
    { at: 'name', label: 'Name', placeholder: 'Acme GmbH' },
    {
      at: 'contact_email',
      label: 'Contact',
      kind: 'email',
      placeholder: 'ops@acme.example',
      hint: 'Whom to tell about its channels.',
    },
    { at: 'limits.events_per_month', label: 'Events a month', kind: 'number', placeholder: 'Unlimited' },
    { at: 'limits.events_per_second', label: 'Events a second', kind: 'number', placeholder: 'Unlimited' },
    { at: 'limits.channels', label: 'Channels', kind: 'number', placeholder: 'Unlimited' },
    {
      at: 'enabled',
      label: 'Enabled',
      kind: 'check',
      usual: true,
      hint: 'Its channels take events.',
    },
    {
      at: 'limits.channel_kinds',
      label: 'Kinds of channels',
      kind: 'several',
      usual: Object.keys(KINDS),
      options: Object.entries(KINDS).map(([kind, { name }]) => [kind, name] as const),
      hint: 'With all of them selected, every kind of the plan is allowed.',
    },
    {
      at: 'attributes',
      label: 'Attributes (JSON)',
      kind: 'json',
      placeholder: '{ "tier": "gold" }',
      hint: 'Filters of channels can compare them, as consumer.attributes.',
    },
  ],
  advanced: [],
};

const NEW: FormShape = { ...SHAPE, first: [ID, ...SHAPE.first] };

/** A choice of all kinds is no limit, also for kinds that come later. */
function withoutFullChoice({ limits, ...body }: BodyOf<'putConsumer'>): BodyOf<'putConsumer'> {
  const isFull = limits?.channel_kinds?.length === Object.keys(KINDS).length;
  return { ...body, limits: { ...limits, ...(isFull && { channel_kinds: null }) } };
}

const settingsOf = ({ name, contact_email, enabled, limits, attributes }: Consumer): Json => ({
  ...{ name, contact_email, enabled, limits },
  // Without attributes the field shows its example.
  ...(Object.keys(attributes).length > 0 && { attributes }),
});

/** Creates a consumer, or changes one, whose id stays. */
export function ConsumerDialog({ consumer, onClose }: { consumer: Consumer | null; onClose: () => void }) {
  const { environmentId } = useEnvironment();
  const admin = useAdmin();
  const navigate = useNavigate();
  const put = (id: string, body: Json) =>
    admin.consumers.put(environmentId, id, withoutFullChoice(body as BodyOf<'putConsumer'>));
  const create = async ({ id: typed, ...body }: Json) => {
    const id = String(typed).trim();
    // The API would replace it.
    const isTaken = await admin.consumers.get(environmentId, id).then(
      () => true,
      (error) => {
        if (error instanceof PostriderApiError && error.status === 404) return false;
        throw error;
      },
    );
    if (isTaken) throw new RefusedFields(new Map([['id', 'There is a consumer with this id.']]));
    await put(id, body);
  };
  const common = { target: <Target />, shownIn: keys.consumers(environmentId), onClose };
  if (consumer)
    return (
      <ObjectDialog
        {...common}
        name={`${environmentId}.consumer.${consumer.id}`}
        title={`Change ${consumer.name ?? consumer.id}`}
        action="Save"
        shape={SHAPE}
        initial={settingsOf(consumer)}
        save={(value) => put(consumer.id, value)}
        done="The consumer is saved. Limits apply to events from now on."
      />
    );
  return (
    <ObjectDialog
      {...common}
      name={`${environmentId}.consumer`}
      title="Create a consumer"
      action="Create"
      shape={NEW}
      save={create}
      onSaved={({ id }) => void navigate({ to: path`/e/${environmentId}/consumers/${String(id).trim()}` })}
      done="The consumer is created."
    />
  );
}
