import type { ConsumerSummary } from '@postrider/client';
import { Link, useSearch } from '@tanstack/react-router';
import { Contact } from 'lucide-react';
import { keys, useEnvironment } from '../../api/index.ts';
import { ListScreen, SearchForm, Status } from '../../ui/display.ts';
import { formatNumber } from '../../ui/format.ts';
import { Time } from '../../ui/parts.tsx';
import { ConsumerDialog } from './form.tsx';

/** The customers of the tenant that have channels of their own. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  const { search } = useSearch({ strict: false }) as { search?: string };
  const to = ({ id }: ConsumerSummary) => screen`/consumers/${id}`;
  return (
    <ListScreen
      title="Consumers"
      about="Your customers that have channels of their own, by their ids."
      create={{
        label: 'Create a consumer',
        operation: 'putConsumer',
        dialog: <ConsumerDialog consumer={null} />,
      }}
      queryKey={keys.consumers(environmentId, 'list', search)}
      read={(query) => admin.consumers.of(environmentId).page({ ...query, ...(search && { search }) })}
      to={to}
      columns={{
        Name: (consumer) => (
          <span className="stack-none">
            <Link className="break" to={to(consumer)}>
              {consumer.name ?? consumer.id}
            </Link>
            <code className="small muted break">{consumer.id}</code>
          </span>
        ),
        State: ({ enabled }) => <Status value={enabled ? 'enabled' : 'disabled'} />,
        Contact: ({ contact_email }) => <span className="break">{contact_email ?? '–'}</span>,
        'Events a month': {
          end: ({ limits: { events_per_month: limit } }) => (
            <span className="number">{limit === null ? 'unlimited' : `at most ${formatNumber(limit)}`}</span>
          ),
        },
        Created: { end: ({ created_at }) => <Time at={created_at} format="short" /> },
      }}
      empty={
        search
          ? {
              title: 'No consumer has such an id or name',
              children: 'Check the spelling, or search for a shorter text.',
            }
          : {
              icon: Contact,
              title: 'No consumers yet',
              command: `npm run postrider -- consumers put org_42 --environment ${environmentId} --name 'Acme GmbH'`,
              children:
                'A consumer is a customer of yours with channels of its own, which it can manage in the portal.',
            }
      }
    >
      <SearchForm param="search" label="Beginning of an id or a name" maxLength={100} />
    </ListScreen>
  );
}
