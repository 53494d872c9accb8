import type { JsonObject } from '../storable-json.ts';
import type { TemplateResources } from './resources.ts';

/**
 * The variables of templates (docs/specification.md, "Templates"). Ids are public ids; `timestamp` is when the event
 * was accepted (RFC 3339).
 */
export type TemplateContext = {
  event_key: string;
  recipient: JsonObject;
  payload: JsonObject;
  message_id: string;
  delivery_run_id: string;
  timestamp: string;
  /** The recipient's unsubscribe link; null if the message has no stream. */
  unsubscribe_url?: string | null;
  /** Not a variable: the parts that the template may load, and the locale; left out for the default. */
  resources?: TemplateResources;
  /** The sequence within the ordering key, from 1 without gaps; null if the run is not ordered. */
  sequence?: number | null;
};

/**
 * An issue of a new template version. `path` is a JSON Pointer into the template, line and column count from 1.
 * `part` is the layout or partial that has the issue, such as `partial footer`.
 */
export type TemplateIssue = { path: string; message: string; part?: string; line?: number; column?: number };

/**
 * A variable that the template uses and its context lacks, as written, up to the missing part. The position is given
 * as in {@link TemplateIssue}.
 */
export type MissingVariable = { path: string; name: string; part?: string; line?: number; column?: number };
