import { type BodyOf, type ConsumerDetails, PostriderApiError } from '@postrider/client';
import { useNavigate } from '@tanstack/react-router';
import { keys, useEnvironment } from '../../api/index.ts';
import { ChangeForm, check, email, type Json, json, number, RefusedFields, text } from '../../ui/input.ts';
import { KINDS, kindsField } from '../channels/forms/index.ts';

const ID = text('id', 'Id', {
  required: true,
  placeholder: 'org_42',
  hint: 'Your own id for this customer. It cannot be changed.',
});

const UNLIMITED = { placeholder: 'Unlimited' };

const FIELDS = [
  text('name', 'Name', { placeholder: 'Acme GmbH' }),
  email('contact_email', 'Contact', {
    placeholder: 'ops@acme.example',
    hint: 'The address for notices about its channels.',
  }),
  number('limits.events_per_month', 'Events a month', UNLIMITED),
  number('limits.events_per_second', 'Events a second', UNLIMITED),
  number('limits.channels', 'Channels', UNLIMITED),
  check('enabled', 'Enabled', { usual: true, hint: 'Its channels take events.' }),
  kindsField('limits.channel_kinds', 'With all of them selected, every kind of the plan is allowed.'),
  json('attributes', 'Attributes (JSON)', {
    placeholder: '{ "tier": "gold" }',
    hint: 'Filters of channels can compare them, as consumer.attributes.',
  }),
];

/** Choosing all kinds sets no limit, so later kinds are included. */
function withoutFullChoice({ limits, ...body }: BodyOf<'putConsumer'>): BodyOf<'putConsumer'> {
  const isFull = limits?.channel_kinds?.length === Object.keys(KINDS).length;
  return { ...body, limits: { ...limits, ...(isFull && { channel_kinds: null }) } };
}

const settingsOf = ({ name, contact_email, enabled, limits, attributes }: ConsumerDetails): Json => ({
  name,
  contact_email,
  enabled,
  limits,
  // Without attributes the field shows its example.
  ...(Object.keys(attributes).length > 0 && { attributes }),
});

/** Creates a consumer, or changes one, whose id stays. */
export function ConsumerDialog({ consumer }: { consumer: ConsumerDetails | null }) {
  const { environmentId, admin, screen } = useEnvironment();
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
    if (isTaken) throw new RefusedFields(new Map([['id', 'This id is already taken.']]));
    return put(id, body);
  };
  return (
    <ChangeForm
      wide
      shownIn={[keys.consumers(environmentId)]}
      {...(consumer
        ? {
            draft: `${environmentId}.consumer.${consumer.id}`,
            title: `Change ${consumer.name ?? consumer.id}`,
            action: 'Save',
            fields: FIELDS,
            initial: settingsOf(consumer),
            change: (value: Json) => put(consumer.id, value),
            done: 'The consumer is saved. Limits apply to events from now on.',
          }
        : {
            draft: `${environmentId}.consumer`,
            title: 'Create a consumer',
            action: 'Create',
            fields: [ID, ...FIELDS],
            change: create,
            onSaved: ({ id }: Json) => navigate({ to: screen`/consumers/${String(id).trim()}` }),
            done: 'The consumer is created.',
          })}
    />
  );
}
