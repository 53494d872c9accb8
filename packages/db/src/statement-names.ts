import { createHash } from 'node:crypto';

/** Statements that a connection keeps prepared; the service has some hundred. */
const MAX_PREPARED = 500;
const UNNAMED = '';

export interface StatementNames {
  readonly nameOf: (query: { sql: string }) => string;
  /** Gives every statement another name from now on, so that each connection prepares it anew. */
  readonly renew: () => void;
  /** Names no statement from now on, so that whichever session gets it prepares it for this one time. */
  readonly giveUp: () => void;
}

/**
 * Names statements by their text, so that each connection parses and plans one only the first time: planning a
 * claim takes Postgres longer than carrying it out. Lists of varying length make ever new texts; beyond the
 * bound they stay unnamed. The same name is never of two texts, in no process: behind a pooler, which lends the
 * sessions of one to the other, a statement would otherwise be carried out as another one without an error.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  let generation = 0;
  let isNaming = true;
  return {
    nameOf({ sql }) {
      const known = names.get(sql);
      if (known !== undefined || !isNaming || names.size >= MAX_PREPARED) return known ?? UNNAMED;
      const name = `postrider_${generation}_${createHash('sha256').update(sql).digest('base64url')}`;
      names.set(sql, name);
      return name;
    },
    renew() {
      generation += 1;
      names.clear();
    },
    giveUp() {
      isNaming = false;
      names.clear();
    },
  };
}
