import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { Key } from '../api/keys.ts';
import { ErrorNotice } from './feedback.tsx';
import { Loading } from './plain.tsx';

/**
 * Reads from the service. Returns the data, what to show instead of it (loading bars, or the error with a retry button),
 * and the query.
 */
export function useRead<Data, Shown = Data>(
  queryKey: Key,
  read: () => Promise<Data>,
  { rows, ...options }: ReadOptions<Data, Shown> = {},
) {
  const query = useQuery({ queryKey, queryFn: read, ...options });
  const { data, error, refetch, isPending, isEnabled } = query;
  const placeholder = error ? (
    <ErrorNotice error={error} onRetry={() => void refetch()} />
  ) : (
    isPending && isEnabled && <Loading rows={rows} />
  );
  return [data, placeholder, query] as const;
}

interface ReadOptions<Data, Shown>
  extends Omit<UseQueryOptions<Data, Error, Shown, Key>, 'queryKey' | 'queryFn'> {
  /** How many bars are shown. */
  readonly rows?: number;
}
