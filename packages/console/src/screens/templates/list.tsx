import type { TemplateSummary } from '@postrider/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { FilePen, Plus } from 'lucide-react';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { Empty } from '../../ui/feedback.tsx';
import { type Column, PagedTable, usePaged } from '../../ui/list.tsx';
import { CopyId, May, PageHead, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';
import { KindIcon } from '../messages/table.tsx';

/** The versions of the templates of an environment. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  const navigate = useNavigate();
  const list = usePaged(keys.templates(environmentId, 'list'), (query) =>
    admin.templates.of(environmentId).page(query),
  );
  const to = ({ id }: TemplateSummary) => screen`/templates/${id}`;
  const columns: Column<TemplateSummary>[] = [
    {
      name: 'Event key',
      cell: (template) => (
        <span className="row">
          <KindIcon kind={template.channel_kind} />
          <Link to={to(template)}>{template.event_key}</Link>
        </span>
      ),
    },
    { name: 'Kind', cell: ({ channel_kind }) => channel_kind },
    { name: 'Version', cell: ({ version }) => <span className="number">{version}</span> },
    { name: 'State', cell: ({ active }) => <Status value={active ? 'active' : 'inactive'} /> },
    { name: 'Id', cell: ({ id }) => <CopyId value={id} short /> },
    { name: 'Made', isEnd: true, cell: ({ created_at }) => <Time at={created_at} format="short" /> },
  ];
  return (
    <>
      <PageHead
        title="Templates"
        about="What emails and webhooks say, by event key. Versions are kept; one of each event key and kind is active."
      >
        <May operation="createTemplate">
          <Link to={screen`/templates/new`} className="button button-primary">
            <Plus aria-hidden="true" />
            Write a template
          </Link>
        </May>
      </PageHead>
      <PagedTable
        label="Templates"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={(template) => void navigate({ to: to(template) })}
        empty={
          <Empty
            icon={FilePen}
            title="There is no template yet"
            command={`npm run postrider -- templates create-email --environment ${environmentId} --event-key order.shipped --subject 'Order {{ payload.order_id }} is on its way' --html-file order.html`}
          >
            An email needs one for each event key. Without one, webhooks send a default body.
          </Empty>
        }
      />
    </>
  );
}
