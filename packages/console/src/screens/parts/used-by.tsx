import type { TemplatePart } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { formatNumber } from '../../ui/format.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { Table } from '../../ui/list.tsx';
import { Card } from '../../ui/parts.tsx';
import { useRead } from '../../ui/read.tsx';
import { KindIcon } from '../messages/table.tsx';
import { nameOf, PART_TYPES, type PartType } from './types.ts';

/** The most templates that are listed. */
const LISTED = 100;

/** The active templates that use a part, each with a preview that uses this version of it. */
export function UsedBy({ type, part }: { type: PartType; part: TemplatePart }) {
  const { environmentId, admin, screen } = useEnvironment();
  const { one } = PART_TYPES[type];
  const name = nameOf(part);
  const [data, reading] = useRead(keys.templates(environmentId, 'using', type, name), () =>
    admin.templates.of(environmentId).page({ active: true, part: `${one}:${name}`, limit: LISTED }),
  );
  const linkTo = (id: string) => screen`/templates/${id}`;
  return (
    <Card title="Templates that use it" flush={Boolean(data?.data.length)}>
      {reading}
      {data?.data.length === 0 && <p className="muted">No active template uses this {one}.</p>}
      {data && data.data.length > 0 && (
        <Table
          label="Templates that use it"
          rows={data.data}
          columns={{
            'Event key': ({ id, event_key, channel_kind }) => (
              <span className="row">
                <KindIcon kind={channel_kind} />
                <Link to={linkTo(id)}>{event_key}</Link>
              </span>
            ),
            Version: ({ version }) => formatNumber(version),
          }}
          actions={({ id }) => (
            <ButtonLink
              to={linkTo(id)}
              search={part.active ? {} : { parts: part.id }}
              small
              variant="quiet"
              icon={Eye}
            >
              Preview it with version {part.version}
            </ButtonLink>
          )}
        />
      )}
    </Card>
  );
}
