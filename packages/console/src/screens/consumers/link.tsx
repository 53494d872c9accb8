import { Link } from '@tanstack/react-router';
import { useEnvironment, useMay } from '../../api/index.ts';

/** The id of a consumer, which leads to its screen if the user has one. */
export function ConsumerLink({ id }: { id: string }) {
  const { scope, screen } = useEnvironment();
  const may = useMay();
  if (!scope.isOperator || !may('getConsumer')) return <code className="break">{id}</code>;
  return (
    <Link className="break" to={screen`/consumers/${id}`}>
      {id}
    </Link>
  );
}
