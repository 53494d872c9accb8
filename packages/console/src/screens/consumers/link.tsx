import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/access.ts';
import { path } from '../../api/path.ts';
import { useEnvironment } from '../../app/environment.tsx';

/** The id of a consumer, which leads to its screen if the user has one. */
export function ConsumerLink({ id }: { id: string }) {
  const { environmentId, scope } = useEnvironment();
  const may = useMay();
  if (!scope.isOperator || !may('getConsumer')) return <code className="break">{id}</code>;
  return (
    <Link className="break" to={path`/e/${environmentId}/consumers/${id}`}>
      {id}
    </Link>
  );
}
