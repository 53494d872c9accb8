import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { Key } from '../api/keys.ts';
import { ErrorNotice } from './feedback.tsx';
import { Loading } from './plain.tsx';

/**
 * Something that the service shows: what was read, and what is shown instead: bars until then, or the error with a button
 * to try again. Then the query itself.
 */
export function useRead<Data, Shown = Data>(
  queryKey: Key,
  read: () => Promise<Data>,
  { rows, ...options }: ReadOptions<Data, Shown> = {},
) {
  const query = useQuery({ queryKey, queryFn: read, ...options });
  const { data, error, refetch, isPending, isEnabled } = query;
  const reading = error ? (
    <ErrorNotice error={error} onRetry={() => void refetch()} />
  ) : (
    isPending && isEnabled && <Loading rows={rows} />
  );
  return [data, reading, query] as const;
}

interface ReadOptions<Data, Shown>
  extends Omit<UseQueryOptions<Data, Error, Shown, Key>, 'queryKey' | 'queryFn'> {
  /** How many bars are shown. */
  readonly rows?: number;
}
