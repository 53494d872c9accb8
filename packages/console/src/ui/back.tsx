import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

/** A link to the list that a screen belongs to. */
export function Back({ children, ...link }: LinkProps & { readonly children: string }) {
  return (
    <Link {...link} className="back">
      <ArrowLeft className="icon" aria-hidden="true" /> {children}
    </Link>
  );
}
