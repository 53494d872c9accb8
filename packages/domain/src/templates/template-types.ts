import type { JsonObject } from '../storable-json.ts';
import type { TemplateResources } from './resources.ts';

/**
 * What a template can name: docs/specification.md, "Templates". Ids are public ids, `timestamp` is when the
 * event was accepted (RFC 3339).
 */
export type TemplateContext = {
  event_key: string;
  recipient: JsonObject;
  payload: JsonObject;
  message_id: string;
  delivery_run_id: string;
  timestamp: string;
  /** Where the recipient leaves the stream of the message; null where there is none. */
  unsubscribe_url?: string | null;
  /** No variable: what the template may load, and the reader's language; left out where that is the default. */
  resources?: TemplateResources;
  /** From 1, without gaps, for each ordering key of an ordered channel; null where the run is not ordered. */
  sequence?: number | null;
};

/**
 * An issue found when a template version is made: `path` is a JSON Pointer into the template, line and column
 * count from 1, in `part` where there is one: a layout or a partial, such as `partial footer`.
 */
export type TemplateIssue = { path: string; message: string; part?: string; line?: number; column?: number };

/**
 * A variable that a template names and its context does not have, as it is written there, up to the part that
 * is missing. The place is given as in {@link TemplateIssue}.
 */
export type MissingVariable = { path: string; name: string; part?: string; line?: number; column?: number };
