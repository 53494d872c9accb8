import { PLAN_CODE_PATTERN } from '../../validation/patterns.ts';
import type { AdminRequest } from '../operation.ts';

const PLAN_CODE = new RegExp(PLAN_CODE_PATTERN);

/**
 * Whether a text can be a plan's code. What cannot is not asked of the database, which refuses some texts
 * (NUL).
 */
export function isPlanCode(text: string): boolean {
  return PLAN_CODE.test(text);
}

/** The code in the path; null when it cannot be one, which is answered as one that does not exist. */
export function planCodeOf({ params }: AdminRequest): string | null {
  const code = params.code ?? '';
  return isPlanCode(code) ? code : null;
}
