import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay } from '../api/access.ts';
import { useEnvironment } from '../api/environment.ts';
import type { OperationProps } from './parts.tsx';
import { type ButtonLook, buttonClass } from './plain.tsx';

/** A link to the list that a screen belongs to. */
export function Back({ children, ...link }: LinkProps & { readonly children: string }) {
  return (
    <Link {...link} className="back">
      <ArrowLeft className="icon" aria-hidden="true" /> {children}
    </Link>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  operation,
  variant,
  small,
  icon: Icon,
  children,
  ...link
}: LinkProps & ButtonLook & OperationProps & { readonly children: ReactNode }) {
  const may = useMay();
  if (operation && !may(operation)) return null;
  return (
    <Link {...link} className={buttonClass({ variant, small })}>
      {Icon && <Icon aria-hidden="true" />}
      {children}
    </Link>
  );
}

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
