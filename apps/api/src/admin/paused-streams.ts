import { listPausedStreams, resumeStream } from '@postrider/db';
import { isStreamName, PAUSED_STREAM_FIELDS, presentPausedStream, reject } from '@postrider/domain';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { ENVIRONMENT } from './environments.ts';
import { type AdminResource, adminOperation, listPage } from './operation.ts';

const PAUSED_STREAMS_PATH = '/admin/v1/environments/{environmentId}/paused-streams';

/** Response schemas (docs/specification.md, "Paused streams"). */
const PAUSED_STREAM_SCHEMAS: json.Schemas = {
  PausedStream: json.record(
    'A stream whose email is held because too many recipients complained.',
    PAUSED_STREAM_FIELDS,
  ),
  PausedStreamList: json.pageOf('PausedStream', 'A page of paused streams, by their names.'),
};

const PAUSED_STREAM_EXAMPLE = {
  stream: 'newsletter',
  paused_at: '2026-11-21T09:30:00.000Z',
  delivered: 1_250,
  complained: 5,
  waiting: 340,
};

const list = listPage({
  path: PAUSED_STREAMS_PATH,
  operationId: 'listPausedStreams',
  forTokens: 'reads',
  scope: 'channels:read',
  summary: 'List paused streams',
  description: 'The streams whose email is held because too many recipients complained, by their names.',
  parent: ENVIRONMENT,
  orderedBy: isStreamName,
  read: listPausedStreams,
  present: presentPausedStream,
  schema: json.ref('PausedStreamList'),
  example: PAUSED_STREAM_EXAMPLE,
});

const resume = adminOperation({
  method: 'post',
  path: `${PAUSED_STREAMS_PATH}/{stream}/resume`,
  operationId: 'resumeStream',
  scope: 'channels:write',
  summary: 'Resume a stream',
  description:
    'Ends the pause. Held runs are sent oldest first, at the rates of a channel that is resumed. Only the hours that ' +
    'begin later count for another pause. A stream that was resumed in the last two days is not changed.',
  of: ENVIRONMENT,
  success: returns('PausedStream', { ...PAUSED_STREAM_EXAMPLE, resumed_at: '2026-11-21T14:05:00.000Z' }),
  run: async (request, deps) => {
    const resumed = await resumeStream(deps, request.ids);
    return resumed ? presentPausedStream(resumed) : reject('stream_not_found');
  },
});

export const PAUSED_STREAMS: AdminResource = {
  tag: {
    name: 'Paused streams',
    description: 'Management: streams whose email is held because of complaints.',
  },
  schemas: PAUSED_STREAM_SCHEMAS,
  operations: [list, resume],
};
