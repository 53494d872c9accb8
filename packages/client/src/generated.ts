/**
 * Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.
 */
import { type AdminCalls, once } from './admin/calls.ts';
import { pagedList } from './pages.ts';
import type { StreamOptions } from './stream.ts';
import type { CallOptions } from './transport.ts';
import type { BodyOf, QueryOf } from './types.ts';

export interface paths {
	"/api/v1/events": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["createEvent"];
		delete?: never;
		options: operations["preflightEvents"];
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/events/batch": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["createEvents"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/messages": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listMessages"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/messages/{messageId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getMessage"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch: operations["rescheduleMessage"];
		trace?: never;
	};
	"/api/v1/messages/{messageId}/deliveries": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getMessageDeliveries"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/messages/{messageId}/replay": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["replayMessage"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/messages/{messageId}/cancel": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["cancelMessage"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/delivery-runs/{deliveryRunId}/cancel": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["cancelDeliveryRun"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/delivery-runs/{deliveryRunId}/content": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getDeliveryContent"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/stats": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getStats"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/stream": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["stream"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/usage/current": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getCurrentUsage"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/api/v1/limits": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getLimits"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/plans": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listPlans"];
		put?: never;
		post: operations["createPlan"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/plans/{code}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getPlan"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch: operations["updatePlan"];
		trace?: never;
	};
	"/admin/v1/tenants": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listTenants"];
		put?: never;
		post: operations["createTenant"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/tenants/{tenantId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getTenant"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch: operations["updateTenant"];
		trace?: never;
	};
	"/admin/v1/tenants/{tenantId}/usage": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getTenantUsage"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/tenants/{tenantId}/environments": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listEnvironments"];
		put?: never;
		post: operations["createEnvironment"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getEnvironment"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch: operations["updateEnvironment"];
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/tokens": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listTokens"];
		put?: never;
		post: operations["issueToken"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/tokens/{tokenId}/rotate": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["rotateToken"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/tokens/{tokenId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete: operations["revokeToken"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/channels": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listChannels"];
		put?: never;
		post: operations["createChannel"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/channels/{channelId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getChannel"];
		put?: never;
		post?: never;
		delete: operations["deleteChannel"];
		options?: never;
		head?: never;
		patch: operations["updateChannel"];
		trace?: never;
	};
	"/admin/v1/channels/{channelId}/rotate-secret": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["rotateChannelSecret"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/channels/{channelId}/feedback-token": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["rotateChannelFeedbackToken"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/channels/{channelId}/test": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["testChannel"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/channels/{channelId}/filter/test": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["testChannelFilter"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/channels/{channelId}/pause": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["pauseChannel"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/channels/{channelId}/resume": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["resumeChannel"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/channels/{channelId}/blocked-keys": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listBlockedKeys"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/channels/{channelId}/blocked-keys/retry": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["retryBlockedKey"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/channels/{channelId}/blocked-keys/skip": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["skipBlockedKey"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/templates": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listTemplates"];
		put?: never;
		post: operations["createTemplate"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/templates/preview-draft": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["previewTemplateDraft"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/templates/{templateId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getTemplate"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/templates/{templateId}/activate": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["activateTemplate"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/templates/{templateId}/deactivate": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["deactivateTemplate"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/templates/{templateId}/preview": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["previewTemplate"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/layouts": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listLayouts"];
		put?: never;
		post: operations["createLayout"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/layouts/{layoutId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getLayout"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/layouts/{layoutId}/activate": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["activateLayout"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/partials": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listPartials"];
		put?: never;
		post: operations["createPartial"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/partials/{partialId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getPartial"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/partials/{partialId}/activate": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["activatePartial"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/translations": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listTranslations"];
		put?: never;
		post: operations["createTranslation"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/translations/{translationId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getTranslation"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/translations/{translationId}/activate": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["activateTranslation"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/event-types/{eventKey}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getEventType"];
		put: operations["putEventType"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/event-types": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listEventTypes"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/messages": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["searchMessages"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/messages/{messageId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getEnvironmentMessage"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch: operations["rescheduleEnvironmentMessage"];
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/messages/{messageId}/deliveries": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getEnvironmentMessageDeliveries"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/attention": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getEnvironmentAttention"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/attention": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["overviewOfAttention"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/lookup": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["findByText"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/replays": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listReplayBatches"];
		put?: never;
		post: operations["createReplayBatch"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/replays/{replayId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getReplayBatch"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/replays/{replayId}/cancel": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["cancelReplayBatch"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/erasures": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listErasures"];
		put?: never;
		post: operations["createErasure"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/erasures/{erasureId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getErasure"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/suppressions": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listSuppressions"];
		put?: never;
		post: operations["createSuppression"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/suppressions/import": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["importSuppressions"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/suppressions/{suppressionId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete: operations["deleteSuppression"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/paused-streams": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listPausedStreams"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/paused-streams/{stream}/resume": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["resumeStream"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/secrets": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getSecrets"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/secrets/reencrypt": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["reencryptSecrets"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/console-sessions": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listConsoleSessions"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/console-sessions/{consoleSessionId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete: operations["endConsoleSession"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/console-links": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listConsoleLinks"];
		put?: never;
		post: operations["createConsoleLink"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/console-links/{consoleSessionId}": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete: operations["revokeConsoleLink"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/audit-log": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["listAuditLog"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/events": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["createEnvironmentEvent"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/messages/{messageId}/replay": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["replayEnvironmentMessage"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/messages/{messageId}/cancel": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["cancelEnvironmentMessage"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/delivery-runs/{deliveryRunId}/cancel": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["cancelEnvironmentDeliveryRun"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/delivery-runs/{deliveryRunId}/content": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getEnvironmentDeliveryContent"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/stats": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["getEnvironmentStats"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/admin/v1/environments/{environmentId}/stream": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get: operations["streamEnvironment"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
}
export interface webhooks {
	delivery: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		post: operations["webhookDelivery"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
}
export interface components {
	schemas: {
		/** @description One issue of the request, or one fact about the refusal. Further fields are facts that belong to the code, such as `limit`, `used` and `resets_at` of a quota: a text, an integer or null. */
		ErrorDetail: {
			/** @description A JSON Pointer into the body, or `/` and the name of a query parameter. */
			path: string;
			/**
			 * @description Stable; for programs.
			 * @enum {string}
			 */
			code: "required" | "unknown_field" | "invalid_type" | "invalid_format" | "invalid_value" | "too_long" | "too_short" | "too_large" | "too_small" | "too_many" | "too_few" | "duplicate" | "schedule_too_far" | "payload_schema_mismatch" | "no_matching_channel" | "template_not_found" | "invalid_template" | "invalid_schema" | "unknown_channel" | "unknown_plan" | "quota_limit" | "current_status";
			/** @description The error as text for readers. Its wording may change. */
			message: string;
		} & {
			[key: string]: unknown;
		};
		/** @description The same as problem details (RFC 9457), for requests whose `Accept` names `application/problem+json`. */
		Problem: {
			/** @description `urn:postrider:error:` and the code. */
			type: string;
			/** @description The status of the response. */
			status: number;
			/** @description The error of this request as text for readers. */
			detail: string;
			code: components["schemas"]["ErrorCode"];
			/** @description As in Error. */
			request_id: string;
			/** @description As in Error. */
			details?: components["schemas"]["ErrorDetail"][];
			/** @description A description of the code. */
			title: string;
		};
		/** @description Every error response has this form. */
		Error: {
			error: {
				code: components["schemas"]["ErrorCode"];
				/** @description A text for readers. Its wording may change. */
				message: string;
				/** @description Your X-Request-ID; `unknown` if you sent none, or an invalid one. */
				request_id: string;
				/** @description Present with 402 `quota_exceeded`, 409 `delivery_run_not_cancellable`, 409 `already_exists` and 422. */
				details?: components["schemas"]["ErrorDetail"][];
			};
		};
		EventResults: {
			results: {
				/** @description The status as for a single request. */
				status: number;
				/** @description The response as for a single request: an accepted event, or `error`. */
				body: {
					[key: string]: unknown;
				};
				/** @description Whether the event was accepted before, and this is its stored response. */
				idempotent_replayed?: boolean;
				/** @description Seconds to wait before sending the event again, if its response alone would have Retry-After. */
				retry_after?: number;
			}[];
		};
		/** @description The destination that a run delivers to. */
		Channel: {
			/** @description The channel. */
			id: string;
			/**
			 * @description The kind of the channel.
			 * @enum {string}
			 */
			kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			/** @description The channel’s name. */
			name: string;
		};
		/** @description A delivery to one channel, in short. */
		DeliveryRunSummary: {
			/** @description The delivery run. */
			id: string;
			channel: components["schemas"]["Channel"];
			/**
			 * @description See DeliveryRun.
			 * @enum {string}
			 */
			status: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
			scheduled_at: string | null;
		};
		/** @description A delivery of a message, in short. */
		MessageRun: {
			/** @description The delivery run. */
			id: string;
			channel: components["schemas"]["Channel"];
			/**
			 * @description See DeliveryRun.
			 * @enum {string}
			 */
			status: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
			scheduled_at: string | null;
			feedback: components["schemas"]["RunFeedback"] | null;
		};
		/** @description The message and runs of an accepted event. */
		Accepted: {
			/** @description The message. */
			message_id: string;
			status: components["schemas"]["MessageStatus"];
			/** @description One for each channel, oldest first. */
			delivery_runs: components["schemas"]["DeliveryRunSummary"][];
		};
		/** @description The runs of a replay. */
		Replayed: {
			/** @description The message. */
			message_id: string;
			status: components["schemas"]["MessageStatus"];
			/** @description One for each channel, oldest first. */
			delivery_runs: components["schemas"]["DeliveryRunSummary"][];
			/** @description By the current filters and templates, which a replay uses. */
			skipped_channels: {
				channel: components["schemas"]["Channel"];
				/**
				 * @description The reason: its filter, or a missing active template.
				 * @enum {string}
				 */
				reason: "filtered" | "template_not_found";
				condition: string | null;
			}[];
		};
		/** @description An accepted event. */
		Message: {
			/** @description Equals `message_id`. */
			id: string;
			/** @description The message. */
			message_id: string;
			/** @description As it was sent. */
			event_key: string;
			status: components["schemas"]["MessageStatus"];
			/** @description As it was sent. */
			recipient: {
				[key: string]: unknown;
			};
			/** @description As it was sent. */
			payload: {
				[key: string]: unknown;
			};
			schedule_at: string | null;
			expires_at: string | null;
			ordering_key: string | null;
			request_id: string | null;
			/** @description Whether it is a test send of an operator. It is not counted and cannot be replayed. */
			test: boolean;
			/**
			 * Format: date-time
			 * @description When the event was accepted.
			 */
			created_at: string;
			erased_at: string | null;
			/** @description Of the newest 100 runs, oldest first. */
			delivery_runs: components["schemas"]["MessageRun"][];
			/** @description Whether the message has older runs than these; `…/deliveries` has all of them. */
			has_more_runs: boolean;
			/** @description The channels of the environment. Only with `explain=channels`. */
			channels?: {
				/** @description The channel. */
				channel_id: string;
				/** @description The name of the channel. */
				name: string;
				/**
				 * @description The kind of the channel.
				 * @enum {string}
				 */
				kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
				/** @description Whether it has deliveries of the message. */
				taken: boolean;
				/**
				 * @description The reason by the current configuration. `changed_since`: it would take the event now, but did not then.
				 * @enum {string}
				 */
				reason: "matched" | "deleted" | "created_later" | "disabled" | "kind_not_in_plan" | "event_key_not_subscribed" | "no_active_template" | "no_recipient" | "filtered" | "changed_since";
				condition: string | null;
				/** @description Its deliveries of the message, oldest first. */
				delivery_run_ids: string[];
			}[];
		};
		/** @description A message with only the fields in `fields`. */
		PartialMessage: {
			/** @description Equals `message_id`. */
			id?: string;
			/** @description The message. */
			message_id?: string;
			/** @description As it was sent. */
			event_key?: string;
			status?: components["schemas"]["MessageStatus"];
			/** @description As it was sent. */
			recipient?: {
				[key: string]: unknown;
			};
			/** @description As it was sent. */
			payload?: {
				[key: string]: unknown;
			};
			schedule_at?: string | null;
			expires_at?: string | null;
			ordering_key?: string | null;
			request_id?: string | null;
			/** @description Whether it is a test send of an operator. It is not counted and cannot be replayed. */
			test?: boolean;
			/**
			 * Format: date-time
			 * @description When the event was accepted.
			 */
			created_at?: string;
			erased_at?: string | null;
			/** @description Of the newest 100 runs, oldest first. */
			delivery_runs?: components["schemas"]["MessageRun"][];
			/** @description Whether the message has older runs than these; `…/deliveries` has all of them. */
			has_more_runs?: boolean;
		};
		/** @description A page of messages, newest first; partial ones if `fields` was given. */
		MessageList: {
			data: (components["schemas"]["Message"] | components["schemas"]["PartialMessage"])[];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description The result of cancelling a message. */
		CancelledMessage: {
			/** @description The message. */
			message_id: string;
			/** @description The first 100 runs, oldest first. */
			delivery_runs: {
				/** @description The delivery run. */
				id: string;
				channel: components["schemas"]["Channel"];
				/** @description See DeliveryRun. */
				status: string;
				scheduled_at: string | null;
				/**
				 * @description `not_waiting`: it was sent, is being sent, waits for a retry, or has ended; it is not changed.
				 * @enum {string}
				 */
				outcome: "cancelled" | "already_cancelled" | "not_waiting";
			}[];
		};
		/** @description The result of rescheduling a message. */
		RescheduledMessage: {
			/** @description The message. */
			message_id: string;
			schedule_at: string | null;
			/** @description The first 100 runs, oldest first. */
			delivery_runs: {
				/** @description The delivery run. */
				id: string;
				channel: components["schemas"]["Channel"];
				/** @description See DeliveryRun. */
				status: string;
				scheduled_at: string | null;
				/**
				 * @description `not_waiting`: it was sent, is being sent, waits for a retry, or has ended; it is not changed.
				 * @enum {string}
				 */
				outcome: "rescheduled" | "already_cancelled" | "not_waiting";
			}[];
		};
		/** @description One attempt to deliver. */
		Attempt: {
			/** @description The attempt. */
			id: string;
			/** @description The run that it belongs to. */
			delivery_run_id: string;
			/** @description From 1, in order. */
			number: number;
			/**
			 * @description `unknown`: the worker, or the response of the other end, was lost. The run is retried unless it has no attempts left, or ended the process that tried it alone (`worker_lost`). The receiver may get it twice, with the same `webhook-id` and `Message-ID`.
			 * @enum {string}
			 */
			status: "running" | "succeeded" | "failed" | "cancelled" | "unknown";
			error_code: components["schemas"]["DeliveryErrorCode"] | null;
			error_message: string | null;
			/** @description Whether another attempt could succeed; null if nothing failed. */
			retryable: boolean | null;
			/**
			 * Format: date-time
			 * @description When it was opened, before anything was sent.
			 */
			started_at: string;
			completed_at: string | null;
			/** @description Null while it runs. */
			duration_ms: number | null;
			response: {
				/** @description The HTTP status, or the reply or error code of another protocol. */
				status_code: number;
				body_excerpt: string | null;
			} | null;
			sender: string | null;
			provider_message_id: string | null;
			/** @description The senders that the same attempt tried before, in order; usually none. */
			tried: {
				/** @description Its name in the channel. */
				sender: string;
				/**
				 * @description `failed`: the message was certainly not taken. `unknown`: it may have been, so the receiver may get it twice, with the same `Message-ID`; only with `failover: eager`.
				 * @enum {string}
				 */
				outcome: "failed" | "unknown";
				error_code: components["schemas"]["DeliveryErrorCode"];
				/** @description The error as text for readers. */
				error_message: string;
			}[];
			/** @description The addresses in `cc` or `bcc` that the attempt did not reach; usually none. Empty after an erasure. */
			skipped_copies: {
				/** @description The address. */
				email: string;
				/**
				 * @description `suppressed`: it is on the suppression list, so it is in no header either. `refused`: by the mail server.
				 * @enum {string}
				 */
				outcome: "suppressed" | "refused";
				reason: string | null;
			}[];
		};
		/** @description What a provider or mail server reported about the mail after accepting it. */
		RunFeedback: {
			/**
			 * @description The most significant report, independent of their order: `complained`, `bounced`, `delivered`, `deferred`.
			 * @enum {string}
			 */
			type: "deferred" | "delivered" | "bounced" | "complained";
			/** @description For a bounce: whether the address was suppressed because of it. */
			permanent: boolean;
			/**
			 * Format: date-time
			 * @description When it happened, according to the reporter.
			 */
			at: string;
			reason: string | null;
		};
		/** @description A delivery to one channel, with its attempts. */
		DeliveryRun: {
			/** @description The delivery run; also the `webhook-id` of what is sent. */
			id: string;
			/** @description The message that it delivers. */
			message_id: string;
			channel: components["schemas"]["Channel"];
			/**
			 * @description `scheduled`: waits for its time and can be cancelled. `queued`: due, not yet started. `running`: an attempt is open. `retrying`: the last attempt failed or its outcome is unknown, the next is due at `next_attempt_at`. `succeeded`, `failed` and `cancelled` are final.
			 * @enum {string}
			 */
			status: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
			/**
			 * @description What created it.
			 * @enum {string}
			 */
			trigger: "event" | "replay";
			/** @description 0 for a run of the event itself; else the number, for its message, of the replay or of the retry of a blocked ordering key that created it. */
			replay: number;
			template: {
				/** @description The template version. */
				id: string;
				/** @description Its number among those of its event key and kind. */
				version: number;
			} | null;
			/** @description Attempts so far. */
			attempt_count: number;
			/** @description The highest number of attempts. */
			max_attempts: number;
			scheduled_at: string | null;
			started_at: string | null;
			completed_at: string | null;
			next_attempt_at: string | null;
			held_by: ("channel_paused" | "ordering_key" | "channel_limits" | "stream_paused") | null;
			queue: {
				/** @description Runs of the channel that are due before it, counted up to 10,000 for one run and up to 500 in a list. */
				ahead: number;
				expected_at: string | null;
			} | null;
			/** @description Its sequence within its ordering key, which is sent to the receiver. Null without a key, and before a scheduled run is due. */
			sequence: number | null;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			feedback: components["schemas"]["RunFeedback"] | null;
			last_error: {
				code: components["schemas"]["DeliveryErrorCode"];
				message: string | null;
				/** @description The number of that attempt. */
				attempt_number: number;
			} | null;
			/** @description Oldest first. */
			attempts: components["schemas"]["Attempt"][];
		};
		/** @description A page of the delivery runs of a message. */
		Deliveries: {
			/** @description The message. */
			message_id: string;
			/** @description Oldest first. */
			delivery_runs: components["schemas"]["DeliveryRun"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description What an attempt sent, rendered again. */
		SentContent: {
			/** @description The delivery run. */
			delivery_run_id: string;
			/** @description The attempt. */
			attempt: number;
			/**
			 * @description The kind of the channel.
			 * @enum {string}
			 */
			kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			/** @description Whether exactly this was sent: its SHA-256 equals that of the attempt. Null if the attempt has none: see `unverified_reason`. */
			verified: boolean | null;
			unverified_reason: ("nothing_sent" | "in_progress" | "worker_lost" | "not_stored") | null;
			sha256: string | null;
			rendered_at: string | null;
			connected_address: string | null;
			response: {
				/** @description HTTP status or SMTP reply code. */
				status: number;
				/** @description Names and values. */
				headers: string[][];
				excerpt: string | null;
			} | null;
			/** @description A mail. */
			email?: {
				/** @description On one line. */
				subject: string;
				from: string | null;
				to: string | null;
				html: string | null;
				text: string | null;
				/** @description Headers and parts as text, without MIME encoding. */
				source: string;
				/** @description Names and values. */
				headers: string[][];
				/** @description Bare addresses; left out when there are none. */
				cc?: string[];
				/** @description As `cc`. */
				bcc?: string[];
				/** @description Left out: that of the channel. */
				reply_to?: string;
				/** @description Left out when there are none. */
				attachments?: {
					/** @description Its name. */
					filename: string;
					/** @description Its type. */
					content_type: string;
					cid: string | null;
					/** @description Its size. */
					bytes: number;
				}[];
			};
			/** @description A request. */
			request?: {
				/** @description Its method; `PUBLISH` to a broker. */
				method: string;
				/** @description The channel’s current URL, without parts that could be secret. */
				url: string;
				/** @description Names and values. */
				headers: string[][];
				/** @description What was posted. */
				body: string;
			};
		};
		/** @description The counts. Test sends are not counted. */
		StatsFigures: {
			/** @description Accepted events. Always 0 in groups by channel or error code. */
			accepted: number;
			/** @description Delivery runs that succeeded. */
			delivered: number;
			/** @description Delivery runs that failed permanently. */
			failed: number;
			/** @description Ended attempts, whatever their result. */
			attempts: number;
			/** @description Emails whose bounce was reported, in the interval of the report. */
			bounced: number;
			/** @description Emails about which their recipient complained, in the interval of the report. */
			complained: number;
			latency_ms: components["schemas"]["Latency"] | null;
		};
		/** @description The counts of an interval. */
		StatsBucket: {
			/**
			 * Format: date-time
			 * @description When it begins.
			 */
			start: string;
			/** @description Accepted events. Always 0 in groups by channel or error code. */
			accepted: number;
			/** @description Delivery runs that succeeded. */
			delivered: number;
			/** @description Delivery runs that failed permanently. */
			failed: number;
			/** @description Ended attempts, whatever their result. */
			attempts: number;
			/** @description Emails whose bounce was reported, in the interval of the report. */
			bounced: number;
			/** @description Emails about which their recipient complained, in the interval of the report. */
			complained: number;
			latency_ms: components["schemas"]["Latency"] | null;
			/** @description The groups of the interval; only with `group_by`. */
			groups?: {
				/** @description A channel’s id, an event key, a stream or an error code. */
				key: string;
				/** @description Accepted events. Always 0 in groups by channel or error code. */
				accepted: number;
				/** @description Delivery runs that succeeded. */
				delivered: number;
				/** @description Delivery runs that failed permanently. */
				failed: number;
				/** @description Ended attempts, whatever their result. */
				attempts: number;
				/** @description Emails whose bounce was reported, in the interval of the report. */
				bounced: number;
				/** @description Emails about which their recipient complained, in the interval of the report. */
				complained: number;
				latency_ms: components["schemas"]["Latency"] | null;
			}[];
		};
		/** @description Statistics of an environment over time. */
		Stats: {
			/**
			 * @description Of each bucket.
			 * @enum {string}
			 */
			interval: "minute" | "hour";
			/**
			 * Format: date-time
			 * @description The beginning of the first interval.
			 */
			from: string;
			/**
			 * Format: date-time
			 * @description The end of the last interval.
			 */
			to: string;
			/** @description Intervals with counts, oldest first. */
			buckets: components["schemas"]["StatsBucket"][];
			totals: components["schemas"]["StatsFigures"];
		};
		/** @description The `data` of an event. Its name (`event`) is one of message.accepted, delivery_run.updated, attempt.finished, delivery_run.feedback, reset; `reset` has no fields. */
		StreamEvent: {
			/** @description The message. */
			message_id: string;
			/** @description For all events except `message.accepted`. */
			delivery_run_id: string;
			/** @description For all events except `message.accepted`. */
			channel_id: string;
			/** @description The number of the attempt, for `attempt.finished`. */
			attempt: number;
			/** @description The current status of the run or attempt. */
			status: string;
			/** @description The type of the feedback, for `delivery_run.feedback`. */
			feedback: string;
			/**
			 * Format: date-time
			 * @description When it happened; for feedback, when it was received.
			 */
			at: string;
		};
		/** @description Delivery runs by status. */
		DeliveryCounts: {
			/** @description Runs that succeeded. */
			succeeded: number;
			/** @description Runs that failed. */
			failed: number;
			/** @description Runs that were cancelled. */
			cancelled: number;
			/** @description Runs that have not ended. */
			pending: number;
		};
		/** @description The usage of the environment’s tenant in the current period. */
		Usage: {
			/** @description The tenant. */
			tenant_id: string;
			/** @description The calendar month, UTC. */
			period: {
				/**
				 * Format: date-time
				 * @description Its first moment.
				 */
				start: string;
				/**
				 * Format: date-time
				 * @description The start of the next month, when the quota resets.
				 */
				end: string;
			};
			/** @description Events and replays. Cancelled runs still count. */
			events: {
				/** @description Used so far. */
				used: number;
				/** @description The limit of the plan. Null means unlimited. */
				limit: number | null;
				/** @description The remaining number. Null means unlimited. */
				remaining: number | null;
			};
			/** @description The delivery runs created in the period. */
			deliveries: {
				/** @description Runs that succeeded. */
				succeeded: number;
				/** @description Runs that failed. */
				failed: number;
				/** @description Runs that were cancelled. */
				cancelled: number;
				/** @description Runs that have not ended. */
				pending: number;
				/** @description The same by channel kind. */
				by_channel_kind: {
					amqp: components["schemas"]["DeliveryCounts"];
					email: components["schemas"]["DeliveryCounts"];
					kafka: components["schemas"]["DeliveryCounts"];
					sqs: components["schemas"]["DeliveryCounts"];
					webhook: components["schemas"]["DeliveryCounts"];
				};
			};
			/** @description Every environment of the tenant. */
			environments: {
				/** @description The environment. */
				id: string;
				/** @description Its name. */
				name: string;
				/** @description Events and replays. */
				events_used: number;
			}[];
		};
		/** @description What the plan of the tenant allows. */
		Limits: {
			/** @description The tenant. */
			tenant_id: string;
			/** @description The plan. */
			plan: {
				/** @description Its stable code. */
				code: string;
				/** @description Its name. */
				name: string;
			};
			/** @description Whether the tenant may send. */
			billing: {
				/**
				 * @description `past_due` may until `grace_ends_at`.
				 * @enum {string}
				 */
				status: "active" | "past_due" | "suspended";
				grace_ends_at: string | null;
			};
			/** @description Per period. */
			quota: {
				/** @description Events and replays in a calendar month, UTC. Null means unlimited. */
				events_per_month: number | null;
			};
			/** @description Per environment. */
			rate_limit: {
				/** @description The sustained rate. Null means unlimited. */
				requests_per_second: number | null;
				/** @description Requests that are allowed at once. Null means unlimited. */
				burst: number | null;
			};
			/** @description Of one request. */
			payload: {
				/** @description The largest body. */
				max_bytes: number;
			};
			/** @description Of `schedule_at`. */
			schedule: {
				/** @description How far ahead it may be. Null means unlimited. */
				max_days: number | null;
			};
			/** @description Of messages. */
			retention: {
				/** @description How long they can be read. Null means unlimited. */
				days: number | null;
			};
			/** @description What the plan includes. */
			entitlements: {
				/** @description Channels of other kinds take no events. */
				channel_kinds: ("amqp" | "email" | "kafka" | "sqs" | "webhook")[];
			};
		};
		/** @description What a tenant may use. */
		Plan: {
			/** @description Its stable code. */
			code: string;
			/** @description A display name. */
			name: string;
			/** @description Events and replays of a tenant in a calendar month, UTC. Null means unlimited. */
			events_per_month: number | null;
			/** @description The sustained rate of an environment, in requests per second. Null means unlimited. */
			requests_per_second: number | null;
			/** @description Requests that are allowed at once. Null means unlimited. */
			burst: number | null;
			/** @description The largest body of an event; null: 262,144. Null means unlimited. */
			max_payload_bytes: number | null;
			/** @description How far ahead `schedule_at` may be. Null means unlimited. */
			max_schedule_days: number | null;
			/** @description Days after which messages are removed, with their runs and attempts. Null means unlimited. */
			retention_days: number | null;
			/** @description The kinds that the tenant may have. */
			channel_kinds: ("amqp" | "email" | "kafka" | "sqs" | "webhook")[];
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
		};
		/** @description A page of plans, by their code. */
		PlanList: {
			data: components["schemas"]["Plan"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A customer of the installation. */
		Tenant: {
			/** @description The tenant. */
			id: string;
			/** @description A display name. */
			name: string;
			/** @description The code of its plan. */
			plan: string;
			/**
			 * @description `suspended` tenants may not send, `past_due` ones only until `grace_ends_at`.
			 * @enum {string}
			 */
			billing_status: "active" | "past_due" | "suspended";
			grace_ends_at: string | null;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
		};
		/** @description A page of tenants, newest first. */
		TenantList: {
			data: components["schemas"]["Tenant"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description The usage of a tenant in a calendar month. */
		UsageMonth: {
			/**
			 * Format: date
			 * @description The first day of the month, UTC.
			 */
			period_start: string;
			/** @description Events that were accepted. */
			events_used: number;
			/** @description The monthly limit of the current plan. Earlier plans are not stored. Null means unlimited. */
			events_limit: number | null;
		};
		/** @description The usage of a tenant by month. */
		UsageHistory: {
			/** @description Newest first, including months without events. */
			items: components["schemas"]["UsageMonth"][];
		};
		/** @description An isolated part of a tenant, such as development or production. */
		Environment: {
			/** @description The environment. */
			id: string;
			/** @description Its tenant. */
			tenant_id: string;
			/** @description A slug, unique within the tenant. */
			name: string;
			/**
			 * @description What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay.
			 * @enum {string}
			 */
			unmatched_events: "refuse" | "store";
			/**
			 * @description What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` creates delivery runs only for the other channels.
			 * @enum {string}
			 */
			missing_email_template: "refuse" | "skip";
			/**
			 * @description Which Idempotency-Keys are accepted: only a `uuid`, or `any` key of 1 to 255 visible ASCII characters.
			 * @enum {string}
			 */
			idempotency_keys: "uuid" | "any";
			/** @description Whether channels may only have https URLs. Cannot be set while one has another. */
			https_only: boolean;
			/** @description The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing it creates new versions of the active templates. */
			default_locale: string;
			/** @description How many bounces in a row that are not permanent suppress an address for a while; 0: never. */
			soft_bounce_limit: number;
			/** @description The number of days within which they count. */
			soft_bounce_days: number;
			/** @description For how many days the address is then suppressed. */
			soft_bounce_pause_days: number;
			pause_streams_at_complaint_rate: number | null;
			/** @description The names of streams for recipients, by stream and language, such as `{"news": {"en": "Newsletter"}}`. The pages of unsubscribe links show them. */
			stream_names: {
				[key: string]: {
					[key: string]: string;
				};
			};
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
		};
		/** @description A page of environments, newest first. */
		EnvironmentList: {
			data: components["schemas"]["Environment"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A token of an environment’s clients, without its secret. */
		Token: {
			/** @description The token. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description A display name. */
			name: string;
			/** @description The beginning of the token, before its secret part. */
			prefix: string;
			/** @description Its last four characters, by which owners recognise it. */
			last_four: string;
			/** @description Its additional rights. */
			scopes: string[];
			/**
			 * Format: date-time
			 * @description When it was issued.
			 */
			created_at: string;
			expires_at: string | null;
			last_used_at: string | null;
			revoked_at: string | null;
			replaced_by: string | null;
		};
		/** @description A page of tokens, newest first. */
		TokenList: {
			data: components["schemas"]["Token"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A new token, with its secret. */
		IssuedToken: {
			/** @description The token. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description A display name. */
			name: string;
			/** @description The beginning of the token, before its secret part. */
			prefix: string;
			/** @description Its last four characters, by which owners recognise it. */
			last_four: string;
			/** @description Its additional rights. */
			scopes: string[];
			/**
			 * Format: date-time
			 * @description When it was issued.
			 */
			created_at: string;
			expires_at: string | null;
			last_used_at: string | null;
			revoked_at: string | null;
			replaced_by: string | null;
			/** @description The token itself, for the Authorization header. Only this response contains it. */
			token: string;
		};
		/** @description A new token, with its secret, and the one that it replaces. */
		RotatedToken: {
			/** @description The token. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description A display name. */
			name: string;
			/** @description The beginning of the token, before its secret part. */
			prefix: string;
			/** @description Its last four characters, by which owners recognise it. */
			last_four: string;
			/** @description Its additional rights. */
			scopes: string[];
			/**
			 * Format: date-time
			 * @description When it was issued.
			 */
			created_at: string;
			expires_at: string | null;
			last_used_at: string | null;
			revoked_at: string | null;
			replaced_by: string | null;
			/** @description The token itself, for the Authorization header. Only this response contains it. */
			token: string;
			previous: components["schemas"]["Token"];
		};
		/** @description A channel that posts to a URL. */
		WebhookChannel: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "webhook";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["WebhookChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
		};
		/** @description A channel that posts to a URL. */
		WebhookChannelWithSecret: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "webhook";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["WebhookChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
			secret: string | null;
		};
		/** @description A channel that sends mail. */
		EmailChannel: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "email";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["EmailChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			senders: components["schemas"]["SenderState"][];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
		};
		/** @description A channel that sends mail. */
		EmailChannelWithSecret: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "email";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["EmailChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			senders: components["schemas"]["SenderState"][];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
			secret: string | null;
		};
		/** @description A channel that publishes to an exchange of RabbitMQ. */
		AmqpChannel: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "amqp";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["AmqpChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
		};
		/** @description A channel that publishes to an exchange of RabbitMQ. */
		AmqpChannelWithSecret: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "amqp";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["AmqpChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
			secret: string | null;
		};
		/** @description A channel that sends to a queue of Amazon SQS. */
		SqsChannel: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "sqs";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["SqsChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
		};
		/** @description A channel that sends to a queue of Amazon SQS. */
		SqsChannelWithSecret: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "sqs";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["SqsChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
			secret: string | null;
		};
		/** @description A channel that writes to a topic of Apache Kafka. */
		KafkaChannel: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "kafka";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["KafkaChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
		};
		/** @description A channel that writes to a topic of Apache Kafka. */
		KafkaChannelWithSecret: {
			/** @description The channel. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			kind: "kafka";
			/** @description A display name. */
			name: string;
			/** @description Whether it takes events. */
			enabled: boolean;
			disabled_reason: string | null;
			event_keys: components["schemas"]["EventPatterns"];
			config: components["schemas"]["KafkaChannelConfig"];
			retry: components["schemas"]["RetryPolicy"];
			filter: components["schemas"]["EventFilter"];
			failure_policy: components["schemas"]["FailurePolicy"];
			/** @description Whether it takes operational events, and no others. */
			operational: boolean;
			operational_email: string | null;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight: number | null;
			health: components["schemas"]["ChannelHealth"];
			/** @description Whether the password of the only SMTP server is stored. */
			password_set: boolean;
			credentials_set: components["schemas"]["StoredCredentials"];
			previous_secret_expires_at: string | null;
			/** @description Whether it has a feedback token. */
			feedback_token_set: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When it was last changed.
			 */
			updated_at: string;
			secret: string | null;
		};
		ConfiguredChannel: components["schemas"]["WebhookChannel"] | components["schemas"]["EmailChannel"] | components["schemas"]["AmqpChannel"] | components["schemas"]["SqsChannel"] | components["schemas"]["KafkaChannel"];
		/** @description The new feedback token of a channel. Only this response contains it. */
		FeedbackToken: {
			/** @description The channel. */
			channel_id: string;
			/** @description `fb_…`; anyone who has it can report. */
			feedback_token: string;
			/** @description The path for feedback: append the name of the provider, or `dsn`. */
			feedback_path: string;
			feedback_url: string | null;
			/** @description The sources of feedback for this kind of channel. */
			sources: string[];
		};
		/** @description A page of channels, newest first. */
		ConfiguredChannelList: {
			data: components["schemas"]["ConfiguredChannel"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		ChannelWithSecret: components["schemas"]["WebhookChannelWithSecret"] | components["schemas"]["EmailChannelWithSecret"] | components["schemas"]["AmqpChannelWithSecret"] | components["schemas"]["SqsChannelWithSecret"] | components["schemas"]["KafkaChannelWithSecret"];
		/** @description How a filter would have matched the newest messages of the environment. */
		FilterTest: {
			/** @description Examined messages, at most 1000. */
			tested: number;
			/** @description Messages that the channel would take. */
			matched: number;
			/** @description Messages that the filter rejects. */
			not_matched: number;
			/** @description Messages with an event key that the channel does not take; the filter was not evaluated. */
			not_subscribed: number;
			/** @description Messages for which the filter exceeds its limit of steps. */
			too_large: number;
			/** @description False if the limits of bytes or time ended the trial early. */
			is_complete: boolean;
			/** @description Up to 10 that match, newest first. */
			matched_samples: string[];
			/** @description Up to 10 that do not match, newest first. */
			not_matched_samples: {
				/** @description The message. */
				message_id: string;
				/** @description JSON Pointer to the first false condition of the filter. */
				condition: string;
			}[];
		};
		/** @description An ordering key whose run has failed for good, so that later runs are held. */
		BlockedKey: {
			/** @description The key. */
			ordering_key: string;
			/** @description The sequence of the failed run. */
			sequence: number;
			/**
			 * Format: date-time
			 * @description Since when.
			 */
			blocked_at: string;
			/** @description The failed run. */
			delivery_run_id: string;
			message_id: string | null;
			last_error_code: string | null;
			/** @description Held runs, counted up to 1,000. */
			waiting: number;
		};
		/** @description A page of the blocked keys of a channel, in their order. */
		BlockedKeyList: {
			data: components["schemas"]["BlockedKey"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description The result for an ordering key. */
		UnblockedKey: {
			/** @description The key. */
			ordering_key: string;
			/** @description False if it was not blocked: nothing has changed. */
			unblocked: boolean;
			delivery_run_id: string | null;
		};
		/** @description A warning. It does not prevent storing or sending. */
		TemplateWarning: {
			/**
			 * @description Stable; for programs.
			 * @enum {string}
			 */
			code: "text_derived" | "text_blank" | "subject_blank" | "subject_too_long" | "html_too_large" | "link_broken" | "link_insecure" | "image_broken" | "image_without_alt" | "content_removed" | "client_support" | "inline_file" | "from_not_aligned" | "payload_schema_mismatch" | "no_matching_channel" | "template_required" | "unsubscribe_missing" | "translation_missing";
			/** @description A JSON Pointer into the request or the template. */
			path: string;
			/** @description A text for readers. Its wording may change. */
			message: string;
		};
		/** @description A version of a template, without its content. */
		TemplateSummary: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The event key that it is for. */
			event_key: string;
			/**
			 * @description The channel kind that it is for.
			 * @enum {string}
			 */
			channel_kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			/** @description Numbered from 1 for each event key and channel kind. */
			version: number;
			/** @description Whether events use it. At most one version of an event key and kind is active. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
		};
		/** @description A page of versions, newest first. */
		TemplateList: {
			data: components["schemas"]["TemplateSummary"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A version of a template. Its content never changes. */
		Template: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The event key that it is for. */
			event_key: string;
			/**
			 * @description The channel kind that it is for.
			 * @enum {string}
			 */
			channel_kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			/** @description Numbered from 1 for each event key and channel kind. */
			version: number;
			/** @description Whether events use it. At most one version of an event key and kind is active. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			subject: string | null;
			html: string | null;
			text: string | null;
			mjml: string | null;
			body: {
				[key: string]: unknown;
			} | null;
			cc: string | null;
			bcc: string | null;
			reply_to: string | null;
			headers: {
				[key: string]: string;
			} | null;
			attachments: components["schemas"]["TemplateAttachment"][] | null;
			default_locale: string | null;
			/** @description The versions of the parts with which it is rendered. */
			parts: components["schemas"]["UsedPart"][];
		};
		/** @description A version after a change, with warnings. */
		ChangedTemplate: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The event key that it is for. */
			event_key: string;
			/**
			 * @description The channel kind that it is for.
			 * @enum {string}
			 */
			channel_kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			/** @description Numbered from 1 for each event key and channel kind. */
			version: number;
			/** @description Whether events use it. At most one version of an event key and kind is active. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			subject: string | null;
			html: string | null;
			text: string | null;
			mjml: string | null;
			body: {
				[key: string]: unknown;
			} | null;
			cc: string | null;
			bcc: string | null;
			reply_to: string | null;
			headers: {
				[key: string]: string;
			} | null;
			attachments: components["schemas"]["TemplateAttachment"][] | null;
			default_locale: string | null;
			/** @description The versions of the parts with which it is rendered. */
			parts: components["schemas"]["UsedPart"][];
			/** @description Problems that were probably not intended. */
			warnings: components["schemas"]["TemplateWarning"][];
		};
		/** @description What would be sent. */
		TemplatePreview: {
			template_id: string | null;
			/** @description Whether a delivery with this recipient and payload would be sent. Otherwise it would fail. */
			deliverable: boolean;
			rendered: ({
				/** @description The JSON that would be sent. */
				body: {
					[key: string]: unknown;
				};
			} | {
				/** @description On one line. */
				subject: string;
				html: string | null;
				text: string | null;
				/** @description Bare addresses; left out when there are none. */
				cc?: string[];
				/** @description As `cc`. */
				bcc?: string[];
				/** @description Left out: that of the channel. */
				reply_to?: string;
				/** @description By name; left out when there are none. */
				headers?: {
					[key: string]: string;
				};
				/** @description Left out when there are none. */
				attachments?: {
					/** @description Its name. */
					filename: string;
					/** @description Its type. */
					content_type: string;
					cid: string | null;
					/** @description Its size. */
					bytes: number;
				}[];
			} | {
				/** @description The JSON that would be sent. */
				body: {
					[key: string]: unknown;
				};
			} | {
				/** @description The JSON that would be sent. */
				body: {
					[key: string]: unknown;
				};
			} | {
				/** @description The JSON that would be sent. */
				body: {
					[key: string]: unknown;
				};
			}) | null;
			missing_variables: {
				/** @description The first part of the template that uses it, as a JSON Pointer. */
				path: string;
				/** @description As written in the template, up to the missing part. */
				name: string;
				part: string | null;
				/** @description Numbered from 1; null if unknown. */
				line: number | null;
				/** @description Numbered from 1; null if unknown. */
				column: number | null;
			}[];
			errors: {
				/** @description The part of the template, as a JSON Pointer. */
				path: string;
				/** @description The problem as text for readers. */
				message: string;
				part: string | null;
				/** @description Numbered from 1; null if unknown. */
				line: number | null;
				/** @description Numbered from 1; null if unknown. */
				column: number | null;
			}[];
			/** @description Problems that were probably not intended. */
			warnings: components["schemas"]["TemplateWarning"][];
			/** @description The versions of the parts with which it is rendered. */
			parts: components["schemas"]["UsedPart"][];
		};
		/** @description A version of a layout, without its content. */
		LayoutSummary: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The name that templates use. */
			name: string;
			/** @description Numbered from 1 for each name or locale. */
			version: number;
			/** @description Whether new versions of templates use it. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
		};
		/** @description A page of versions, newest first. */
		LayoutList: {
			data: components["schemas"]["LayoutSummary"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A version of a layout. Its content never changes. */
		Layout: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The name that templates use. */
			name: string;
			/** @description Numbered from 1 for each name or locale. */
			version: number;
			/** @description Whether new versions of templates use it. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/** @description Liquid in HTML or text, compiled where it was written in MJML. */
			content: string;
			mjml: string | null;
		};
		/** @description A version after a change. */
		ChangedLayout: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The name that templates use. */
			name: string;
			/** @description Numbered from 1 for each name or locale. */
			version: number;
			/** @description Whether new versions of templates use it. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/** @description Liquid in HTML or text, compiled where it was written in MJML. */
			content: string;
			mjml: string | null;
			/** @description New versions of templates, which are active now. */
			templates: components["schemas"]["TemplateSummary"][];
			/** @description Problems that were probably not intended. */
			warnings: components["schemas"]["TemplateWarning"][];
		};
		/** @description A version of a partial, without its content. */
		PartialSummary: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The name that templates use. */
			name: string;
			/** @description Numbered from 1 for each name or locale. */
			version: number;
			/** @description Whether new versions of templates use it. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
		};
		/** @description A page of versions, newest first. */
		PartialList: {
			data: components["schemas"]["PartialSummary"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A version of a partial. Its content never changes. */
		Partial: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The name that templates use. */
			name: string;
			/** @description Numbered from 1 for each name or locale. */
			version: number;
			/** @description Whether new versions of templates use it. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/** @description Liquid in HTML or text, compiled where it was written in MJML. */
			content: string;
			mjml: string | null;
		};
		/** @description A version after a change. */
		ChangedPartial: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The name that templates use. */
			name: string;
			/** @description Numbered from 1 for each name or locale. */
			version: number;
			/** @description Whether new versions of templates use it. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/** @description Liquid in HTML or text, compiled where it was written in MJML. */
			content: string;
			mjml: string | null;
			/** @description New versions of templates, which are active now. */
			templates: components["schemas"]["TemplateSummary"][];
			/** @description Problems that were probably not intended. */
			warnings: components["schemas"]["TemplateWarning"][];
		};
		/** @description A version of a translation, without its content. */
		TranslationSummary: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The language of its messages (BCP 47). */
			locale: string;
			/** @description Numbered from 1 for each name or locale. */
			version: number;
			/** @description Whether new versions of templates use it. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
		};
		/** @description A page of versions, newest first. */
		TranslationList: {
			data: components["schemas"]["TranslationSummary"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A version of a translation. Its content never changes. */
		Translation: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The language of its messages (BCP 47). */
			locale: string;
			/** @description Numbered from 1 for each name or locale. */
			version: number;
			/** @description Whether new versions of templates use it. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/** @description Messages by their keys, in ICU MessageFormat. */
			messages: {
				[key: string]: string;
			};
		};
		/** @description A version after a change. */
		ChangedTranslation: {
			/** @description This version. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			/** @description The language of its messages (BCP 47). */
			locale: string;
			/** @description Numbered from 1 for each name or locale. */
			version: number;
			/** @description Whether new versions of templates use it. */
			active: boolean;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			/** @description Messages by their keys, in ICU MessageFormat. */
			messages: {
				[key: string]: string;
			};
			/** @description New versions of templates, which are active now. */
			templates: components["schemas"]["TemplateSummary"][];
			/** @description Problems that were probably not intended. */
			warnings: components["schemas"]["TemplateWarning"][];
		};
		/** @description The description of an event key. An event key does not need one. */
		EventType: {
			/** @description Its environment. */
			environment_id: string;
			/** @description The event. */
			event_key: string;
			description: string | null;
			stream: string | null;
			/**
			 * Format: date-time
			 * @description When it was first described.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When its description or schema was last changed.
			 */
			updated_at: string;
			payload_schema: {
				[key: string]: unknown;
			} | null;
		};
		/** @description An event type without its schema. */
		EventTypeSummary: {
			/** @description Its environment. */
			environment_id: string;
			/** @description The event. */
			event_key: string;
			description: string | null;
			stream: string | null;
			/**
			 * Format: date-time
			 * @description When it was first described.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description When its description or schema was last changed.
			 */
			updated_at: string;
			/** @description Whether payloads are validated. */
			has_payload_schema: boolean;
		};
		/** @description A page of event types, by their keys. */
		EventTypeList: {
			data: components["schemas"]["EventTypeSummary"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description What needs attention in an environment. */
		EnvironmentAttention: {
			failing_channels: components["schemas"]["FailingChannel"][];
			paused_channels: components["schemas"]["PausedChannel"][];
			paused_streams: components["schemas"]["StreamWithComplaints"][];
			backlog: components["schemas"]["BacklogOfRuns"];
			quota: components["schemas"]["QuotaUse"] | null;
			/** @description The first to expire, at most 100, in the report of all environments ten. */
			expiring: components["schemas"]["ExpiringSecret"][];
			/** @description Attempts whose template failed. */
			render_failures: {
				/** @description In the last hour. */
				last_hour: number;
			};
			/** @description Ordering keys that wait until an operator retries or skips a run, up to 1,000, in the report of all environments 100. */
			blocked_keys: number;
			blocked_channels: components["schemas"]["BlockedChannel"][];
		};
		/** @description An environment that needs attention. */
		AttentionItem: {
			/** @description The tenant. */
			tenant_id: string;
			/** @description Its name. */
			tenant_name: string;
			/** @description The environment. */
			environment_id: string;
			/** @description Its name. */
			environment_name: string;
			failing_channels: components["schemas"]["FailingChannel"][];
			paused_channels: components["schemas"]["PausedChannel"][];
			paused_streams: components["schemas"]["StreamWithComplaints"][];
			backlog: components["schemas"]["BacklogOfRuns"];
			quota: components["schemas"]["QuotaUse"] | null;
			/** @description The first to expire, at most 100, in the report of all environments ten. */
			expiring: components["schemas"]["ExpiringSecret"][];
			/** @description Attempts whose template failed. */
			render_failures: {
				/** @description In the last hour. */
				last_hour: number;
			};
			/** @description Ordering keys that wait until an operator retries or skips a run, up to 1,000, in the report of all environments 100. */
			blocked_keys: number;
			blocked_channels: components["schemas"]["BlockedChannel"][];
		};
		/** @description What needs attention in the installation. */
		Attention: {
			/** @description Worst first, at most 100 environments, with up to ten channels or secrets in each list. */
			items: components["schemas"]["AttentionItem"][];
		};
		/** @description A result of a lookup, and where it is. */
		LookupResult: {
			/**
			 * @description The kind of the result.
			 * @enum {string}
			 */
			type: "message" | "delivery_run" | "attempt" | "request" | "trace" | "recipient";
			/** @description The tenant. */
			tenant_id: string;
			/** @description The name of the tenant. */
			tenant_name: string;
			/** @description The environment. */
			environment_id: string;
			/** @description The name of the environment. */
			environment_name: string;
			message_id: string | null;
			delivery_run_id: string | null;
			attempt_number: number | null;
			/**
			 * Format: date-time
			 * @description When the message was accepted.
			 */
			created_at: string;
			/** @description Of the message. */
			event_key: string;
			recipient_email: string | null;
		};
		/** @description The results of a lookup. */
		Lookup: {
			/** @description Newest first, at most 50. */
			results: components["schemas"]["LookupResult"][];
			/** @description Whether there are more: then search the environment. */
			has_more: boolean;
		};
		/** @description A bulk replay. */
		ReplayBatch: {
			/** @description The bulk replay. */
			id: string;
			/** @description The environment of its messages. */
			environment_id: string;
			/**
			 * @description `pending`: not started. `running`: in progress. `failed`: ended before its last message, see `reason`.
			 * @enum {string}
			 */
			status: "pending" | "running" | "completed" | "cancelled" | "failed";
			reason: ("quota_exceeded" | "payment_required" | "page_failed" | "too_many_open_runs") | null;
			filter: components["schemas"]["GivenMessageFilter"];
			channels: string[] | null;
			/** @description The pace. */
			messages_per_second: number;
			/** @description Messages that matched when it was created. */
			matched: number;
			/** @description Whether there may be more: counting ends after some 50,000 candidates. */
			matched_is_lower_bound: boolean;
			/** @description Messages for which new runs were created. */
			replayed: number;
			/** @description Messages that matched and could not be replayed, by reason. */
			skipped: {
				/** @description No enabled channel of those requested takes the event. */
				no_matching_channel: number;
				/** @description An email channel takes the event and no template is active for it. */
				template_not_found: number;
				/** @description The filters of the channels reject it. */
				filtered: number;
				/** @description It is too large for the filters of the channels. */
				too_large_for_filters: number;
				/** @description An email channel takes the event and the recipient has no address. */
				recipient_email_missing: number;
				/** @description A test send of an operator. */
				test_message: number;
				/** @description The recipient’s data was erased. */
				message_erased: number;
			};
			position: string | null;
			/** @description How often in a row its next page has failed; after 20 failures it is `failed`. */
			failures: number;
			last_error_code: string | null;
			retry_at: string | null;
			/**
			 * Format: date-time
			 * @description When it was created.
			 */
			created_at: string;
			started_at: string | null;
			completed_at: string | null;
		};
		/** @description A page of bulk replays, newest first. */
		ReplayBatchList: {
			data: components["schemas"]["ReplayBatch"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description The messages that a bulk replay would cover. */
		ReplayPreview: {
			/**
			 * @description Nothing was done.
			 * @constant
			 */
			dry_run: true;
			filter: components["schemas"]["GivenMessageFilter"];
			/** @description Messages that match. */
			matched: number;
			/** @description Whether there may be more: counting ends after some 50,000 candidates. */
			matched_is_lower_bound: boolean;
		};
		/** @description The erasure of one recipient’s data. */
		Erasure: {
			/** @description The erasure. */
			id: string;
			/** @description The environment of the messages. */
			environment_id: string;
			/**
			 * @description `pending`: not started. `running`: in progress. `completed`: nothing is left, and the service has forgotten the address or id.
			 * @enum {string}
			 */
			status: "pending" | "running" | "completed";
			/** @description SHA-256, in hexadecimal, of the environment’s id, a colon and the address in lower case, or `id:` and the id: anyone who knows it can find the erasure. */
			recipient_sha256: string;
			/** @description Messages whose recipient and payload are erased. */
			messages_erased: number;
			/** @description Waiting delivery runs that it ended. */
			runs_cancelled: number;
			/**
			 * Format: date-time
			 * @description When it was requested; later messages are not part of it.
			 */
			created_at: string;
			started_at: string | null;
			completed_at: string | null;
		};
		/** @description A page of erasures, newest first. */
		ErasureList: {
			data: components["schemas"]["Erasure"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description An address to which an environment sends no email. */
		Suppression: {
			/** @description The entry. */
			id: string;
			/** @description Its environment. */
			environment_id: string;
			email: string | null;
			/** @description `all`, or the stream in which it is suppressed. */
			scope: string;
			reason: string | null;
			/**
			 * @description Why it was added.
			 * @enum {string}
			 */
			source: "hard_bounce" | "soft_bounce" | "complaint" | "unsubscribe" | "manual" | "import";
			/**
			 * Format: date-time
			 * @description Since when.
			 */
			created_at: string;
			expires_at: string | null;
		};
		/** @description A page of suppressions, newest first. */
		SuppressionList: {
			data: components["schemas"]["Suppression"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description The result of an import. */
		ImportedSuppressions: {
			/** @description Entries that are new. */
			added: number;
			/** @description Entries that were already on the list, or repeated; they are unchanged. */
			existing: number;
		};
		/** @description A stream whose email is held because too many recipients complained. */
		PausedStream: {
			/** @description Its environment. */
			environment_id: string;
			/** @description The stream. */
			stream: string;
			/**
			 * Format: date-time
			 * @description Since when.
			 */
			paused_at: string;
			resumed_at: string | null;
			/** @description Delivered emails of the stream on the day before the pause. */
			delivered: number;
			/** @description Those about which recipients complained. */
			complained: number;
			/** @description Its held runs, counted up to 10,000. */
			waiting: number;
		};
		/** @description A page of paused streams, by their names. */
		PausedStreamList: {
			data: components["schemas"]["PausedStream"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A key under which webhook secrets and SMTP passwords are encrypted. */
		SecretKey: {
			/** @description Its id in `ENCRYPTION_KEYS`. */
			key_id: string;
			/**
			 * @description `current` encrypts; `older` only decrypts; `missing` is not in `ENCRYPTION_KEYS`, so its secrets cannot be decrypted.
			 * @enum {string}
			 */
			status: "current" | "older" | "missing";
			/** @description Stored secrets that are encrypted with it. An older key without any can be removed. */
			secrets: number;
			/** @description For a missing key, the first 100 channels that cannot deliver until it is restored or they get a new secret. */
			channels: string[];
		};
		/** @description The keys of all stored secrets. */
		SecretKeys: {
			/** @description Those of `ENCRYPTION_KEYS` in their order, then the missing ones. */
			keys: components["schemas"]["SecretKey"][];
		};
		/** @description The result of a re-encryption, and the keys of all stored secrets after it. */
		ReencryptedSecrets: {
			/** @description Secrets that this request re-encrypted with the current key. */
			reencrypted: number;
			/** @description Whether `limit` ended it: repeat the request. Secrets that cannot be decrypted do not count. */
			has_more: boolean;
			/** @description Those of `ENCRYPTION_KEYS` in their order, then the missing ones. */
			keys: components["schemas"]["SecretKey"][];
		};
		/** @description A session of the console. */
		ConsoleSession: {
			/** @description The session. */
			id: string;
			/**
			 * @description `operator` manages everything, `integrator` has the rights of one token.
			 * @enum {string}
			 */
			role: "operator" | "integrator";
			environment_id: string | null;
			/** @description The name that the operator entered, or the id of the token. */
			actor: string;
			issued_by: string | null;
			/**
			 * Format: date-time
			 * @description When it began.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description The minute in which it was last used.
			 */
			last_used_at: string;
			/**
			 * Format: date-time
			 * @description When it ends, independent of its use.
			 */
			expires_at: string;
		};
		/** @description A page of sessions, newest first. */
		ConsoleSessionList: {
			data: components["schemas"]["ConsoleSession"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A link that was not used yet. */
		IssuedConsoleLink: {
			/** @description The link, and the session that it opens. */
			id: string;
			/** @description The name that the session will have in the audit log. */
			actor: string;
			issued_by: string | null;
			/**
			 * Format: date-time
			 * @description When it was issued.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description Until when it can be used.
			 */
			expires_at: string;
		};
		/** @description A page of links, newest first. */
		ConsoleLinkList: {
			data: components["schemas"]["IssuedConsoleLink"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A new link that signs in once, with its secret. */
		ConsoleLink: {
			/** @description The link, and the session that it opens. */
			id: string;
			/** @description The name that the session will have in the audit log. */
			actor: string;
			issued_by: string | null;
			/**
			 * Format: date-time
			 * @description When it was issued.
			 */
			created_at: string;
			/**
			 * Format: date-time
			 * @description Until when it can be used.
			 */
			expires_at: string;
			/** @description The fragment to append to the console’s address, such as `#link=…`. */
			url_fragment: string;
		};
		/** @description One change of the configuration. */
		AuditEntry: {
			/** @description The entry. */
			id: string;
			/** @description The `X-Actor` of the request, `admin` without one; `seed` or `worker` for the service itself. */
			actor: string;
			/** @description The kind of resource and the change, such as `channel.updated`. */
			action: string;
			/**
			 * @description The kind of resource.
			 * @enum {string}
			 */
			resource_type: "plan" | "tenant" | "environment" | "token" | "channel" | "template" | "event_type" | "layout" | "partial" | "translation" | "replay_batch" | "erasure" | "suppression" | "stream" | "console_session" | "secrets" | "message" | "delivery_run";
			/** @description Its public id, or its code or key where it has no id. */
			resource_id: string;
			tenant_id: string | null;
			environment_id: string | null;
			before: {
				[key: string]: unknown;
			} | null;
			after: {
				[key: string]: unknown;
			} | null;
			request_id: string | null;
			trace_id: string | null;
			/**
			 * Format: date-time
			 * @description When it was changed.
			 */
			created_at: string;
		};
		/** @description A page of changes, newest first. */
		AuditLog: {
			data: components["schemas"]["AuditEntry"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/**
		 * @description Stable, for programs. The table at the top of this page lists all codes.
		 * @enum {string}
		 */
		ErrorCode: "malformed_request" | "idempotency_key_required" | "idempotency_key_invalid" | "invalid_json" | "unauthorized" | "quota_exceeded" | "payment_required" | "forbidden" | "token_scope_missing" | "route_not_found" | "message_not_found" | "delivery_run_not_found" | "plan_not_found" | "tenant_not_found" | "environment_not_found" | "token_not_found" | "channel_not_found" | "template_not_found" | "event_type_not_found" | "layout_not_found" | "partial_not_found" | "translation_not_found" | "replay_batch_not_found" | "erasure_not_found" | "suppression_not_found" | "stream_not_found" | "console_session_not_found" | "method_not_allowed" | "request_timeout" | "idempotency_conflict" | "idempotency_in_progress" | "idempotency_key_repeated" | "batch_aborted" | "delivery_run_not_cancellable" | "already_exists" | "conflict" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "validation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "service_unavailable";
		/**
		 * @description Derived from the delivery runs; for a replayed message from the newest run of each channel. `pending`: at least one has not ended. `delivered`: all succeeded. `partially_delivered`: some succeeded, the others ended otherwise. `cancelled`: all were cancelled. `failed`: none succeeded.
		 * @enum {string}
		 */
		MessageStatus: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
		/**
		 * @description The error. `scheduled_cancelled` marks a cancel; after `worker_lost` and `smtp_outcome_unknown` the delivery may have arrived.
		 * @enum {string}
		 */
		DeliveryErrorCode: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_sender_refused" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "email_connection_failed" | "email_auth_failed" | "email_temporary_rejection" | "email_permanent_rejection" | "email_outcome_unknown" | "email_not_composed" | "amqp_connection_failed" | "amqp_auth_failed" | "amqp_rejected" | "amqp_outcome_unknown" | "sqs_connection_failed" | "sqs_auth_failed" | "sqs_rejected" | "sqs_outcome_unknown" | "kafka_connection_failed" | "kafka_auth_failed" | "kafka_rejected" | "kafka_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
		/** @description The time from the acceptance, or from the scheduled time, to the end of the first attempt. */
		Latency: {
			p50: number | null;
			p95: number | null;
			p99: number | null;
		};
		/** @description The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all. */
		EventPatterns: string[];
		/** @description Configuration of the webhook. */
		WebhookChannelConfig: {
			/** @description An http or https URL. */
			url: string;
			/** @description Sent with each request. */
			headers: {
				[key: string]: string;
			};
			/** @description Headers whose values are secrets, by their names. */
			secret_headers: {
				[key: string]: true;
			};
			auth: {
				/** @description `basic`, `bearer` or `oauth2`. */
				type: string;
				/** @description For `basic`. */
				username?: string;
				/** @description For `oauth2`. */
				token_url?: string;
				/** @description For `oauth2`. */
				client_id?: string;
				/** @description For `oauth2`. */
				scope?: string;
				/** @description For `oauth2`. */
				audience?: string;
				/** @description For `oauth2`: `header` or `body`. */
				client_authentication?: string;
			} | null;
			tls: {
				ca: string | null;
				certificate: string | null;
				subject: string | null;
				expires_at: string | null;
			} | null;
			/** @description The signatures of each request. */
			signatures: ("v1" | "v1a")[];
			/** @description Time limit of one attempt as a whole, in milliseconds. */
			timeout_ms: number;
		};
		/** @description Either `delays_seconds`, whose last value is used for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts with which they were created. */
		RetryPolicy: {
			max_attempts: number;
			/** @description May be empty when `max_attempts` is 1. */
			delays_seconds?: number[];
			/** @description The delay before the second attempt. */
			base_seconds?: number;
			/** @description The ratio of each delay to the one before. */
			factor?: number;
			/** @description The longest delay. */
			max_seconds?: number;
		};
		/** @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter. */
		EventFilter: {
			[key: string]: unknown;
		} | null;
		/** @description What happens when every attempt fails. Fields that are left out have their default. */
		FailurePolicy: {
			/** @description Seconds of failures without a success after which the channel is `failing`. */
			warn_after: number;
			/** @description Seconds of failures without a success after which the channel is paused or disabled. */
			pause_after: number;
			/** @description With fewer failed attempts nothing happens. */
			min_attempts: number;
			/**
			 * @description What happens after `pause_after`, and at once if the endpoint responds with 410. The runs of a paused channel are held, those of a disabled one fail.
			 * @enum {string}
			 */
			then: "pause" | "disable";
			/** @description Seconds after which a run that is held for a paused channel ends as `expired`. */
			max_age: number;
			/** @description The highest rate, in runs per second, at which held runs are sent after the channel has recovered. */
			release_per_second: number;
		};
		/**
		 * @description `key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order.
		 * @enum {string}
		 */
		ChannelOrder: "none" | "key";
		/**
		 * @description What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one.
		 * @enum {string}
		 */
		OnExhausted: "block" | "skip";
		/** @description The health of the channel: docs/specification.md, "Channel health". */
		ChannelHealth: {
			/**
			 * @description Runs of a `paused` channel are held.
			 * @enum {string}
			 */
			state: "ok" | "failing" | "paused";
			reason: ("failures" | "timeouts" | "gone" | "manual") | null;
			failing_since: string | null;
			last_success_at: string | null;
			next_probe_at: string | null;
			/** @description Held runs, counted up to 10,000. */
			waiting: number;
		};
		/** @description The names of the stored credentials, such as `senders/smtp/password`: their place in the config. Their values are never shown. */
		StoredCredentials: string[];
		/** @description Passwords and secrets are never shown: see `credentials_set`. */
		SmtpSender: {
			/** @description Host name or address. */
			host: string;
			/** @description TCP port. */
			port: number;
			/** @description TLS from the first byte; otherwise STARTTLS. */
			secure: boolean;
			username: string | null;
			oauth2: {
				/** @description The token endpoint. */
				token_url: string;
				/** @description The application. */
				client_id: string;
				scope: string | null;
			} | null;
			ca: string | null;
			certificate: string | null;
			certificate_expires_at: string | null;
			ehlo_name: string | null;
			return_path: string | null;
			dkim: {
				/** @description Of the signatures. */
				domain: string;
				/** @description Of the key. */
				selector: string;
				ed25519: {
					/** @description Of the key. */
					selector: string;
				} | null;
			} | null;
		};
		/** @description The account at Amazon SES. Credentials are never shown. */
		SesSender: {
			/** @description The AWS region, such as `eu-central-1`. */
			region: string;
			/** @description The access key of an IAM user that may call `ses:SendEmail`. */
			access_key_id: string;
			configuration_set: string | null;
			topic_arn: string | null;
			endpoint: string | null;
		};
		/** @description The account at SendGrid. Credentials are never shown. */
		SendgridSender: {
			region: string | null;
			webhook_public_key: string | null;
			endpoint: string | null;
		};
		/** @description The account at Postmark. Credentials are never shown. */
		PostmarkSender: {
			message_stream: string | null;
			webhook_username: string | null;
			endpoint: string | null;
		};
		/** @description The account at Mailgun. Credentials are never shown. */
		MailgunSender: {
			/** @description The sending domain. */
			domain: string;
			region: string | null;
			endpoint: string | null;
		};
		/** @description The account at Resend. Credentials are never shown. */
		ResendSender: {
			endpoint: string | null;
		};
		/** @description The sender address and how mail is sent. */
		EmailChannelConfig: {
			smtp?: components["schemas"]["SmtpSender"];
			ses?: components["schemas"]["SesSender"];
			sendgrid?: components["schemas"]["SendgridSender"];
			postmark?: components["schemas"]["PostmarkSender"];
			mailgun?: components["schemas"]["MailgunSender"];
			resend?: components["schemas"]["ResendSender"];
			/** @description The senders, instead of the settings of one provider. */
			senders?: {
				/** @description Unique in the channel. */
				name: string;
				/** @description The provider. Its settings are in the field of this name. */
				provider: string;
				/** @description Its share of the mail. */
				weight: number;
				from_domains: string[] | null;
				smtp?: components["schemas"]["SmtpSender"];
				ses?: components["schemas"]["SesSender"];
				sendgrid?: components["schemas"]["SendgridSender"];
				postmark?: components["schemas"]["PostmarkSender"];
				mailgun?: components["schemas"]["MailgunSender"];
				resend?: components["schemas"]["ResendSender"];
			}[];
			/**
			 * @description Only with `senders`.
			 * @enum {string}
			 */
			failover?: "safe" | "eager";
			/** @description The sender. */
			from: {
				/** @description One bare address. */
				email: string;
				name: string | null;
			};
			reply_to: string | null;
			/** @description Time limit of one attempt as a whole, in milliseconds. */
			timeout_ms: number;
			certificate_expires_at: string | null;
		};
		/** @description A sender and whether it works. */
		SenderState: {
			/** @description In the config. */
			name: string;
			/** @description How it sends. */
			provider: string;
			/**
			 * @description `open`: it failed several times in a row and is tried only after all others. `half_open`: one mail at a time tests it again. Each process decides for itself; this is the latest state of any of them.
			 * @enum {string}
			 */
			state: "closed" | "open" | "half_open";
			since: string | null;
			reason: string | null;
		};
		/** @description Where events are published. */
		AmqpChannelConfig: {
			/** @description Host name or address of the broker. */
			host: string;
			/** @description TCP port. */
			port: number;
			/** @description TLS from the first byte. */
			tls: boolean;
			ca: string | null;
			certificate: string | null;
			certificate_expires_at: string | null;
			/** @description The virtual host. */
			vhost: string;
			/** @description The user. */
			username: string;
			/** @description The exchange; empty is the default one. */
			exchange: string;
			/** @description The routing key, before values are filled in. */
			routing_key: string;
			/** @description Whether durable queues store the messages. */
			persistent: boolean;
			/** @description Time limit of one attempt as a whole, in milliseconds. */
			timeout_ms: number;
		};
		/** @description The queue to which events are sent. */
		SqsChannelConfig: {
			/** @description The URL of the queue. */
			queue_url: string;
			/** @description The AWS region. */
			region: string;
			/** @description The access key. */
			access_key_id: string;
			message_group_id: string | null;
			/** @description Time limit of one attempt as a whole, in milliseconds. */
			timeout_ms: number;
		};
		/** @description The topic to which events are written. */
		KafkaChannelConfig: {
			/** @description Brokers of the cluster, as `host:port`. */
			brokers: string[];
			/** @description TLS to every broker. */
			tls: boolean;
			ca: string | null;
			certificate: string | null;
			certificate_expires_at: string | null;
			mechanism: string | null;
			username: string | null;
			/** @description The topic. */
			topic: string;
			/** @description The key of the records, before values are filled in. */
			key: string;
			/** @description Whether records are numbered. */
			idempotent: boolean;
			/** @description Time limit of one attempt as a whole, in milliseconds. */
			timeout_ms: number;
		};
		TemplateAttachment: {
			/** @description The path of the base64 file in the event, such as `payload.invoice.pdf`. If it is null there, the mail has no such file; if it is missing, the delivery fails. */
			content: string;
			/** @description Liquid. */
			filename: string;
			/** @description For example `application/pdf`, or `text/calendar; method=REQUEST; charset=utf-8`. Types that mail programs refuse, such as programs, are refused, and the parameters `name` and `boundary`. */
			content_type: string;
			/**
			 * @description Shows the file where the HTML has `<img src="cid:…">` with this, instead of attaching it.
			 * @default null
			 */
			cid?: string | null;
		};
		/** @description A version of a layout, partial or translation. */
		UsedPart: {
			/** @description Its id. */
			id: string;
			/**
			 * @description What it is.
			 * @enum {string}
			 */
			type: "layout" | "partial" | "translation";
			/** @description The name that templates use; for a translation its locale. */
			name: string;
			/** @description Its version. */
			version: number;
		};
		/** @description A channel whose last attempts all failed, three or more. */
		FailingChannel: {
			/** @description The channel. */
			channel_id: string;
			/** @description Its name. */
			name: string;
			/**
			 * @description The kind of the channel.
			 * @enum {string}
			 */
			kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			/** @description Failed attempts since the minute of its last success. */
			consecutive_failures: number;
			/** @description The error code of the newest failure. */
			last_error_code: string;
			/**
			 * Format: date-time
			 * @description The minute of the first of them.
			 */
			failing_since: string;
		};
		/** @description A paused channel: docs/specification.md, "Channel health". */
		PausedChannel: {
			/** @description The channel. */
			channel_id: string;
			/** @description Its name. */
			name: string;
			/**
			 * @description The kind of the channel.
			 * @enum {string}
			 */
			kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			reason: ("failures" | "timeouts" | "gone" | "manual") | null;
			failing_since: string | null;
			next_probe_at: string | null;
			/** @description Held runs, counted up to 10,000, or fewer if there are many paused channels. */
			waiting: number;
		};
		/** @description A stream whose email is held because too many recipients complained. */
		StreamWithComplaints: {
			/** @description The stream. */
			stream: string;
			/**
			 * Format: date-time
			 * @description Since when.
			 */
			paused_at: string;
			/** @description Delivered emails of the stream on the day before the pause. */
			delivered: number;
			/** @description Those about which recipients complained. */
			complained: number;
		};
		/** @description The backlog: runs that are due and waiting. */
		BacklogOfRuns: {
			/** @description Due delivery runs, counted up to 1,000 for each channel and 10,000 in all, in the report of all environments up to 100. */
			due: number;
			oldest_due_at: string | null;
		};
		/** @description The tenant’s quota of this month; null if it is unlimited. */
		QuotaUse: {
			/** @description Events. */
			used: number;
			/** @description The limit of the plan. */
			limit: number;
			/** @description The used share. */
			ratio: number;
		};
		/** @description A secret that expires within 14 days, or an expired certificate. */
		ExpiringSecret: {
			/**
			 * @description The client certificate or the previous secret of a webhook channel, or a token.
			 * @enum {string}
			 */
			type: "client_certificate" | "webhook_signing_secret" | "token";
			/** @description The id or name of the channel or token. */
			id: string;
			/** @description The id or name of the channel or token. */
			name: string;
			/**
			 * Format: date-time
			 * @description When it ends.
			 */
			expires_at: string;
		};
		/** @description A channel with such keys, those with most first. */
		BlockedChannel: {
			/** @description The channel. */
			channel_id: string;
			/** @description Its name. */
			name: string;
			/**
			 * @description How it delivers.
			 * @enum {string}
			 */
			kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			/** @description How many of them it has. */
			blocked_keys: number;
		};
		/** @description The given filter, with `created_before` no later than the creation. */
		GivenMessageFilter: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key?: string;
			/**
			 * @description The message’s status.
			 * @enum {string}
			 */
			status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
			/**
			 * Format: email
			 * @description Exactly this address. Only its domain is case-insensitive.
			 */
			recipient_email?: string;
			/**
			 * Format: date-time
			 * @description Only messages accepted at this time or later.
			 */
			created_after?: string;
			/**
			 * Format: date-time
			 * @description Only messages accepted before this time.
			 */
			created_before?: string;
			/**
			 * @description The run’s status.
			 * @enum {string}
			 */
			run_status?: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
			/** @description The run’s channel. */
			channel_id?: string;
			/**
			 * @description The kind of the run’s channel.
			 * @enum {string}
			 */
			channel_kind?: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			/**
			 * @description The code of the run’s `last_error`: its newest attempt with an error, even if a later one succeeded.
			 * @enum {string}
			 */
			error_code?: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_sender_refused" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "email_connection_failed" | "email_auth_failed" | "email_temporary_rejection" | "email_permanent_rejection" | "email_outcome_unknown" | "email_not_composed" | "amqp_connection_failed" | "amqp_auth_failed" | "amqp_rejected" | "amqp_outcome_unknown" | "sqs_connection_failed" | "sqs_auth_failed" | "sqs_rejected" | "sqs_outcome_unknown" | "kafka_connection_failed" | "kafka_auth_failed" | "kafka_rejected" | "kafka_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
		};
		/** @description The recipient. Fields besides these are kept for templates. */
		Recipient: {
			/**
			 * Format: email
			 * @description One bare address; an internationalised domain is stored in its `xn--` form. Required when an email channel takes the event.
			 */
			email?: string;
			/** @description Must not contain control characters, line separators or characters that change the direction of text. */
			name?: string;
			/**
			 * Format: time-zone
			 * @description The time zone in which templates show times: an IANA name. UTC if it is left out or null.
			 */
			timezone?: string | null;
		} & {
			[key: string]: unknown;
		};
		CreateEventRequest: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			recipient: components["schemas"]["Recipient"];
			/** @description The data of the event for templates and webhooks. Free-form. */
			payload: {
				[key: string]: unknown;
			};
			/**
			 * Format: date-time
			 * @description When to deliver: RFC 3339 with offset. A time that is not in the future means immediately.
			 */
			schedule_at?: string;
			/**
			 * Format: date-time
			 * @description No attempt begins after this time: a delivery that has not succeeded by then ends as `failed`. It must be in the future and after `schedule_at`.
			 */
			expires_at?: string;
			/** @description Channels with `ordering: "key"` send events with the same key one at a time, in the order in which they were accepted. An erasure does not remove it: use an id, not an address. */
			ordering_key?: string;
			/**
			 * @description Whether to send email even if the address is on the suppression list. The token needs the scope `ignore_suppression`.
			 * @default false
			 */
			ignore_suppression?: boolean;
		};
		CreateEventsRequest: {
			events: {
				/** @description The key of this event, like the Idempotency-Key of a single request. */
				idempotency_key: string;
				/** @description The body of `POST /api/v1/events`. An invalid one has a 422 as its own result. */
				event: {
					[key: string]: unknown;
				};
			}[];
			/**
			 * @description Store all events, or none if one is refused.
			 * @default false
			 */
			atomic?: boolean;
		};
		RescheduleMessageRequest: {
			/**
			 * Format: date-time
			 * @description When to deliver: RFC 3339 with offset. A time that is not in the future means at once.
			 */
			schedule_at: string;
		};
		ReplayMessageRequest: {
			/** @description Ids of the channels to deliver to. Default: all that take the event. */
			channels?: string[];
		};
		CancelMessageRequest: Record<string, never>;
		CancelDeliveryRunRequest: Record<string, never>;
		/** @enum {string} */
		PlanChannelKind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
		CreatePlanRequest: {
			/** @description Stable name that tenants refer to; it cannot be changed. */
			code: string;
			/** @description A display name. */
			name: string;
			/**
			 * @description Events and replays of a tenant in a calendar month, UTC. Null means unlimited.
			 * @default null
			 */
			events_per_month?: number | null;
			/**
			 * @description The sustained rate of an environment, in requests per second; together with `burst`. Null means unlimited.
			 * @default null
			 */
			requests_per_second?: number | null;
			/**
			 * @description Requests that are allowed at once; together with `requests_per_second`. Null means unlimited.
			 * @default null
			 */
			burst?: number | null;
			/**
			 * @description The largest body of an event, in bytes; 262144 by default. Only base64 files may use what exceeds the default. Null means unlimited.
			 * @default null
			 */
			max_payload_bytes?: number | null;
			/**
			 * @description How far ahead `schedule_at` may be. Null means unlimited.
			 * @default null
			 */
			max_schedule_days?: number | null;
			/**
			 * @description Days after which messages are removed, with their runs and attempts. Null means unlimited.
			 * @default null
			 */
			retention_days?: number | null;
			/**
			 * @description Channel kinds that the tenant may use; all by default.
			 * @default [
			 *       "amqp",
			 *       "email",
			 *       "kafka",
			 *       "sqs",
			 *       "webhook"
			 *     ]
			 */
			channel_kinds?: components["schemas"]["PlanChannelKind"][];
		};
		UpdatePlanRequest: {
			/** @description A display name. */
			name?: string;
			/** @description Events and replays of a tenant in a calendar month, UTC. Null means unlimited. */
			events_per_month?: number | null;
			/** @description The sustained rate of an environment, in requests per second; together with `burst`. Null means unlimited. */
			requests_per_second?: number | null;
			/** @description Requests that are allowed at once; together with `requests_per_second`. Null means unlimited. */
			burst?: number | null;
			/** @description The largest body of an event, in bytes; 262144 by default. Only base64 files may use what exceeds the default. Null means unlimited. */
			max_payload_bytes?: number | null;
			/** @description How far ahead `schedule_at` may be. Null means unlimited. */
			max_schedule_days?: number | null;
			/** @description Days after which messages are removed, with their runs and attempts. Null means unlimited. */
			retention_days?: number | null;
			/** @description Channel kinds that the tenant may use; all by default. */
			channel_kinds?: components["schemas"]["PlanChannelKind"][] | null;
		};
		CreateTenantRequest: {
			/** @description A display name. */
			name: string;
			/** @description The code of its plan. */
			plan: string;
			/**
			 * @description Whether it may send: `suspended` tenants may not, `past_due` ones only until `grace_ends_at`.
			 * @default active
			 * @enum {string}
			 */
			billing_status?: "active" | "past_due" | "suspended";
			/**
			 * Format: date-time
			 * @description Only with `past_due`: until when it may still send. Null gives no grace period.
			 * @default null
			 */
			grace_ends_at?: string | null;
		};
		UpdateTenantRequest: {
			/** @description A display name. */
			name?: string;
			/** @description The code of its plan. */
			plan?: string;
			/**
			 * @description Whether it may send: `suspended` tenants may not, `past_due` ones only until `grace_ends_at`.
			 * @enum {string|null}
			 */
			billing_status?: "active" | "past_due" | "suspended" | null;
			/**
			 * Format: date-time
			 * @description Only with `past_due`: until when it may still send. Null gives no grace period.
			 */
			grace_ends_at?: string | null;
		};
		CreateEnvironmentRequest: {
			/** @description Unique within the tenant; a part of its tokens, so it cannot be changed. */
			name: string;
			/**
			 * @description What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay.
			 * @default refuse
			 * @enum {string}
			 */
			unmatched_events?: "refuse" | "store";
			/**
			 * @description What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` creates delivery runs only for the other channels.
			 * @default refuse
			 * @enum {string}
			 */
			missing_email_template?: "refuse" | "skip";
			/**
			 * @description Which Idempotency-Keys are accepted: only a `uuid`, or `any` key of 1 to 255 visible ASCII characters.
			 * @default uuid
			 * @enum {string}
			 */
			idempotency_keys?: "uuid" | "any";
			/**
			 * @description Whether channels may only have https URLs. Cannot be set while one has another.
			 * @default false
			 */
			https_only?: boolean;
			/**
			 * @description The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing it creates new versions of the active templates.
			 * @default en
			 */
			default_locale?: string;
			/**
			 * @description How many bounces in a row that are not permanent suppress an address for a while; 0: never.
			 * @default 5
			 */
			soft_bounce_limit?: number;
			/**
			 * @description The number of days within which they count.
			 * @default 7
			 */
			soft_bounce_days?: number;
			/**
			 * @description For how many days the address is then suppressed.
			 * @default 7
			 */
			soft_bounce_pause_days?: number;
			/**
			 * @description The share of complaints in the email of a day from which a stream is paused, such as 0.003. Null: never.
			 * @default null
			 */
			pause_streams_at_complaint_rate?: number | null;
			/** @description The names of streams for recipients, by stream and language, such as `{"news": {"en": "Newsletter"}}`. The pages of unsubscribe links show them. */
			stream_names?: {
				[key: string]: {
					[key: string]: string;
				};
			};
		};
		UpdateEnvironmentRequest: {
			/**
			 * @description What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay.
			 * @enum {string|null}
			 */
			unmatched_events?: "refuse" | "store" | null;
			/**
			 * @description What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` creates delivery runs only for the other channels.
			 * @enum {string|null}
			 */
			missing_email_template?: "refuse" | "skip" | null;
			/**
			 * @description Which Idempotency-Keys are accepted: only a `uuid`, or `any` key of 1 to 255 visible ASCII characters.
			 * @enum {string|null}
			 */
			idempotency_keys?: "uuid" | "any" | null;
			/** @description Whether channels may only have https URLs. Cannot be set while one has another. */
			https_only?: boolean | null;
			/** @description The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing it creates new versions of the active templates. */
			default_locale?: string | null;
			/** @description How many bounces in a row that are not permanent suppress an address for a while; 0: never. */
			soft_bounce_limit?: number | null;
			/** @description The number of days within which they count. */
			soft_bounce_days?: number | null;
			/** @description For how many days the address is then suppressed. */
			soft_bounce_pause_days?: number | null;
			/** @description The share of complaints in the email of a day from which a stream is paused, such as 0.003. Null: never. */
			pause_streams_at_complaint_rate?: number | null;
			/** @description The names of streams for recipients, by stream and language, such as `{"news": {"en": "Newsletter"}}`. The pages of unsubscribe links show them. */
			stream_names?: {
				[key: string]: {
					[key: string]: string | null;
				} | null;
			} | null;
		};
		/** @enum {string} */
		TokenScope: "ignore_suppression";
		IssueTokenRequest: {
			/** @description A display name; it need not be unique. */
			name: string;
			/**
			 * Format: date-time
			 * @description The token is refused from this time on, by the database’s clock; an RFC 3339 time in the future. Null means never.
			 * @default null
			 */
			expires_at?: string | null;
			/**
			 * @description Additional rights of the token. `ignore_suppression`: send email to addresses on the suppression list.
			 * @default []
			 */
			scopes?: components["schemas"]["TokenScope"][];
		};
		RotateTokenRequest: {
			/**
			 * @description How long the old token stays valid, at most 30 days; 0 ends it immediately.
			 * @default 86400
			 */
			overlap_seconds?: number;
		};
		/** @description Either `delays_seconds`, whose last value is used for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts with which they were created. */
		RetryPolicyInput: {
			max_attempts: number;
			/** @description May be empty when `max_attempts` is 1. */
			delays_seconds?: number[];
			/** @description The delay before the second attempt. */
			base_seconds?: number;
			/** @description The ratio of each delay to the one before. */
			factor?: number;
			/** @description The longest delay. */
			max_seconds?: number;
		};
		/** @description What happens when every attempt fails. Fields that are left out have their default. */
		FailurePolicyInput: {
			/** @description Seconds of failures without a success after which the channel is `failing`. */
			warn_after?: number;
			/** @description Seconds of failures without a success after which the channel is paused or disabled. */
			pause_after?: number;
			/** @description With fewer failed attempts nothing happens. */
			min_attempts?: number;
			/**
			 * @description What happens after `pause_after`, and at once if the endpoint responds with 410. The runs of a paused channel are held, those of a disabled one fail.
			 * @enum {string}
			 */
			then?: "pause" | "disable";
			/** @description Seconds after which a run that is held for a paused channel ends as `expired`. */
			max_age?: number;
			/** @description The highest rate, in runs per second, at which held runs are sent after the channel has recovered. */
			release_per_second?: number;
		};
		/** @enum {string} */
		WebhookSignature: "v1" | "v1a";
		/** @description Configuration of the webhook. */
		NewWebhookChannelConfig: {
			/** @description An http or https URL without user name, password and fragment. Operators see it unchanged; the audit log stores it without query values and without path segments that could be a token. Whether its address may be called is checked at each attempt, when the name is resolved: private addresses are refused with `webhook_address_blocked`. */
			url: string;
			/** @description Sent with each request. They are shown in responses, so do not put secrets in them. Names that frame the request, and those that begin with `webhook-`, `proxy-` or `postrider-`, are reserved. */
			headers?: {
				[key: string]: string;
			};
			/** @description Headers whose values are secrets: stored encrypted and shown as `true`. `true` in a request keeps the value that is stored. */
			secret_headers?: {
				[key: string]: string | true;
			};
			/**
			 * @description The header `Authorization` of each request.
			 * @default null
			 */
			auth?: {
				/**
				 * @description `basic` has `username` and `password` (RFC 7617), `bearer` a `token` (RFC 6750). `oauth2` gets tokens by the client credentials grant (RFC 6749 section 4.4) with `token_url`, `client_id` and `client_secret`.
				 * @enum {string}
				 */
				type: "basic" | "bearer" | "oauth2";
				/** @description For `basic`. */
				username?: string | null;
				/** @description For `basic`. Stored encrypted and never shown; a PATCH that leaves it out keeps it. */
				password?: string | null;
				/** @description For `bearer`. Stored encrypted and never shown; a PATCH that leaves it out keeps it. */
				token?: string | null;
				/** @description For `oauth2`: the token endpoint, under the same address policy. */
				token_url?: string | null;
				/** @description For `oauth2`. */
				client_id?: string | null;
				/** @description For `oauth2`. Stored encrypted and never shown; a PATCH that leaves it out keeps it. */
				client_secret?: string | null;
				/** @description For `oauth2`. */
				scope?: string | null;
				/** @description For `oauth2`, if the server needs one. */
				audience?: string | null;
				/**
				 * @description For `oauth2`: whether id and secret are sent in a header or in the form.
				 * @default header
				 * @enum {string|null}
				 */
				client_authentication?: "header" | "body" | null;
			} | null;
			/**
			 * @description Mutual TLS and private authorities. Only for https.
			 * @default null
			 */
			tls?: {
				/** @description Certificates (PEM) of the authorities that the endpoint's certificate must come from; they replace the public ones. */
				ca?: string | null;
				/** @description The client certificate (PEM), with its chain. */
				certificate?: string | null;
				/** @description Its private key (PEM), without a passphrase. Stored encrypted and never shown; must be given with each new certificate. */
				private_key?: string | null;
				/** @description Ignored. */
				subject?: string | null;
				/** @description Ignored. */
				expires_at?: string | null;
			} | null;
			/**
			 * @description The signatures of each request. `v1` is always included; `v1a` (ed25519) is verified with a public key, which `GET /.well-known/webhooks/{channelId}/jwks.json` serves.
			 * @default [
			 *       "v1"
			 *     ]
			 */
			signatures?: components["schemas"]["WebhookSignature"][];
			/**
			 * @description Time limit of one attempt as a whole, in milliseconds.
			 * @default 15000
			 */
			timeout_ms?: number;
		};
		NewWebhookChannel: {
			/**
			 * @description It cannot be changed. (enum property replaced by openapi-typescript)
			 * @enum {string}
			 */
			kind: "webhook";
			/** @description A display name. */
			name: string;
			/**
			 * @description A disabled channel takes no events, and its due runs fail with `channel_disabled`.
			 * @default true
			 */
			enabled?: boolean;
			/**
			 * @description The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all.
			 * @default [
			 *       "*"
			 *     ]
			 */
			event_keys?: string[];
			retry?: components["schemas"]["RetryPolicyInput"];
			/**
			 * @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter.
			 * @default null
			 */
			filter?: {
				[key: string]: unknown;
			} | null;
			failure_policy?: components["schemas"]["FailurePolicyInput"];
			/**
			 * @description Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others.
			 * @default false
			 */
			operational?: boolean;
			/**
			 * Format: email
			 * @description The recipient of an operational email channel.
			 * @default null
			 */
			operational_email?: string | null;
			/**
			 * @description `key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order.
			 * @default none
			 * @enum {string}
			 */
			ordering?: "none" | "key";
			/**
			 * @description What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one.
			 * @default block
			 * @enum {string}
			 */
			on_exhausted?: "block" | "skip";
			/**
			 * @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, over all workers; null is unlimited.
			 * @default null
			 */
			max_in_flight?: number | null;
			config: components["schemas"]["NewWebhookChannelConfig"];
		};
		NewSmtpSender: {
			/** @description A host name or address. Private ones are refused; those of names at the attempt, with `smtp_connection_failed`. */
			host: string;
			port: number;
			/**
			 * @description TLS from the first byte, as on port 465. Otherwise STARTTLS if the server offers it; with a user name it is required, unless the server is on this machine, and with `ca` or `certificate`.
			 * @default false
			 */
			secure?: boolean;
			/**
			 * @description Together with `password` or `oauth2`; null without a login.
			 * @default null
			 */
			username?: string | null;
			/** @description Stored encrypted and never shown. In a PATCH: if left out, it stays; null removes it. It must be given again when `host` or `ca` changes, so that a stored password is never sent to another server. */
			password?: string | null;
			/**
			 * @description Logs in as `username` with access tokens (XOAUTH2) instead of a password, as Microsoft 365 and Google require.
			 * @default null
			 */
			oauth2?: {
				/** @description The token endpoint: an https URL, under the same address policy as the server. */
				token_url: string;
				/** @description The application that is registered at the token endpoint. */
				client_id: string;
				/** @description Stored encrypted and never shown; kept if left out. It must be given again when `token_url`, `client_id`, `host` or `ca` changes. */
				client_secret?: string;
				/** @description Gets tokens by the refresh token grant (RFC 6749 section 6), instead of the client credentials grant. Stored and given again as `client_secret`; null removes it. */
				refresh_token?: string | null;
				/**
				 * @description What the token is for, if the token endpoint asks for it.
				 * @default null
				 */
				scope?: string | null;
			} | null;
			/**
			 * @description Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones.
			 * @default null
			 */
			ca?: string | null;
			/**
			 * @description The client certificate (PEM), with its chain, for servers that ask for one.
			 * @default null
			 */
			certificate?: string | null;
			/**
			 * @description Its private key (PEM), without a passphrase. Stored encrypted and never shown; must be given with each new certificate.
			 * @default null
			 */
			private_key?: string | null;
			/** @description Ignored. */
			certificate_expires_at?: string | null;
			/**
			 * @description How the client introduces itself (`EHLO`): a name that resolves to its address, for servers that check it. By default the host name of the worker.
			 * @default null
			 */
			ehlo_name?: string | null;
			/**
			 * @description The address that bounces go to (the sender of the envelope), by default `from`. In `bounces+{run}@example.com` `{run}` becomes 42 letters and digits by which a bounce finds its run.
			 * @default null
			 */
			return_path?: string | null;
			/**
			 * @description Signs mail (DKIM, RFC 6376), for a server that does not do so itself.
			 * @default null
			 */
			dkim?: {
				/** @description For DMARC it must be the domain of `From`, or a parent of it. */
				domain: string;
				/** @description The public key is at `<selector>._domainkey.<domain>` in the DNS. */
				selector: string;
				/** @description An RSA key of 1,024 to 4,096 bits in PEM. Stored encrypted and never shown; kept if left out. */
				private_key?: string;
				/**
				 * @description A second signature (RFC 8463), for receivers that verify it. Others verify the one of the RSA key.
				 * @default null
				 */
				ed25519?: {
					/** @description Of this key; another than that of the RSA key. */
					selector: string;
					/** @description An Ed25519 key in PEM. Stored encrypted and never shown; kept if left out. */
					private_key?: string;
				} | null;
			} | null;
		};
		/** @description The account at Amazon SES. */
		NewSesSender: {
			/** @description The AWS region, such as `eu-central-1`. */
			region: string;
			/** @description The access key of an IAM user that may call `ses:SendEmail`. */
			access_key_id: string;
			/**
			 * @description The configuration set whose event destination publishes feedback.
			 * @default null
			 */
			configuration_set?: string | null;
			/**
			 * @description The SNS topic of the feedback. Without it, feedback is refused.
			 * @default null
			 */
			topic_arn?: string | null;
			/**
			 * @description The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes.
			 * @default null
			 */
			endpoint?: string | null;
			/** @description The secret of the access key. Stored encrypted and never shown. In a PATCH: if left out, it stays. */
			secret_access_key?: string | null;
		};
		/** @description The account at SendGrid. */
		NewSendgridSender: {
			/**
			 * @description The region of the account: `eu` for a regional subuser.
			 * @default global
			 * @enum {string|null}
			 */
			region?: "global" | "eu" | null;
			/**
			 * @description The verification key of the signed event webhook. Without it, feedback is refused.
			 * @default null
			 */
			webhook_public_key?: string | null;
			/**
			 * @description The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes.
			 * @default null
			 */
			endpoint?: string | null;
			/** @description An API key with the permission Mail Send. Stored encrypted and never shown. In a PATCH: if left out, it stays. */
			api_key?: string | null;
		};
		/** @description The account at Postmark. */
		NewPostmarkSender: {
			/**
			 * @description The id of the message stream.
			 * @default outbound
			 */
			message_stream?: string | null;
			/**
			 * @description The user of the basic authentication of webhooks. Without it, feedback is refused.
			 * @default null
			 */
			webhook_username?: string | null;
			/**
			 * @description The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes.
			 * @default null
			 */
			endpoint?: string | null;
			/** @description The API token of a server. Stored encrypted and never shown. In a PATCH: if left out, it stays. */
			server_token?: string | null;
			/** @description The password of the basic authentication of webhooks. Stored encrypted and never shown. In a PATCH: if left out, it stays, null removes it. */
			webhook_password?: string | null;
		};
		/** @description The account at Mailgun. */
		NewMailgunSender: {
			/** @description The sending domain. */
			domain: string;
			/**
			 * @description The region of the account.
			 * @default us
			 * @enum {string|null}
			 */
			region?: "us" | "eu" | null;
			/**
			 * @description The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes.
			 * @default null
			 */
			endpoint?: string | null;
			/** @description The sending key of the domain, or an API key. Stored encrypted and never shown. In a PATCH: if left out, it stays. */
			api_key?: string | null;
			/** @description The key with which Mailgun signs webhooks. Without it, feedback is refused. Stored encrypted and never shown. In a PATCH: if left out, it stays, null removes it. */
			webhook_signing_key?: string | null;
		};
		/** @description The account at Resend. */
		NewResendSender: {
			/**
			 * @description The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes.
			 * @default null
			 */
			endpoint?: string | null;
			/** @description An API key with sending access. Stored encrypted and never shown. In a PATCH: if left out, it stays. */
			api_key?: string | null;
			/** @description The secret with which Resend signs webhooks. Without it, feedback is refused. Stored encrypted and never shown. In a PATCH: if left out, it stays, null removes it. */
			webhook_secret?: string | null;
		};
		/** @description The sender address and how mail is sent. Either the settings of one provider, such as `smtp`, or the list `senders`. */
		NewEmailChannelConfig: {
			smtp?: components["schemas"]["NewSmtpSender"];
			ses?: components["schemas"]["NewSesSender"];
			sendgrid?: components["schemas"]["NewSendgridSender"];
			postmark?: components["schemas"]["NewPostmarkSender"];
			mailgun?: components["schemas"]["NewMailgunSender"];
			resend?: components["schemas"]["NewResendSender"];
			/**
			 * @description Several senders, instead of the settings of one provider. A mail goes through one of them, chosen by weight; the others are tried if that one fails. A PATCH replaces the whole list; credentials that are left out stay with the sender of the same name.
			 * @default null
			 */
			senders?: {
				/** @description Unique in the channel; by default the name of the provider, then `smtp-2` and so on. */
				name?: string | null;
				/**
				 * @description The provider. Its settings are in the field of this name.
				 * @enum {string}
				 */
				provider: "smtp" | "ses" | "sendgrid" | "postmark" | "mailgun" | "resend";
				smtp?: components["schemas"]["NewSmtpSender"];
				ses?: components["schemas"]["NewSesSender"];
				sendgrid?: components["schemas"]["NewSendgridSender"];
				postmark?: components["schemas"]["NewPostmarkSender"];
				mailgun?: components["schemas"]["NewMailgunSender"];
				resend?: components["schemas"]["NewResendSender"];
				/**
				 * @description Its share of the mail; with 0 it is tried only after others have failed.
				 * @default 1
				 */
				weight?: number | null;
				/**
				 * @description The domains of `From` that it sends for; all by default.
				 * @default null
				 */
				from_domains?: string[] | null;
			}[] | null;
			/**
			 * @description `safe` tries the next sender only if the mail was certainly not taken. `eager` also does so when the outcome is not known, so that a mail may be sent twice.
			 * @default safe
			 * @enum {string|null}
			 */
			failover?: "safe" | "eager" | null;
			from: {
				/**
				 * Format: email
				 * @description One bare address; also the envelope’s sender, unless SMTP settings have `return_path`. An internationalised domain is stored in its `xn--` form.
				 */
				email: string;
				/** @default null */
				name?: string | null;
			};
			/**
			 * Format: email
			 * @description One bare address.
			 * @default null
			 */
			reply_to?: string | null;
			/**
			 * @description Time limit of one attempt as a whole, in milliseconds.
			 * @default 60000
			 */
			timeout_ms?: number;
			/** @description Ignored. */
			certificate_expires_at?: string | null;
		};
		NewEmailChannel: {
			/**
			 * @description It cannot be changed. (enum property replaced by openapi-typescript)
			 * @enum {string}
			 */
			kind: "email";
			/** @description A display name. */
			name: string;
			/**
			 * @description A disabled channel takes no events, and its due runs fail with `channel_disabled`.
			 * @default true
			 */
			enabled?: boolean;
			/**
			 * @description The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all.
			 * @default [
			 *       "*"
			 *     ]
			 */
			event_keys?: string[];
			retry?: components["schemas"]["RetryPolicyInput"];
			/**
			 * @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter.
			 * @default null
			 */
			filter?: {
				[key: string]: unknown;
			} | null;
			failure_policy?: components["schemas"]["FailurePolicyInput"];
			/**
			 * @description Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others.
			 * @default false
			 */
			operational?: boolean;
			/**
			 * Format: email
			 * @description The recipient of an operational email channel.
			 * @default null
			 */
			operational_email?: string | null;
			/**
			 * @description `key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order.
			 * @default none
			 * @enum {string}
			 */
			ordering?: "none" | "key";
			/**
			 * @description What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one.
			 * @default block
			 * @enum {string}
			 */
			on_exhausted?: "block" | "skip";
			/**
			 * @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, over all workers; null is unlimited.
			 * @default null
			 */
			max_in_flight?: number | null;
			config: components["schemas"]["NewEmailChannelConfig"];
		};
		/** @description Where events are published. */
		NewAmqpChannelConfig: {
			/** @description A host name or address of a broker that speaks AMQP 0-9-1. Private ones are refused; those of names at the attempt, with `amqp_connection_failed`. */
			host: string;
			/**
			 * @description By default 5671, without TLS 5672.
			 * @default null
			 */
			port?: number | null;
			/**
			 * @description TLS from the first byte. False is only allowed for a broker on this machine, because the password would be sent unencrypted.
			 * @default true
			 */
			tls?: boolean;
			/**
			 * @description Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones.
			 * @default null
			 */
			ca?: string | null;
			/**
			 * @description The client certificate (PEM), with its chain, for servers that ask for one.
			 * @default null
			 */
			certificate?: string | null;
			/**
			 * @description Its private key (PEM), without a passphrase. Stored encrypted and never shown; must be given with each new certificate.
			 * @default null
			 */
			private_key?: string | null;
			/** @description Ignored. */
			certificate_expires_at?: string | null;
			/**
			 * @description The virtual host.
			 * @default /
			 */
			vhost?: string;
			/** @description The user; it needs the permission to write to the exchange. */
			username: string;
			/** @description Stored encrypted and never shown. A PATCH that leaves it out keeps it. It must be given again when `host`, `port`, `tls` or `ca` changes, so that a stored password is never sent to another broker. */
			password?: string;
			/** @description An exchange that exists; empty for the default one, whose routing keys are names of queues. */
			exchange: string;
			/**
			 * @description The routing key. It may contain `{{ event_key }}`, `{{ message_id }}`, `{{ delivery_run_id }}`, `{{ ordering_key }}`, and fields such as `{{ recipient.id }}` and `{{ payload.country }}`; missing fields are empty. At most 255 bytes when it is filled in.
			 * @default {{ event_key }}
			 */
			routing_key?: string;
			/**
			 * @description Whether durable queues store the messages.
			 * @default true
			 */
			persistent?: boolean;
			/**
			 * @description Time limit of one attempt as a whole, in milliseconds.
			 * @default 15000
			 */
			timeout_ms?: number;
		};
		NewAmqpChannel: {
			/**
			 * @description It cannot be changed. (enum property replaced by openapi-typescript)
			 * @enum {string}
			 */
			kind: "amqp";
			/** @description A display name. */
			name: string;
			/**
			 * @description A disabled channel takes no events, and its due runs fail with `channel_disabled`.
			 * @default true
			 */
			enabled?: boolean;
			/**
			 * @description The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all.
			 * @default [
			 *       "*"
			 *     ]
			 */
			event_keys?: string[];
			retry?: components["schemas"]["RetryPolicyInput"];
			/**
			 * @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter.
			 * @default null
			 */
			filter?: {
				[key: string]: unknown;
			} | null;
			failure_policy?: components["schemas"]["FailurePolicyInput"];
			/**
			 * @description Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others.
			 * @default false
			 */
			operational?: boolean;
			/**
			 * Format: email
			 * @description The recipient of an operational email channel.
			 * @default null
			 */
			operational_email?: string | null;
			/**
			 * @description `key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order.
			 * @default none
			 * @enum {string}
			 */
			ordering?: "none" | "key";
			/**
			 * @description What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one.
			 * @default block
			 * @enum {string}
			 */
			on_exhausted?: "block" | "skip";
			/**
			 * @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, over all workers; null is unlimited.
			 * @default null
			 */
			max_in_flight?: number | null;
			config: components["schemas"]["NewAmqpChannelConfig"];
		};
		/** @description The queue to which events are sent. */
		NewSqsChannelConfig: {
			/** @description The URL of the queue: https, or http on this machine. That of a FIFO queue ends with `.fifo`. Private addresses are refused; those of names at the attempt, with `sqs_connection_failed`. */
			queue_url: string;
			/**
			 * @description The AWS region; that of the URL when left out, where the URL is public.
			 * @default null
			 */
			region?: string | null;
			/** @description The access key of an IAM user that may call `sqs:SendMessage` on the queue. */
			access_key_id: string;
			/** @description Its secret. Stored encrypted and never shown. In a PATCH: if left out, it stays; it must be given again when `access_key_id` or the host of `queue_url` changes. */
			secret_access_key?: string;
			/** @description The session token of a temporary access key. Stored encrypted and never shown. In a PATCH: if left out, it stays, and is removed when `access_key_id` or the host of `queue_url` changes. Replace it before it expires. */
			session_token?: string | null;
			/**
			 * @description The message group. FIFO queues keep the order in a group; when left out it is the ordering key, or the run where there is none. A standard queue gets a group only if this is given, for fair queues. It may contain `{{ event_key }}`, `{{ message_id }}`, `{{ delivery_run_id }}`, `{{ ordering_key }}`, and fields such as `{{ recipient.id }}` and `{{ payload.country }}`; missing fields are empty.
			 * @default null
			 */
			message_group_id?: string | null;
			/**
			 * @description Time limit of one attempt as a whole, in milliseconds.
			 * @default 15000
			 */
			timeout_ms?: number;
		};
		NewSqsChannel: {
			/**
			 * @description It cannot be changed. (enum property replaced by openapi-typescript)
			 * @enum {string}
			 */
			kind: "sqs";
			/** @description A display name. */
			name: string;
			/**
			 * @description A disabled channel takes no events, and its due runs fail with `channel_disabled`.
			 * @default true
			 */
			enabled?: boolean;
			/**
			 * @description The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all.
			 * @default [
			 *       "*"
			 *     ]
			 */
			event_keys?: string[];
			retry?: components["schemas"]["RetryPolicyInput"];
			/**
			 * @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter.
			 * @default null
			 */
			filter?: {
				[key: string]: unknown;
			} | null;
			failure_policy?: components["schemas"]["FailurePolicyInput"];
			/**
			 * @description Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others.
			 * @default false
			 */
			operational?: boolean;
			/**
			 * Format: email
			 * @description The recipient of an operational email channel.
			 * @default null
			 */
			operational_email?: string | null;
			/**
			 * @description `key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order.
			 * @default none
			 * @enum {string}
			 */
			ordering?: "none" | "key";
			/**
			 * @description What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one.
			 * @default block
			 * @enum {string}
			 */
			on_exhausted?: "block" | "skip";
			/**
			 * @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, over all workers; null is unlimited.
			 * @default null
			 */
			max_in_flight?: number | null;
			config: components["schemas"]["NewSqsChannelConfig"];
		};
		/** @description The topic to which events are written. */
		NewKafkaChannelConfig: {
			/** @description Brokers of the cluster as `host:port`. The first that responds reports the others. Private addresses are refused; those of names and of the cluster's metadata at the attempt, with `kafka_connection_failed`. */
			brokers: string[];
			/**
			 * @description TLS to every broker. False only for a cluster on this machine, because the password would be sent unencrypted.
			 * @default true
			 */
			tls?: boolean;
			/**
			 * @description Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones.
			 * @default null
			 */
			ca?: string | null;
			/**
			 * @description The client certificate (PEM), with its chain, for servers that ask for one.
			 * @default null
			 */
			certificate?: string | null;
			/**
			 * @description Its private key (PEM), without a passphrase. Stored encrypted and never shown; must be given with each new certificate.
			 * @default null
			 */
			private_key?: string | null;
			/** @description Ignored. */
			certificate_expires_at?: string | null;
			/**
			 * @description How the user logs in (SASL). Null if the cluster needs no login.
			 * @default null
			 * @enum {string|null}
			 */
			mechanism?: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512" | null;
			/**
			 * @description The user; it needs the permission to write to the topic. Required with `mechanism`.
			 * @default null
			 */
			username?: string | null;
			/** @description Required with `mechanism`. Stored encrypted and never shown. In a PATCH: if left out, it stays; it must be given again when `brokers`, `tls`, `ca`, `mechanism` or `username` changes. */
			password?: string | null;
			/** @description A topic that exists. */
			topic: string;
			/**
			 * @description The key of the record, by which its partition is chosen. It may contain `{{ event_key }}`, `{{ message_id }}`, `{{ delivery_run_id }}`, `{{ ordering_key }}`, and fields such as `{{ recipient.id }}` and `{{ payload.country }}`; missing fields are empty. Records without a key are spread over the partitions.
			 * @default {{ ordering_key }}
			 */
			key?: string;
			/**
			 * @description Whether records have a sequence, so that a record that is sent again within an attempt is stored once. False for clusters that do not allow the user a producer id.
			 * @default true
			 */
			idempotent?: boolean;
			/**
			 * @description Time limit of one attempt as a whole, in milliseconds.
			 * @default 15000
			 */
			timeout_ms?: number;
		};
		NewKafkaChannel: {
			/**
			 * @description It cannot be changed. (enum property replaced by openapi-typescript)
			 * @enum {string}
			 */
			kind: "kafka";
			/** @description A display name. */
			name: string;
			/**
			 * @description A disabled channel takes no events, and its due runs fail with `channel_disabled`.
			 * @default true
			 */
			enabled?: boolean;
			/**
			 * @description The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all.
			 * @default [
			 *       "*"
			 *     ]
			 */
			event_keys?: string[];
			retry?: components["schemas"]["RetryPolicyInput"];
			/**
			 * @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter.
			 * @default null
			 */
			filter?: {
				[key: string]: unknown;
			} | null;
			failure_policy?: components["schemas"]["FailurePolicyInput"];
			/**
			 * @description Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others.
			 * @default false
			 */
			operational?: boolean;
			/**
			 * Format: email
			 * @description The recipient of an operational email channel.
			 * @default null
			 */
			operational_email?: string | null;
			/**
			 * @description `key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order.
			 * @default none
			 * @enum {string}
			 */
			ordering?: "none" | "key";
			/**
			 * @description What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one.
			 * @default block
			 * @enum {string}
			 */
			on_exhausted?: "block" | "skip";
			/**
			 * @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, over all workers; null is unlimited.
			 * @default null
			 */
			max_in_flight?: number | null;
			config: components["schemas"]["NewKafkaChannelConfig"];
		};
		CreateChannelRequest: components["schemas"]["NewWebhookChannel"] | components["schemas"]["NewEmailChannel"] | components["schemas"]["NewAmqpChannel"] | components["schemas"]["NewSqsChannel"] | components["schemas"]["NewKafkaChannel"];
		/** @description Either `delays_seconds`, whose last value is used for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts with which they were created. */
		RetryPolicyChange: {
			max_attempts?: number;
			/** @description May be empty when `max_attempts` is 1. */
			delays_seconds?: number[] | null;
			/** @description The delay before the second attempt. */
			base_seconds?: number | null;
			/** @description The ratio of each delay to the one before. */
			factor?: number | null;
			/** @description The longest delay. */
			max_seconds?: number | null;
		} | null;
		/** @description What happens when every attempt fails. Fields that are left out have their default. */
		FailurePolicyChange: {
			/** @description Seconds of failures without a success after which the channel is `failing`. */
			warn_after?: number | null;
			/** @description Seconds of failures without a success after which the channel is paused or disabled. */
			pause_after?: number | null;
			/** @description With fewer failed attempts nothing happens. */
			min_attempts?: number | null;
			/**
			 * @description What happens after `pause_after`, and at once if the endpoint responds with 410. The runs of a paused channel are held, those of a disabled one fail.
			 * @enum {string|null}
			 */
			then?: "pause" | "disable" | null;
			/** @description Seconds after which a run that is held for a paused channel ends as `expired`. */
			max_age?: number | null;
			/** @description The highest rate, in runs per second, at which held runs are sent after the channel has recovered. */
			release_per_second?: number | null;
		} | null;
		UpdateChannelRequest: {
			/** @description A display name. */
			name?: string;
			/** @description A disabled channel takes no events, and its due runs fail with `channel_disabled`. */
			enabled?: boolean;
			/** @description The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all. */
			event_keys?: string[];
			retry?: components["schemas"]["RetryPolicyChange"];
			/** @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter. */
			filter?: {
				[key: string]: unknown;
			} | null;
			failure_policy?: components["schemas"]["FailurePolicyChange"];
			/** @description Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others. */
			operational?: boolean | null;
			/**
			 * Format: email
			 * @description The recipient of an operational email channel.
			 */
			operational_email?: string | null;
			/**
			 * @description `key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order.
			 * @enum {string|null}
			 */
			ordering?: "none" | "key" | null;
			/**
			 * @description What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one.
			 * @enum {string|null}
			 */
			on_exhausted?: "block" | "skip" | null;
			/** @description The most attempts that start per second, over all workers. 0.1 is one in ten seconds; null is unlimited. Further runs wait in the order in which they are due. */
			max_per_second?: number | null;
			/** @description The most attempts that are open at the same time, over all workers; null is unlimited. */
			max_in_flight?: number | null;
			/** @description Fields of the config of the channel’s kind, as in its creation; null removes one. */
			config?: {
				[key: string]: unknown;
			};
		};
		RotateChannelSecretRequest: {
			/**
			 * @description How long both secrets sign, at most 30 days; 0 ends the old one immediately.
			 * @default 86400
			 */
			overlap_seconds?: number;
		};
		/** @description The recipient; an email channel needs `email`. */
		TestRecipient: {
			/**
			 * Format: email
			 * @description One bare address; an internationalised domain is stored in its `xn--` form. Required when an email channel takes the event.
			 */
			email?: string;
			/** @description Must not contain control characters, line separators or characters that change the direction of text. */
			name?: string;
			/**
			 * Format: time-zone
			 * @description The time zone in which templates show times: an IANA name. UTC if it is left out or null.
			 */
			timezone?: string | null;
		} & {
			[key: string]: unknown;
		};
		TestChannelRequest: {
			/**
			 * @description The event key whose active template is used; the channel need not take it.
			 * @default postrider.test
			 */
			event_key?: string;
			recipient?: components["schemas"]["TestRecipient"];
			/** @description The data of the event for templates and webhooks. Free-form. */
			payload?: {
				[key: string]: unknown;
			};
		};
		TestChannelFilterRequest: {
			/** @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter. */
			filter: {
				[key: string]: unknown;
			} | null;
		};
		RetryBlockedKeyRequest: {
			/** @description The `ordering_key` of the events. */
			ordering_key: string;
		};
		NewAmqpTemplate: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "amqp";
			/** @description The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing. */
			body: {
				[key: string]: unknown;
			};
			/**
			 * @description Whether events are delivered with this version from now on.
			 * @default false
			 */
			activate?: boolean;
		};
		NewEmailTemplate: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "email";
			/** @description Liquid. Values are not escaped; the result is put on one line. */
			subject: string;
			/** @description Liquid in HTML, or in MJML when it begins with `<mjml>`. Every value is escaped. */
			html?: string | null;
			/** @description Liquid in plain text; by default derived from the HTML. One of the two is required. */
			text?: string | null;
			/**
			 * @description Liquid that renders to bare addresses, separated by commas or line breaks. They also get each mail; at most 50 together with `bcc`.
			 * @default null
			 */
			cc?: string | null;
			/**
			 * @description Like `cc`, but in no header.
			 * @default null
			 */
			bcc?: string | null;
			/**
			 * @description Liquid that renders to one bare address. If it renders to nothing, the channel's address is used.
			 * @default null
			 */
			reply_to?: string | null;
			/**
			 * @description Liquid by the name of a header: `X-…`, `List-…`, `Auto-Submitted`, `Comments`, `Feedback-ID`, `Importance`, `In-Reply-To`, `Keywords`, `Organization`, `Precedence`, `Priority`, `References`, `Sensitivity`. Visible ASCII, except in `X-…`, `Comments` and `Organization`, which are encoded.
			 * @default null
			 */
			headers?: {
				[key: string]: string;
			} | null;
			/**
			 * @description Files, of 7340032 bytes together at most.
			 * @default null
			 */
			attachments?: components["schemas"]["TemplateAttachment"][] | null;
			/**
			 * @description Whether events are delivered with this version from now on.
			 * @default false
			 */
			activate?: boolean;
		};
		NewKafkaTemplate: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "kafka";
			/** @description The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing. */
			body: {
				[key: string]: unknown;
			};
			/**
			 * @description Whether events are delivered with this version from now on.
			 * @default false
			 */
			activate?: boolean;
		};
		NewSqsTemplate: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "sqs";
			/** @description The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing. */
			body: {
				[key: string]: unknown;
			};
			/**
			 * @description Whether events are delivered with this version from now on.
			 * @default false
			 */
			activate?: boolean;
		};
		NewWebhookTemplate: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "webhook";
			/** @description The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing. */
			body: {
				[key: string]: unknown;
			};
			/**
			 * @description Whether events are delivered with this version from now on.
			 * @default false
			 */
			activate?: boolean;
		};
		CreateTemplateRequest: components["schemas"]["NewAmqpTemplate"] | components["schemas"]["NewEmailTemplate"] | components["schemas"]["NewKafkaTemplate"] | components["schemas"]["NewSqsTemplate"] | components["schemas"]["NewWebhookTemplate"];
		/** @description As in an event; Ada Lovelace by default. */
		ExampleRecipient: {
			/**
			 * Format: email
			 * @description One bare address; an internationalised domain is stored in its `xn--` form. Required when an email channel takes the event.
			 */
			email?: string;
			/** @description Must not contain control characters, line separators or characters that change the direction of text. */
			name?: string;
			/**
			 * Format: time-zone
			 * @description The time zone in which templates show times: an IANA name. UTC if it is left out or null.
			 */
			timezone?: string | null;
		} & {
			[key: string]: unknown;
		};
		AmqpTemplateDraft: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "amqp";
			/** @description The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing. */
			body: {
				[key: string]: unknown;
			};
			recipient?: components["schemas"]["ExampleRecipient"];
			/** @description As in an event; empty by default. */
			payload?: {
				[key: string]: unknown;
			};
			/** @description The language to preview: the `locale` of the recipient. */
			locale?: string;
			/** @description Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with. */
			parts?: string[];
		};
		EmailTemplateDraft: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "email";
			/** @description Liquid. Values are not escaped; the result is put on one line. */
			subject: string;
			/** @description Liquid in HTML, or in MJML when it begins with `<mjml>`. Every value is escaped. */
			html?: string | null;
			/** @description Liquid in plain text; by default derived from the HTML. One of the two is required. */
			text?: string | null;
			/**
			 * @description Liquid that renders to bare addresses, separated by commas or line breaks. They also get each mail; at most 50 together with `bcc`.
			 * @default null
			 */
			cc?: string | null;
			/**
			 * @description Like `cc`, but in no header.
			 * @default null
			 */
			bcc?: string | null;
			/**
			 * @description Liquid that renders to one bare address. If it renders to nothing, the channel's address is used.
			 * @default null
			 */
			reply_to?: string | null;
			/**
			 * @description Liquid by the name of a header: `X-…`, `List-…`, `Auto-Submitted`, `Comments`, `Feedback-ID`, `Importance`, `In-Reply-To`, `Keywords`, `Organization`, `Precedence`, `Priority`, `References`, `Sensitivity`. Visible ASCII, except in `X-…`, `Comments` and `Organization`, which are encoded.
			 * @default null
			 */
			headers?: {
				[key: string]: string;
			} | null;
			/**
			 * @description Files, of 7340032 bytes together at most.
			 * @default null
			 */
			attachments?: components["schemas"]["TemplateAttachment"][] | null;
			recipient?: components["schemas"]["ExampleRecipient"];
			/** @description As in an event; empty by default. */
			payload?: {
				[key: string]: unknown;
			};
			/** @description The language to preview: the `locale` of the recipient. */
			locale?: string;
			/** @description Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with. */
			parts?: string[];
		};
		KafkaTemplateDraft: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "kafka";
			/** @description The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing. */
			body: {
				[key: string]: unknown;
			};
			recipient?: components["schemas"]["ExampleRecipient"];
			/** @description As in an event; empty by default. */
			payload?: {
				[key: string]: unknown;
			};
			/** @description The language to preview: the `locale` of the recipient. */
			locale?: string;
			/** @description Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with. */
			parts?: string[];
		};
		SqsTemplateDraft: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "sqs";
			/** @description The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing. */
			body: {
				[key: string]: unknown;
			};
			recipient?: components["schemas"]["ExampleRecipient"];
			/** @description As in an event; empty by default. */
			payload?: {
				[key: string]: unknown;
			};
			/** @description The language to preview: the `locale` of the recipient. */
			locale?: string;
			/** @description Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with. */
			parts?: string[];
		};
		WebhookTemplateDraft: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key: string;
			/**
			 * @description discriminator enum property added by openapi-typescript
			 * @enum {string}
			 */
			channel_kind: "webhook";
			/** @description The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing. */
			body: {
				[key: string]: unknown;
			};
			recipient?: components["schemas"]["ExampleRecipient"];
			/** @description As in an event; empty by default. */
			payload?: {
				[key: string]: unknown;
			};
			/** @description The language to preview: the `locale` of the recipient. */
			locale?: string;
			/** @description Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with. */
			parts?: string[];
		};
		PreviewTemplateDraftRequest: components["schemas"]["AmqpTemplateDraft"] | components["schemas"]["EmailTemplateDraft"] | components["schemas"]["KafkaTemplateDraft"] | components["schemas"]["SqsTemplateDraft"] | components["schemas"]["WebhookTemplateDraft"];
		PreviewTemplateRequest: {
			recipient?: components["schemas"]["ExampleRecipient"];
			/** @description As in an event; empty by default. */
			payload?: {
				[key: string]: unknown;
			};
			/** @description The value of `{{ event_key }}`; by default that of the template. */
			event_key?: string;
			/** @description The language to preview: the `locale` of the recipient. */
			locale?: string;
			/** @description Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with. */
			parts?: string[];
		};
		CreateLayoutRequest: {
			/** @description The name that templates use: at most 64 lower-case letters, digits, `-` and `_`. */
			name: string;
			/** @description Liquid in HTML, in MJML when it begins with `<mjml>`, or in text, with blocks. */
			content: string;
			/**
			 * @description Whether it becomes the active version, with new versions of the templates that use it.
			 * @default false
			 */
			activate?: boolean;
		};
		CreatePartialRequest: {
			/** @description The name that templates use: at most 64 lower-case letters, digits, `-` and `_`. */
			name: string;
			/** @description Liquid in HTML or text. */
			content: string;
			/**
			 * @description Whether it becomes the active version, with new versions of the templates that use it.
			 * @default false
			 */
			activate?: boolean;
		};
		CreateTranslationRequest: {
			/** @description A language, with script and region where they matter (BCP 47), such as `fr` or `fr-CA`. */
			locale: string;
			/** @description Messages by their keys, in ICU MessageFormat: plain text with values, plurals and selects. */
			messages: {
				[key: string]: string;
			};
			/**
			 * @description Whether it becomes the active version, with new versions of the templates that use it.
			 * @default false
			 */
			activate?: boolean;
		};
		PutEventTypeRequest: {
			/** @description A description of the event. */
			description?: string | null;
			/** @description JSON Schema 2020-12 that every payload must fulfil, of at most 65536 characters. Patterns must be matchable in linear time (no look-around, no back-references). */
			payload_schema?: {
				[key: string]: unknown;
			} | null;
			/**
			 * @description The stream of its email, such as `newsletter`, from which recipients can unsubscribe with one click. Null: the email is transactional. Needs PUBLIC_URL. Applies to events accepted from then on.
			 * @default null
			 */
			stream?: string | null;
		};
		CreateReplayBatchRequest: {
			/** @description The filter on messages; all conditions must match, and the empty object matches every message. run_status, channel_id, channel_kind and error_code must match the same delivery run, which is the newest of its channel. */
			filter: {
				/** @description Stable name of the event: two or more parts separated by dots. */
				event_key?: string;
				/**
				 * @description The message’s status.
				 * @enum {string}
				 */
				status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
				/**
				 * Format: email
				 * @description Exactly this address. Only its domain is case-insensitive.
				 */
				recipient_email?: string;
				/**
				 * Format: date-time
				 * @description Only messages accepted at this time or later.
				 */
				created_after?: string;
				/**
				 * Format: date-time
				 * @description Only messages accepted before this time.
				 */
				created_before?: string;
				/**
				 * @description The run’s status.
				 * @enum {string}
				 */
				run_status?: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
				/** @description The run’s channel. */
				channel_id?: string;
				/**
				 * @description The kind of the run’s channel.
				 * @enum {string}
				 */
				channel_kind?: "amqp" | "email" | "kafka" | "sqs" | "webhook";
				/**
				 * @description The code of the run’s `last_error`: its newest attempt with an error, even if a later one succeeded.
				 * @enum {string}
				 */
				error_code?: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_sender_refused" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "email_connection_failed" | "email_auth_failed" | "email_temporary_rejection" | "email_permanent_rejection" | "email_outcome_unknown" | "email_not_composed" | "amqp_connection_failed" | "amqp_auth_failed" | "amqp_rejected" | "amqp_outcome_unknown" | "sqs_connection_failed" | "sqs_auth_failed" | "sqs_rejected" | "sqs_outcome_unknown" | "kafka_connection_failed" | "kafka_auth_failed" | "kafka_rejected" | "kafka_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
			};
			/** @description Ids of the channels to deliver to; by default all that would be used. */
			channels?: string[];
			/**
			 * @description The pace. Half a second’s worth may be sent at once.
			 * @default 50
			 */
			messages_per_second?: number;
			/**
			 * @description Only count the matching messages.
			 * @default false
			 */
			dry_run?: boolean;
		};
		/** @description Either `email` or `recipient_id`. */
		CreateErasureRequest: {
			/**
			 * Format: email
			 * @description The recipient’s address, in any case.
			 */
			email?: string;
			/** @description The `id` of the recipient in the events; a number as JSON writes it. */
			recipient_id?: string;
		};
		CreateSuppressionRequest: {
			/**
			 * Format: email
			 * @description The address, case-insensitive including the local part.
			 */
			email: string;
			/**
			 * @description `all`: nothing is sent to it. The name of a stream: nothing of that stream.
			 * @default all
			 */
			scope?: string;
			/**
			 * @description The reason for operators, on one line.
			 * @default null
			 */
			reason?: string | null;
			/**
			 * Format: date-time
			 * @description When the entry ends: a future time in RFC 3339 with offset. Null: it stays.
			 * @default null
			 */
			expires_at?: string | null;
		};
		ImportSuppressionsRequest: {
			/** @description Addresses with their scopes. */
			entries: {
				/**
				 * Format: email
				 * @description The address, case-insensitive including the local part.
				 */
				email: string;
				/**
				 * @description `all`: nothing is sent to it. The name of a stream: nothing of that stream.
				 * @default all
				 */
				scope?: string;
				/**
				 * @description The reason for operators, on one line.
				 * @default null
				 */
				reason?: string | null;
				/**
				 * Format: date-time
				 * @description When the entry ends: a future time in RFC 3339 with offset. Null: it stays.
				 * @default null
				 */
				expires_at?: string | null;
			}[];
		};
		ReencryptSecretsRequest: {
			/**
			 * @description The most channels for this request; repeat it while `has_more` is true.
			 * @default 1000
			 */
			limit?: number;
		};
	};
	responses: {
		IdempotencyKeyRequiredOrIdempotencyKeyInvalidOrInvalidJson: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		Unauthorized: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		QuotaExceededOrPaymentRequired: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		ForbiddenOrTokenScopeMissing: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		IdempotencyConflictOrIdempotencyInProgressWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		PayloadTooLarge: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		UnsupportedMediaType: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		ValidationFailedWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		RateLimitedWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		InternalError: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		ServiceUnavailable: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		InvalidJson: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		Forbidden: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		MessageNotFoundWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		IdempotencyKeyInvalidOrInvalidJson: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		IdempotencyConflictOrIdempotencyInProgressOrConflictWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		ConflictWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		DeliveryRunNotFoundWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		IdempotencyConflictOrIdempotencyInProgressOrDeliveryRunNotCancellableWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		AlreadyExists: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		ValidationFailed: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		RateLimited: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		PlanNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		TenantNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		EnvironmentNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		Conflict: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		TokenNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		ChannelNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		TemplateNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		LayoutNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		PartialNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		TranslationNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		EnvironmentNotFoundOrEventTypeNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		MessageNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		ReplayBatchNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		ErasureNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		SuppressionNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		EnvironmentNotFoundOrStreamNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		ConsoleSessionNotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		EnvironmentNotFoundWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		MessageNotFoundOrEnvironmentNotFoundWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
		DeliveryRunNotFoundOrEnvironmentNotFoundWithRate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
				"application/problem+json": components["schemas"]["Problem"];
			};
		};
	};
	parameters: {
		XRequestIDParameter: string;
		MessageIdParameter: string;
		/** @description The `next_cursor` of the previous page, with the same filters. */
		CursorParameter: string;
		IdempotencyKeyParameter: string;
		DeliveryRunIdParameter: string;
		/** @description Entries on a page. */
		LimitParameter: number;
		XActorParameter: string;
		CodeParameter: string;
		TenantIdParameter: string;
		EnvironmentIdParameter: string;
		TokenIdParameter: string;
		ChannelIdParameter: string;
		TemplateIdParameter: string;
		/** @description That are active, or are not. */
		ActiveParameter: boolean;
		LayoutIdParameter: string;
		/** @description With this name. */
		NameParameter: string;
		PartialIdParameter: string;
		TranslationIdParameter: string;
		EventKeyParameter: string;
		/** @description The fields of each message, separated by commas. Default: all. Without `payload` and `recipient` pages are small and are read faster. */
		FieldsParameter: string;
		/** @description `channels` adds which channels took the event, and why the others did not. */
		ExplainParameter: "channels";
		ReplayIdParameter: string;
		ConsoleSessionIdParameter: string;
		/** @description The number of the attempt; the newest by default. */
		AttemptParameter: number;
		/** @description The first interval contains this time. Default: 24 hours or 60 minutes ago. */
		FromParameter: string;
		/** @description The last interval ends at or after this time. Default: now. */
		ToParameter: string;
		/** @description The length of each bucket; at most 1500 buckets. */
		IntervalParameter: "minute" | "hour";
		/** @description Adds groups to each interval. `stream`: that which the event keys have now. */
		GroupByParameter: "channel" | "event_key" | "stream" | "error_code";
		LastEventIDParameter: string;
	};
	requestBodies: never;
	headers: {
		/** @description Your X-Request-ID, if you sent a valid one. */
		"X-Request-ID": string;
		/** @description The W3C trace id of the request, from your `traceparent` if you sent one. */
		"X-Trace-ID": string;
		/** @description The bucket of the environment: `q` requests in `w` seconds. Absent on a plan without a limit. */
		"RateLimit-Policy": string;
		/** @description The remaining `r` requests of the bucket, which is full again in `t` seconds. */
		RateLimit: string;
		/** @description Whole seconds after which the same request may succeed. With 409 only for `idempotency_in_progress`. */
		"Retry-After": number;
		/** @description Present if this is the stored response of an earlier request with the same key. */
		"Idempotent-Replayed": "true";
		/** @description The required scheme. */
		"WWW-Authenticate": "Bearer";
	};
	pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
	createEvent: {
		parameters: {
			query?: never;
			header: {
				"Idempotency-Key": string;
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateEventRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Accepted"];
				};
			};
			400: components["responses"]["IdempotencyKeyRequiredOrIdempotencyKeyInvalidOrInvalidJson"];
			401: components["responses"]["Unauthorized"];
			402: components["responses"]["QuotaExceededOrPaymentRequired"];
			403: components["responses"]["ForbiddenOrTokenScopeMissing"];
			409: components["responses"]["IdempotencyConflictOrIdempotencyInProgressWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	preflightEvents: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
		};
	};
	createEvents: {
		parameters: {
			query?: never;
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateEventsRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["EventResults"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listMessages: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description The fields of each message, separated by commas. Default: all. Without `payload` and `recipient` pages are small and are read faster. */
				fields?: components["parameters"]["FieldsParameter"];
				/** @description Only messages with this event key. */
				event_key?: string;
				/** @description Only messages with this status. */
				status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
				/** @description Only messages to exactly this address; the case of its domain does not matter. */
				recipient_email?: string;
				/** @description Only messages accepted at this time or later. */
				created_after?: string;
				/** @description Only messages accepted before this time. */
				created_before?: string;
			};
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["MessageList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getMessage: {
		parameters: {
			query?: {
				/** @description `channels` adds which channels took the event, and why the others did not. */
				explain?: components["parameters"]["ExplainParameter"];
			};
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Message"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFoundWithRate"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	rescheduleMessage: {
		parameters: {
			query?: never;
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RescheduleMessageRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["RescheduledMessage"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFoundWithRate"];
			409: components["responses"]["ConflictWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getMessageDeliveries: {
		parameters: {
			query?: {
				/** @description Delivery runs on a page. */
				limit?: number;
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Deliveries"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFoundWithRate"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	replayMessage: {
		parameters: {
			query?: never;
			header?: {
				"Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["ReplayMessageRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Replayed"];
				};
			};
			400: components["responses"]["IdempotencyKeyInvalidOrInvalidJson"];
			401: components["responses"]["Unauthorized"];
			402: components["responses"]["QuotaExceededOrPaymentRequired"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFoundWithRate"];
			409: components["responses"]["IdempotencyConflictOrIdempotencyInProgressOrConflictWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	cancelMessage: {
		parameters: {
			query?: never;
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CancelMessageRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["CancelledMessage"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFoundWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	cancelDeliveryRun: {
		parameters: {
			query?: never;
			header?: {
				"Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CancelDeliveryRunRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["DeliveryRun"];
				};
			};
			400: components["responses"]["IdempotencyKeyInvalidOrInvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["DeliveryRunNotFoundWithRate"];
			409: components["responses"]["IdempotencyConflictOrIdempotencyInProgressOrDeliveryRunNotCancellableWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getDeliveryContent: {
		parameters: {
			query?: {
				/** @description The number of the attempt; the newest by default. */
				attempt?: components["parameters"]["AttemptParameter"];
			};
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["SentContent"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["DeliveryRunNotFoundWithRate"];
			409: components["responses"]["ConflictWithRate"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getStats: {
		parameters: {
			query?: {
				/** @description The first interval contains this time. Default: 24 hours or 60 minutes ago. */
				from?: components["parameters"]["FromParameter"];
				/** @description The last interval ends at or after this time. Default: now. */
				to?: components["parameters"]["ToParameter"];
				/** @description The length of each bucket; at most 1500 buckets. */
				interval?: components["parameters"]["IntervalParameter"];
				/** @description Adds groups to each interval. `stream`: that which the event keys have now. */
				group_by?: components["parameters"]["GroupByParameter"];
			};
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Stats"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	stream: {
		parameters: {
			query?: never;
			header?: {
				"Last-Event-ID"?: components["parameters"]["LastEventIDParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"text/event-stream": components["schemas"]["StreamEvent"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getCurrentUsage: {
		parameters: {
			query?: never;
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Usage"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getLimits: {
		parameters: {
			query?: never;
			header?: {
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Limits"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listPlans: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["PlanList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createPlan: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreatePlanRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Plan"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			409: components["responses"]["AlreadyExists"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getPlan: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				code: components["parameters"]["CodeParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Plan"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["PlanNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	updatePlan: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				code: components["parameters"]["CodeParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdatePlanRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Plan"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["PlanNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listTenants: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["TenantList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createTenant: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateTenantRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Tenant"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getTenant: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Tenant"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TenantNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	updateTenant: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdateTenantRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Tenant"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TenantNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getTenantUsage: {
		parameters: {
			query?: {
				/** @description How many months. */
				months?: number;
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["UsageHistory"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TenantNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listEnvironments: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["EnvironmentList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TenantNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createEnvironment: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateEnvironmentRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Environment"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TenantNotFound"];
			409: components["responses"]["AlreadyExists"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getEnvironment: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Environment"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	updateEnvironment: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdateEnvironmentRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Environment"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listTokens: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["TokenList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	issueToken: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["IssueTokenRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["IssuedToken"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	rotateToken: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				tokenId: components["parameters"]["TokenIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["RotateTokenRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["RotatedToken"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TokenNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	revokeToken: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				tokenId: components["parameters"]["TokenIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TokenNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listChannels: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ConfiguredChannelList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createChannel: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateChannelRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChannelWithSecret"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getChannel: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ConfiguredChannel"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	deleteChannel: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	updateChannel: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdateChannelRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ConfiguredChannel"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	rotateChannelSecret: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["RotateChannelSecretRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChannelWithSecret"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	rotateChannelFeedbackToken: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["FeedbackToken"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			409: components["responses"]["Conflict"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	testChannel: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["TestChannelRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Accepted"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	testChannelFilter: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TestChannelFilterRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["FilterTest"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	pauseChannel: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ConfiguredChannel"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	resumeChannel: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ConfiguredChannel"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listBlockedKeys: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["BlockedKeyList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	retryBlockedKey: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RetryBlockedKeyRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["UnblockedKey"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	skipBlockedKey: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RetryBlockedKeyRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["UnblockedKey"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ChannelNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listTemplates: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description For this event. */
				event_key?: string;
				/** @description For this kind of channel. */
				channel_kind?: "amqp" | "email" | "kafka" | "sqs" | "webhook";
				/** @description That are active, or are not. */
				active?: components["parameters"]["ActiveParameter"];
				/** @description That use this layout, partial or translation in any version, directly or within another part, such as `layout:main`. */
				part?: string;
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["TemplateList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createTemplate: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateTemplateRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChangedTemplate"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	previewTemplateDraft: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PreviewTemplateDraftRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["TemplatePreview"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getTemplate: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				templateId: components["parameters"]["TemplateIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Template"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TemplateNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	activateTemplate: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				templateId: components["parameters"]["TemplateIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChangedTemplate"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TemplateNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	deactivateTemplate: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				templateId: components["parameters"]["TemplateIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChangedTemplate"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TemplateNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	previewTemplate: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				templateId: components["parameters"]["TemplateIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["PreviewTemplateRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["TemplatePreview"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TemplateNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listLayouts: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description With this name. */
				name?: components["parameters"]["NameParameter"];
				/** @description That are active, or are not. */
				active?: components["parameters"]["ActiveParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["LayoutList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createLayout: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateLayoutRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChangedLayout"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getLayout: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				layoutId: components["parameters"]["LayoutIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Layout"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["LayoutNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	activateLayout: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				layoutId: components["parameters"]["LayoutIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChangedLayout"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["LayoutNotFound"];
			409: components["responses"]["Conflict"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listPartials: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description With this name. */
				name?: components["parameters"]["NameParameter"];
				/** @description That are active, or are not. */
				active?: components["parameters"]["ActiveParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["PartialList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createPartial: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreatePartialRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChangedPartial"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getPartial: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				partialId: components["parameters"]["PartialIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Partial"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["PartialNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	activatePartial: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				partialId: components["parameters"]["PartialIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChangedPartial"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["PartialNotFound"];
			409: components["responses"]["Conflict"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listTranslations: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description With this locale. */
				locale?: string;
				/** @description That are active, or are not. */
				active?: components["parameters"]["ActiveParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["TranslationList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createTranslation: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateTranslationRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChangedTranslation"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getTranslation: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				translationId: components["parameters"]["TranslationIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Translation"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TranslationNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	activateTranslation: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				translationId: components["parameters"]["TranslationIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ChangedTranslation"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["TranslationNotFound"];
			409: components["responses"]["Conflict"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getEventType: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				eventKey: components["parameters"]["EventKeyParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["EventType"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFoundOrEventTypeNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	putEventType: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				eventKey: components["parameters"]["EventKeyParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PutEventTypeRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["EventType"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listEventTypes: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["EventTypeList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	searchMessages: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description The fields of each message, separated by commas. Default: all. Without `payload` and `recipient` pages are small and are read faster. */
				fields?: components["parameters"]["FieldsParameter"];
				/** @description Stable name of the event: two or more parts separated by dots. */
				event_key?: string;
				/** @description The message’s status. */
				status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
				/** @description Exactly this address. Only its domain is case-insensitive. */
				recipient_email?: string;
				/** @description Only messages accepted at this time or later. */
				created_after?: string;
				/** @description Only messages accepted before this time. */
				created_before?: string;
				/** @description The run’s status. */
				run_status?: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
				/** @description The run’s channel. */
				channel_id?: string;
				/** @description The kind of the run’s channel. */
				channel_kind?: "amqp" | "email" | "kafka" | "sqs" | "webhook";
				/** @description The code of the run’s `last_error`: its newest attempt with an error, even if a later one succeeded. */
				error_code?: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_sender_refused" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "email_connection_failed" | "email_auth_failed" | "email_temporary_rejection" | "email_permanent_rejection" | "email_outcome_unknown" | "email_not_composed" | "amqp_connection_failed" | "amqp_auth_failed" | "amqp_rejected" | "amqp_outcome_unknown" | "sqs_connection_failed" | "sqs_auth_failed" | "sqs_rejected" | "sqs_outcome_unknown" | "kafka_connection_failed" | "kafka_auth_failed" | "kafka_rejected" | "kafka_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["MessageList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getEnvironmentMessage: {
		parameters: {
			query?: {
				/** @description `channels` adds which channels took the event, and why the others did not. */
				explain?: components["parameters"]["ExplainParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Message"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	rescheduleEnvironmentMessage: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RescheduleMessageRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["RescheduledMessage"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFoundOrEnvironmentNotFoundWithRate"];
			409: components["responses"]["ConflictWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getEnvironmentMessageDeliveries: {
		parameters: {
			query?: {
				/** @description Delivery runs on a page. */
				limit?: number;
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Deliveries"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getEnvironmentAttention: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["EnvironmentAttention"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	overviewOfAttention: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Attention"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	findByText: {
		parameters: {
			query: {
				/** @description An id, or an address. */
				q: string;
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Lookup"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listReplayBatches: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ReplayBatchList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createReplayBatch: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateReplayBatchRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ReplayPreview"];
				};
			};
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ReplayBatch"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			409: components["responses"]["Conflict"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getReplayBatch: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				replayId: components["parameters"]["ReplayIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ReplayBatch"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ReplayBatchNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	cancelReplayBatch: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				replayId: components["parameters"]["ReplayIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ReplayBatch"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ReplayBatchNotFound"];
			409: components["responses"]["Conflict"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listErasures: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ErasureList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createErasure: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateErasureRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Erasure"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getErasure: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				erasureId: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Erasure"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ErasureNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listSuppressions: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Exactly this address; case does not matter. */
				email?: string;
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["SuppressionList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createSuppression: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateSuppressionRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Suppression"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	importSuppressions: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ImportSuppressionsRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ImportedSuppressions"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	deleteSuppression: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				suppressionId: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["SuppressionNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listPausedStreams: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["PausedStreamList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	resumeStream: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				stream: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["PausedStream"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFoundOrStreamNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getSecrets: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["SecretKeys"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	reencryptSecrets: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["ReencryptSecretsRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ReencryptedSecrets"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listConsoleSessions: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ConsoleSessionList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	endConsoleSession: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				consoleSessionId: components["parameters"]["ConsoleSessionIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ConsoleSessionNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listConsoleLinks: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ConsoleLinkList"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createConsoleLink: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["ConsoleLink"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			409: components["responses"]["Conflict"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	revokeConsoleLink: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				consoleSessionId: components["parameters"]["ConsoleSessionIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["ConsoleSessionNotFound"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	listAuditLog: {
		parameters: {
			query?: {
				/** @description Entries on a page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Only changes of this tenant, including resources of its environments. */
				tenant_id?: string;
				/** @description Only changes in this environment. */
				environment_id?: string;
				/** @description Only changes of this kind of resource. */
				resource_type?: "plan" | "tenant" | "environment" | "token" | "channel" | "template" | "event_type" | "layout" | "partial" | "translation" | "replay_batch" | "erasure" | "suppression" | "stream" | "console_session" | "secrets" | "message" | "delivery_run";
				/** @description Only changes of the resource with this id, code or key. */
				resource_id?: string;
				/** @description Only changes by exactly this actor. */
				actor?: string;
				/** @description Only this action, such as `channel.updated`. */
				action?: string;
				/** @description At this time or later. */
				created_after?: string;
				/** @description Before this time. */
				created_before?: string;
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["AuditLog"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	createEnvironmentEvent: {
		parameters: {
			query?: never;
			header: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"Idempotency-Key": string;
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateEventRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Accepted"];
				};
			};
			400: components["responses"]["IdempotencyKeyRequiredOrIdempotencyKeyInvalidOrInvalidJson"];
			401: components["responses"]["Unauthorized"];
			402: components["responses"]["QuotaExceededOrPaymentRequired"];
			403: components["responses"]["ForbiddenOrTokenScopeMissing"];
			404: components["responses"]["EnvironmentNotFoundWithRate"];
			409: components["responses"]["IdempotencyConflictOrIdempotencyInProgressWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	replayEnvironmentMessage: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["ReplayMessageRequest"];
			};
		};
		responses: {
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Replayed"];
				};
			};
			400: components["responses"]["IdempotencyKeyInvalidOrInvalidJson"];
			401: components["responses"]["Unauthorized"];
			402: components["responses"]["QuotaExceededOrPaymentRequired"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFoundOrEnvironmentNotFoundWithRate"];
			409: components["responses"]["IdempotencyConflictOrIdempotencyInProgressOrConflictWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	cancelEnvironmentMessage: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CancelMessageRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["CancelledMessage"];
				};
			};
			400: components["responses"]["InvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["MessageNotFoundOrEnvironmentNotFoundWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	cancelEnvironmentDeliveryRun: {
		parameters: {
			query?: never;
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CancelDeliveryRunRequest"];
			};
		};
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["DeliveryRun"];
				};
			};
			400: components["responses"]["IdempotencyKeyInvalidOrInvalidJson"];
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["DeliveryRunNotFoundOrEnvironmentNotFoundWithRate"];
			409: components["responses"]["IdempotencyConflictOrIdempotencyInProgressOrDeliveryRunNotCancellableWithRate"];
			413: components["responses"]["PayloadTooLarge"];
			415: components["responses"]["UnsupportedMediaType"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getEnvironmentDeliveryContent: {
		parameters: {
			query?: {
				/** @description The number of the attempt; the newest by default. */
				attempt?: components["parameters"]["AttemptParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["SentContent"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["DeliveryRunNotFoundOrEnvironmentNotFoundWithRate"];
			409: components["responses"]["ConflictWithRate"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	getEnvironmentStats: {
		parameters: {
			query?: {
				/** @description The first interval contains this time. Default: 24 hours or 60 minutes ago. */
				from?: components["parameters"]["FromParameter"];
				/** @description The last interval ends at or after this time. Default: now. */
				to?: components["parameters"]["ToParameter"];
				/** @description The length of each bucket; at most 1500 buckets. */
				interval?: components["parameters"]["IntervalParameter"];
				/** @description Adds groups to each interval. `stream`: that which the event keys have now. */
				group_by?: components["parameters"]["GroupByParameter"];
			};
			header?: {
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"application/json": components["schemas"]["Stats"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFoundWithRate"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	streamEnvironment: {
		parameters: {
			query?: never;
			header?: {
				"Last-Event-ID"?: components["parameters"]["LastEventIDParameter"];
				"X-Actor"?: components["parameters"]["XActorParameter"];
				"X-Request-ID"?: components["parameters"]["XRequestIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					"text/event-stream": components["schemas"]["StreamEvent"];
				};
			};
			401: components["responses"]["Unauthorized"];
			403: components["responses"]["Forbidden"];
			404: components["responses"]["EnvironmentNotFoundWithRate"];
			422: components["responses"]["ValidationFailedWithRate"];
			429: components["responses"]["RateLimitedWithRate"];
			500: components["responses"]["InternalError"];
			503: components["responses"]["ServiceUnavailable"];
		};
	};
	webhookDelivery: {
		parameters: {
			query?: never;
			header: {
				"webhook-id": string;
				"webhook-timestamp": string;
				"webhook-signature": string;
				"postrider-test"?: "true";
				"postrider-sequence"?: string;
			};
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				/**
				 * @example {
				 *       "type": "order.shipped",
				 *       "timestamp": "2026-11-21T09:30:00.017Z",
				 *       "data": {
				 *         "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
				 *         "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
				 *         "recipient": {
				 *           "email": "ada@example.com",
				 *           "name": "Ada Lovelace"
				 *         },
				 *         "payload": {
				 *           "order_id": "A-1042",
				 *           "total": "59.90 EUR"
				 *         }
				 *       }
				 *     }
				 */
				"application/json": {
					/** @description The event key. */
					type: string;
					/**
					 * Format: date-time
					 * @description When the event was accepted.
					 */
					timestamp: string;
					/** @description What is delivered. */
					data: {
						/** @description The message. */
						message_id: string;
						/** @description The delivery run; equals `webhook-id`. */
						delivery_run_id: string;
						/** @description As it was sent. */
						recipient: {
							[key: string]: unknown;
						};
						/** @description As it was sent. */
						payload: {
							[key: string]: unknown;
						};
					};
				};
			};
		};
		responses: {
			/** @description The endpoint is gone: the channel is paused, or disabled if its `failure_policy` says so, unless it was changed meanwhile. */
			410: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			/** @description Retried; `Retry-After` is honoured up to the longest delay of the channel. */
			429: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			/** @description As 429. */
			503: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			/** @description Delivered. */
			"2XX": {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			/** @description Retried after the delays of the channel. Redirects are not followed and count as failures. */
			"x-default": {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
		};
	};
}

/** The calls of the management operations whose shape follows from the document. */
export function generatedResources({ http, perform, follow }: AdminCalls) {
  return {
    plans: {
      /** Create a plan. A number that is null or left out is unlimited. `requests_per_second` and `burst` are set together or not at all. */
      create: (body: BodyOf<'createPlan'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/plans', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listPlans'>, components['schemas']['Plan']>((query, options) =>
        perform((init) => http.GET('/admin/v1/plans', { ...init, params: { query } }), options),
      ),
      /** Read a plan. The current plan. */
      get: (code: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/plans/{code}', { ...init, params: { path: { code } } }), options),
      /** Change a plan. Applies to all its tenants within 5 seconds. A quota below what is already used refuses events until the next month. Null removes a limit. The code cannot be changed. */
      update: (code: string, body: BodyOf<'updatePlan'>, options?: CallOptions) =>
        perform((init) => http.PATCH('/admin/v1/plans/{code}', { ...init, params: { path: { code } }, body }), options),
    },
    tenants: {
      /** Create a tenant. A customer of the installation, with an existing plan. It has no environments yet. */
      create: (body: BodyOf<'createTenant'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/tenants', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listTenants'>, components['schemas']['Tenant']>((query, options) =>
        perform((init) => http.GET('/admin/v1/tenants', { ...init, params: { query } }), options),
      ),
      /** Read a tenant. The current tenant. */
      get: (tenantId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/tenants/{tenantId}', { ...init, params: { path: { tenantId } } }), options),
      /** Change a tenant. Another plan or billing status applies to all its environments within 5 seconds. The usage of the month is not reset. Changing `billing_status` to anything but `past_due` ends the grace period. */
      update: (tenantId: string, body: BodyOf<'updateTenant'>, options?: CallOptions) =>
        perform((init) => http.PATCH('/admin/v1/tenants/{tenantId}', { ...init, params: { path: { tenantId } }, body }), options),
      /** Read the usage of a tenant. The events of each calendar month, the current one first. */
      usage: (tenantId: string, query: QueryOf<'getTenantUsage'> = {}, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/tenants/{tenantId}/usage', { ...init, params: { path: { tenantId }, query } }), options),
    },
    environments: {
      /** Create an environment. An isolated part of the tenant. It shares the tenant’s quota with the others and has its own tokens, channels and templates. */
      create: (tenantId: string, body: BodyOf<'createEnvironment'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/tenants/{tenantId}/environments', { ...init, params: { path: { tenantId } }, body }), once(options)),
      /** List environments. The environments of a tenant, newest first. */
      of: (tenantId: string) =>
        pagedList<QueryOf<'listEnvironments'>, components['schemas']['Environment']>((query, options) =>
        perform((init) => http.GET('/admin/v1/tenants/{tenantId}/environments', { ...init, params: { path: { tenantId }, query } }), options),
      ),
      /** Read an environment. The environment and the tenant that it belongs to. */
      get: (environmentId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}', { ...init, params: { path: { environmentId } } }), options),
      /** Change the settings of an environment. A JSON Merge Patch: settings that are left out stay, null restores a default. Applies to events accepted from then on. The name cannot be changed. */
      update: (environmentId: string, body: BodyOf<'updateEnvironment'>, options?: CallOptions) =>
        perform((init) => http.PATCH('/admin/v1/environments/{environmentId}', { ...init, params: { path: { environmentId } }, body }), options),
      /** Read statistics over time, as an operator. Accepted, delivered and failed counts by hour or minute, with latencies. The counts are exact and a few seconds behind. Minutes are kept for two days and hours for 400 days, even if the messages are removed or erased. Limits, quota and idempotency are those of the environment. */
      stats: (environmentId: string, query: QueryOf<'getEnvironmentStats'> = {}, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/stats', { ...init, params: { path: { environmentId }, query } }), options),
      /** Follow changes, as an operator. Server-sent events with ids and statuses of messages, runs, attempts and feedback, about a second after the commit. They are hints: read the details that you need. It covers the newest 500 messages and 1,000 runs. `reset` means that some changes were not reported: read the lists again. A stream ends after 75 s or sooner; reconnect with the last `id` as `Last-Event-ID` (an `EventSource` does) to miss nothing. 503 if too many streams are open: read the lists from time to time instead. Limits, quota and idempotency are those of the environment. */
      stream: (environmentId: string, options: StreamOptions = {}) =>
        follow((init, header) => http.GET('/admin/v1/environments/{environmentId}/stream', { ...init, params: { path: { environmentId }, header }, parseAs: 'stream' }), options),
    },
    tokens: {
      /** Issue a token. A token that authenticates clients of this environment. Only this response contains the token itself, which is stored as a digest. */
      issue: (environmentId: string, body: BodyOf<'issueToken'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/tokens', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List tokens. The tokens of an environment, newest first, including revoked and expired ones. A token is recognised by its prefix and its last four characters. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listTokens'>, components['schemas']['Token']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/tokens', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Rotate a token. Issues a successor of this token with the same name, scopes and lifetime, counted from now. The response contains the new token, which is not shown again. The old one stays valid for `overlap_seconds`, but not beyond its own expiry. A token can be rotated once: after that, and if it is revoked or expired, the response is `conflict`. If a response is lost, rotate the token that the list shows as `replaced_by`. */
      rotate: (tokenId: string, body: BodyOf<'rotateToken'> = {}, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/tokens/{tokenId}/rotate', { ...init, params: { path: { tokenId } }, body }), once(options)),
      /** Revoke a token. The token is refused everywhere within 5 seconds and stays in the list. A successor issued by a rotation stays valid. Revoking it again changes nothing. */
      revoke: (tokenId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/tokens/{tokenId}', { ...init, params: { path: { tokenId } } }), options),
    },
    channels: {
      /** Create a channel. A destination of the environment. Every event that it takes creates a delivery run. Only this response contains the signing secret of a webhook. The tenant’s plan must include the kind; an environment has at most 100 channels. */
      create: (environmentId: string, body: BodyOf<'createChannel'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/channels', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List channels. The channels of an environment, newest first, without their secrets. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listChannels'>, components['schemas']['ConfiguredChannel']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/channels', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a channel. The current channel, without its secrets. */
      get: (channelId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/channels/{channelId}', { ...init, params: { path: { channelId } } }), options),
      /** Change a channel. A JSON Merge Patch: fields that are left out stay, null removes one, lists and `filter` are replaced. To change the form of `retry`, set the fields of the other form to null. Waiting runs are sent with the new configuration. Runs that are due while it is disabled end as `failed` with `channel_disabled`; later ones are sent once it is enabled again. Credentials that are left out stay, but must be given again if their destination changes, such as the host of an SMTP server. The kind cannot be changed. */
      update: (channelId: string, body: BodyOf<'updateChannel'>, options?: CallOptions) =>
        perform((init) => http.PATCH('/admin/v1/channels/{channelId}', { ...init, params: { path: { channelId } }, body }), options),
      /** Delete a channel. No further run of it is started. Waiting runs, including scheduled ones, end as `failed` with an attempt `channel_disabled`: the first 500 with the response, the others soon after. Running ones finish and are not retried. Past deliveries stay readable; the secrets are erased. */
      delete: (channelId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/channels/{channelId}', { ...init, params: { path: { channelId } } }), options),
      /** Rotate the signing secret of a webhook. Only this response contains the new secret. During the overlap every request has a signature with each secret, so that receivers can switch at any time; then the old secret is erased. During an overlap another rotation is refused, unless its `overlap_seconds` is 0: that ends both old secrets at once, for example after a leak. */
      rotateSecret: (channelId: string, body: BodyOf<'rotateChannelSecret'> = {}, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/rotate-secret', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Create a new feedback token for a channel. The token is a part of the address to which providers post feedback and mail servers pipe reports. Only this response contains it. The previous token is refused from then on. */
      feedbackToken: (channelId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/feedback-token', { ...init, params: { path: { channelId } } }), once(options)),
      /** Send a test through a channel. Sends a message by the usual path to this channel only, even if the channel is disabled, so that it can be tested before it is enabled. It is tried once, has the header `postrider-test: true` (mail: `X-Postrider-Test: true`), is shown with `test: true`, and is not counted. The active template of the event key is used; without one, a webhook sends the default body and email a fixed text. The response does not wait for the delivery: read the deliveries of the message. At most 30 tests a minute for an environment. */
      test: (channelId: string, body: BodyOf<'testChannel'> = {}, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/test', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Test a filter with past messages. Tests a filter with the newest 1000 messages of the channel’s environment, without saving it. Test sends and erased messages are skipped. `null` tests the channel without a filter. */
      filterTest: (channelId: string, body: BodyOf<'testChannelFilter'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/filter/test', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Pause a channel. The channel still takes events, and their runs are held. There are no probes until it is resumed. Runs that are held for `failure_policy.max_age` seconds end as `failed` with `expired`. A channel that is already paused stays so, without further probes. */
      pause: (channelId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/pause', { ...init, params: { path: { channelId } } }), once(options)),
      /** Resume a channel. Ends the pause, also one that the service started. Held runs are sent oldest first, at a rate of 2 a second that doubles every 10 seconds up to `failure_policy.release_per_second`. A channel that is not paused is not changed. */
      resume: (channelId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/resume', { ...init, params: { path: { channelId } } }), once(options)),
      /** List the blocked ordering keys of a channel. The keys whose runs are held because a run has failed permanently, ordered by key. Other keys are not affected. */
      blockedKeys: (channelId: string) =>
        pagedList<QueryOf<'listBlockedKeys'>, components['schemas']['BlockedKey']>((query, options) =>
        perform((init) => http.GET('/admin/v1/channels/{channelId}/blocked-keys', { ...init, params: { path: { channelId }, query } }), options),
      ),
      /** Retry the failed run of an ordering key. Sends the failed message again, as a new run with the same sequence and the currently active template. It does not count against the quota. Later runs wait until it has ended. */
      blockedKeysRetry: (channelId: string, body: BodyOf<'retryBlockedKey'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/blocked-keys/retry', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Skip the failed run of an ordering key. Sends the next run of the key. The receiver sees a gap in `postrider-sequence`. */
      blockedKeysSkip: (channelId: string, body: BodyOf<'skipBlockedKey'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/blocked-keys/skip', { ...init, params: { path: { channelId } }, body }), once(options)),
    },
    templates: {
      /** Add a version of a template. Templates are Liquid, without `include` and `raw`. They see `event_key`, `recipient`, `payload`, `message_id`, `delivery_run_id`, `timestamp`, `locale`, `dir` and `sequence`, and keep the layouts, partials and translations that are active when they are created. A missing variable makes the delivery fail, so write `{{ payload.note | default: "" }}` for an optional one. A version never changes: add a new version to change the text. Issues of a template have the code `invalid_template`, with `line` and `column` where they are known. */
      create: (environmentId: string, body: BodyOf<'createTemplate'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/templates', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List versions of templates. Newest first, without their contents. Filters are combined with “and”. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listTemplates'>, components['schemas']['TemplateSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/templates', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Preview a template that is not stored. Checks a template like its creation, and renders it like the preview of a version. Nothing is stored or sent. */
      previewDraft: (environmentId: string, body: BodyOf<'previewTemplateDraft'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/templates/preview-draft', { ...init, params: { path: { environmentId } }, body }), options),
      /** Read a version of a template. With its content. */
      get: (templateId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/templates/{templateId}', { ...init, params: { path: { templateId } } }), options),
      /** Activate a version of a template. Events accepted from now on (within 5 seconds) use this version instead of the active one. To roll back, activate an older version. Existing runs keep their version. */
      activate: (templateId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/templates/{templateId}/activate', { ...init, params: { path: { templateId } } }), options),
      /** Deactivate a version of a template. If this version was active, none is active afterwards. Webhooks then send the default body; events that an email channel takes are refused (422 `template_not_found`), which a warning says. */
      deactivate: (templateId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/templates/{templateId}/deactivate', { ...init, params: { path: { templateId } } }), options),
      /** Preview a version of a template. Renders what a delivery would send, within the same limits, and stores and sends nothing. Lists missing variables, and warns of problems that receivers would see. The body is optional. */
      preview: (templateId: string, body: BodyOf<'previewTemplate'> = {}, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/templates/{templateId}/preview', { ...init, params: { path: { templateId } }, body }), options),
    },
    layouts: {
      /** Add a version of a layout. A template that begins with `{% layout "main" %}` fills `{% block %}{% endblock %}` of the layout, and can fill its named blocks. A version never changes. Issues of its content have the code `invalid_template`. Activating it creates new active versions of all active templates that use it; 409 `conflict` if one of them could not be rendered. */
      create: (environmentId: string, body: BodyOf<'createLayout'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/layouts', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List versions of layouts. Newest first, without their contents. Filters are combined with “and”. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listLayouts'>, components['schemas']['LayoutSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/layouts', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a version of a layout. With its content. */
      get: (layoutId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/layouts/{layoutId}', { ...init, params: { path: { layoutId } } }), options),
      /** Activate a version of a layout. All active templates that use it get a new active version, or none does; events accepted from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. Warns of messages that a language lacks; 409 `conflict` if a template could not be rendered. */
      activate: (layoutId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/layouts/{layoutId}/activate', { ...init, params: { path: { layoutId } } }), options),
    },
    partials: {
      /** Add a version of a partial. Templates, layouts and partials include it with `{% render "footer", key: value %}`. It sees the event and its arguments. A version never changes. Issues of its content have the code `invalid_template`. Activating it creates new active versions of all active templates that use it; 409 `conflict` if one of them could not be rendered. */
      create: (environmentId: string, body: BodyOf<'createPartial'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/partials', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List versions of partials. Newest first, without their contents. Filters are combined with “and”. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listPartials'>, components['schemas']['PartialSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/partials', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a version of a partial. With its content. */
      get: (partialId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/partials/{partialId}', { ...init, params: { path: { partialId } } }), options),
      /** Activate a version of a partial. All active templates that use it get a new active version, or none does; events accepted from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. Warns of messages that a language lacks; 409 `conflict` if a template could not be rendered. */
      activate: (partialId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/partials/{partialId}/activate', { ...init, params: { path: { partialId } } }), options),
    },
    translations: {
      /** Add a version of a translation. All messages of one language. Templates use them with `{{ "footer.thanks" | t: name: recipient.name }}`, in the `locale` of the recipient: `fr-CA` falls back to `fr`, and then to the default of the environment. A version never changes. Issues of its content have the code `invalid_template`. Activating it creates new active versions of all active templates that use it; 409 `conflict` if one of them could not be rendered. */
      create: (environmentId: string, body: BodyOf<'createTranslation'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/translations', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List versions of translations. Newest first, without their contents. Filters are combined with “and”. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listTranslations'>, components['schemas']['TranslationSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/translations', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a version of a translation. With its content. */
      get: (translationId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/translations/{translationId}', { ...init, params: { path: { translationId } } }), options),
      /** Activate a version of a translation. All active templates that use it get a new active version, or none does; events accepted from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. Warns of messages that a language lacks; 409 `conflict` if a template could not be rendered. */
      activate: (translationId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/translations/{translationId}/activate', { ...init, params: { path: { translationId } } }), options),
    },
    eventTypes: {
      /** Create or replace an event type. Creates the event type or replaces it: fields that are left out are removed. Payloads are validated against the schema within 5 seconds. Issues of the schema have the code `invalid_schema`. External and circular references, patterns that cannot be matched in linear time, and unknown formats are refused. The schemas of an environment can have 2 MiB in total (409 `conflict`). */
      put: (environmentId: string, eventKey: string, body: BodyOf<'putEventType'>, options?: CallOptions) =>
        perform((init) => http.PUT('/admin/v1/environments/{environmentId}/event-types/{eventKey}', { ...init, params: { path: { environmentId, eventKey } }, body }), options),
      /** Read an event type. With its schema. */
      get: (environmentId: string, eventKey: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/event-types/{eventKey}', { ...init, params: { path: { environmentId, eventKey } } }), options),
      /** List event types. Ordered by key, without schemas. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listEventTypes'>, components['schemas']['EventTypeSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/event-types', { ...init, params: { path: { environmentId }, query } }), options),
      ),
    },
    attention: {
      /** Read what needs attention in an environment. Failing and paused channels, paused streams, the backlog, the quota, secrets that expire soon, and failed templates. */
      get: (environmentId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/attention', { ...init, params: { path: { environmentId } } }), options),
      /** Read what needs attention. The environments with a failing or paused channel, a paused stream, runs that have waited for more than a minute, 80 % of the quota used, secrets that expire within 14 days, templates that failed in the last hour, or blocked ordering keys. Workers look at each environment every 5 s, 50 a second and worker, and the response is up to 5 s old. */
      overview: (options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/attention', init), options),
    },
    lookup: {
      /** Look up an id or an address. Finds a message, delivery run, attempt, request or trace id, or the email address of a recipient, in any environment. An unknown text has no results. */
      find: (query: QueryOf<'findByText'>, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/lookup', { ...init, params: { query } }), options),
    },
    erasures: {
      /** Erase a recipient’s data. Erases recipient and payload of the messages that exist now and have this address, in any case, or this id of the recipient, and the responses of mail servers and endpoints, in the background. Waiting runs are ended first, with an attempt `scheduled_cancelled`: a `scheduled` one becomes `cancelled`, a due one `failed`. Open attempts are awaited. Messages, runs, attempts and usage stay. The messages cannot be replayed. The addresses of the messages are also erased from the suppression list and the filters of bulk replays. The audit log only has a hash of the address or id. */
      create: (environmentId: string, body: BodyOf<'createErasure'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/erasures', { ...init, params: { path: { environmentId } }, body }), options),
      /** List erasures. The erasures of an environment, newest first. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listErasures'>, components['schemas']['Erasure']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/erasures', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read an erasure. The erasure and its progress. */
      get: (erasureId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/erasures/{erasureId}', { ...init, params: { path: { erasureId } } }), options),
    },
    suppressions: {
      /** Suppress an address. Adds an address to the environment’s suppression list. Email runs to it that are claimed from then on end as `failed` with `recipient_suppressed`: new events, retries, schedules and replays. If the address is already on the list in this scope, the existing entry is returned unchanged, also without its text if that was erased, unless it ends earlier: then the new one replaces it. */
      create: (environmentId: string, body: BodyOf<'createSuppression'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/suppressions', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List suppressions. The suppression list of an environment, newest first; of one address with `email`. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listSuppressions'>, components['schemas']['Suppression']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/suppressions', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Suppress many addresses. Adds up to 500 addresses in one transaction, all or none. Sending the same entries again changes nothing. */
      import: (environmentId: string, body: BodyOf<'importSuppressions'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/suppressions/import', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** Remove a suppression. Email to the address is sent again, unless another entry suppresses it. Runs that have failed meanwhile stay failed; replay them. */
      delete: (suppressionId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/suppressions/{suppressionId}', { ...init, params: { path: { suppressionId } } }), options),
    },
    pausedStreams: {
      /** List paused streams. The streams whose email is held because too many recipients complained, by their names. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listPausedStreams'>, components['schemas']['PausedStream']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/paused-streams', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Resume a stream. Ends the pause. Held runs are sent oldest first, at the rates of a channel that is resumed. Only the hours that begin later count for another pause. A stream that was resumed in the last two days is not changed. */
      resume: (environmentId: string, stream: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/paused-streams/{stream}/resume', { ...init, params: { path: { environmentId, stream } } }), once(options)),
    },
    consoleSessions: {
      ...pagedList<QueryOf<'listConsoleSessions'>, components['schemas']['ConsoleSession']>((query, options) =>
        perform((init) => http.GET('/admin/v1/console-sessions', { ...init, params: { query } }), options),
      ),
      /** End a session of the console. Ends the session, the links that it issued and their sessions: every process refuses them within 5 seconds. */
      end: (consoleSessionId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/console-sessions/{consoleSessionId}', { ...init, params: { path: { consoleSessionId } } }), options),
    },
    consoleLinks: {
      ...pagedList<QueryOf<'listConsoleLinks'>, components['schemas']['IssuedConsoleLink']>((query, options) =>
        perform((init) => http.GET('/admin/v1/console-links', { ...init, params: { query } }), options),
      ),
      /** Create a sign-in link. A code that opens the console once, within 10 minutes, as an operator. The session’s name in the audit log is the `X-Actor` of this request. A link of a session, and the session that it opens, end with that session. */
      create: (options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/console-links', init), once(options)),
      /** Revoke a sign-in link. Revokes the link. If it was used meanwhile, its session ends within 5 seconds. */
      revoke: (consoleSessionId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/console-links/{consoleSessionId}', { ...init, params: { path: { consoleSessionId } } }), options),
    },
    auditLog: {
      ...pagedList<QueryOf<'listAuditLog'>, components['schemas']['AuditEntry']>((query, options) =>
        perform((init) => http.GET('/admin/v1/audit-log', { ...init, params: { query } }), options),
      ),
    },
  };
}
