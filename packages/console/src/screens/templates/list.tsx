import type { TemplateSummary } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { FilePen } from 'lucide-react';
import { keys, useEnvironment } from '../../api/index.ts';
import { ListScreen } from '../../ui/display.ts';
import { VERSION_COLUMNS } from '../../ui/versions.tsx';
import { KindIcon } from '../messages/table.tsx';

/** The versions of the templates of an environment. */
export function Screen() {
  const { environmentId, admin, screen } = useEnvironment();
  const to = ({ id }: TemplateSummary) => screen`/templates/${id}`;
  return (
    <ListScreen
      title="Templates"
      about="What emails and webhooks say, by event key. Versions are kept; one of each event key and kind is active."
      create={{ label: 'Write a template', operation: 'createTemplate', to: screen`/templates/new` }}
      queryKey={keys.templates(environmentId, 'list')}
      read={(query) => admin.templates.of(environmentId).page(query)}
      to={to}
      columns={{
        'Event key': (template) => (
          <span className="row">
            <KindIcon kind={template.channel_kind} />
            <Link to={to(template)} className="break">
              {template.event_key}
            </Link>
          </span>
        ),
        Kind: ({ channel_kind }) => channel_kind,
        ...VERSION_COLUMNS,
      }}
      empty={{
        icon: FilePen,
        title: 'No templates yet',
        command: `npm run postrider -- templates create-email --environment ${environmentId} --event-key order.shipped --subject 'Order {{ payload.order_id }} is on its way' --html-file order.html`,
        children: 'An email needs one for each event key. Without one, webhooks send a default body.',
      }}
    />
  );
}
