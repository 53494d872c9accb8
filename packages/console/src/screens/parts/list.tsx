import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Languages, Plus } from 'lucide-react';
import { keys } from '../../api/keys.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { Empty } from '../../ui/feedback.tsx';
import { type Column, PagedTable, usePaged } from '../../ui/list.tsx';
import { CopyId, May, PageHead, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';
import { nameOf, PART_TYPES, type PartSummary, type PartType, partsOf, partTypeOf } from './types.ts';

/** Links to the lists of the other types. */
function TypeLinks({ type }: { type: PartType }) {
  const { screen } = useEnvironment();
  return (
    <nav className="row" aria-label="Parts of templates">
      {Object.entries(PART_TYPES).map(([each, { title }]) => (
        <Link
          key={each}
          to={screen`/parts/${each}`}
          className={`button button-small ${each === type ? 'button-primary' : ''}`}
          aria-current={each === type ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

function List({ type }: { type: PartType }) {
  const { environmentId, admin, screen } = useEnvironment();
  const navigate = useNavigate();
  const { title, one, about, nameLabel } = PART_TYPES[type];
  const list = usePaged<PartSummary>(keys.parts(environmentId, type, 'list'), (query) =>
    partsOf(admin, type, environmentId).page(query),
  );
  const to = (id: string) => screen`/parts/${type}/${id}`;
  const columns: Column<PartSummary>[] = [
    { name: nameLabel, cell: (part) => <Link to={to(part.id)}>{nameOf(part)}</Link> },
    { name: 'Version', cell: ({ version }) => <span className="number">{version}</span> },
    { name: 'State', cell: ({ active }) => <Status value={active ? 'active' : 'inactive'} /> },
    { name: 'Id', cell: ({ id }) => <CopyId value={id} short /> },
    { name: 'Made', isEnd: true, cell: ({ created_at }) => <Time at={created_at} format="short" /> },
  ];
  return (
    <>
      <PageHead title={title} about={about}>
        <May operation={PART_TYPES[type].create}>
          <Link to={to('new')} className="button button-primary">
            <Plus aria-hidden="true" />
            Write a {one}
          </Link>
        </May>
      </PageHead>
      <TypeLinks type={type} />
      <PagedTable
        label={title}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: to(id) })}
        empty={
          <Empty icon={Languages} title={`There is no ${one} yet`}>
            Versions are kept, and each template records which it uses, so that sent content can be verified
            later.
          </Empty>
        }
      />
    </>
  );
}

/** The versions of layouts, partials or translations. */
export function Screen() {
  const { partType } = useParams({ strict: false }) as { partType?: string };
  const type = partTypeOf(partType);
  if (!type) return <Empty title="Page not found">Choose layouts, partials or translations.</Empty>;
  return <List key={type} type={type} />;
}
