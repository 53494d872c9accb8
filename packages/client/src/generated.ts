/**
 * Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.
 */
import type { Transport } from './client.ts';
import { pagedList } from './pages.ts';
import type { StreamOptions } from './stream.ts';
import { type CallOptions, once } from './transport.ts';
import type { BodyOf, OfToken, QueryOf } from './types.ts';

export interface paths {
	"/api/v1/events": {
		post: operations["createEvent"];
		options: operations["preflightEvents"];
	};
	"/api/v1/events/batch": {
		post: operations["createEvents"];
	};
	"/api/v1/messages": {
		get: operations["listMessages"];
	};
	"/api/v1/messages/{messageId}": {
		get: operations["getMessage"];
		patch: operations["rescheduleMessage"];
	};
	"/api/v1/messages/{messageId}/deliveries": {
		get: operations["getMessageDeliveries"];
	};
	"/api/v1/messages/{messageId}/replay": {
		post: operations["replayMessage"];
	};
	"/api/v1/consumers/{consumer}/deliveries/{deliveryRunId}/replay": {
		post: operations["replayConsumerDelivery"];
	};
	"/api/v1/messages/{messageId}/cancel": {
		post: operations["cancelMessage"];
	};
	"/api/v1/delivery-runs/{deliveryRunId}/cancel": {
		post: operations["cancelDeliveryRun"];
	};
	"/api/v1/delivery-runs/{deliveryRunId}/content": {
		get: operations["getDeliveryContent"];
	};
	"/api/v1/stats": {
		get: operations["getStats"];
	};
	"/api/v1/stream": {
		get: operations["stream"];
	};
	"/api/v1/usage/current": {
		get: operations["getCurrentUsage"];
	};
	"/api/v1/limits": {
		get: operations["getLimits"];
	};
	"/admin/v1/plans": {
		get: operations["listPlans"];
		post: operations["createPlan"];
	};
	"/admin/v1/plans/{code}": {
		get: operations["getPlan"];
		patch: operations["updatePlan"];
	};
	"/admin/v1/tenants": {
		get: operations["listTenants"];
		post: operations["createTenant"];
	};
	"/admin/v1/tenants/{tenantId}": {
		get: operations["getTenant"];
		patch: operations["updateTenant"];
	};
	"/admin/v1/tenants/{tenantId}/usage": {
		get: operations["getTenantUsage"];
	};
	"/admin/v1/tenants/{tenantId}/environments": {
		get: operations["listEnvironments"];
		post: operations["createEnvironment"];
	};
	"/admin/v1/environments/{environmentId}": {
		get: operations["getEnvironment"];
		patch: operations["updateEnvironment"];
	};
	"/admin/v1/environments/{environmentId}/tokens": {
		get: operations["listTokens"];
		post: operations["issueToken"];
	};
	"/admin/v1/tokens/{tokenId}/rotate": {
		post: operations["rotateToken"];
	};
	"/admin/v1/tokens/{tokenId}": {
		delete: operations["revokeToken"];
	};
	"/admin/v1/environments/{environmentId}/channels": {
		get: operations["listChannels"];
		post: operations["createChannel"];
	};
	"/admin/v1/channels/{channelId}": {
		get: operations["getChannel"];
		delete: operations["deleteChannel"];
		patch: operations["updateChannel"];
	};
	"/admin/v1/channels/{channelId}/rotate-secret": {
		post: operations["rotateChannelSecret"];
	};
	"/admin/v1/channels/{channelId}/feedback-token": {
		post: operations["rotateChannelFeedbackToken"];
	};
	"/admin/v1/channels/{channelId}/test": {
		post: operations["testChannel"];
	};
	"/admin/v1/channels/{channelId}/filter/test": {
		post: operations["testChannelFilter"];
	};
	"/admin/v1/channels/{channelId}/preview": {
		post: operations["previewChannel"];
	};
	"/admin/v1/channels/{channelId}/pause": {
		post: operations["pauseChannel"];
	};
	"/admin/v1/channels/{channelId}/resume": {
		post: operations["resumeChannel"];
	};
	"/admin/v1/channels/{channelId}/attempts": {
		get: operations["listChannelAttempts"];
	};
	"/admin/v1/channels/{channelId}/blocked-keys": {
		get: operations["listBlockedKeys"];
	};
	"/admin/v1/channels/{channelId}/blocked-keys/retry": {
		post: operations["retryBlockedKey"];
	};
	"/admin/v1/channels/{channelId}/blocked-keys/skip": {
		post: operations["skipBlockedKey"];
	};
	"/admin/v1/channels/{channelId}/listen": {
		post: operations["listenToChannel"];
	};
	"/admin/v1/channels/{channelId}/listen/answer": {
		post: operations["answerDelivery"];
	};
	"/admin/v1/environments/{environmentId}/consumers/{consumer}": {
		get: operations["getConsumer"];
		put: operations["putConsumer"];
		delete: operations["deleteConsumer"];
	};
	"/admin/v1/environments/{environmentId}/consumers": {
		get: operations["listConsumers"];
	};
	"/admin/v1/environments/{environmentId}/consumers/{consumer}/channels": {
		get: operations["listConsumerChannels"];
		post: operations["createConsumerChannel"];
	};
	"/admin/v1/environments/{environmentId}/consumers/{consumer}/deliveries": {
		get: operations["listConsumerDeliveries"];
	};
	"/admin/v1/environments/{environmentId}/consumers/{consumer}/deliveries/{deliveryRunId}": {
		get: operations["getConsumerDelivery"];
	};
	"/admin/v1/environments/{environmentId}/consumers/{consumer}/portal-sessions": {
		post: operations["createPortalSession"];
	};
	"/admin/v1/environments/{environmentId}/templates": {
		get: operations["listTemplates"];
		post: operations["createTemplate"];
	};
	"/admin/v1/environments/{environmentId}/templates/preview-draft": {
		post: operations["previewTemplateDraft"];
	};
	"/admin/v1/templates/{templateId}": {
		get: operations["getTemplate"];
	};
	"/admin/v1/templates/{templateId}/activate": {
		post: operations["activateTemplate"];
	};
	"/admin/v1/templates/{templateId}/deactivate": {
		post: operations["deactivateTemplate"];
	};
	"/admin/v1/templates/{templateId}/preview": {
		post: operations["previewTemplate"];
	};
	"/admin/v1/environments/{environmentId}/layouts": {
		get: operations["listLayouts"];
		post: operations["createLayout"];
	};
	"/admin/v1/layouts/{layoutId}": {
		get: operations["getLayout"];
	};
	"/admin/v1/layouts/{layoutId}/activate": {
		post: operations["activateLayout"];
	};
	"/admin/v1/layouts/{layoutId}/deactivate": {
		post: operations["deactivateLayout"];
	};
	"/admin/v1/environments/{environmentId}/partials": {
		get: operations["listPartials"];
		post: operations["createPartial"];
	};
	"/admin/v1/partials/{partialId}": {
		get: operations["getPartial"];
	};
	"/admin/v1/partials/{partialId}/activate": {
		post: operations["activatePartial"];
	};
	"/admin/v1/partials/{partialId}/deactivate": {
		post: operations["deactivatePartial"];
	};
	"/admin/v1/environments/{environmentId}/translations": {
		get: operations["listTranslations"];
		post: operations["createTranslation"];
	};
	"/admin/v1/translations/{translationId}": {
		get: operations["getTranslation"];
	};
	"/admin/v1/translations/{translationId}/activate": {
		post: operations["activateTranslation"];
	};
	"/admin/v1/translations/{translationId}/deactivate": {
		post: operations["deactivateTranslation"];
	};
	"/admin/v1/environments/{environmentId}/event-types/{eventKey}": {
		get: operations["getEventType"];
		put: operations["putEventType"];
		delete: operations["deleteEventType"];
	};
	"/admin/v1/environments/{environmentId}/event-types": {
		get: operations["listEventTypes"];
	};
	"/admin/v1/environments/{environmentId}/configuration": {
		get: operations["exportConfiguration"];
	};
	"/admin/v1/environments/{environmentId}/configuration/plan": {
		post: operations["planConfiguration"];
	};
	"/admin/v1/environments/{environmentId}/configuration/apply": {
		post: operations["applyConfiguration"];
	};
	"/admin/v1/environments/{environmentId}/configuration/drift": {
		get: operations["getConfigurationDrift"];
	};
	"/admin/v1/environments/{environmentId}/messages": {
		get: operations["searchMessages"];
	};
	"/admin/v1/environments/{environmentId}/messages/{messageId}": {
		get: operations["getEnvironmentMessage"];
		patch: operations["rescheduleEnvironmentMessage"];
	};
	"/admin/v1/environments/{environmentId}/messages/{messageId}/deliveries": {
		get: operations["getEnvironmentMessageDeliveries"];
	};
	"/admin/v1/environments/{environmentId}/attention": {
		get: operations["getEnvironmentAttention"];
	};
	"/admin/v1/attention": {
		get: operations["overviewOfAttention"];
	};
	"/admin/v1/lookup": {
		get: operations["findByText"];
	};
	"/admin/v1/environments/{environmentId}/lookup": {
		get: operations["searchEnvironment"];
	};
	"/admin/v1/environments/{environmentId}/replays": {
		get: operations["listReplayBatches"];
		post: operations["createReplayBatch"];
	};
	"/admin/v1/replays/{replayId}": {
		get: operations["getReplayBatch"];
	};
	"/admin/v1/replays/{replayId}/cancel": {
		post: operations["cancelReplayBatch"];
	};
	"/admin/v1/environments/{environmentId}/erasures": {
		get: operations["listErasures"];
		post: operations["createErasure"];
	};
	"/admin/v1/erasures/{erasureId}": {
		get: operations["getErasure"];
	};
	"/admin/v1/environments/{environmentId}/suppressions": {
		get: operations["listSuppressions"];
		post: operations["createSuppression"];
	};
	"/admin/v1/environments/{environmentId}/suppressions/import": {
		post: operations["importSuppressions"];
	};
	"/admin/v1/suppressions/{suppressionId}": {
		delete: operations["deleteSuppression"];
	};
	"/admin/v1/environments/{environmentId}/paused-streams": {
		get: operations["listPausedStreams"];
	};
	"/admin/v1/environments/{environmentId}/paused-streams/{stream}/resume": {
		post: operations["resumeStream"];
	};
	"/admin/v1/secrets": {
		get: operations["getSecrets"];
	};
	"/admin/v1/secrets/reencrypt": {
		post: operations["reencryptSecrets"];
	};
	"/admin/v1/operators": {
		get: operations["listOperators"];
		post: operations["createOperator"];
	};
	"/admin/v1/operators/{operatorId}": {
		get: operations["getOperator"];
		patch: operations["updateOperator"];
	};
	"/admin/v1/operator-tokens": {
		get: operations["listOperatorTokens"];
		post: operations["issueOperatorToken"];
	};
	"/admin/v1/operator-tokens/{operatorTokenId}": {
		delete: operations["revokeOperatorToken"];
	};
	"/admin/v1/roles": {
		get: operations["listRoles"];
		post: operations["createRole"];
	};
	"/admin/v1/roles/{roleCode}": {
		get: operations["getRole"];
		delete: operations["deleteRole"];
		patch: operations["updateRole"];
	};
	"/admin/v1/console-sessions": {
		get: operations["listConsoleSessions"];
	};
	"/admin/v1/console-sessions/{consoleSessionId}": {
		delete: operations["endConsoleSession"];
	};
	"/admin/v1/console-links": {
		get: operations["listConsoleLinks"];
		post: operations["createConsoleLink"];
	};
	"/admin/v1/console-links/{consoleSessionId}": {
		delete: operations["revokeConsoleLink"];
	};
	"/admin/v1/audit-log": {
		get: operations["listAuditLog"];
	};
	"/admin/v1/audit-log/chain": {
		get: operations["getAuditChain"];
	};
	"/admin/v1/audit-log/verify": {
		get: operations["verifyAuditLog"];
	};
	"/admin/v1/audit-log/export": {
		get: operations["exportAuditLog"];
	};
	"/admin/v1/environments/{environmentId}/events": {
		post: operations["createEnvironmentEvent"];
	};
	"/admin/v1/environments/{environmentId}/messages/{messageId}/replay": {
		post: operations["replayEnvironmentMessage"];
	};
	"/admin/v1/environments/{environmentId}/messages/{messageId}/cancel": {
		post: operations["cancelEnvironmentMessage"];
	};
	"/admin/v1/environments/{environmentId}/delivery-runs/{deliveryRunId}/cancel": {
		post: operations["cancelEnvironmentDeliveryRun"];
	};
	"/admin/v1/environments/{environmentId}/delivery-runs/{deliveryRunId}/content": {
		get: operations["getEnvironmentDeliveryContent"];
	};
	"/admin/v1/environments/{environmentId}/stats": {
		get: operations["getEnvironmentStats"];
	};
	"/admin/v1/environments/{environmentId}/stream": {
		get: operations["streamEnvironment"];
	};
}
export interface webhooks {
	delivery: {
		post: operations["webhookDelivery"];
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
			code: "required" | "unknown_field" | "invalid_type" | "invalid_format" | "invalid_value" | "too_long" | "too_short" | "too_large" | "too_small" | "too_many" | "too_few" | "duplicate" | "schedule_too_far" | "payload_schema_mismatch" | "no_matching_channel" | "template_not_found" | "invalid_template" | "invalid_schema" | "unknown_channel" | "unknown_consumer" | "unknown_plan" | "quota_limit" | "current_status";
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
			consumer: string | null;
			request_id: string | null;
			/** @description The W3C trace id of the event’s request, by which its trace is found. */
			trace_id: string;
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
				 * @description The reason by the current configuration. `changed_since`: it would take the event now, but did not then. Without `messages:content` filters are not evaluated: `filtered` then means that it has one.
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
			consumer?: string | null;
			request_id?: string | null;
			/** @description The W3C trace id of the event’s request, by which its trace is found. */
			trace_id?: string;
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
			searched_back_to: string | null;
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
		/** @description An attempt of a channel, and what it delivers. */
		ChannelAttempt: {
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
			/** @description The message. */
			message_id: string;
			/** @description Of the message. */
			event_key: string;
			/** @description See DeliveryRun. */
			replay: number;
			/**
			 * @description `scheduled`: waits for its time and can be cancelled. `queued`: due, not yet started. `running`: an attempt is open. `retrying`: the last attempt failed or its outcome is unknown, the next is due at `next_attempt_at`. `succeeded`, `failed` and `cancelled` are final.
			 * @enum {string}
			 */
			run_status: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
			/** @description Whether it is of a test send. */
			test: boolean;
		};
		/** @description A page of attempts, those of the newest messages first. */
		ChannelAttemptList: {
			data: components["schemas"]["ChannelAttempt"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
			searched_back_to: string | null;
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
			/** @description 0 for a run of the event itself; otherwise the number of the replay, or of the retry of a blocked ordering key, that created it, counted for its message. */
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
		/** @description A delivery to a channel of a consumer, with its attempts. */
		ConsumerDelivery: {
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
			/** @description 0 for a run of the event itself; otherwise the number of the replay, or of the retry of a blocked ordering key, that created it, counted for its message. */
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
			/** @description Of its message. */
			event_key: string;
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
			/** @description Accepted events. Always 0 in groups by channel, kind, sender or error code. */
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
			/** @description Accepted events. Always 0 in groups by channel, kind, sender or error code. */
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
				/** @description A channel’s id or kind, a sender as `chn_…/name`, an event key, a stream or an error code. */
				key: string;
				/** @description Accepted events. Always 0 in groups by channel, kind, sender or error code. */
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
		/** @description The `data` of an event. Its name (`event`) is one of message.accepted, delivery_run.updated, attempt.finished, delivery_run.feedback, reset, heartbeat; `reset` has no fields. */
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
			 * @description When it happened; for feedback, when it was received; for `heartbeat`, up to when all was read.
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
				 * @description The start of the month.
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
				 * @description `past_due` tenants may send until `grace_ends_at`.
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
			/** @description Limits of one request. */
			payload: {
				/** @description The largest body. */
				max_bytes: number;
			};
			/** @description Limits of `schedule_at`. */
			schedule: {
				/** @description How far ahead it may be. Null means unlimited. */
				max_days: number | null;
			};
			/** @description How long messages are kept. */
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
			/**
			 * @description What happens to an event that names an unknown consumer: `refuse` answers 422 `unknown_consumer`; `create` creates it.
			 * @enum {string}
			 */
			unknown_consumers: "refuse" | "create";
			/** @description Whether channels must have https URLs. Cannot be set while one has an http URL. */
			https_only: boolean;
			/** @description The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing it creates new versions of the active templates. */
			default_locale: string;
			/** @description The number of consecutive temporary bounces that suppress an address for a while; 0: never. */
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
			/** @description The outcomes of deliveries, such as `run.succeeded`, that operational channels get besides the events about the service. Each adds a row per delivery. */
			outcome_events: components["schemas"]["OutcomeEvent"][];
			/** @description The portal of consumers: how it looks, its language, and the origins of the pages that may frame it. A session can choose another look. */
			portal: {
				/** @description Exact origins, such as `https://app.example.com`, whose pages may frame it; http only on localhost. None by default. */
				origins: string[];
				theme: {
					/**
					 * @description `auto`: as the browser.
					 * @enum {string}
					 */
					mode: "auto" | "light" | "dark";
					/** @description The colour of buttons and links. */
					accent: string | null;
					/** @description The colour behind the page. */
					background: string | null;
					/** @description The radius of corners, in CSS pixels. */
					radius: number | null;
					/** @description An https URL. */
					logo_url: string | null;
				} | null;
				locale: ("en" | "de" | "es" | "fr") | null;
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
			consumer: string | null;
			/** @description A display name. */
			name: string;
			/** @description The beginning of the token, before its secret part. */
			prefix: string;
			/** @description Its last four characters, by which owners recognise it. */
			last_four: string;
			/** @description What it may do. */
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
			consumer: string | null;
			/** @description A display name. */
			name: string;
			/** @description The beginning of the token, before its secret part. */
			prefix: string;
			/** @description Its last four characters, by which owners recognise it. */
			last_four: string;
			/** @description What it may do. */
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
			consumer: string | null;
			/** @description A display name. */
			name: string;
			/** @description The beginning of the token, before its secret part. */
			prefix: string;
			/** @description Its last four characters, by which owners recognise it. */
			last_four: string;
			/** @description What it may do. */
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
			consumer: string | null;
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
			/** @description Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last. */
			public_only: boolean;
			ordering: components["schemas"]["ChannelOrder"];
			on_exhausted: components["schemas"]["OnExhausted"];
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
			max_in_flight: number | null;
			state: components["schemas"]["ChannelState"];
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
		/** @description What the channel would send. */
		ChannelPreview: {
			message_id: string | null;
			/** @description Its event key. */
			event_key: string;
			/** @description A request. */
			request: {
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
		/** @description The next delivery of a channel, for its listener. */
		NextDelivery: {
			delivery: components["schemas"]["DeliveryToPost"] | null;
		};
		/** @description A customer of the tenant, with channels and limits of its own. */
		ConsumerDetails: {
			/** @description Its environment. */
			environment_id: string;
			/** @description Your own id for it. */
			id: string;
			name: string | null;
			/** @description Data that channel filters can compare, as `consumer.attributes`. */
			attributes: {
				[key: string]: unknown;
			};
			contact_email: string | null;
			/** @description Whether its channels take events. Waiting deliveries are sent in either case. */
			enabled: boolean;
			/** @description Null: only the limits of the tenant apply. */
			limits: {
				/** @description Events per month (UTC); 402 `quota_exceeded` beyond. Replays do not count. Null means unlimited. */
				events_per_month: number | null;
				/** @description Events per second; 429 `rate_limited` beyond. Null means unlimited. */
				events_per_second: number | null;
				/** @description Channels, at most 50. Null means unlimited. */
				channels: number | null;
				channel_kinds: string[] | null;
			};
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
			/** @description What it has used of its limits. */
			usage: {
				/** @description Events of this month (UTC). */
				events: number;
				/** @description Channels. */
				channels: number;
				/** @description The months of the last 400 days that had events, and the current one, newest first. */
				months: {
					/**
					 * Format: date
					 * @description The first day of the month, UTC.
					 */
					period_start: string;
					/** @description Events of the month. */
					events: number;
				}[];
			};
		};
		/** @description A consumer without its usage. */
		ConsumerSummary: {
			/** @description Its environment. */
			environment_id: string;
			/** @description Your own id for it. */
			id: string;
			name: string | null;
			/** @description Data that channel filters can compare, as `consumer.attributes`. */
			attributes: {
				[key: string]: unknown;
			};
			contact_email: string | null;
			/** @description Whether its channels take events. Waiting deliveries are sent in either case. */
			enabled: boolean;
			/** @description Null: only the limits of the tenant apply. */
			limits: {
				/** @description Events per month (UTC); 402 `quota_exceeded` beyond. Replays do not count. Null means unlimited. */
				events_per_month: number | null;
				/** @description Events per second; 429 `rate_limited` beyond. Null means unlimited. */
				events_per_second: number | null;
				/** @description Channels, at most 50. Null means unlimited. */
				channels: number | null;
				channel_kinds: string[] | null;
			};
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
		/** @description A page of consumers, by their ids. */
		ConsumerList: {
			data: components["schemas"]["ConsumerSummary"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A page of delivery runs, those of the newest messages first. */
		ConsumerDeliveryList: {
			data: components["schemas"]["ConsumerDelivery"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A link to the portal of a consumer, which works once. */
		PortalSession: {
			/** @description The token that the session will have. Revoking it ends the session. */
			id: string;
			/** @description The link. Give it only to the consumer, as a link or as the address of a frame. Without `PUBLIC_URL` it is a path. */
			url: string;
			/**
			 * Format: date-time
			 * @description When the link expires: after five minutes.
			 */
			link_expires_at: string;
			/**
			 * Format: date-time
			 * @description When the session ends.
			 */
			expires_at: string;
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
		/** @description A version after a change. */
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
			/** @description JSON Pointers to business ids in the payload, such as `/order_id`. Messages are found by their values: strings and numbers of up to 128 characters. The values are stored with the message, and removed with it or by an erasure. */
			search_keys: string[];
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
			/** @description JSON Pointers to business ids in the payload, such as `/order_id`. Messages are found by their values: strings and numbers of up to 128 characters. The values are stored with the message, and removed with it or by an erasure. */
			search_keys: string[];
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
		/** @description The configuration of an environment. */
		ExportedConfiguration: {
			/** @description The document, as `planConfiguration` and `applyConfiguration` take it. */
			document: {
				[key: string]: unknown;
			};
			secrets: components["schemas"]["ConfiguredSecret"][];
			left_out: components["schemas"]["LeftOutResource"][];
		};
		/** @description A change. */
		ConfigurationChange: {
			/**
			 * @description What happens to it.
			 * @enum {string}
			 */
			action: "create" | "update" | "delete";
			/**
			 * @description What it is.
			 * @enum {string}
			 */
			kind: "settings" | "event_type" | "partial" | "layout" | "translation" | "template" | "channel" | "plan" | "role";
			/** @description Its name, for a template event key and kind, for a channel kind and name; empty for the settings. */
			key: string;
			fields: components["schemas"]["ChangedConfigurationField"][];
			/** @description What its caller must be allowed to do. */
			scope: string;
		};
		/** @description What a document would change. */
		ConfigurationPlan: {
			/** @description Of the changes. An apply needs it. */
			hash: string;
			changes: components["schemas"]["ConfigurationChange"][];
			unmanaged: components["schemas"]["UnmanagedResource"][];
			checks: components["schemas"]["TemplateCheck"][];
			/** @description How many new versions of templates were not rendered: there are too many. */
			checks_left_out: number;
		};
		/** @description What a document has changed. */
		AppliedConfiguration: {
			request_id: string | null;
			/** @description Of the changes. An apply needs it. */
			hash: string;
			changes: components["schemas"]["ConfigurationChange"][];
			secrets: components["schemas"]["NewSigningSecret"][];
		};
		/** @description What was changed since the last apply. */
		ConfigurationDrift: {
			applied: components["schemas"]["LastAppliedConfiguration"] | null;
			changes: components["schemas"]["DriftedResource"][];
		};
		/** @description What needs attention in an environment. */
		EnvironmentAttention: {
			failing_channels: components["schemas"]["FailingChannel"][];
			paused_channels: components["schemas"]["PausedChannel"][];
			paused_streams: components["schemas"]["StreamWithComplaints"][];
			backlog: components["schemas"]["BacklogOfRuns"];
			quota: components["schemas"]["QuotaUse"] | null;
			/** @description The first to expire: at most 100, or ten in the report of all environments. */
			expiring: components["schemas"]["ExpiringSecret"][];
			/** @description Attempts whose template failed. */
			render_failures: {
				/** @description In the last hour. */
				last_hour: number;
			};
			/** @description Ordering keys that wait until an operator retries or skips a run: up to 1,000, or 100 in the report of all environments. */
			blocked_keys: number;
			blocked_channels: components["schemas"]["BlockedChannel"][];
		};
		/** @description An environment that needs attention. */
		AttentionItem: {
			/** @description The tenant. */
			tenant_id: string;
			/** @description The name of the tenant. */
			tenant_name: string;
			/** @description The environment. */
			environment_id: string;
			/** @description The name of the environment. */
			environment_name: string;
			failing_channels: components["schemas"]["FailingChannel"][];
			paused_channels: components["schemas"]["PausedChannel"][];
			paused_streams: components["schemas"]["StreamWithComplaints"][];
			backlog: components["schemas"]["BacklogOfRuns"];
			quota: components["schemas"]["QuotaUse"] | null;
			/** @description The first to expire: at most 100, or ten in the report of all environments. */
			expiring: components["schemas"]["ExpiringSecret"][];
			/** @description Attempts whose template failed. */
			render_failures: {
				/** @description In the last hour. */
				last_hour: number;
			};
			/** @description Ordering keys that wait until an operator retries or skips a run: up to 1,000, or 100 in the report of all environments. */
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
			type: "message" | "delivery_run" | "attempt" | "request" | "trace" | "recipient" | "business_id" | "mail_id" | "id_end";
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
			/**
			 * @description Of the message.
			 * @enum {string}
			 */
			status: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
			channel: components["schemas"]["Channel"] | null;
			match: string | null;
		};
		/** @description A resource with a matching name. */
		NamedResource: {
			/**
			 * @description What it is.
			 * @enum {string}
			 */
			type: "channel" | "template" | "consumer" | "environment" | "tenant";
			/** @description Its id; for a consumer, your own. */
			id: string;
			/** @description Its name; for a template, its event key. */
			name: string;
			detail: string | null;
			/** @description The tenant. */
			tenant_id: string;
			/** @description The name of the tenant. */
			tenant_name: string;
			environment_id: string | null;
			environment_name: string | null;
		};
		/** @description The results of a lookup. */
		Lookup: {
			/** @description Newest first, at most 50. */
			results: components["schemas"]["LookupResult"][];
			/** @description At most ten of each type. */
			resources: components["schemas"]["NamedResource"][];
			recipient: components["schemas"]["MessagesOfAnAddress"] | null;
			/** @description Whether there are more. If so, search the environment. */
			has_more: boolean;
			searched_back_to: string | null;
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
			/** @description Whether there may be more: counting ends after about 50,000 candidates. */
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
				/** @description A channel that takes the event has a filter that only a later release understands. */
				unknown_filter: number;
				/** @description An email channel takes the event and the recipient has no address. */
				recipient_email_missing: number;
				/** @description A test send of an operator. */
				test_message: number;
				/** @description The recipient’s data was erased. */
				message_erased: number;
			};
			position: string | null;
			/** @description Consecutive failures of its next page; after 20 it is `failed`. */
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
			/** @description Whether there may be more: counting ends after about 50,000 candidates. */
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
			/** @description SHA-256, in hexadecimal, of the environment’s id, a colon and the address in lower case, `id:` and the id, or `consumer:` and the consumer: anyone who knows it can find the erasure. */
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
		/** @description An address to which the environment sends no email. */
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
			/** @description The first 100 channels that cannot deliver until the key is restored or they get a new secret: it is missing, or `ENCRYPTION_KEYS` has another key with its id. */
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
			/** @description Whether it stopped at `limit`: then repeat the request. Secrets that cannot be decrypted do not count. */
			has_more: boolean;
			/** @description Those of `ENCRYPTION_KEYS` in their order, then the missing ones. */
			keys: components["schemas"]["SecretKey"][];
		};
		/** @description A person who operates the installation. */
		Operator: {
			/** @description The operator. */
			id: string;
			/** @description Their address, and their name in the audit log. */
			email: string;
			/** @description A display name. */
			name: string;
			/** @description The code of its role. */
			role: string;
			tenants: string[] | null;
			environments: string[] | null;
			/** @description Whether they have access. */
			enabled: boolean;
			/** @description `local`, or the provider that keeps name, role and bounds up to date. */
			source: string;
			/**
			 * Format: date-time
			 * @description When they were added.
			 */
			created_at: string;
			last_seen_at: string | null;
			disabled_at: string | null;
		};
		/** @description A page of operators, newest first. */
		OperatorList: {
			data: components["schemas"]["Operator"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A token for the management API, without its secret. */
		OperatorToken: {
			/** @description The token. */
			id: string;
			/** @description Its name in the audit log. */
			name: string;
			/** @description The beginning of the token, before its secret part. */
			prefix: string;
			/** @description Its last four characters, by which owners recognise it. */
			last_four: string;
			operator_id: string | null;
			role: string | null;
			/** @description Its scopes; empty if it has a role, or all rights of its operator. */
			scopes: string[];
			tenants: string[] | null;
			environments: string[] | null;
			/**
			 * Format: date-time
			 * @description When it was issued.
			 */
			created_at: string;
			expires_at: string | null;
			last_used_at: string | null;
			revoked_at: string | null;
		};
		/** @description A page of tokens, newest first. */
		OperatorTokenList: {
			data: components["schemas"]["OperatorToken"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A new token, with its secret. */
		IssuedOperatorToken: {
			/** @description The token. */
			id: string;
			/** @description Its name in the audit log. */
			name: string;
			/** @description The beginning of the token, before its secret part. */
			prefix: string;
			/** @description Its last four characters, by which owners recognise it. */
			last_four: string;
			operator_id: string | null;
			role: string | null;
			/** @description Its scopes; empty if it has a role, or all rights of its operator. */
			scopes: string[];
			tenants: string[] | null;
			environments: string[] | null;
			/**
			 * Format: date-time
			 * @description When it was issued.
			 */
			created_at: string;
			expires_at: string | null;
			last_used_at: string | null;
			revoked_at: string | null;
			/** @description The token itself, for the Authorization header. Only this response contains it. */
			token: string;
		};
		/** @description A named set of scopes. */
		Role: {
			/** @description Its stable code. */
			code: string;
			/** @description A display name. */
			name: string;
			/** @description What operators and tokens with the role may do. */
			scopes: string[];
			/** @description Whether every installation has it, and nobody can change it. */
			built_in: boolean;
			created_at: string | null;
			updated_at: string | null;
		};
		/** @description A page of roles, by their code. */
		RoleList: {
			data: components["schemas"]["Role"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/** @description A session of the console. */
		ConsoleSession: {
			/** @description The session. */
			id: string;
			/**
			 * @description `operator` has the rights of the operator or of the admin token, `integrator` those of one token.
			 * @enum {string}
			 */
			role: "operator" | "integrator";
			environment_id: string | null;
			operator_id: string | null;
			/** @description The email of the operator, the name that the holder of the admin token entered, or the id of the token. */
			actor: string;
			provider: string | null;
			address: string | null;
			user_agent: string | null;
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
			 * @description When it ends, whether it is used or not.
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
			/** @description The name of the operator or token; with the admin token the `X-Actor` of the request, `admin` without one; `seed` or `worker` for the service itself. */
			actor: string;
			actor_kind: ("admin_token" | "operator" | "operator_token" | "environment_token" | "consumer_token" | "service") | null;
			credential: string | null;
			address: string | null;
			reason: string | null;
			/** @description The kind of resource and the change, such as `channel.updated`. */
			action: string;
			/**
			 * @description The kind of resource.
			 * @enum {string}
			 */
			resource_type: "plan" | "tenant" | "environment" | "token" | "consumer" | "channel" | "template" | "event_type" | "layout" | "partial" | "translation" | "replay_batch" | "erasure" | "suppression" | "stream" | "console_session" | "operator" | "operator_token" | "role" | "secrets" | "message" | "delivery_run";
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
		/** @description The end of the hash chain. Note it elsewhere, to check later that it is still there. */
		AuditHead: {
			/** @description The sequence of the newest entry in the chain. */
			sequence: number;
			/** @description Its hash, as 64 hexadecimal digits. */
			hash: string;
			/**
			 * Format: date-time
			 * @description When it was appended.
			 */
			chained_at: string;
		};
		/** @description The hash chain of the audit log. */
		AuditChain: {
			head: components["schemas"]["AuditHead"] | null;
			/** @description Entries that a worker has not appended yet, counted up to 10,000. */
			waiting: number;
			waiting_since: string | null;
		};
		/** @description What is wrong with the audit log. */
		AuditProblem: {
			/**
			 * @description `changed`: the entry is not what was chained. `removed`: it is missing. `link_removed`: the chain has a gap here. `not_chained`: the entry is not in the chain. `head_missing`: the expected head is not in the chain, which was cut off, built again or restored from a backup.
			 * @enum {string}
			 */
			kind: "changed" | "removed" | "link_removed" | "not_chained" | "head_missing";
			sequence: number | null;
			entry_id: string | null;
		};
		/** @description A part of the audit log that was checked. */
		AuditCheck: {
			/** @description Entries that were checked, up to the problem. */
			checked: number;
			problem: components["schemas"]["AuditProblem"] | null;
			head: components["schemas"]["AuditHead"] | null;
			next_cursor: string | null;
		};
		/** @description A change with its position in the hash chain. */
		ChainedAuditEntry: {
			/** @description Its position in the hash chain, from 1, without gaps. */
			sequence: number;
			/** @description Its hash in the chain, as 64 hexadecimal digits. */
			hash: string;
			/**
			 * Format: date-time
			 * @description When it was appended to the chain.
			 */
			chained_at: string;
			/** @description The entry. */
			id: string;
			/** @description The name of the operator or token; with the admin token the `X-Actor` of the request, `admin` without one; `seed` or `worker` for the service itself. */
			actor: string;
			actor_kind: ("admin_token" | "operator" | "operator_token" | "environment_token" | "consumer_token" | "service") | null;
			credential: string | null;
			address: string | null;
			reason: string | null;
			/** @description The kind of resource and the change, such as `channel.updated`. */
			action: string;
			/**
			 * @description The kind of resource.
			 * @enum {string}
			 */
			resource_type: "plan" | "tenant" | "environment" | "token" | "consumer" | "channel" | "template" | "event_type" | "layout" | "partial" | "translation" | "replay_batch" | "erasure" | "suppression" | "stream" | "console_session" | "operator" | "operator_token" | "role" | "secrets" | "message" | "delivery_run";
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
		/** @description A page of changes in the order of the hash chain. */
		AuditExport: {
			data: components["schemas"]["ChainedAuditEntry"][];
			/** @description Whether there are more matches. */
			has_more: boolean;
			next_cursor: string | null;
		};
		/**
		 * @description Stable, for programs. The table at the top of this page lists all codes.
		 * @enum {string}
		 */
		ErrorCode: "malformed_request" | "idempotency_key_required" | "idempotency_key_invalid" | "invalid_json" | "unauthorized" | "quota_exceeded" | "payment_required" | "forbidden" | "token_scope_missing" | "portal_link_invalid" | "route_not_found" | "message_not_found" | "delivery_run_not_found" | "plan_not_found" | "tenant_not_found" | "environment_not_found" | "token_not_found" | "consumer_not_found" | "channel_not_found" | "template_not_found" | "event_type_not_found" | "layout_not_found" | "partial_not_found" | "translation_not_found" | "replay_batch_not_found" | "erasure_not_found" | "suppression_not_found" | "stream_not_found" | "console_session_not_found" | "operator_not_found" | "operator_token_not_found" | "role_not_found" | "method_not_allowed" | "request_timeout" | "idempotency_conflict" | "idempotency_in_progress" | "idempotency_key_repeated" | "batch_aborted" | "delivery_run_not_cancellable" | "already_exists" | "conflict" | "configuration_changed" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "validation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "service_unavailable";
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
		/** @enum {string} */
		OutcomeEvent: "run.succeeded" | "run.failed" | "message.completed" | "email.delivered" | "email.bounced" | "email.complained" | "email.deferred" | "recipient.unsubscribed";
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
			/**
			 * @description The form of the body.
			 * @enum {string}
			 */
			body: "standard" | "thin" | "cloudevents-structured" | "cloudevents-binary" | "template" | "slack" | "teams" | "discord" | "pagerduty";
			template: {
				[key: string]: unknown;
			} | null;
			/** @description The source of CloudEvents. */
			cloudevents_source: string;
			signature: {
				/** @description One of `standard`, `github`, `stripe`, `custom`, `none`. */
				type: string;
				/** @description The beginning of the headers of `standard`. */
				header_prefix?: string;
				/** @description The header of the signature. */
				header?: string;
				/** @description The hash of the HMAC. */
				algorithm?: string;
				/** @description `hex` or `base64`. */
				encoding?: string;
				/** @description What is signed. */
				signed_text?: string;
				/** @description The value of the header. */
				value?: string;
				/** @description A header with the time in seconds. */
				timestamp_header?: string;
				/** @description A header with the id of the delivery. */
				id_header?: string;
			} | null;
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
			/** @description The number of failed attempts below which nothing happens. */
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
		/** @description The newest attempt that ended, of the newest runs. Null for callers without `messages:read`. */
		LastReply: {
			/**
			 * Format: date-time
			 * @description When it ended.
			 */
			at: string;
			/**
			 * @description The status of the attempt.
			 * @enum {string}
			 */
			outcome: "running" | "succeeded" | "failed" | "cancelled" | "unknown";
			status_code: number | null;
			error_code: string | null;
			error_message: string | null;
			/** @description Its message. */
			message_id: string;
			/** @description Its delivery run. */
			delivery_run_id: string;
			/** @description Its number. */
			attempt: number;
		};
		/** @description The attempts of an hour. */
		AttemptsOfAnHour: {
			/**
			 * Format: date-time
			 * @description Its start (UTC).
			 */
			start: string;
			/** @description Attempts that succeeded. */
			succeeded: number;
			/** @description Attempts that failed, or whose outcome is unknown. */
			failed: number;
		};
		/** @description The state of the channel, and what it has done lately: docs/specification.md, "Channel health". */
		ChannelState: {
			/**
			 * @description `failing`: three failures in a row, or one and no success in a day. `paused`: its runs are held; `probing`: one of them tests it. `blocked`: it has ordering keys that wait for somebody. `no_traffic`: no attempt yet.
			 * @enum {string}
			 */
			code: "failing" | "paused" | "probing" | "blocked" | "working" | "no_traffic" | "disabled";
			since: string | null;
			reason: ("failures" | "timeouts" | "gone" | "manual" | "receiver") | null;
			next_probe_at: string | null;
			/** @description Its blocked ordering keys, counted up to 1,000, and up to 50,000 for a page of channels. */
			blocked_keys: number;
			last_reply: components["schemas"]["LastReply"] | null;
			success_rate: number | null;
			/** @description The last 24 hours, oldest first; the last one is running. Empty for a new channel. A few seconds behind. */
			hours: components["schemas"]["AttemptsOfAnHour"][];
		};
		/** @description The health of the channel: docs/specification.md, "Channel health". */
		ChannelHealth: {
			/**
			 * @description Runs of a `paused` channel are held.
			 * @enum {string}
			 */
			state: "ok" | "failing" | "paused";
			reason: ("failures" | "timeouts" | "gone" | "manual" | "receiver") | null;
			failing_since: string | null;
			next_probe_at: string | null;
			last_success_at: string | null;
			/** @description Held runs, counted up to 10,000. */
			waiting: number;
		};
		/** @description The names of the stored credentials, such as `senders/smtp/password`: their paths in the config. Their values are never shown. */
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
			access_key_id: string | null;
			aws_role: string | null;
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
			access_key_id: string | null;
			aws_role: string | null;
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
		/** @description A request to post on your machine. */
		DeliveryToPost: {
			/** @description Identifies this delivery when you report the response. */
			id: string;
			/** @description Its headers, with the signature. */
			headers: {
				[key: string]: string;
			};
			/** @description The body. */
			body: string;
			/** @description A later response is refused. */
			timeout_ms: number;
		};
		TemplateAttachment: {
			/** @description The path of the base64 file in the event, such as `payload.invoice.pdf`. If its value is null, the mail has no such file; if it is missing, the delivery fails. */
			content: string;
			/** @description Liquid. */
			filename: string;
			/** @description For example `application/pdf`, or `text/calendar; method=REQUEST; charset=utf-8`. Types that mail programs block, such as executables, are refused, and so are the parameters `name` and `boundary`. */
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
		/** @description A secret that is stored, and not in the document. */
		ConfiguredSecret: {
			/**
			 * @description What it is.
			 * @enum {string}
			 */
			kind: "settings" | "event_type" | "partial" | "layout" | "translation" | "template" | "channel" | "plan" | "role";
			/** @description Its name, for a template event key and kind, for a channel kind and name; empty for the settings. */
			key: string;
			/** @description A JSON Pointer to it in the item. */
			path: string;
		};
		/** @description Resources that cannot be told apart. */
		LeftOutResource: {
			/**
			 * @description What it is.
			 * @enum {string}
			 */
			kind: "settings" | "event_type" | "partial" | "layout" | "translation" | "template" | "channel" | "plan" | "role";
			/** @description Its name, for a template event key and kind, for a channel kind and name; empty for the settings. */
			key: string;
			/** @description Why. */
			reason: string;
		};
		/** @description A field that differs. The values of a secret are null. */
		ChangedConfigurationField: {
			/** @description A JSON Pointer into the item; empty for the whole of it. */
			path: string;
			/** @description What is stored; null for nothing. */
			from: unknown;
			/** @description What will be stored; null for nothing. */
			to: unknown;
			/** @description Whether it is a secret, which is never shown. */
			secret?: boolean;
		};
		/** @description A resource that the document does not have, and that stays. */
		UnmanagedResource: {
			/**
			 * @description What it is.
			 * @enum {string}
			 */
			kind: "settings" | "event_type" | "partial" | "layout" | "translation" | "template" | "channel" | "plan" | "role";
			/** @description Its name, for a template event key and kind, for a channel kind and name; empty for the settings. */
			key: string;
		};
		/** @description A rendered new version of a template. */
		TemplateCheck: {
			/**
			 * @description What it is.
			 * @enum {string}
			 */
			kind: "settings" | "event_type" | "partial" | "layout" | "translation" | "template" | "channel" | "plan" | "role";
			/** @description Its name, for a template event key and kind, for a channel kind and name; empty for the settings. */
			key: string;
			event: string | null;
			errors: {
				[key: string]: unknown;
			}[];
			warnings: components["schemas"]["TemplateWarning"][];
		};
		/** @description A signing secret that the service made. Only this response contains it. */
		NewSigningSecret: {
			/**
			 * @description What it is.
			 * @enum {string}
			 */
			kind: "settings" | "event_type" | "partial" | "layout" | "translation" | "template" | "channel" | "plan" | "role";
			/** @description Its name, for a template event key and kind, for a channel kind and name; empty for the settings. */
			key: string;
			/** @description The id of the channel. */
			id: string;
			/** @description `whsec_…` */
			secret: string;
		};
		/** @description The last apply. */
		LastAppliedConfiguration: {
			at: string | null;
			/** @description Who. */
			actor: string;
			request_id: string | null;
			hash: string | null;
		};
		/** @description A resource that was created, changed or deleted since. */
		DriftedResource: {
			/**
			 * @description What happened to it.
			 * @enum {string}
			 */
			action: "create" | "update" | "delete";
			/**
			 * @description What it is.
			 * @enum {string}
			 */
			kind: "settings" | "event_type" | "partial" | "layout" | "translation" | "template" | "channel" | "plan" | "role";
			/** @description Its name, for a template event key and kind, for a channel kind and name; empty for the settings. */
			key: string;
			id: string | null;
		};
		/** @description A channel in the state `failing`. */
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
			reason: ("failures" | "timeouts" | "gone" | "manual" | "receiver") | null;
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
			/** @description Due delivery runs, counted up to 1,000 for each channel and 10,000 in all, or up to 100 in the report of all environments. */
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
			 * @description The kind of the channel.
			 * @enum {string}
			 */
			kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			/** @description How many of them it has. */
			blocked_keys: number;
		};
		/** @description For an address: how many of its messages failed, of those in `results`. */
		MessagesOfAnAddress: {
			/** @description Messages. */
			messages: number;
			/** @description Those that failed, or reached only some channels. */
			failed: number;
			/** @description Whether there are more messages. */
			is_lower_bound: boolean;
		};
		/** @description The given filter, with `created_before` no later than the creation. */
		GivenMessageFilter: {
			/** @description Stable name of the event: two or more parts separated by dots. */
			event_key?: string;
			/** @description The consumer that the event named. */
			consumer?: string;
			/**
			 * @description The message’s status.
			 * @enum {string}
			 */
			status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
			/**
			 * Format: email
			 * @description This address, ignoring case. Requires `messages:content`.
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
			/**
			 * Format: date-time
			 * @description Only runs that ended at this time or later, such as those that failed.
			 */
			run_ended_after?: string;
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
			/** @description The consumer that the event is for: its channels take the event, too. An unknown one is refused, or created if the environment says so (`unknown_consumers`). */
			consumer?: string;
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
			 * @description What happens to an event that names an unknown consumer: `refuse` answers 422 `unknown_consumer`; `create` creates it.
			 * @default refuse
			 * @enum {string}
			 */
			unknown_consumers?: "refuse" | "create";
			/**
			 * @description Whether channels must have https URLs. Cannot be set while one has an http URL.
			 * @default false
			 */
			https_only?: boolean;
			/**
			 * @description The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing it creates new versions of the active templates.
			 * @default en
			 */
			default_locale?: string;
			/**
			 * @description The number of consecutive temporary bounces that suppress an address for a while; 0: never.
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
			 * @description The share of a day’s email with complaints at which a stream is paused, such as 0.003. Null: never.
			 * @default null
			 */
			pause_streams_at_complaint_rate?: number | null;
			/** @description The names of streams for recipients, by stream and language, such as `{"news": {"en": "Newsletter"}}`. The pages of unsubscribe links show them. */
			stream_names?: {
				[key: string]: {
					[key: string]: string;
				};
			};
			/**
			 * @description The outcomes of deliveries, such as `run.succeeded`, that operational channels get besides the events about the service. Each adds a row per delivery.
			 * @default []
			 */
			outcome_events?: components["schemas"]["OutcomeEvent"][];
			/** @description The portal of consumers: how it looks, its language, and the origins of the pages that may frame it. A session can choose another look. */
			portal?: {
				/**
				 * @description Exact origins, such as `https://app.example.com`, whose pages may frame it; http only on localhost. None by default.
				 * @default []
				 */
				origins?: string[];
				/**
				 * @description How it looks. Null: as the page chooses.
				 * @default null
				 */
				theme?: {
					/**
					 * @description `auto`: as the browser.
					 * @enum {string}
					 */
					mode?: "auto" | "light" | "dark";
					/** @description The colour of buttons and links. */
					accent?: string | null;
					/** @description The colour behind the page. */
					background?: string | null;
					/** @description The radius of corners, in CSS pixels. */
					radius?: number | null;
					/** @description An https URL. */
					logo_url?: string | null;
				} | null;
				/**
				 * @description A language tag, reduced to one of en, de, es, fr (else `en`). Null: that of the browser.
				 * @default null
				 */
				locale?: string | null;
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
			/**
			 * @description What happens to an event that names an unknown consumer: `refuse` answers 422 `unknown_consumer`; `create` creates it.
			 * @enum {string|null}
			 */
			unknown_consumers?: "refuse" | "create" | null;
			/** @description Whether channels must have https URLs. Cannot be set while one has an http URL. */
			https_only?: boolean | null;
			/** @description The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing it creates new versions of the active templates. */
			default_locale?: string | null;
			/** @description The number of consecutive temporary bounces that suppress an address for a while; 0: never. */
			soft_bounce_limit?: number | null;
			/** @description The number of days within which they count. */
			soft_bounce_days?: number | null;
			/** @description For how many days the address is then suppressed. */
			soft_bounce_pause_days?: number | null;
			/** @description The share of a day’s email with complaints at which a stream is paused, such as 0.003. Null: never. */
			pause_streams_at_complaint_rate?: number | null;
			/** @description The names of streams for recipients, by stream and language, such as `{"news": {"en": "Newsletter"}}`. The pages of unsubscribe links show them. */
			stream_names?: {
				[key: string]: {
					[key: string]: string | null;
				} | null;
			} | null;
			/** @description The outcomes of deliveries, such as `run.succeeded`, that operational channels get besides the events about the service. Each adds a row per delivery. */
			outcome_events?: components["schemas"]["OutcomeEvent"][] | null;
			/** @description The portal of consumers: how it looks, its language, and the origins of the pages that may frame it. A session can choose another look. */
			portal?: {
				/** @description Exact origins, such as `https://app.example.com`, whose pages may frame it; http only on localhost. None by default. */
				origins?: string[] | null;
				/** @description How it looks. Null: as the page chooses. */
				theme?: {
					/**
					 * @description `auto`: as the browser.
					 * @enum {string}
					 */
					mode?: "auto" | "light" | "dark";
					/** @description The colour of buttons and links. */
					accent?: string | null;
					/** @description The colour behind the page. */
					background?: string | null;
					/** @description The radius of corners, in CSS pixels. */
					radius?: number | null;
					/** @description An https URL. */
					logo_url?: string | null;
				} | null;
				/** @description A language tag, reduced to one of en, de, es, fr (else `en`). Null: that of the browser. */
				locale?: string | null;
			} | null;
		};
		/** @enum {string} */
		TokenScope: "events:write" | "messages:read" | "messages:content" | "replays:write" | "deliveries:cancel" | "channels:read" | "channels:write" | "consumers:read" | "consumers:write" | "portal-sessions:write" | "event-types:read" | "event-types:write" | "templates:read" | "templates:write" | "suppressions:read" | "suppressions:write" | "usage:read" | "ignore_suppression";
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
			 * @description The consumer that the token is bound to: it sees and changes only its own channels and deliveries, with the scopes `channels:read`, `channels:write`, `event-types:read`, `messages:read`, `messages:content`, `replays:write`, `deliveries:cancel`, `consumers:read`, which it has by default. It ends with the consumer.
			 * @default null
			 */
			consumer?: string | null;
			/**
			 * @description What the token may do. Without a scope of the form `area:action` it has the default ones. Every action of an area includes its `read`.
			 *
			 *     - `events:write`: send events
			 *     - `messages:read`: find messages and their deliveries, with recipients masked and without content
			 *     - `messages:content`: see recipients, payloads and what was sent
			 *     - `replays:write`: replay messages, one by one and in bulk
			 *     - `deliveries:cancel`: cancel and reschedule deliveries
			 *     - `channels:read`: see channels, their health and what needs attention
			 *     - `channels:write`: create, change, test, pause and resume channels
			 *     - `consumers:read`: see consumers
			 *     - `consumers:write`: create, change and delete consumers
			 *     - `portal-sessions:write`: open the portal of a consumer with some of its own scopes
			 *     - `event-types:read`: see event types
			 *     - `event-types:write`: change event types
			 *     - `templates:read`: see templates, layouts, partials and translations
			 *     - `templates:write`: create and activate templates, layouts, partials and translations
			 *     - `suppressions:read`: see the suppression list
			 *     - `suppressions:write`: change the suppression list
			 *     - `usage:read`: see usage, limits and figures
			 *     - `ignore_suppression`: send email to addresses on the suppression list
			 * @default [
			 *       "events:write",
			 *       "messages:read",
			 *       "messages:content",
			 *       "replays:write",
			 *       "deliveries:cancel",
			 *       "usage:read"
			 *     ]
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
			/** @description The number of failed attempts below which nothing happens. */
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
		/**
		 * @description The form of the body. `standard`: the active template of the event, or the default body. `thin`: that body with ids only. `cloudevents-structured`, `cloudevents-binary`: CloudEvents 1.0 with the payload as its data. `template`: `template`, or the template of the event. `slack`, `teams`, `discord`, `pagerduty`: a message with event key and payload for these services; PagerDuty needs its key in the secret header `X-Routing-Key`.
		 * @default standard
		 * @enum {string}
		 */
		WebhookBody: "standard" | "thin" | "cloudevents-structured" | "cloudevents-binary" | "template" | "slack" | "teams" | "discord" | "pagerduty";
		/** @description Configuration of the webhook. */
		NewWebhookChannelConfig: {
			/** @description An http or https URL without user name, password and fragment. Operators see it unchanged; the audit log stores it without query values and without path segments that could be a token. Whether its address may be called is checked at each attempt, when the name is resolved: private addresses are refused with `webhook_address_blocked`. A URL of `listen://` and a name delivers to `postrider listen`. */
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
				 * @description `basic` has `username` and `password` (RFC 7617), `bearer` a `token` (RFC 6750). `oauth2` gets tokens with the client credentials grant (RFC 6749 section 4.4) with `token_url`, `client_id` and `client_secret`.
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
				 * @description Its private key (PEM), without a passphrase. RSA: at most 4,096 bits. Stored encrypted and never shown; must be given with each new certificate.
				 * @default null
				 */
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
			body?: components["schemas"]["WebhookBody"];
			/**
			 * @description A JSON document of the channel whose strings are Liquid, as the body of a template; at most 16,384 characters. It replaces the body, or the data of a CloudEvent. Not for `standard` and `thin`.
			 * @default null
			 */
			template?: {
				[key: string]: unknown;
			} | null;
			/**
			 * @description The `source` of CloudEvents and of PagerDuty events: a URI reference.
			 * @default postrider
			 */
			cloudevents_source?: string;
			/**
			 * @description How each request is signed; null is `standard`.
			 * @default null
			 */
			signature?: {
				/**
				 * @description `standard`: Standard Webhooks. `github`: `X-Hub-Signature-256`. `stripe`: `Stripe-Signature`. `custom`: an HMAC in a header of your choice. All but `standard` use the whole secret as text, with `whsec_`.
				 * @enum {string}
				 */
				type: "standard" | "github" | "stripe" | "custom" | "none";
				/** @description Signs instead of the generated secret, so that receivers keep theirs. Stored encrypted and never shown; a PATCH that leaves it out keeps it, null removes it. `standard` needs one of the form `whsec_` and base64. */
				secret?: string | null;
				/** @description For `standard`: `svix-` sends `svix-id`, `svix-timestamp` and `svix-signature`. By default `webhook-`. */
				header_prefix?: string | null;
				/** @description The header of the signature, for `github`, `stripe` and `custom`. `custom` needs one. */
				header?: string | null;
				/**
				 * @description For `custom`: the hash of the HMAC; by default `sha256`.
				 * @enum {string|null}
				 */
				algorithm?: "sha256" | "sha512" | "sha1" | null;
				/**
				 * @description For `custom`: by default `hex`.
				 * @enum {string|null}
				 */
				encoding?: "hex" | "base64" | null;
				/** @description For `custom`: what is signed, with `{body}` and, if wanted, `{id}` and `{timestamp}`; by default `{body}`. */
				signed_text?: string | null;
				/** @description For `custom`: the value of the header, such as `t={timestamp},v1={signature}`; by default `{signature}`. */
				value?: string | null;
				/** @description For `custom`: a header with the time in seconds. */
				timestamp_header?: string | null;
				/** @description For `custom`: a header with the id of the delivery. */
				id_header?: string | null;
			} | null;
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
			 * @description The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested.
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
			 * @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, across all workers; null means unlimited.
			 * @default null
			 */
			max_in_flight?: number | null;
			config: components["schemas"]["NewWebhookChannelConfig"];
		};
		NewSmtpSender: {
			/** @description A host name or address. Private addresses are refused; if a name resolves to one, the attempt fails with `smtp_connection_failed`. */
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
				/** @description Gets tokens with the refresh token grant (RFC 6749 section 6), instead of the client credentials grant. Stored and given again as `client_secret`; null removes it. */
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
			 * @description Its private key (PEM), without a passphrase. RSA: at most 4,096 bits. Stored encrypted and never shown; must be given with each new certificate.
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
					/** @description The selector of this key; it must differ from that of the RSA key. */
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
			/**
			 * @description The access key of an IAM user that may call `ses:SendEmail`. Required unless `aws_role` is given.
			 * @default null
			 */
			access_key_id?: string | null;
			/**
			 * @description Instead of an access key, the access to AWS of the workers, which need `AWS_KEYLESS`: `worker` for their own role, or the ARN of a role that they assume with the id of the environment as external id. Only operators with `keyless:write` can set it, and change the config of a channel that has it.
			 * @default null
			 */
			aws_role?: string | null;
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
			 * @description `safe` tries the next sender only if the mail was certainly not accepted. `eager` also does so when the outcome is unknown, so a mail may be sent twice.
			 * @default safe
			 * @enum {string|null}
			 */
			failover?: "safe" | "eager" | null;
			from: {
				/**
				 * Format: email
				 * @description One bare address; also the return path, unless SMTP settings have `return_path`. An internationalised domain is stored in its `xn--` form.
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
			 * @description The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested.
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
			 * @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, across all workers; null means unlimited.
			 * @default null
			 */
			max_in_flight?: number | null;
			config: components["schemas"]["NewEmailChannelConfig"];
		};
		/** @description Where events are published. */
		NewAmqpChannelConfig: {
			/** @description A host name or address of a broker that speaks AMQP 0-9-1. Private addresses are refused; if a name resolves to one, the attempt fails with `amqp_connection_failed`. */
			host: string;
			/**
			 * @description Default: 5671, or 5672 without TLS.
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
			 * @description Its private key (PEM), without a passphrase. RSA: at most 4,096 bits. Stored encrypted and never shown; must be given with each new certificate.
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
			 * @description The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested.
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
			 * @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, across all workers; null means unlimited.
			 * @default null
			 */
			max_in_flight?: number | null;
			config: components["schemas"]["NewAmqpChannelConfig"];
		};
		/** @description The queue to which events are sent. */
		NewSqsChannelConfig: {
			/** @description The URL of the queue: https, or http on this machine. That of a FIFO queue ends with `.fifo`. Private addresses are refused; if a name resolves to one, the attempt fails with `sqs_connection_failed`. */
			queue_url: string;
			/**
			 * @description The AWS region. If left out, it is taken from the URL, which must then be a public one.
			 * @default null
			 */
			region?: string | null;
			/**
			 * @description The access key of an IAM user that may call `sqs:SendMessage` on the queue; required unless `aws_role` is given.
			 * @default null
			 */
			access_key_id?: string | null;
			/** @description Its secret. Stored encrypted and never shown. In a PATCH: if left out, it stays; it must be given again when `access_key_id` or the host of `queue_url` changes. */
			secret_access_key?: string;
			/** @description The session token of a temporary access key. Stored encrypted and never shown. In a PATCH: if left out, it stays, and is removed when `access_key_id` or the host of `queue_url` changes. Replace it before it expires. */
			session_token?: string | null;
			/**
			 * @description Instead of an access key, the access to AWS of the workers, which need `AWS_KEYLESS`: `worker` for their own role, or the ARN of a role that they assume with the id of the environment as external id. Only operators with `keyless:write` can set it, and change the config of a channel that has it.
			 * @default null
			 */
			aws_role?: string | null;
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
			 * @description The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested.
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
			 * @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, across all workers; null means unlimited.
			 * @default null
			 */
			max_in_flight?: number | null;
			config: components["schemas"]["NewSqsChannelConfig"];
		};
		/** @description The topic to which events are written. */
		NewKafkaChannelConfig: {
			/** @description Brokers of the cluster as `host:port`. The first that responds reports the others. Private addresses are refused; if a name or the cluster's metadata leads to one, the attempt fails with `kafka_connection_failed`. */
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
			 * @description Its private key (PEM), without a passphrase. RSA: at most 4,096 bits. Stored encrypted and never shown; must be given with each new certificate.
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
			 * @description The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested.
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
			 * @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due.
			 * @default null
			 */
			max_per_second?: number | null;
			/**
			 * @description The most attempts that are open at the same time, across all workers; null means unlimited.
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
			/** @description The number of failed attempts below which nothing happens. */
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
			 * @description The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested.
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
			/** @description The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due. */
			max_per_second?: number | null;
			/** @description The most attempts that are open at the same time, across all workers; null means unlimited. */
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
		PreviewChannelRequest: {
			/** @description Fields of the config of the channel’s kind, as in its creation; null removes one. */
			config?: {
				[key: string]: unknown;
			};
		};
		RetryBlockedKeyRequest: {
			/** @description The `ordering_key` of the events. */
			ordering_key: string;
		};
		ListenToChannelRequest: {
			/**
			 * @description How long to wait for a delivery.
			 * @default 20
			 */
			wait_seconds?: number;
		};
		/** @description Either the response, with `status`, or `error`. */
		AnswerDeliveryRequest: {
			/** @description `id` of the delivery. */
			id: string;
			/** @description The status of the response. */
			status?: number;
			/** @description Its headers, with names in lower case. */
			headers?: {
				[key: string]: string;
			};
			/** @description The beginning of its body. */
			body?: string;
			/** @description The code of the error, such as `ECONNREFUSED`, if there was no response. */
			error?: string;
			/**
			 * @description Whether the receiver may have received the request anyway.
			 * @default false
			 */
			connected?: boolean;
		};
		/** @enum {string} */
		ConsumerChannelKind: "webhook" | "email" | "amqp" | "sqs" | "kafka";
		PutConsumerRequest: {
			/**
			 * @description Its name.
			 * @default null
			 */
			name?: string | null;
			/** @description Data that channel filters can compare, as `consumer.attributes`. At most 4096 characters of JSON. */
			attributes?: {
				[key: string]: unknown;
			};
			/**
			 * Format: email
			 * @description The address for notices about its channels.
			 * @default null
			 */
			contact_email?: string | null;
			/**
			 * @description Whether its channels take events. Waiting deliveries are sent in either case.
			 * @default true
			 */
			enabled?: boolean;
			/** @description Null: only the limits of the tenant apply. */
			limits?: {
				/** @description Events per month (UTC); 402 `quota_exceeded` beyond. Replays do not count. */
				events_per_month?: number | null;
				/** @description Events per second; 429 `rate_limited` beyond. */
				events_per_second?: number | null;
				/** @description Channels, at most 50. */
				channels?: number | null;
				/** @description The kinds of channel that it may have; null: all of the plan. */
				channel_kinds?: components["schemas"]["ConsumerChannelKind"][] | null;
			};
		};
		/** @enum {string} */
		ConsumerScope: "channels:read" | "channels:write" | "event-types:read" | "messages:read" | "messages:content" | "replays:write" | "deliveries:cancel" | "consumers:read";
		CreatePortalSessionRequest: {
			/** @description What the session may do: at most what the caller may do. Default: everything except `deliveries:cancel`. */
			scopes?: components["schemas"]["ConsumerScope"][];
			/**
			 * @description Until the session ends, counted from now.
			 * @default 3600
			 */
			ttl_seconds?: number;
			/**
			 * @description How it looks. Null: as the page chooses.
			 * @default null
			 */
			theme?: {
				/**
				 * @description `auto`: as the browser.
				 * @enum {string}
				 */
				mode?: "auto" | "light" | "dark";
				/** @description The colour of buttons and links. */
				accent?: string | null;
				/** @description The colour behind the page. */
				background?: string | null;
				/** @description The radius of corners, in CSS pixels. */
				radius?: number | null;
				/** @description An https URL. */
				logo_url?: string | null;
			} | null;
			/**
			 * @description A language tag, reduced to one of en, de, es, fr (else `en`). Null: that of the browser.
			 * @default null
			 */
			locale?: string | null;
			/**
			 * @description The target of the page’s link back: an https URL, or http on localhost.
			 * @default null
			 */
			return_url?: string | null;
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
			 * @description Like `cc`, but not named in any header.
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
			 * @description Files, at most 7340032 bytes in total.
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
			 * @description Like `cc`, but not named in any header.
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
			 * @description Files, at most 7340032 bytes in total.
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
			/** @description JSON Schema 2020-12 that every payload must match, of at most 65536 characters. Patterns must be matchable in linear time (no look-around, no back-references). */
			payload_schema?: {
				[key: string]: unknown;
			} | null;
			/**
			 * @description The stream of its email, such as `newsletter`, from which recipients can unsubscribe with one click. Null: the email is transactional. Requires PUBLIC_URL. Applies to events accepted from then on.
			 * @default null
			 */
			stream?: string | null;
			/**
			 * @description JSON Pointers to business ids in the payload, such as `/order_id`. Messages are found by their values: strings and numbers of up to 128 characters. The values are stored with the message, and removed with it or by an erasure. Applies to events accepted from then on, within seconds.
			 * @default []
			 */
			search_keys?: string[];
		};
		/** @description The configuration of an environment. Resources are found by their names, not by ids. A section that is left out is not changed. */
		ConfigurationDocument: {
			/** @description The version of the format. */
			version: number;
			/** @description The settings, as in a body of `updateEnvironment`. One that is left out gets its default. */
			settings?: {
				[key: string]: unknown;
			};
			/** @description Each item is a body of `putEventType` with `event_key`. */
			event_types?: ({
				/** @description Stable name of the event: two or more parts separated by dots. */
				event_key: string;
			} & {
				[key: string]: unknown;
			})[];
			/** @description Each item is a body of `createPartial` without `activate`. */
			partials?: ({
				name: string;
			} & {
				[key: string]: unknown;
			})[];
			/** @description Each item is a body of `createLayout` without `activate`. */
			layouts?: ({
				name: string;
			} & {
				[key: string]: unknown;
			})[];
			/** @description Each item is a body of `createTranslation` without `activate`. */
			translations?: ({
				locale: string;
			} & {
				[key: string]: unknown;
			})[];
			/** @description Each item is a body of `createTemplate` without `activate`: the active version. */
			templates?: ({
				/** @description Stable name of the event: two or more parts separated by dots. */
				event_key: string;
				/** @enum {string} */
				channel_kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
			} & {
				[key: string]: unknown;
			})[];
			/** @description Each item is a body of `createChannel`: channels that are not a consumer’s. A secret that is left out stays. */
			channels?: ({
				/** @enum {string} */
				kind: "amqp" | "email" | "kafka" | "sqs" | "webhook";
				/** @description Unique among those of its kind. */
				name: string;
			} & {
				[key: string]: unknown;
			})[];
			/** @description Each item is a body of `createPlan`. They belong to the installation. */
			plans?: ({
				code: string;
			} & {
				[key: string]: unknown;
			})[];
			/** @description Each item is a body of `createRole`. They belong to the installation. */
			roles?: ({
				code: string;
			} & {
				[key: string]: unknown;
			})[];
		};
		PlanConfigurationRequest: {
			document: components["schemas"]["ConfigurationDocument"];
			/**
			 * @description Whether resources that the document does not have are removed, in the sections that it has. Plans stay.
			 * @default false
			 */
			prune?: boolean;
		};
		ApplyConfigurationRequest: {
			document: components["schemas"]["ConfigurationDocument"];
			/**
			 * @description Whether resources that the document does not have are removed, in the sections that it has. Plans stay.
			 * @default false
			 */
			prune?: boolean;
			/** @description The `hash` of the plan. 409 `configuration_changed` if the current plan has another one. */
			hash: string;
		};
		CreateReplayBatchRequest: {
			/** @description The filter on messages; all conditions must match, and the empty object matches every message. run_status, run_ended_after, channel_id, channel_kind and error_code must match the same delivery run, which is the newest of its channel. */
			filter: {
				/** @description Stable name of the event: two or more parts separated by dots. */
				event_key?: string;
				/** @description The consumer that the event named. */
				consumer?: string;
				/**
				 * @description The message’s status.
				 * @enum {string}
				 */
				status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
				/**
				 * Format: email
				 * @description This address, ignoring case. Requires `messages:content`.
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
				/**
				 * Format: date-time
				 * @description Only runs that ended at this time or later, such as those that failed.
				 */
				run_ended_after?: string;
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
		/** @description One of `email`, `recipient_id` and `consumer`. */
		CreateErasureRequest: {
			/**
			 * Format: email
			 * @description The recipient’s address, ignoring case.
			 */
			email?: string;
			/** @description The `id` of the recipient in the events; a number as JSON writes it. */
			recipient_id?: string;
			/** @description The consumer whose messages are erased; it may be deleted already. */
			consumer?: string;
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
			 * @description The most channels to handle in this request; repeat it while `has_more` is true.
			 * @default 1000
			 */
			limit?: number;
		};
		CreateOperatorRequest: {
			/** @description Their address, by which they sign in, and their name in the audit log. It cannot be changed. */
			email: string;
			/** @description A display name. */
			name: string;
			/** @description The code of a role: `viewer`, `support`, `developer`, `admin`, or one of the installation. */
			role: string;
			/**
			 * @description The ids of the tenants that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants.
			 * @default null
			 */
			tenants?: string[] | null;
			/**
			 * @description The ids of the environments that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants.
			 * @default null
			 */
			environments?: string[] | null;
		};
		UpdateOperatorRequest: {
			/** @description A display name. */
			name?: string;
			/** @description The code of a role: `viewer`, `support`, `developer`, `admin`, or one of the installation. */
			role?: string;
			/** @description The ids of the tenants that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants. */
			tenants?: string[] | null;
			/** @description The ids of the environments that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants. */
			environments?: string[] | null;
			/** @description A disabled operator has no access, and their sessions and tokens are refused. */
			enabled?: boolean | null;
		};
		/** @enum {string} */
		Scope: "events:write" | "messages:read" | "messages:content" | "replays:write" | "deliveries:cancel" | "channels:read" | "channels:write" | "keyless:write" | "consumers:read" | "consumers:write" | "portal-sessions:write" | "event-types:read" | "event-types:write" | "templates:read" | "templates:write" | "suppressions:read" | "suppressions:write" | "usage:read" | "erasures:read" | "erasures:write" | "tokens:read" | "tokens:write" | "tenants:read" | "tenants:admin" | "audit:read" | "operators:admin" | "installation:admin";
		IssueOperatorTokenRequest: {
			/** @description Its name in the audit log: 1 to 128 visible ASCII characters. */
			name: string;
			/**
			 * @description The operator whose current rights the token has, as far as its own role, scopes and bounds allow. Only a caller with every scope can issue one. Null for a machine.
			 * @default null
			 */
			operator_id?: string | null;
			/**
			 * @description The code of a role: `viewer`, `support`, `developer`, `admin`, or one of the installation.
			 * @default null
			 */
			role?: string | null;
			/**
			 * @description What is allowed. Every action of an area includes its `read`.
			 *
			 *     - `events:write`: send events
			 *     - `messages:read`: find messages and their deliveries, with recipients masked and without content
			 *     - `messages:content`: see recipients, payloads and what was sent
			 *     - `replays:write`: replay messages, one by one and in bulk
			 *     - `deliveries:cancel`: cancel and reschedule deliveries
			 *     - `channels:read`: see channels, their health and what needs attention
			 *     - `channels:write`: create, change, test, pause and resume channels
			 *     - `keyless:write`: let channels use the installation's access to AWS, and change such channels
			 *     - `consumers:read`: see consumers
			 *     - `consumers:write`: create, change and delete consumers
			 *     - `portal-sessions:write`: open the portal of a consumer with some of its own scopes
			 *     - `event-types:read`: see event types
			 *     - `event-types:write`: change event types
			 *     - `templates:read`: see templates, layouts, partials and translations
			 *     - `templates:write`: create and activate templates, layouts, partials and translations
			 *     - `suppressions:read`: see the suppression list
			 *     - `suppressions:write`: change the suppression list
			 *     - `usage:read`: see usage, limits and figures
			 *     - `erasures:read`: see erasures of recipients
			 *     - `erasures:write`: erase recipients
			 *     - `tokens:read`: see the tokens of environments
			 *     - `tokens:write`: issue, rotate and revoke tokens of environments
			 *     - `tenants:read`: see plans, tenants and environments
			 *     - `tenants:admin`: create and change plans, tenants and environments
			 *     - `audit:read`: read the audit log
			 *     - `operators:admin`: manage operators, their tokens and sessions, and roles
			 *     - `installation:admin`: see and re-encrypt the secrets of the installation
			 * @default null
			 */
			scopes?: components["schemas"]["Scope"][] | null;
			/**
			 * @description The ids of the tenants that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants.
			 * @default null
			 */
			tenants?: string[] | null;
			/**
			 * @description The ids of the environments that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants.
			 * @default null
			 */
			environments?: string[] | null;
			/**
			 * Format: date-time
			 * @description The token is refused from this time on; an RFC 3339 time in the future. Null means never.
			 * @default null
			 */
			expires_at?: string | null;
		};
		CreateRoleRequest: {
			/** @description Stable name that operators and tokens refer to; it cannot be changed. */
			code: string;
			/** @description A display name. */
			name: string;
			/**
			 * @description What is allowed. Every action of an area includes its `read`.
			 *
			 *     - `events:write`: send events
			 *     - `messages:read`: find messages and their deliveries, with recipients masked and without content
			 *     - `messages:content`: see recipients, payloads and what was sent
			 *     - `replays:write`: replay messages, one by one and in bulk
			 *     - `deliveries:cancel`: cancel and reschedule deliveries
			 *     - `channels:read`: see channels, their health and what needs attention
			 *     - `channels:write`: create, change, test, pause and resume channels
			 *     - `keyless:write`: let channels use the installation's access to AWS, and change such channels
			 *     - `consumers:read`: see consumers
			 *     - `consumers:write`: create, change and delete consumers
			 *     - `portal-sessions:write`: open the portal of a consumer with some of its own scopes
			 *     - `event-types:read`: see event types
			 *     - `event-types:write`: change event types
			 *     - `templates:read`: see templates, layouts, partials and translations
			 *     - `templates:write`: create and activate templates, layouts, partials and translations
			 *     - `suppressions:read`: see the suppression list
			 *     - `suppressions:write`: change the suppression list
			 *     - `usage:read`: see usage, limits and figures
			 *     - `erasures:read`: see erasures of recipients
			 *     - `erasures:write`: erase recipients
			 *     - `tokens:read`: see the tokens of environments
			 *     - `tokens:write`: issue, rotate and revoke tokens of environments
			 *     - `tenants:read`: see plans, tenants and environments
			 *     - `tenants:admin`: create and change plans, tenants and environments
			 *     - `audit:read`: read the audit log
			 *     - `operators:admin`: manage operators, their tokens and sessions, and roles
			 *     - `installation:admin`: see and re-encrypt the secrets of the installation
			 */
			scopes: components["schemas"]["Scope"][];
		};
		UpdateRoleRequest: {
			/** @description A display name. */
			name?: string;
			/**
			 * @description What is allowed. Every action of an area includes its `read`.
			 *
			 *     - `events:write`: send events
			 *     - `messages:read`: find messages and their deliveries, with recipients masked and without content
			 *     - `messages:content`: see recipients, payloads and what was sent
			 *     - `replays:write`: replay messages, one by one and in bulk
			 *     - `deliveries:cancel`: cancel and reschedule deliveries
			 *     - `channels:read`: see channels, their health and what needs attention
			 *     - `channels:write`: create, change, test, pause and resume channels
			 *     - `keyless:write`: let channels use the installation's access to AWS, and change such channels
			 *     - `consumers:read`: see consumers
			 *     - `consumers:write`: create, change and delete consumers
			 *     - `portal-sessions:write`: open the portal of a consumer with some of its own scopes
			 *     - `event-types:read`: see event types
			 *     - `event-types:write`: change event types
			 *     - `templates:read`: see templates, layouts, partials and translations
			 *     - `templates:write`: create and activate templates, layouts, partials and translations
			 *     - `suppressions:read`: see the suppression list
			 *     - `suppressions:write`: change the suppression list
			 *     - `usage:read`: see usage, limits and figures
			 *     - `erasures:read`: see erasures of recipients
			 *     - `erasures:write`: erase recipients
			 *     - `tokens:read`: see the tokens of environments
			 *     - `tokens:write`: issue, rotate and revoke tokens of environments
			 *     - `tenants:read`: see plans, tenants and environments
			 *     - `tenants:admin`: create and change plans, tenants and environments
			 *     - `audit:read`: read the audit log
			 *     - `operators:admin`: manage operators, their tokens and sessions, and roles
			 *     - `installation:admin`: see and re-encrypt the secrets of the installation
			 */
			scopes?: components["schemas"]["Scope"][];
		};
		CreateConsoleLinkRequest: {
			/**
			 * @description The operator whose session it opens; by default the caller’s own, or one of the admin token.
			 * @default null
			 */
			operator_id?: string | null;
		};
	};
	responses: never;
	parameters: {
		MessageIdParameter: string;
		/** @description The `next_cursor` of the previous page, with the same filters. */
		CursorParameter: string;
		IdempotencyKeyParameter: string;
		DeliveryRunIdParameter: string;
		/** @description Entries per page. */
		LimitParameter: number;
		CodeParameter: string;
		TenantIdParameter: string;
		EnvironmentIdParameter: string;
		TokenIdParameter: string;
		ChannelIdParameter: string;
		ConsumerParameter: string;
		/** @description `state`: failing, paused and blocked channels first. Default: newest first. With `state`, a channel whose state changes between two pages can be missing or repeated; others cannot. */
		OrderParameter: "newest" | "state";
		TemplateIdParameter: string;
		/** @description Only active versions (`true`), or only inactive ones (`false`). */
		ActiveParameter: boolean;
		LayoutIdParameter: string;
		/** @description Only versions with this name. */
		NameParameter: string;
		PartialIdParameter: string;
		TranslationIdParameter: string;
		EventKeyParameter: string;
		/** @description The fields of each message, separated by commas. Default: all. Without `payload` and `recipient` pages are small and are read faster. */
		FieldsParameter: string;
		/** @description The run’s channel. */
		ChannelIdFilterParameter: string;
		/** @description `channels` adds which channels took the event, and why the others did not. */
		ExplainParameter: "channels";
		/** @description An id, an address, a business id, or the beginning of one or of a name. */
		QParameter: string;
		ReplayIdParameter: string;
		OperatorIdParameter: string;
		RoleCodeParameter: string;
		ConsoleSessionIdParameter: string;
		/** @description The number of the attempt; the newest by default. */
		AttemptParameter: number;
		/** @description The first interval contains this time. Default: 24 hours or 60 minutes ago. */
		FromParameter: string;
		/** @description The last interval ends at or after this time. Default: now. */
		ToParameter: string;
		/** @description The length of each bucket; at most 1500 buckets. */
		IntervalParameter: "minute" | "hour";
		/** @description Adds groups to each interval. `stream`: the current stream of the event key. `sender`: the sender of the email channel that sent the mail. */
		GroupByParameter: "channel" | "channel_kind" | "sender" | "event_key" | "stream" | "error_code";
		LastEventIDParameter: string;
		/** @description Only channels that are failing, paused, probing or blocked, in that order. Includes up to 1,000 channels of consumers in each state. */
		NeedsActionParameter: "true" | "false";
		/** @description Only attempts with this status. */
		OutcomeParameter: "running" | "succeeded" | "failed" | "cancelled" | "unknown";
		/** @description Only attempts with this error. */
		ErrorCodeParameter: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_sender_refused" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "email_connection_failed" | "email_auth_failed" | "email_temporary_rejection" | "email_permanent_rejection" | "email_outcome_unknown" | "email_not_composed" | "amqp_connection_failed" | "amqp_auth_failed" | "amqp_rejected" | "amqp_outcome_unknown" | "sqs_connection_failed" | "sqs_auth_failed" | "sqs_rejected" | "sqs_outcome_unknown" | "kafka_connection_failed" | "kafka_auth_failed" | "kafka_rejected" | "kafka_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
		/** @description Only attempts that began at this time or later. */
		StartedAfterParameter: string;
		/** @description The beginning of an id, or of a name, ignoring case. Only the first 1,000 names are searched. */
		SearchParameter: string;
		/** @description Only runs with this status. */
		StatusParameter: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
		/** @description Only versions for this channel kind. */
		ChannelKindParameter: "amqp" | "email" | "kafka" | "sqs" | "webhook";
		/** @description Only versions that use this layout, partial or translation, in any of its versions, directly or through another part, such as `layout:main`. */
		PartParameter: string;
		/** @description Only versions with this locale. */
		LocaleParameter: string;
		/** @description Exactly this address, ignoring case. */
		EmailParameter: string;
		SuppressionIdParameter: string;
	};
	requestBodies: never;
	headers: never;
	pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
	createEvent: {
		parameters: {
			header: {
				"Idempotency-Key": string;
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateEventRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Accepted"];
				};
			};
		};
	};
	preflightEvents: {
		responses: {
			204: {
			};
		};
	};
	createEvents: {
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateEventsRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["EventResults"];
				};
			};
		};
	};
	listMessages: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description The fields of each message, separated by commas. Default: all. Without `payload` and `recipient` pages are small and are read faster. */
				fields?: components["parameters"]["FieldsParameter"];
				/** @description Only messages with this event key. */
				event_key?: string;
				/** @description Only messages of this consumer. */
				consumer?: string;
				/** @description Only messages with this status. */
				status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
				/** @description Only messages to this address, ignoring case. Requires `messages:content`. */
				recipient_email?: string;
				/** @description Only messages accepted at this time or later. */
				created_after?: string;
				/** @description Only messages accepted before this time. */
				created_before?: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["MessageList"];
				};
			};
		};
	};
	getMessage: {
		parameters: {
			query?: {
				/** @description `channels` adds which channels took the event, and why the others did not. */
				explain?: components["parameters"]["ExplainParameter"];
			};
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Message"];
				};
			};
		};
	};
	rescheduleMessage: {
		parameters: {
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RescheduleMessageRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["RescheduledMessage"];
				};
			};
		};
	};
	getMessageDeliveries: {
		parameters: {
			query?: {
				/** @description Delivery runs per page. */
				limit?: number;
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Deliveries"];
				};
			};
		};
	};
	replayMessage: {
		parameters: {
			header?: {
				"Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
			};
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["ReplayMessageRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Replayed"];
				};
			};
		};
	};
	replayConsumerDelivery: {
		parameters: {
			header?: {
				"Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
			};
			path: {
				consumer: components["parameters"]["ConsumerParameter"];
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Replayed"];
				};
			};
		};
	};
	cancelMessage: {
		parameters: {
			path: {
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CancelMessageRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["CancelledMessage"];
				};
			};
		};
	};
	cancelDeliveryRun: {
		parameters: {
			header?: {
				"Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
			};
			path: {
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CancelDeliveryRunRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["DeliveryRun"];
				};
			};
		};
	};
	getDeliveryContent: {
		parameters: {
			query?: {
				/** @description The number of the attempt; the newest by default. */
				attempt?: components["parameters"]["AttemptParameter"];
			};
			path: {
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["SentContent"];
				};
			};
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
				/** @description Adds groups to each interval. `stream`: the current stream of the event key. `sender`: the sender of the email channel that sent the mail. */
				group_by?: components["parameters"]["GroupByParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Stats"];
				};
			};
		};
	};
	stream: {
		parameters: {
			header?: {
				"Last-Event-ID"?: components["parameters"]["LastEventIDParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"text/event-stream": components["schemas"]["StreamEvent"];
				};
			};
		};
	};
	getCurrentUsage: {
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Usage"];
				};
			};
		};
	};
	getLimits: {
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Limits"];
				};
			};
		};
	};
	listPlans: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["PlanList"];
				};
			};
		};
	};
	createPlan: {
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreatePlanRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Plan"];
				};
			};
		};
	};
	getPlan: {
		parameters: {
			path: {
				code: components["parameters"]["CodeParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Plan"];
				};
			};
		};
	};
	updatePlan: {
		parameters: {
			path: {
				code: components["parameters"]["CodeParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdatePlanRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Plan"];
				};
			};
		};
	};
	listTenants: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["TenantList"];
				};
			};
		};
	};
	createTenant: {
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateTenantRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Tenant"];
				};
			};
		};
	};
	getTenant: {
		parameters: {
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Tenant"];
				};
			};
		};
	};
	updateTenant: {
		parameters: {
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdateTenantRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Tenant"];
				};
			};
		};
	};
	getTenantUsage: {
		parameters: {
			query?: {
				/** @description The number of months. */
				months?: number;
			};
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["UsageHistory"];
				};
			};
		};
	};
	listEnvironments: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["EnvironmentList"];
				};
			};
		};
	};
	createEnvironment: {
		parameters: {
			path: {
				tenantId: components["parameters"]["TenantIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateEnvironmentRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Environment"];
				};
			};
		};
	};
	getEnvironment: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Environment"];
				};
			};
		};
	};
	updateEnvironment: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdateEnvironmentRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Environment"];
				};
			};
		};
	};
	listTokens: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["TokenList"];
				};
			};
		};
	};
	issueToken: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["IssueTokenRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["IssuedToken"];
				};
			};
		};
	};
	rotateToken: {
		parameters: {
			path: {
				tokenId: components["parameters"]["TokenIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["RotateTokenRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["RotatedToken"];
				};
			};
		};
	};
	revokeToken: {
		parameters: {
			path: {
				tokenId: components["parameters"]["TokenIdParameter"];
			};
		};
		responses: {
			204: {
			};
		};
	};
	listChannels: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description `state`: failing, paused and blocked channels first. Default: newest first. With `state`, a channel whose state changes between two pages can be missing or repeated; others cannot. */
				order?: components["parameters"]["OrderParameter"];
				/** @description Only channels that are failing, paused, probing or blocked, in that order. Includes up to 1,000 channels of consumers in each state. */
				needs_action?: components["parameters"]["NeedsActionParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConfiguredChannelList"];
				};
			};
		};
	};
	createChannel: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateChannelRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["ChannelWithSecret"];
				};
			};
		};
	};
	getChannel: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConfiguredChannel"];
				};
			};
		};
	};
	deleteChannel: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		responses: {
			204: {
			};
		};
	};
	updateChannel: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdateChannelRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConfiguredChannel"];
				};
			};
		};
	};
	rotateChannelSecret: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["RotateChannelSecretRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChannelWithSecret"];
				};
			};
		};
	};
	rotateChannelFeedbackToken: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["FeedbackToken"];
				};
			};
		};
	};
	testChannel: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["TestChannelRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Accepted"];
				};
			};
		};
	};
	testChannelFilter: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TestChannelFilterRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["FilterTest"];
				};
			};
		};
	};
	previewChannel: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["PreviewChannelRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChannelPreview"];
				};
			};
		};
	};
	pauseChannel: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConfiguredChannel"];
				};
			};
		};
	};
	resumeChannel: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConfiguredChannel"];
				};
			};
		};
	};
	listChannelAttempts: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Only attempts with this status. */
				outcome?: components["parameters"]["OutcomeParameter"];
				/** @description Only attempts with this error. */
				error_code?: components["parameters"]["ErrorCodeParameter"];
				/** @description Only attempts that began at this time or later. */
				started_after?: components["parameters"]["StartedAfterParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChannelAttemptList"];
				};
			};
		};
	};
	listBlockedKeys: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["BlockedKeyList"];
				};
			};
		};
	};
	retryBlockedKey: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RetryBlockedKeyRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["UnblockedKey"];
				};
			};
		};
	};
	skipBlockedKey: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RetryBlockedKeyRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["UnblockedKey"];
				};
			};
		};
	};
	listenToChannel: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["ListenToChannelRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["NextDelivery"];
				};
			};
		};
	};
	answerDelivery: {
		parameters: {
			path: {
				channelId: components["parameters"]["ChannelIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AnswerDeliveryRequest"];
			};
		};
		responses: {
			204: {
			};
		};
	};
	getConsumer: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				consumer: components["parameters"]["ConsumerParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConsumerDetails"];
				};
			};
		};
	};
	putConsumer: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				consumer: components["parameters"]["ConsumerParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PutConsumerRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConsumerDetails"];
				};
			};
		};
	};
	deleteConsumer: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				consumer: components["parameters"]["ConsumerParameter"];
			};
		};
		responses: {
			204: {
			};
		};
	};
	listConsumers: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description The beginning of an id, or of a name, ignoring case. Only the first 1,000 names are searched. */
				search?: components["parameters"]["SearchParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConsumerList"];
				};
			};
		};
	};
	listConsumerChannels: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description `state`: failing, paused and blocked channels first. Default: newest first. With `state`, a channel whose state changes between two pages can be missing or repeated; others cannot. */
				order?: components["parameters"]["OrderParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				consumer: components["parameters"]["ConsumerParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConfiguredChannelList"];
				};
			};
		};
	};
	createConsumerChannel: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				consumer: components["parameters"]["ConsumerParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateChannelRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["ChannelWithSecret"];
				};
			};
		};
	};
	listConsumerDeliveries: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description The run’s channel. */
				channel_id?: components["parameters"]["ChannelIdFilterParameter"];
				/** @description Only runs with this status. */
				status?: components["parameters"]["StatusParameter"];
				/** @description Only of messages with this event key. */
				event_key?: string;
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				consumer: components["parameters"]["ConsumerParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConsumerDeliveryList"];
				};
			};
		};
	};
	getConsumerDelivery: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				consumer: components["parameters"]["ConsumerParameter"];
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConsumerDelivery"];
				};
			};
		};
	};
	createPortalSession: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				consumer: components["parameters"]["ConsumerParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CreatePortalSessionRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["PortalSession"];
				};
			};
		};
	};
	listTemplates: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Only versions for this event key. */
				event_key?: string;
				/** @description Only versions for this channel kind. */
				channel_kind?: components["parameters"]["ChannelKindParameter"];
				/** @description Only active versions (`true`), or only inactive ones (`false`). */
				active?: components["parameters"]["ActiveParameter"];
				/** @description Only versions that use this layout, partial or translation, in any of its versions, directly or through another part, such as `layout:main`. */
				part?: components["parameters"]["PartParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["TemplateList"];
				};
			};
		};
	};
	createTemplate: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateTemplateRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["ChangedTemplate"];
				};
			};
		};
	};
	previewTemplateDraft: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PreviewTemplateDraftRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["TemplatePreview"];
				};
			};
		};
	};
	getTemplate: {
		parameters: {
			path: {
				templateId: components["parameters"]["TemplateIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Template"];
				};
			};
		};
	};
	activateTemplate: {
		parameters: {
			path: {
				templateId: components["parameters"]["TemplateIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChangedTemplate"];
				};
			};
		};
	};
	deactivateTemplate: {
		parameters: {
			path: {
				templateId: components["parameters"]["TemplateIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChangedTemplate"];
				};
			};
		};
	};
	previewTemplate: {
		parameters: {
			path: {
				templateId: components["parameters"]["TemplateIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["PreviewTemplateRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["TemplatePreview"];
				};
			};
		};
	};
	listLayouts: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Only versions with this name. */
				name?: components["parameters"]["NameParameter"];
				/** @description Only active versions (`true`), or only inactive ones (`false`). */
				active?: components["parameters"]["ActiveParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["LayoutList"];
				};
			};
		};
	};
	createLayout: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateLayoutRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["ChangedLayout"];
				};
			};
		};
	};
	getLayout: {
		parameters: {
			path: {
				layoutId: components["parameters"]["LayoutIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Layout"];
				};
			};
		};
	};
	activateLayout: {
		parameters: {
			path: {
				layoutId: components["parameters"]["LayoutIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChangedLayout"];
				};
			};
		};
	};
	deactivateLayout: {
		parameters: {
			path: {
				layoutId: components["parameters"]["LayoutIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChangedLayout"];
				};
			};
		};
	};
	listPartials: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Only versions with this name. */
				name?: components["parameters"]["NameParameter"];
				/** @description Only active versions (`true`), or only inactive ones (`false`). */
				active?: components["parameters"]["ActiveParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["PartialList"];
				};
			};
		};
	};
	createPartial: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreatePartialRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["ChangedPartial"];
				};
			};
		};
	};
	getPartial: {
		parameters: {
			path: {
				partialId: components["parameters"]["PartialIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Partial"];
				};
			};
		};
	};
	activatePartial: {
		parameters: {
			path: {
				partialId: components["parameters"]["PartialIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChangedPartial"];
				};
			};
		};
	};
	deactivatePartial: {
		parameters: {
			path: {
				partialId: components["parameters"]["PartialIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChangedPartial"];
				};
			};
		};
	};
	listTranslations: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Only versions with this locale. */
				locale?: components["parameters"]["LocaleParameter"];
				/** @description Only active versions (`true`), or only inactive ones (`false`). */
				active?: components["parameters"]["ActiveParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["TranslationList"];
				};
			};
		};
	};
	createTranslation: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateTranslationRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["ChangedTranslation"];
				};
			};
		};
	};
	getTranslation: {
		parameters: {
			path: {
				translationId: components["parameters"]["TranslationIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Translation"];
				};
			};
		};
	};
	activateTranslation: {
		parameters: {
			path: {
				translationId: components["parameters"]["TranslationIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChangedTranslation"];
				};
			};
		};
	};
	deactivateTranslation: {
		parameters: {
			path: {
				translationId: components["parameters"]["TranslationIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ChangedTranslation"];
				};
			};
		};
	};
	getEventType: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				eventKey: components["parameters"]["EventKeyParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["EventType"];
				};
			};
		};
	};
	putEventType: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				eventKey: components["parameters"]["EventKeyParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PutEventTypeRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["EventType"];
				};
			};
		};
	};
	deleteEventType: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				eventKey: components["parameters"]["EventKeyParameter"];
			};
		};
		responses: {
			204: {
			};
		};
	};
	listEventTypes: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["EventTypeList"];
				};
			};
		};
	};
	exportConfiguration: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ExportedConfiguration"];
				};
			};
		};
	};
	planConfiguration: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PlanConfigurationRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConfigurationPlan"];
				};
			};
		};
	};
	applyConfiguration: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ApplyConfigurationRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["AppliedConfiguration"];
				};
			};
		};
	};
	getConfigurationDrift: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConfigurationDrift"];
				};
			};
		};
	};
	searchMessages: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description The fields of each message, separated by commas. Default: all. Without `payload` and `recipient` pages are small and are read faster. */
				fields?: components["parameters"]["FieldsParameter"];
				/** @description Stable name of the event: two or more parts separated by dots. */
				event_key?: string;
				/** @description The consumer that the event named. */
				consumer?: string;
				/** @description The message’s status. */
				status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
				/** @description This address, ignoring case. Requires `messages:content`. */
				recipient_email?: string;
				/** @description Only messages accepted at this time or later. */
				created_after?: string;
				/** @description Only messages accepted before this time. */
				created_before?: string;
				/** @description The run’s status. */
				run_status?: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
				/** @description Only runs that ended at this time or later, such as those that failed. */
				run_ended_after?: string;
				/** @description The run’s channel. */
				channel_id?: components["parameters"]["ChannelIdFilterParameter"];
				/** @description The kind of the run’s channel. */
				channel_kind?: "amqp" | "email" | "kafka" | "sqs" | "webhook";
				/** @description The code of the run’s `last_error`: its newest attempt with an error, even if a later one succeeded. */
				error_code?: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_sender_refused" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "email_connection_failed" | "email_auth_failed" | "email_temporary_rejection" | "email_permanent_rejection" | "email_outcome_unknown" | "email_not_composed" | "amqp_connection_failed" | "amqp_auth_failed" | "amqp_rejected" | "amqp_outcome_unknown" | "sqs_connection_failed" | "sqs_auth_failed" | "sqs_rejected" | "sqs_outcome_unknown" | "kafka_connection_failed" | "kafka_auth_failed" | "kafka_rejected" | "kafka_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["MessageList"];
				};
			};
		};
	};
	getEnvironmentMessage: {
		parameters: {
			query?: {
				/** @description `channels` adds which channels took the event, and why the others did not. */
				explain?: components["parameters"]["ExplainParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Message"];
				};
			};
		};
	};
	rescheduleEnvironmentMessage: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RescheduleMessageRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["RescheduledMessage"];
				};
			};
		};
	};
	getEnvironmentMessageDeliveries: {
		parameters: {
			query?: {
				/** @description Delivery runs per page. */
				limit?: number;
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Deliveries"];
				};
			};
		};
	};
	getEnvironmentAttention: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["EnvironmentAttention"];
				};
			};
		};
	};
	overviewOfAttention: {
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Attention"];
				};
			};
		};
	};
	findByText: {
		parameters: {
			query: {
				/** @description An id, an address, a business id, or the beginning of one or of a name. */
				q: components["parameters"]["QParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Lookup"];
				};
			};
		};
	};
	searchEnvironment: {
		parameters: {
			query: {
				/** @description An id, an address, a business id, or the beginning of one or of a name. */
				q: components["parameters"]["QParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Lookup"];
				};
			};
		};
	};
	listReplayBatches: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ReplayBatchList"];
				};
			};
		};
	};
	createReplayBatch: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateReplayBatchRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ReplayPreview"];
				};
			};
			201: {
				content: {
					"application/json": components["schemas"]["ReplayBatch"];
				};
			};
		};
	};
	getReplayBatch: {
		parameters: {
			path: {
				replayId: components["parameters"]["ReplayIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ReplayBatch"];
				};
			};
		};
	};
	cancelReplayBatch: {
		parameters: {
			path: {
				replayId: components["parameters"]["ReplayIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ReplayBatch"];
				};
			};
		};
	};
	listErasures: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ErasureList"];
				};
			};
		};
	};
	createErasure: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateErasureRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Erasure"];
				};
			};
		};
	};
	getErasure: {
		parameters: {
			path: {
				erasureId: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Erasure"];
				};
			};
		};
	};
	listSuppressions: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Exactly this address, ignoring case. */
				email?: components["parameters"]["EmailParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["SuppressionList"];
				};
			};
		};
	};
	createSuppression: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateSuppressionRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Suppression"];
				};
			};
		};
	};
	importSuppressions: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ImportSuppressionsRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ImportedSuppressions"];
				};
			};
		};
	};
	deleteSuppression: {
		parameters: {
			path: {
				suppressionId: components["parameters"]["SuppressionIdParameter"];
			};
		};
		responses: {
			204: {
			};
		};
	};
	listPausedStreams: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["PausedStreamList"];
				};
			};
		};
	};
	resumeStream: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				stream: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["PausedStream"];
				};
			};
		};
	};
	getSecrets: {
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["SecretKeys"];
				};
			};
		};
	};
	reencryptSecrets: {
		requestBody?: {
			content: {
				"application/json": components["schemas"]["ReencryptSecretsRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ReencryptedSecrets"];
				};
			};
		};
	};
	listOperators: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["OperatorList"];
				};
			};
		};
	};
	createOperator: {
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateOperatorRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Operator"];
				};
			};
		};
	};
	getOperator: {
		parameters: {
			path: {
				operatorId: components["parameters"]["OperatorIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Operator"];
				};
			};
		};
	};
	updateOperator: {
		parameters: {
			path: {
				operatorId: components["parameters"]["OperatorIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdateOperatorRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Operator"];
				};
			};
		};
	};
	listOperatorTokens: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["OperatorTokenList"];
				};
			};
		};
	};
	issueOperatorToken: {
		requestBody: {
			content: {
				"application/json": components["schemas"]["IssueOperatorTokenRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["IssuedOperatorToken"];
				};
			};
		};
	};
	revokeOperatorToken: {
		parameters: {
			path: {
				operatorTokenId: string;
			};
		};
		responses: {
			204: {
			};
		};
	};
	listRoles: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["RoleList"];
				};
			};
		};
	};
	createRole: {
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateRoleRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Role"];
				};
			};
		};
	};
	getRole: {
		parameters: {
			path: {
				roleCode: components["parameters"]["RoleCodeParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Role"];
				};
			};
		};
	};
	deleteRole: {
		parameters: {
			path: {
				roleCode: components["parameters"]["RoleCodeParameter"];
			};
		};
		responses: {
			204: {
			};
		};
	};
	updateRole: {
		parameters: {
			path: {
				roleCode: components["parameters"]["RoleCodeParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["UpdateRoleRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Role"];
				};
			};
		};
	};
	listConsoleSessions: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Only sessions of this operator. */
				operator_id?: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConsoleSessionList"];
				};
			};
		};
	};
	endConsoleSession: {
		parameters: {
			path: {
				consoleSessionId: components["parameters"]["ConsoleSessionIdParameter"];
			};
		};
		responses: {
			204: {
			};
		};
	};
	listConsoleLinks: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["ConsoleLinkList"];
				};
			};
		};
	};
	createConsoleLink: {
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CreateConsoleLinkRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["ConsoleLink"];
				};
			};
		};
	};
	revokeConsoleLink: {
		parameters: {
			path: {
				consoleSessionId: components["parameters"]["ConsoleSessionIdParameter"];
			};
		};
		responses: {
			204: {
			};
		};
	};
	listAuditLog: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Only changes of this tenant, including resources of its environments. */
				tenant_id?: string;
				/** @description Only changes in this environment. */
				environment_id?: string;
				/** @description Only changes of this kind of resource. */
				resource_type?: "plan" | "tenant" | "environment" | "token" | "consumer" | "channel" | "template" | "event_type" | "layout" | "partial" | "translation" | "replay_batch" | "erasure" | "suppression" | "stream" | "console_session" | "operator" | "operator_token" | "role" | "secrets" | "message" | "delivery_run";
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
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["AuditLog"];
				};
			};
		};
	};
	getAuditChain: {
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["AuditChain"];
				};
			};
		};
	};
	verifyAuditLog: {
		parameters: {
			query?: {
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description A head that was noted earlier, as `<sequence>:<hash>`. */
				expected_head?: string;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["AuditCheck"];
				};
			};
		};
	};
	exportAuditLog: {
		parameters: {
			query?: {
				/** @description Entries per page. */
				limit?: components["parameters"]["LimitParameter"];
				/** @description The `next_cursor` of the previous page, with the same filters. */
				cursor?: components["parameters"]["CursorParameter"];
				/** @description Only entries after this sequence; a cursor replaces it. */
				after?: number;
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["AuditExport"];
				};
			};
		};
	};
	createEnvironmentEvent: {
		parameters: {
			header: {
				"Idempotency-Key": string;
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CreateEventRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Accepted"];
				};
			};
		};
	};
	replayEnvironmentMessage: {
		parameters: {
			header?: {
				"Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["ReplayMessageRequest"];
			};
		};
		responses: {
			201: {
				content: {
					"application/json": components["schemas"]["Replayed"];
				};
			};
		};
	};
	cancelEnvironmentMessage: {
		parameters: {
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				messageId: components["parameters"]["MessageIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CancelMessageRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["CancelledMessage"];
				};
			};
		};
	};
	cancelEnvironmentDeliveryRun: {
		parameters: {
			header?: {
				"Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CancelDeliveryRunRequest"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["DeliveryRun"];
				};
			};
		};
	};
	getEnvironmentDeliveryContent: {
		parameters: {
			query?: {
				/** @description The number of the attempt; the newest by default. */
				attempt?: components["parameters"]["AttemptParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
				deliveryRunId: components["parameters"]["DeliveryRunIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["SentContent"];
				};
			};
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
				/** @description Adds groups to each interval. `stream`: the current stream of the event key. `sender`: the sender of the email channel that sent the mail. */
				group_by?: components["parameters"]["GroupByParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"application/json": components["schemas"]["Stats"];
				};
			};
		};
	};
	streamEnvironment: {
		parameters: {
			header?: {
				"Last-Event-ID"?: components["parameters"]["LastEventIDParameter"];
			};
			path: {
				environmentId: components["parameters"]["EnvironmentIdParameter"];
			};
		};
		responses: {
			200: {
				content: {
					"text/event-stream": components["schemas"]["StreamEvent"];
				};
			};
		};
	};
	webhookDelivery: {
		parameters: {
			header: {
				"webhook-id": string;
				"webhook-timestamp": string;
				"webhook-signature": string;
				"postrider-test"?: "true";
				"postrider-sequence"?: string;
			};
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
			};
			/** @description Retried; `Retry-After` is honoured up to the longest delay of the channel. */
			429: {
			};
			/** @description As 429. */
			503: {
			};
			/** @description Delivered. */
			"2XX": {
			};
			/** @description Retried after the delays of the channel. Redirects are not followed and count as failures. */
			"x-default": {
			};
		};
	};
}

export interface selfServicePaths {
	"/api/v1/channels": OfToken<paths["/admin/v1/environments/{environmentId}/channels"]>;
	"/api/v1/channels/{channelId}": OfToken<paths["/admin/v1/channels/{channelId}"]>;
	"/api/v1/channels/{channelId}/rotate-secret": OfToken<paths["/admin/v1/channels/{channelId}/rotate-secret"]>;
	"/api/v1/channels/{channelId}/feedback-token": OfToken<paths["/admin/v1/channels/{channelId}/feedback-token"]>;
	"/api/v1/channels/{channelId}/test": OfToken<paths["/admin/v1/channels/{channelId}/test"]>;
	"/api/v1/channels/{channelId}/filter/test": OfToken<paths["/admin/v1/channels/{channelId}/filter/test"]>;
	"/api/v1/channels/{channelId}/preview": OfToken<paths["/admin/v1/channels/{channelId}/preview"]>;
	"/api/v1/channels/{channelId}/pause": OfToken<paths["/admin/v1/channels/{channelId}/pause"]>;
	"/api/v1/channels/{channelId}/resume": OfToken<paths["/admin/v1/channels/{channelId}/resume"]>;
	"/api/v1/channels/{channelId}/attempts": OfToken<paths["/admin/v1/channels/{channelId}/attempts"]>;
	"/api/v1/channels/{channelId}/blocked-keys": OfToken<paths["/admin/v1/channels/{channelId}/blocked-keys"]>;
	"/api/v1/channels/{channelId}/blocked-keys/retry": OfToken<paths["/admin/v1/channels/{channelId}/blocked-keys/retry"]>;
	"/api/v1/channels/{channelId}/blocked-keys/skip": OfToken<paths["/admin/v1/channels/{channelId}/blocked-keys/skip"]>;
	"/api/v1/channels/{channelId}/listen": OfToken<paths["/admin/v1/channels/{channelId}/listen"]>;
	"/api/v1/channels/{channelId}/listen/answer": OfToken<paths["/admin/v1/channels/{channelId}/listen/answer"]>;
	"/api/v1/consumers/{consumer}": OfToken<paths["/admin/v1/environments/{environmentId}/consumers/{consumer}"]>;
	"/api/v1/consumers": OfToken<paths["/admin/v1/environments/{environmentId}/consumers"]>;
	"/api/v1/consumers/{consumer}/channels": OfToken<paths["/admin/v1/environments/{environmentId}/consumers/{consumer}/channels"]>;
	"/api/v1/consumers/{consumer}/deliveries": OfToken<paths["/admin/v1/environments/{environmentId}/consumers/{consumer}/deliveries"]>;
	"/api/v1/consumers/{consumer}/deliveries/{deliveryRunId}": OfToken<paths["/admin/v1/environments/{environmentId}/consumers/{consumer}/deliveries/{deliveryRunId}"]>;
	"/api/v1/consumers/{consumer}/portal-sessions": OfToken<paths["/admin/v1/environments/{environmentId}/consumers/{consumer}/portal-sessions"]>;
	"/api/v1/templates": OfToken<paths["/admin/v1/environments/{environmentId}/templates"]>;
	"/api/v1/templates/preview-draft": OfToken<paths["/admin/v1/environments/{environmentId}/templates/preview-draft"]>;
	"/api/v1/templates/{templateId}": OfToken<paths["/admin/v1/templates/{templateId}"]>;
	"/api/v1/templates/{templateId}/activate": OfToken<paths["/admin/v1/templates/{templateId}/activate"]>;
	"/api/v1/templates/{templateId}/deactivate": OfToken<paths["/admin/v1/templates/{templateId}/deactivate"]>;
	"/api/v1/templates/{templateId}/preview": OfToken<paths["/admin/v1/templates/{templateId}/preview"]>;
	"/api/v1/layouts": OfToken<paths["/admin/v1/environments/{environmentId}/layouts"]>;
	"/api/v1/layouts/{layoutId}": OfToken<paths["/admin/v1/layouts/{layoutId}"]>;
	"/api/v1/layouts/{layoutId}/activate": OfToken<paths["/admin/v1/layouts/{layoutId}/activate"]>;
	"/api/v1/layouts/{layoutId}/deactivate": OfToken<paths["/admin/v1/layouts/{layoutId}/deactivate"]>;
	"/api/v1/partials": OfToken<paths["/admin/v1/environments/{environmentId}/partials"]>;
	"/api/v1/partials/{partialId}": OfToken<paths["/admin/v1/partials/{partialId}"]>;
	"/api/v1/partials/{partialId}/activate": OfToken<paths["/admin/v1/partials/{partialId}/activate"]>;
	"/api/v1/partials/{partialId}/deactivate": OfToken<paths["/admin/v1/partials/{partialId}/deactivate"]>;
	"/api/v1/translations": OfToken<paths["/admin/v1/environments/{environmentId}/translations"]>;
	"/api/v1/translations/{translationId}": OfToken<paths["/admin/v1/translations/{translationId}"]>;
	"/api/v1/translations/{translationId}/activate": OfToken<paths["/admin/v1/translations/{translationId}/activate"]>;
	"/api/v1/translations/{translationId}/deactivate": OfToken<paths["/admin/v1/translations/{translationId}/deactivate"]>;
	"/api/v1/event-types/{eventKey}": OfToken<paths["/admin/v1/environments/{environmentId}/event-types/{eventKey}"]>;
	"/api/v1/event-types": OfToken<paths["/admin/v1/environments/{environmentId}/event-types"]>;
	"/api/v1/attention": OfToken<paths["/admin/v1/environments/{environmentId}/attention"]>;
	"/api/v1/lookup": OfToken<paths["/admin/v1/environments/{environmentId}/lookup"]>;
	"/api/v1/replays": OfToken<paths["/admin/v1/environments/{environmentId}/replays"]>;
	"/api/v1/replays/{replayId}": OfToken<paths["/admin/v1/replays/{replayId}"]>;
	"/api/v1/replays/{replayId}/cancel": OfToken<paths["/admin/v1/replays/{replayId}/cancel"]>;
	"/api/v1/suppressions": OfToken<paths["/admin/v1/environments/{environmentId}/suppressions"]>;
	"/api/v1/suppressions/import": OfToken<paths["/admin/v1/environments/{environmentId}/suppressions/import"]>;
	"/api/v1/suppressions/{suppressionId}": OfToken<paths["/admin/v1/suppressions/{suppressionId}"]>;
	"/api/v1/paused-streams": OfToken<paths["/admin/v1/environments/{environmentId}/paused-streams"]>;
}

/** The calls of the management operations whose shape follows from the document. */
export function generatedResources({ http, perform, follow }: Transport) {
  return {
    plans: {
      /** Create a plan. A limit that is null or left out does not apply. `requests_per_second` and `burst` are set together or not at all. */
      create: (body: BodyOf<'createPlan'>, options?: CallOptions): Promise<components['schemas']['Plan']> =>
        perform((init) => http.POST('/admin/v1/plans', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listPlans'>, components['schemas']['Plan']>((query, options) =>
        perform((init) => http.GET('/admin/v1/plans', { ...init, params: { query } }), options),
      ),
      /** Read a plan. The current plan. */
      get: (code: string, options?: CallOptions): Promise<components['schemas']['Plan']> =>
        perform((init) => http.GET('/admin/v1/plans/{code}', { ...init, params: { path: { code } } }), options),
      /** Change a plan. Applies to all its tenants within 5 seconds. A quota below what is already used refuses events until the next month. Null removes a limit. The code cannot be changed. */
      update: (code: string, body: BodyOf<'updatePlan'>, options?: CallOptions): Promise<components['schemas']['Plan']> =>
        perform((init) => http.PATCH('/admin/v1/plans/{code}', { ...init, params: { path: { code } }, body }), options),
    },
    tenants: {
      /** Create a tenant. A customer of the installation, with an existing plan. It has no environments yet. */
      create: (body: BodyOf<'createTenant'>, options?: CallOptions): Promise<components['schemas']['Tenant']> =>
        perform((init) => http.POST('/admin/v1/tenants', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listTenants'>, components['schemas']['Tenant']>((query, options) =>
        perform((init) => http.GET('/admin/v1/tenants', { ...init, params: { query } }), options),
      ),
      /** Read a tenant. The current tenant. */
      get: (tenantId: string, options?: CallOptions): Promise<components['schemas']['Tenant']> =>
        perform((init) => http.GET('/admin/v1/tenants/{tenantId}', { ...init, params: { path: { tenantId } } }), options),
      /** Change a tenant. Another plan or billing status applies to all its environments within 5 seconds. The usage of the month is not reset. Changing `billing_status` to anything but `past_due` ends the grace period. */
      update: (tenantId: string, body: BodyOf<'updateTenant'>, options?: CallOptions): Promise<components['schemas']['Tenant']> =>
        perform((init) => http.PATCH('/admin/v1/tenants/{tenantId}', { ...init, params: { path: { tenantId } }, body }), options),
      /** Read the usage of a tenant. The events of each calendar month, the current one first. */
      usage: (tenantId: string, query: QueryOf<'getTenantUsage'> = {}, options?: CallOptions): Promise<components['schemas']['UsageHistory']> =>
        perform((init) => http.GET('/admin/v1/tenants/{tenantId}/usage', { ...init, params: { path: { tenantId }, query } }), options),
    },
    environments: {
      /** Create an environment. An isolated part of the tenant. It shares the tenant’s quota with the others and has its own tokens, channels and templates. */
      create: (tenantId: string, body: BodyOf<'createEnvironment'>, options?: CallOptions): Promise<components['schemas']['Environment']> =>
        perform((init) => http.POST('/admin/v1/tenants/{tenantId}/environments', { ...init, params: { path: { tenantId } }, body }), once(options)),
      /** List environments. The environments of a tenant, newest first. */
      of: (tenantId: string) =>
        pagedList<QueryOf<'listEnvironments'>, components['schemas']['Environment']>((query, options) =>
        perform((init) => http.GET('/admin/v1/tenants/{tenantId}/environments', { ...init, params: { path: { tenantId }, query } }), options),
      ),
      /** Read an environment. The environment and the tenant that it belongs to. */
      get: (environmentId: string, options?: CallOptions): Promise<components['schemas']['Environment']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}', { ...init, params: { path: { environmentId } } }), options),
      /** Change the settings of an environment. A JSON Merge Patch: settings that are left out stay, null restores a default. Applies to events accepted from then on. The name cannot be changed. */
      update: (environmentId: string, body: BodyOf<'updateEnvironment'>, options?: CallOptions): Promise<components['schemas']['Environment']> =>
        perform((init) => http.PATCH('/admin/v1/environments/{environmentId}', { ...init, params: { path: { environmentId } }, body }), options),
      /** Export the configuration of an environment. A document with everything that the caller may see: settings, event types, active versions of templates and their parts, channels except those of consumers, and, for callers without bounds, the plans and custom roles of the installation. It contains no ids, times or secrets, so the exports of two environments can be compared. Resources of one kind that share a name are left out. */
      configuration: (environmentId: string, options?: CallOptions): Promise<components['schemas']['ExportedConfiguration']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/configuration', { ...init, params: { path: { environmentId } } }), options),
      /** Plan a configuration. Shows what applying the document would change, and up to 100 errors. Nothing is changed. Each template that gets a new version is rendered with the newest stored event of its key, or the first of the `examples` of its payload schema: the first 50, those that differ before those that only use a changed part; `checks_left_out` counts the others. Requires the right to read each section of the document, but none to change it. */
      configurationPlan: (environmentId: string, body: BodyOf<'planConfiguration'>, options?: CallOptions): Promise<components['schemas']['ConfigurationPlan']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/configuration/plan', { ...init, params: { path: { environmentId } }, body }), options),
      /** Apply a configuration. Makes all changes of a plan in one transaction, or none. Each change requires the right of the operation that would make it. Their entries in the audit log share one `request_id`. Secrets that are left out stay; a template with errors is refused. */
      configurationApply: (environmentId: string, body: BodyOf<'applyConfiguration'>, options?: CallOptions): Promise<components['schemas']['AppliedConfiguration']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/configuration/apply', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** Compare with the configuration that was applied last. The resources that have changed since the last apply, in the sections of its document that the caller may see. */
      configurationDrift: (environmentId: string, options?: CallOptions): Promise<components['schemas']['ConfigurationDrift']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/configuration/drift', { ...init, params: { path: { environmentId } } }), options),
      /** Read statistics over time, as an operator. Accepted, delivered and failed counts by hour or minute, with latencies. The counts are exact and a few seconds behind. Minutes are kept for two days and hours for 400 days, even if the messages are removed or erased. Limits, quota and idempotency are those of the environment. */
      stats: (environmentId: string, query: QueryOf<'getEnvironmentStats'> = {}, options?: CallOptions): Promise<components['schemas']['Stats']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/stats', { ...init, params: { path: { environmentId }, query } }), options),
      /** Follow changes, as an operator. Server-sent events with ids and statuses of messages, runs, attempts and feedback, about a second after the commit. They are hints: read the details that you need. It covers the newest 500 messages and 1,000 runs. `reset` means that some changes were not reported: read the lists again. A `heartbeat` comes at once and then at least every 15 s; the stream has read all changes up to its `at`. A stream ends after 75 s or sooner; reconnect with the last `id` as `Last-Event-ID` (an `EventSource` does) to miss nothing. 503 if too many streams are open: poll the lists instead. Limits, quota and idempotency are those of the environment. */
      stream: (environmentId: string, options: StreamOptions = {}) =>
        follow((init, header) => http.GET('/admin/v1/environments/{environmentId}/stream', { ...init, params: { path: { environmentId }, header }, parseAs: 'stream' }), options),
    },
    tokens: {
      /** Issue a token. A token that authenticates clients of this environment. Only this response contains the token itself, which is stored as a digest. Nobody can give scopes that they do not have. */
      issue: (environmentId: string, body: BodyOf<'issueToken'>, options?: CallOptions): Promise<components['schemas']['IssuedToken']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/tokens', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List tokens. The tokens of an environment, newest first, including revoked and expired ones. A token is recognised by its prefix and its last four characters. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listTokens'>, components['schemas']['Token']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/tokens', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Rotate a token. Issues a successor of this token with the same name, scopes and lifetime, counted from now. The response contains the new token, which is not shown again. The old one stays valid for `overlap_seconds`, but not beyond its own expiry. A token can be rotated once: after that, and if it is revoked or expired, the response is `conflict`. If a response is lost, rotate the token that the list shows as `replaced_by`. */
      rotate: (tokenId: string, body: BodyOf<'rotateToken'> = {}, options?: CallOptions): Promise<components['schemas']['RotatedToken']> =>
        perform((init) => http.POST('/admin/v1/tokens/{tokenId}/rotate', { ...init, params: { path: { tokenId } }, body }), once(options)),
      /** Revoke a token. The token is refused everywhere within 5 seconds and stays in the list. A successor issued by a rotation stays valid. Revoking it again changes nothing. */
      revoke: (tokenId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/tokens/{tokenId}', { ...init, params: { path: { tokenId } } }), options),
    },
    channels: {
      /** Create a channel. A destination of the environment. Every event that it takes creates a delivery run. Only this response contains the signing secret of a webhook. The tenant’s plan must include the kind; an environment has at most 100 channels, not counting those of consumers. */
      create: (environmentId: string, body: BodyOf<'createChannel'>, options?: CallOptions): Promise<components['schemas']['ChannelWithSecret']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/channels', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List channels. The channels of an environment, without their secrets, and without those of consumers unless `needs_action` is true. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listChannels'>, components['schemas']['ConfiguredChannel']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/channels', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a channel. The current channel, without its secrets. */
      get: (channelId: string, options?: CallOptions): Promise<components['schemas']['ConfiguredChannel']> =>
        perform((init) => http.GET('/admin/v1/channels/{channelId}', { ...init, params: { path: { channelId } } }), options),
      /** Change a channel. A JSON Merge Patch: fields that are left out stay, null removes one, lists and `filter` are replaced. To change the form of `retry`, set the fields of the other form to null. Waiting runs are sent with the new configuration. Runs that are due while it is disabled end as `failed` with `channel_disabled`; later ones are sent once it is enabled again. Credentials that are left out stay, but must be given again if their destination changes, such as the host of an SMTP server. The kind cannot be changed. */
      update: (channelId: string, body: BodyOf<'updateChannel'>, options?: CallOptions): Promise<components['schemas']['ConfiguredChannel']> =>
        perform((init) => http.PATCH('/admin/v1/channels/{channelId}', { ...init, params: { path: { channelId } }, body }), options),
      /** Delete a channel. No further runs of it start. Waiting runs, including scheduled ones, end as `failed` with an attempt `channel_disabled`: the first 500 with the response, the others soon after. Running ones finish and are not retried. Past deliveries stay readable; the secrets are erased. */
      delete: (channelId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/channels/{channelId}', { ...init, params: { path: { channelId } } }), options),
      /** Rotate the signing secret of a webhook. Only this response contains the new secret. During the overlap every request has a signature with each secret, so that receivers can switch at any time; then the old secret is erased. During an overlap another rotation is refused, unless its `overlap_seconds` is 0: that ends both old secrets at once, for example after a leak. A given `signature.secret` is not rotated, and a rotation is refused if nothing else signs. */
      rotateSecret: (channelId: string, body: BodyOf<'rotateChannelSecret'> = {}, options?: CallOptions): Promise<components['schemas']['ChannelWithSecret']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/rotate-secret', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Create a new feedback token for a channel. The token is a part of the address to which providers post feedback and mail servers pipe reports. Only this response contains it. The previous token is refused from then on. */
      feedbackToken: (channelId: string, options?: CallOptions): Promise<components['schemas']['FeedbackToken']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/feedback-token', { ...init, params: { path: { channelId } } }), once(options)),
      /** Send a test through a channel. Sends a message by the usual path to this channel only, even if the channel is disabled, so that it can be tested before it is enabled. It is tried once, has the header `postrider-test: true` (mail: `X-Postrider-Test: true`), is shown with `test: true`, and is not counted. The active template of the event key is used; without one, a webhook sends the default body and email a fixed text. The response does not wait for the delivery: read the deliveries of the message. An environment can send at most 30 tests a minute and 500 a day, and so can each consumer; all consumers of an environment together 300 and 5,000. A caller bound to a consumer can test only with event keys that the channel takes. */
      test: (channelId: string, body: BodyOf<'testChannel'> = {}, options?: CallOptions): Promise<components['schemas']['Accepted']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/test', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Test a filter with past messages. Tests a filter with the newest 1000 messages of the channel’s environment or consumer, without saving it. Test sends and erased messages are skipped. `null` tests the channel without a filter. */
      filterTest: (channelId: string, body: BodyOf<'testChannelFilter'>, options?: CallOptions): Promise<components['schemas']['FilterTest']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/filter/test', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Preview what a webhook would send. Shows the request for the newest message whose event key the channel takes, among the newest 200 messages of up to 128 KiB. If there is none, the event of a test is used. The body can change the config, as in a PATCH. Nothing is sent. The signature is made with another secret; other secrets are masked. 409 for other kinds. */
      preview: (channelId: string, body: BodyOf<'previewChannel'> = {}, options?: CallOptions): Promise<components['schemas']['ChannelPreview']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/preview', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Pause a channel. The channel still takes events, and their runs are held. There are no probes until it is resumed. Runs that are held for `failure_policy.max_age` seconds end as `failed` with `expired`. If it is already paused, only its probes stop. */
      pause: (channelId: string, options?: CallOptions): Promise<components['schemas']['ConfiguredChannel']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/pause', { ...init, params: { path: { channelId } } }), once(options)),
      /** Resume a channel. Ends the pause, even if the service started it. Held runs are sent oldest first, at a rate of 2 a second that doubles every 10 seconds up to `failure_policy.release_per_second`. A channel that is not paused is not changed. */
      resume: (channelId: string, options?: CallOptions): Promise<components['schemas']['ConfiguredChannel']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/resume', { ...init, params: { path: { channelId } } }), once(options)),
      /** List the attempts of a channel. Attempts of the newest messages come first, and among those of one delivery the newest. A filter that matches little examines about 5,000 deliveries at a time: a page can be short or empty while `has_more` is true. */
      attempts: (channelId: string) =>
        pagedList<QueryOf<'listChannelAttempts'>, components['schemas']['ChannelAttempt']>((query, options) =>
        perform((init) => http.GET('/admin/v1/channels/{channelId}/attempts', { ...init, params: { path: { channelId }, query } }), options),
      ),
      /** List the blocked ordering keys of a channel. The keys whose runs are held because a run has failed permanently, ordered by key. Other keys are not affected. */
      blockedKeys: (channelId: string) =>
        pagedList<QueryOf<'listBlockedKeys'>, components['schemas']['BlockedKey']>((query, options) =>
        perform((init) => http.GET('/admin/v1/channels/{channelId}/blocked-keys', { ...init, params: { path: { channelId }, query } }), options),
      ),
      /** Retry the failed run of an ordering key. Sends the failed message again, as a new run with the same sequence and the currently active template. Like a replay, it counts 1 against the quota. Later runs wait until it has ended. */
      blockedKeysRetry: (channelId: string, body: BodyOf<'retryBlockedKey'>, options?: CallOptions): Promise<components['schemas']['UnblockedKey']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/blocked-keys/retry', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Skip the failed run of an ordering key. Sends the next run of the key. The receiver sees a gap in `postrider-sequence`. */
      blockedKeysSkip: (channelId: string, body: BodyOf<'skipBlockedKey'>, options?: CallOptions): Promise<components['schemas']['UnblockedKey']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/blocked-keys/skip', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Take the next delivery. For `postrider listen`: waits for a delivery of a channel whose URL begins with `listen://`, and returns it, or null. Post it to a local server, and report the response with `answerDelivery`. Without a response in time, the attempt fails or its outcome is unknown, and it is retried. While nobody is listening, attempts fail at once; after five minutes the channel is deleted. At most 4 deliveries are open at a time. */
      listen: (channelId: string, body: BodyOf<'listenToChannel'> = {}, options?: CallOptions): Promise<components['schemas']['NextDelivery']> =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/listen', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Report the response to a delivery. Records the response of your receiver as that of the attempt. 409 if it comes too late, or if one was reported before. */
      listenAnswer: (channelId: string, body: BodyOf<'answerDelivery'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/listen/answer', { ...init, params: { path: { channelId } }, body }), once(options)),
    },
    consumers: {
      /** Create or replace a consumer. Creates the consumer or replaces its settings: fields that are left out get their defaults. Applies to events accepted from then on. Lowering a limit removes nothing that exists. Using the id of a deleted consumer again creates a new one without channels; the earlier messages are found under it. */
      put: (environmentId: string, consumer: string, body: BodyOf<'putConsumer'>, options?: CallOptions): Promise<components['schemas']['ConsumerDetails']> =>
        perform((init) => http.PUT('/admin/v1/environments/{environmentId}/consumers/{consumer}', { ...init, params: { path: { environmentId, consumer } }, body }), options),
      /** Read a consumer. The consumer and its usage. Callers bound to it get empty `attributes`, because these belong to the tenant. */
      get: (environmentId: string, consumer: string, options?: CallOptions): Promise<components['schemas']['ConsumerDetails']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/consumers/{consumer}', { ...init, params: { path: { environmentId, consumer } } }), options),
      /** Delete a consumer. Deletes the consumer and its channels. No further deliveries of them start, and waiting ones end as `failed` with an attempt `channel_disabled`. Messages and past deliveries stay readable; the name, contact and attributes are erased. */
      delete: (environmentId: string, consumer: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/environments/{environmentId}/consumers/{consumer}', { ...init, params: { path: { environmentId, consumer } } }), options),
      /** List consumers. Ordered by id. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listConsumers'>, components['schemas']['ConsumerSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/consumers', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Create a channel of a consumer. A destination of the consumer: it takes only events that name the consumer. All other operations on channels work on it. A consumer has at most 50 channels. */
      createChannel: (environmentId: string, consumer: string, body: BodyOf<'createConsumerChannel'>, options?: CallOptions): Promise<components['schemas']['ChannelWithSecret']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/consumers/{consumer}/channels', { ...init, params: { path: { environmentId, consumer } }, body }), once(options)),
      /** List the channels of a consumer. Without their secrets. */
      listChannels: (environmentId: string, consumer: string) =>
        pagedList<QueryOf<'listConsumerChannels'>, components['schemas']['ConfiguredChannel']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/consumers/{consumer}/channels', { ...init, params: { path: { environmentId, consumer }, query } }), options),
      ),
      /** List the deliveries of a consumer. The delivery runs of the consumer’s own channels, with their attempts. Runs of the newest messages come first; those of deleted channels are left out. A filter that matches little examines about 5,000 runs at a time: a page can be short or empty while `has_more` is true. */
      listDeliveries: (environmentId: string, consumer: string) =>
        pagedList<QueryOf<'listConsumerDeliveries'>, components['schemas']['ConsumerDelivery']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/consumers/{consumer}/deliveries', { ...init, params: { path: { environmentId, consumer }, query } }), options),
      ),
      /** Read a delivery of a consumer. A delivery run of one of the consumer’s own channels, with its attempts. */
      getDelivery: (environmentId: string, consumer: string, deliveryRunId: string, options?: CallOptions): Promise<components['schemas']['ConsumerDelivery']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/consumers/{consumer}/deliveries/{deliveryRunId}', { ...init, params: { path: { environmentId, consumer, deliveryRunId } } }), options),
      /** Open the portal of a consumer. Gives a link to the page in which the consumer manages its channels and sees its deliveries. It works once. The session ends at `expires_at`, or when the consumer, token, operator or console session behind it ends. At most 100 sessions of a consumer are open at once. */
      portalSessions: (environmentId: string, consumer: string, body: BodyOf<'createPortalSession'> = {}, options?: CallOptions): Promise<components['schemas']['PortalSession']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/consumers/{consumer}/portal-sessions', { ...init, params: { path: { environmentId, consumer } }, body }), once(options)),
    },
    templates: {
      /** Add a version of a template. Templates are Liquid, without `include` and `raw`. They see `event_key`, `recipient`, `payload`, `message_id`, `delivery_run_id`, `timestamp`, `locale`, `dir` and `sequence`, and keep the layouts, partials and translations that are active when they are created. A missing variable makes the delivery fail, so write `{{ payload.note | default: "" }}` for an optional one. A version never changes: add a new version to change the text. Issues of a template have the code `invalid_template`, with `line` and `column` where they are known. */
      create: (environmentId: string, body: BodyOf<'createTemplate'>, options?: CallOptions): Promise<components['schemas']['ChangedTemplate']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/templates', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List versions of templates. Newest first, without their contents. Filters are combined with “and”. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listTemplates'>, components['schemas']['TemplateSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/templates', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Preview a template that is not stored. Checks a template as creating it would, and renders it as the preview of a version does. Nothing is stored or sent. */
      previewDraft: (environmentId: string, body: BodyOf<'previewTemplateDraft'>, options?: CallOptions): Promise<components['schemas']['TemplatePreview']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/templates/preview-draft', { ...init, params: { path: { environmentId } }, body }), options),
      /** Read a version of a template. With its content. */
      get: (templateId: string, options?: CallOptions): Promise<components['schemas']['Template']> =>
        perform((init) => http.GET('/admin/v1/templates/{templateId}', { ...init, params: { path: { templateId } } }), options),
      /** Activate a version of a template. Events accepted from now on (within 5 seconds) use this version instead of the active one. To roll back, activate an older version. Existing runs keep their version. */
      activate: (templateId: string, options?: CallOptions): Promise<components['schemas']['ChangedTemplate']> =>
        perform((init) => http.POST('/admin/v1/templates/{templateId}/activate', { ...init, params: { path: { templateId } } }), options),
      /** Deactivate a version of a template. If this version was active, none is active afterwards. Webhooks then send the default body; events that an email channel takes are refused (422 `template_not_found`); a warning says so. */
      deactivate: (templateId: string, options?: CallOptions): Promise<components['schemas']['ChangedTemplate']> =>
        perform((init) => http.POST('/admin/v1/templates/{templateId}/deactivate', { ...init, params: { path: { templateId } } }), options),
      /** Preview a version of a template. Renders what a delivery would send, within the same limits, and stores and sends nothing. Lists missing variables, and warns of problems that receivers would see. The body is optional. */
      preview: (templateId: string, body: BodyOf<'previewTemplate'> = {}, options?: CallOptions): Promise<components['schemas']['TemplatePreview']> =>
        perform((init) => http.POST('/admin/v1/templates/{templateId}/preview', { ...init, params: { path: { templateId } }, body }), options),
    },
    layouts: {
      /** Add a version of a layout. A template that begins with `{% layout "main" %}` fills `{% block %}{% endblock %}` of the layout, and can fill its named blocks. A version never changes. Issues of its content have the code `invalid_template`. Activating it creates new active versions of all active templates that use it; 409 `conflict` if one of them could not be rendered. */
      create: (environmentId: string, body: BodyOf<'createLayout'>, options?: CallOptions): Promise<components['schemas']['ChangedLayout']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/layouts', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List versions of layouts. Newest first, without their contents. Filters are combined with “and”. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listLayouts'>, components['schemas']['LayoutSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/layouts', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a version of a layout. With its content. */
      get: (layoutId: string, options?: CallOptions): Promise<components['schemas']['Layout']> =>
        perform((init) => http.GET('/admin/v1/layouts/{layoutId}', { ...init, params: { path: { layoutId } } }), options),
      /** Activate a version of a layout. All active templates that use it get a new active version, or none does; events accepted from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. Warns of messages that are missing in a language; 409 `conflict` if a template could not be rendered. */
      activate: (layoutId: string, options?: CallOptions): Promise<components['schemas']['ChangedLayout']> =>
        perform((init) => http.POST('/admin/v1/layouts/{layoutId}/activate', { ...init, params: { path: { layoutId } } }), options),
      /** Deactivate a version of a layout. New versions of templates can no longer use it; 409 `conflict` if an active template does. */
      deactivate: (layoutId: string, options?: CallOptions): Promise<components['schemas']['ChangedLayout']> =>
        perform((init) => http.POST('/admin/v1/layouts/{layoutId}/deactivate', { ...init, params: { path: { layoutId } } }), once(options)),
    },
    partials: {
      /** Add a version of a partial. Templates, layouts and partials include it with `{% render "footer", key: value %}`. It sees the event and its arguments. A version never changes. Issues of its content have the code `invalid_template`. Activating it creates new active versions of all active templates that use it; 409 `conflict` if one of them could not be rendered. */
      create: (environmentId: string, body: BodyOf<'createPartial'>, options?: CallOptions): Promise<components['schemas']['ChangedPartial']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/partials', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List versions of partials. Newest first, without their contents. Filters are combined with “and”. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listPartials'>, components['schemas']['PartialSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/partials', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a version of a partial. With its content. */
      get: (partialId: string, options?: CallOptions): Promise<components['schemas']['Partial']> =>
        perform((init) => http.GET('/admin/v1/partials/{partialId}', { ...init, params: { path: { partialId } } }), options),
      /** Activate a version of a partial. All active templates that use it get a new active version, or none does; events accepted from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. Warns of messages that are missing in a language; 409 `conflict` if a template could not be rendered. */
      activate: (partialId: string, options?: CallOptions): Promise<components['schemas']['ChangedPartial']> =>
        perform((init) => http.POST('/admin/v1/partials/{partialId}/activate', { ...init, params: { path: { partialId } } }), options),
      /** Deactivate a version of a partial. New versions of templates can no longer use it; 409 `conflict` if an active template does. */
      deactivate: (partialId: string, options?: CallOptions): Promise<components['schemas']['ChangedPartial']> =>
        perform((init) => http.POST('/admin/v1/partials/{partialId}/deactivate', { ...init, params: { path: { partialId } } }), once(options)),
    },
    translations: {
      /** Add a version of a translation. All messages of one language. Templates use them with `{{ "footer.thanks" | t: name: recipient.name }}`, in the `locale` of the recipient: `fr-CA` falls back to `fr`, and then to the default of the environment. A version never changes. Issues of its content have the code `invalid_template`. Activating it creates new active versions of all active templates that use it; 409 `conflict` if one of them could not be rendered. */
      create: (environmentId: string, body: BodyOf<'createTranslation'>, options?: CallOptions): Promise<components['schemas']['ChangedTranslation']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/translations', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List versions of translations. Newest first, without their contents. Filters are combined with “and”. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listTranslations'>, components['schemas']['TranslationSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/translations', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a version of a translation. With its content. */
      get: (translationId: string, options?: CallOptions): Promise<components['schemas']['Translation']> =>
        perform((init) => http.GET('/admin/v1/translations/{translationId}', { ...init, params: { path: { translationId } } }), options),
      /** Activate a version of a translation. All active templates that use it get a new active version, or none does; events accepted from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. Warns of messages that are missing in a language; 409 `conflict` if a template could not be rendered. */
      activate: (translationId: string, options?: CallOptions): Promise<components['schemas']['ChangedTranslation']> =>
        perform((init) => http.POST('/admin/v1/translations/{translationId}/activate', { ...init, params: { path: { translationId } } }), options),
      /** Deactivate a version of a translation. All active templates that use it get a new active version without the language. */
      deactivate: (translationId: string, options?: CallOptions): Promise<components['schemas']['ChangedTranslation']> =>
        perform((init) => http.POST('/admin/v1/translations/{translationId}/deactivate', { ...init, params: { path: { translationId } } }), once(options)),
    },
    eventTypes: {
      /** Create or replace an event type. Creates the event type or replaces it: fields that are left out are removed. Payloads are validated against the schema within 5 seconds. Issues of the schema have the code `invalid_schema`. External and circular references, patterns that cannot be matched in linear time, and unknown formats are refused. The schemas of an environment can have 2 MiB in total (409 `conflict`). */
      put: (environmentId: string, eventKey: string, body: BodyOf<'putEventType'>, options?: CallOptions): Promise<components['schemas']['EventType']> =>
        perform((init) => http.PUT('/admin/v1/environments/{environmentId}/event-types/{eventKey}', { ...init, params: { path: { environmentId, eventKey } }, body }), options),
      /** Read an event type. With its schema. */
      get: (environmentId: string, eventKey: string, options?: CallOptions): Promise<components['schemas']['EventType']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/event-types/{eventKey}', { ...init, params: { path: { environmentId, eventKey } } }), options),
      /** Delete an event type. Events with its key are still accepted, but their payloads are no longer validated. */
      delete: (environmentId: string, eventKey: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/environments/{environmentId}/event-types/{eventKey}', { ...init, params: { path: { environmentId, eventKey } } }), options),
      /** List event types. Ordered by key, without schemas. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listEventTypes'>, components['schemas']['EventTypeSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/event-types', { ...init, params: { path: { environmentId }, query } }), options),
      ),
    },
    deliveries: {
      /** Read the deliveries of a message of an environment. The delivery runs of the message, oldest first, each with all of its attempts, responses and errors. A message that was replayed can have more runs than a page: `has_more` is then true. A page also ends before its runs exceed 2 MiB in total. */
      get: (environmentId: string, messageId: string, query: QueryOf<'getEnvironmentMessageDeliveries'> = {}, options?: CallOptions): Promise<components['schemas']['Deliveries']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/messages/{messageId}/deliveries', { ...init, params: { path: { environmentId, messageId }, query } }), options),
    },
    attention: {
      /** Read what needs attention in an environment. Failing and paused channels, paused streams, the backlog, the quota, secrets that expire soon, and failed templates. */
      get: (environmentId: string, options?: CallOptions): Promise<components['schemas']['EnvironmentAttention']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/attention', { ...init, params: { path: { environmentId } } }), options),
      /** Read what needs attention. The environments with a failing or paused channel, a paused stream, runs that have waited for more than a minute, 80 % of the quota used, secrets that expire within 14 days, templates that failed in the last hour, or blocked ordering keys. Workers check each environment every 5 s, at most 50 a second per worker, and the response is up to 5 s old. */
      overview: (options?: CallOptions): Promise<components['schemas']['Attention']> =>
        perform((init) => http.GET('/admin/v1/attention', init), options),
    },
    lookup: {
      /** Look up an id, an address or a name. Finds messages by a message, delivery run, attempt, request or trace id, by the Message-ID of a mail, the id that its provider or mail server gave it, a business id (`search_keys` of the event type; also its beginning; with `messages:content`), or the email address of a recipient (with `messages:content`); and channels, templates and consumers by the beginning of their names, as far as the scopes of the caller allow. Searches all environments. A text that matches nothing has no results. */
      find: (query: QueryOf<'findByText'>, options?: CallOptions): Promise<components['schemas']['Lookup']> =>
        perform((init) => http.GET('/admin/v1/lookup', { ...init, params: { query } }), options),
      /** Look up an id, an address or a name in an environment. Finds messages by a message, delivery run, attempt, request or trace id, by the Message-ID of a mail, the id that its provider or mail server gave it, a business id (`search_keys` of the event type; also its beginning; with `messages:content`), or the email address of a recipient (with `messages:content`); and channels, templates and consumers by the beginning of their names, as far as the scopes of the caller allow. Also messages by the last six or more characters of their id, among the newest 100,000: `searched_back_to` is the time of the oldest of these if nothing was found. */
      search: (environmentId: string, query: QueryOf<'searchEnvironment'>, options?: CallOptions): Promise<components['schemas']['Lookup']> =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/lookup', { ...init, params: { path: { environmentId }, query } }), options),
    },
    replays: {
      /** List bulk replays. The bulk replays of an environment, newest first. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listReplayBatches'>, components['schemas']['ReplayBatch']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/replays', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a bulk replay. The bulk replay and its progress. */
      get: (replayId: string, options?: CallOptions): Promise<components['schemas']['ReplayBatch']> =>
        perform((init) => http.GET('/admin/v1/replays/{replayId}', { ...init, params: { path: { replayId } } }), options),
      /** Cancel a bulk replay. Waits for the few messages that are being replayed; no others follow. Existing runs continue. Cancelling it again changes nothing. */
      cancel: (replayId: string, options?: CallOptions): Promise<components['schemas']['ReplayBatch']> =>
        perform((init) => http.POST('/admin/v1/replays/{replayId}/cancel', { ...init, params: { path: { replayId } } }), options),
    },
    erasures: {
      /** Erase a recipient’s data. Erases, in the background, the recipient and payload of the messages that exist now with this address (ignoring case), recipient id or consumer, and the responses of mail servers and endpoints. Waiting runs are ended first, with an attempt `scheduled_cancelled`: a `scheduled` one becomes `cancelled`, a due one `failed`. Open attempts may finish. Messages, runs, attempts and usage stay. The messages cannot be replayed. The addresses of the messages are also erased from the suppression list and the filters of bulk replays. The audit log contains only a hash of the address or id. */
      create: (environmentId: string, body: BodyOf<'createErasure'>, options?: CallOptions): Promise<components['schemas']['Erasure']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/erasures', { ...init, params: { path: { environmentId } }, body }), options),
      /** List erasures. The erasures of an environment, newest first. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listErasures'>, components['schemas']['Erasure']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/erasures', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read an erasure. The erasure and its progress. */
      get: (erasureId: string, options?: CallOptions): Promise<components['schemas']['Erasure']> =>
        perform((init) => http.GET('/admin/v1/erasures/{erasureId}', { ...init, params: { path: { erasureId } } }), options),
    },
    suppressions: {
      /** Suppress an address. Adds an address to the environment’s suppression list. Email runs to it that are claimed from then on end as `failed` with `recipient_suppressed`: new events, retries, schedules and replays. If the address is already on the list in this scope, the existing entry is returned unchanged (without its text if that was erased), unless it ends earlier: then the new one replaces it. */
      create: (environmentId: string, body: BodyOf<'createSuppression'>, options?: CallOptions): Promise<components['schemas']['Suppression']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/suppressions', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List suppressions. The suppression list of an environment, newest first; of one address with `email` (with `messages:content`). */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listSuppressions'>, components['schemas']['Suppression']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/suppressions', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Suppress many addresses. Adds up to 500 addresses in one transaction, all or none. Sending the same entries again changes nothing. */
      import: (environmentId: string, body: BodyOf<'importSuppressions'>, options?: CallOptions): Promise<components['schemas']['ImportedSuppressions']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/suppressions/import', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** Remove a suppression. Email to the address is sent again, unless another entry suppresses it. Runs that have failed meanwhile stay failed; replay them. A token cannot remove an entry of a recipient who complained or unsubscribed (403). */
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
      resume: (environmentId: string, stream: string, options?: CallOptions): Promise<components['schemas']['PausedStream']> =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/paused-streams/{stream}/resume', { ...init, params: { path: { environmentId, stream } } }), once(options)),
    },
    secrets: {
      /** Read which keys are in use. The number of stored secrets under each encryption key: whether an older key can be removed, and which channels cannot deliver because their secrets cannot be decrypted. It shows no secret. */
      keys: (options?: CallOptions): Promise<components['schemas']['SecretKeys']> =>
        perform((init) => http.GET('/admin/v1/secrets', init), options),
      /** Re-encrypt secrets with the current key. Re-encrypts secrets that use older keys. Call it after adding a key at the front of `ENCRYPTION_KEYS` and restarting every process. It can be interrupted and repeated at any time, and does not disturb deliveries. */
      reencrypt: (body: BodyOf<'reencryptSecrets'> = {}, options?: CallOptions): Promise<components['schemas']['ReencryptedSecrets']> =>
        perform((init) => http.POST('/admin/v1/secrets/reencrypt', { ...init, body }), options),
    },
    operators: {
      /** Add an operator. A person with a role, for the whole installation or for some tenants and environments. Nobody can give rights that they do not have themselves. */
      create: (body: BodyOf<'createOperator'>, options?: CallOptions): Promise<components['schemas']['Operator']> =>
        perform((init) => http.POST('/admin/v1/operators', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listOperators'>, components['schemas']['Operator']>((query, options) =>
        perform((init) => http.GET('/admin/v1/operators', { ...init, params: { query } }), options),
      ),
      /** Read an operator. The operator with role and bounds. */
      get: (operatorId: string, options?: CallOptions): Promise<components['schemas']['Operator']> =>
        perform((init) => http.GET('/admin/v1/operators/{operatorId}', { ...init, params: { path: { operatorId } } }), options),
      /** Change an operator. A JSON Merge Patch. It takes effect within a second, including for open sessions, tokens and streams. For an operator whose rights come from a provider, only `enabled` can be changed. While ADMIN_TOKEN is off, the last one who can manage operators keeps that right. */
      update: (operatorId: string, body: BodyOf<'updateOperator'>, options?: CallOptions): Promise<components['schemas']['Operator']> =>
        perform((init) => http.PATCH('/admin/v1/operators/{operatorId}', { ...init, params: { path: { operatorId } }, body }), options),
    },
    operatorTokens: {
      /** Issue a token for the management API. A token with a role or with scopes, for a machine, or for an operator. Only this response contains the token itself, which is stored as a digest. Nobody can give rights that they do not have themselves. */
      issue: (body: BodyOf<'issueOperatorToken'>, options?: CallOptions): Promise<components['schemas']['IssuedOperatorToken']> =>
        perform((init) => http.POST('/admin/v1/operator-tokens', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listOperatorTokens'>, components['schemas']['OperatorToken']>((query, options) =>
        perform((init) => http.GET('/admin/v1/operator-tokens', { ...init, params: { query } }), options),
      ),
      /** Revoke a token for the management API. The token is refused everywhere within a second, its streams end, and it stays in the list. Revoking it again changes nothing. Nobody can revoke a token that has rights that they do not have themselves. */
      revoke: (operatorTokenId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/operator-tokens/{operatorTokenId}', { ...init, params: { path: { operatorTokenId } } }), options),
    },
    roles: {
      /** Create a role. A named set of scopes, at most 100 in an installation. Nobody can give scopes that they do not have. */
      create: (body: BodyOf<'createRole'>, options?: CallOptions): Promise<components['schemas']['Role']> =>
        perform((init) => http.POST('/admin/v1/roles', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listRoles'>, components['schemas']['Role']>((query, options) =>
        perform((init) => http.GET('/admin/v1/roles', { ...init, params: { query } }), options),
      ),
      /** Read a role. The role with its scopes. */
      get: (roleCode: string, options?: CallOptions): Promise<components['schemas']['Role']> =>
        perform((init) => http.GET('/admin/v1/roles/{roleCode}', { ...init, params: { path: { roleCode } } }), options),
      /** Change a role. A JSON Merge Patch. It takes effect for all operators and tokens with the role within a second. The code cannot be changed, and built-in roles cannot be changed at all. */
      update: (roleCode: string, body: BodyOf<'updateRole'>, options?: CallOptions): Promise<components['schemas']['Role']> =>
        perform((init) => http.PATCH('/admin/v1/roles/{roleCode}', { ...init, params: { path: { roleCode } }, body }), options),
      /** Delete a role. Deletes a role that no operator or valid token has. */
      delete: (roleCode: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/roles/{roleCode}', { ...init, params: { path: { roleCode } } }), options),
    },
    consoleSessions: {
      ...pagedList<QueryOf<'listConsoleSessions'>, components['schemas']['ConsoleSession']>((query, options) =>
        perform((init) => http.GET('/admin/v1/console-sessions', { ...init, params: { query } }), options),
      ),
      /** End a session of the console. Ends the session, the links that it issued and their sessions: every process refuses them within a second. */
      end: (consoleSessionId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/console-sessions/{consoleSessionId}', { ...init, params: { path: { consoleSessionId } } }), options),
    },
    consoleLinks: {
      ...pagedList<QueryOf<'listConsoleLinks'>, components['schemas']['IssuedConsoleLink']>((query, options) =>
        perform((init) => http.GET('/admin/v1/console-links', { ...init, params: { query } }), options),
      ),
      /** Create a sign-in link. A code that opens the console once, within 10 minutes, as the operator in the body or otherwise as the caller. With the admin token the session’s name in the audit log is the `X-Actor` of this request. A link for yourself, and the session that it opens, end with the session or token that issued it. A token without all the rights of its operator gets 403. */
      create: (body: BodyOf<'createConsoleLink'> = {}, options?: CallOptions): Promise<components['schemas']['ConsoleLink']> =>
        perform((init) => http.POST('/admin/v1/console-links', { ...init, body }), once(options)),
      /** Revoke a sign-in link. Revokes the link. If it was used before that, its session ends within a second. */
      revoke: (consoleSessionId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/console-links/{consoleSessionId}', { ...init, params: { path: { consoleSessionId } } }), options),
    },
    auditLog: {
      ...pagedList<QueryOf<'listAuditLog'>, components['schemas']['AuditEntry']>((query, options) =>
        perform((init) => http.GET('/admin/v1/audit-log', { ...init, params: { query } }), options),
      ),
      /** Read the state of the hash chain. The head of the hash chain, and how many entries wait for a worker to append them, which takes about a second. */
      chain: (options?: CallOptions): Promise<components['schemas']['AuditChain']> =>
        perform((init) => http.GET('/admin/v1/audit-log/chain', init), options),
      /** Check the audit log against its hash chain. Checks up to 10,000 entries, and stops at the first that was changed or removed: `problem` names it. Continue with `next_cursor` until it is null: all entries are checked first, in the order of the chain, and then whether the chain lacks an entry. With `expected_head`, the first page also checks that a head you noted earlier is still there; otherwise nobody notices if the newest entries and their positions were removed. */
      verify: (query: QueryOf<'verifyAuditLog'> = {}, options?: CallOptions): Promise<components['schemas']['AuditCheck']> =>
        perform((init) => http.GET('/admin/v1/audit-log/verify', { ...init, params: { query } }), options),
      /** List changes in the order of the hash chain. Changes with their positions in the hash chain, oldest first, for a copy elsewhere: `after` continues where the copy ends. A missing sequence means that an entry was removed. An entry appears about a second after its change. A page also ends, with `has_more`, before its entries exceed 2 MiB in total. */
      export: pagedList<QueryOf<'exportAuditLog'>, components['schemas']['ChainedAuditEntry']>((query, options) =>
        perform((init) => http.GET('/admin/v1/audit-log/export', { ...init, params: { query } }), options),
      ),
    },
  };
}

/** The calls with which a token manages its own environment. */
export function selfServiceResources({ http, perform }: Transport) {
  return {
    channels: {
      /** Create a channel. A destination of the environment. Every event that it takes creates a delivery run. Only this response contains the signing secret of a webhook. The tenant’s plan must include the kind; an environment has at most 100 channels, not counting those of consumers. */
      create: (body: BodyOf<'createChannel'>, options?: CallOptions): Promise<components['schemas']['ChannelWithSecret']> =>
        perform((init) => http.POST('/api/v1/channels', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listChannels'>, components['schemas']['ConfiguredChannel']>((query, options) =>
        perform((init) => http.GET('/api/v1/channels', { ...init, params: { query } }), options),
      ),
      /** Read a channel. The current channel, without its secrets. */
      get: (channelId: string, options?: CallOptions): Promise<components['schemas']['ConfiguredChannel']> =>
        perform((init) => http.GET('/api/v1/channels/{channelId}', { ...init, params: { path: { channelId } } }), options),
      /** Change a channel. A JSON Merge Patch: fields that are left out stay, null removes one, lists and `filter` are replaced. To change the form of `retry`, set the fields of the other form to null. Waiting runs are sent with the new configuration. Runs that are due while it is disabled end as `failed` with `channel_disabled`; later ones are sent once it is enabled again. Credentials that are left out stay, but must be given again if their destination changes, such as the host of an SMTP server. The kind cannot be changed. */
      update: (channelId: string, body: BodyOf<'updateChannel'>, options?: CallOptions): Promise<components['schemas']['ConfiguredChannel']> =>
        perform((init) => http.PATCH('/api/v1/channels/{channelId}', { ...init, params: { path: { channelId } }, body }), options),
      /** Delete a channel. No further runs of it start. Waiting runs, including scheduled ones, end as `failed` with an attempt `channel_disabled`: the first 500 with the response, the others soon after. Running ones finish and are not retried. Past deliveries stay readable; the secrets are erased. */
      delete: (channelId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/api/v1/channels/{channelId}', { ...init, params: { path: { channelId } } }), options),
      /** Rotate the signing secret of a webhook. Only this response contains the new secret. During the overlap every request has a signature with each secret, so that receivers can switch at any time; then the old secret is erased. During an overlap another rotation is refused, unless its `overlap_seconds` is 0: that ends both old secrets at once, for example after a leak. A given `signature.secret` is not rotated, and a rotation is refused if nothing else signs. */
      rotateSecret: (channelId: string, body: BodyOf<'rotateChannelSecret'> = {}, options?: CallOptions): Promise<components['schemas']['ChannelWithSecret']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/rotate-secret', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Create a new feedback token for a channel. The token is a part of the address to which providers post feedback and mail servers pipe reports. Only this response contains it. The previous token is refused from then on. */
      feedbackToken: (channelId: string, options?: CallOptions): Promise<components['schemas']['FeedbackToken']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/feedback-token', { ...init, params: { path: { channelId } } }), once(options)),
      /** Send a test through a channel. Sends a message by the usual path to this channel only, even if the channel is disabled, so that it can be tested before it is enabled. It is tried once, has the header `postrider-test: true` (mail: `X-Postrider-Test: true`), is shown with `test: true`, and is not counted. The active template of the event key is used; without one, a webhook sends the default body and email a fixed text. The response does not wait for the delivery: read the deliveries of the message. An environment can send at most 30 tests a minute and 500 a day, and so can each consumer; all consumers of an environment together 300 and 5,000. A caller bound to a consumer can test only with event keys that the channel takes. */
      test: (channelId: string, body: BodyOf<'testChannel'> = {}, options?: CallOptions): Promise<components['schemas']['Accepted']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/test', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Test a filter with past messages. Tests a filter with the newest 1000 messages of the channel’s environment or consumer, without saving it. Test sends and erased messages are skipped. `null` tests the channel without a filter. */
      filterTest: (channelId: string, body: BodyOf<'testChannelFilter'>, options?: CallOptions): Promise<components['schemas']['FilterTest']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/filter/test', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Preview what a webhook would send. Shows the request for the newest message whose event key the channel takes, among the newest 200 messages of up to 128 KiB. If there is none, the event of a test is used. The body can change the config, as in a PATCH. Nothing is sent. The signature is made with another secret; other secrets are masked. 409 for other kinds. */
      preview: (channelId: string, body: BodyOf<'previewChannel'> = {}, options?: CallOptions): Promise<components['schemas']['ChannelPreview']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/preview', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Pause a channel. The channel still takes events, and their runs are held. There are no probes until it is resumed. Runs that are held for `failure_policy.max_age` seconds end as `failed` with `expired`. If it is already paused, only its probes stop. */
      pause: (channelId: string, options?: CallOptions): Promise<components['schemas']['ConfiguredChannel']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/pause', { ...init, params: { path: { channelId } } }), once(options)),
      /** Resume a channel. Ends the pause, even if the service started it. Held runs are sent oldest first, at a rate of 2 a second that doubles every 10 seconds up to `failure_policy.release_per_second`. A channel that is not paused is not changed. */
      resume: (channelId: string, options?: CallOptions): Promise<components['schemas']['ConfiguredChannel']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/resume', { ...init, params: { path: { channelId } } }), once(options)),
      /** List the attempts of a channel. Attempts of the newest messages come first, and among those of one delivery the newest. A filter that matches little examines about 5,000 deliveries at a time: a page can be short or empty while `has_more` is true. */
      attempts: (channelId: string) =>
        pagedList<QueryOf<'listChannelAttempts'>, components['schemas']['ChannelAttempt']>((query, options) =>
        perform((init) => http.GET('/api/v1/channels/{channelId}/attempts', { ...init, params: { path: { channelId }, query } }), options),
      ),
      /** List the blocked ordering keys of a channel. The keys whose runs are held because a run has failed permanently, ordered by key. Other keys are not affected. */
      blockedKeys: (channelId: string) =>
        pagedList<QueryOf<'listBlockedKeys'>, components['schemas']['BlockedKey']>((query, options) =>
        perform((init) => http.GET('/api/v1/channels/{channelId}/blocked-keys', { ...init, params: { path: { channelId }, query } }), options),
      ),
      /** Retry the failed run of an ordering key. Sends the failed message again, as a new run with the same sequence and the currently active template. Like a replay, it counts 1 against the quota. Later runs wait until it has ended. */
      blockedKeysRetry: (channelId: string, body: BodyOf<'retryBlockedKey'>, options?: CallOptions): Promise<components['schemas']['UnblockedKey']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/blocked-keys/retry', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Skip the failed run of an ordering key. Sends the next run of the key. The receiver sees a gap in `postrider-sequence`. */
      blockedKeysSkip: (channelId: string, body: BodyOf<'skipBlockedKey'>, options?: CallOptions): Promise<components['schemas']['UnblockedKey']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/blocked-keys/skip', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Take the next delivery. For `postrider listen`: waits for a delivery of a channel whose URL begins with `listen://`, and returns it, or null. Post it to a local server, and report the response with `answerDelivery`. Without a response in time, the attempt fails or its outcome is unknown, and it is retried. While nobody is listening, attempts fail at once; after five minutes the channel is deleted. At most 4 deliveries are open at a time. */
      listen: (channelId: string, body: BodyOf<'listenToChannel'> = {}, options?: CallOptions): Promise<components['schemas']['NextDelivery']> =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/listen', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Report the response to a delivery. Records the response of your receiver as that of the attempt. 409 if it comes too late, or if one was reported before. */
      listenAnswer: (channelId: string, body: BodyOf<'answerDelivery'>, options?: CallOptions) =>
        perform((init) => http.POST('/api/v1/channels/{channelId}/listen/answer', { ...init, params: { path: { channelId } }, body }), once(options)),
    },
    consumers: {
      /** Create or replace a consumer. Creates the consumer or replaces its settings: fields that are left out get their defaults. Applies to events accepted from then on. Lowering a limit removes nothing that exists. Using the id of a deleted consumer again creates a new one without channels; the earlier messages are found under it. */
      put: (consumer: string, body: BodyOf<'putConsumer'>, options?: CallOptions): Promise<components['schemas']['ConsumerDetails']> =>
        perform((init) => http.PUT('/api/v1/consumers/{consumer}', { ...init, params: { path: { consumer } }, body }), options),
      /** Read a consumer. The consumer and its usage. Callers bound to it get empty `attributes`, because these belong to the tenant. */
      get: (consumer: string, options?: CallOptions): Promise<components['schemas']['ConsumerDetails']> =>
        perform((init) => http.GET('/api/v1/consumers/{consumer}', { ...init, params: { path: { consumer } } }), options),
      /** Delete a consumer. Deletes the consumer and its channels. No further deliveries of them start, and waiting ones end as `failed` with an attempt `channel_disabled`. Messages and past deliveries stay readable; the name, contact and attributes are erased. */
      delete: (consumer: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/api/v1/consumers/{consumer}', { ...init, params: { path: { consumer } } }), options),
      ...pagedList<QueryOf<'listConsumers'>, components['schemas']['ConsumerSummary']>((query, options) =>
        perform((init) => http.GET('/api/v1/consumers', { ...init, params: { query } }), options),
      ),
      /** Create a channel of a consumer. A destination of the consumer: it takes only events that name the consumer. All other operations on channels work on it. A consumer has at most 50 channels. */
      createChannel: (consumer: string, body: BodyOf<'createConsumerChannel'>, options?: CallOptions): Promise<components['schemas']['ChannelWithSecret']> =>
        perform((init) => http.POST('/api/v1/consumers/{consumer}/channels', { ...init, params: { path: { consumer } }, body }), once(options)),
      /** List the channels of a consumer. Without their secrets. */
      listChannels: (consumer: string) =>
        pagedList<QueryOf<'listConsumerChannels'>, components['schemas']['ConfiguredChannel']>((query, options) =>
        perform((init) => http.GET('/api/v1/consumers/{consumer}/channels', { ...init, params: { path: { consumer }, query } }), options),
      ),
      /** List the deliveries of a consumer. The delivery runs of the consumer’s own channels, with their attempts. Runs of the newest messages come first; those of deleted channels are left out. A filter that matches little examines about 5,000 runs at a time: a page can be short or empty while `has_more` is true. */
      listDeliveries: (consumer: string) =>
        pagedList<QueryOf<'listConsumerDeliveries'>, components['schemas']['ConsumerDelivery']>((query, options) =>
        perform((init) => http.GET('/api/v1/consumers/{consumer}/deliveries', { ...init, params: { path: { consumer }, query } }), options),
      ),
      /** Read a delivery of a consumer. A delivery run of one of the consumer’s own channels, with its attempts. */
      getDelivery: (consumer: string, deliveryRunId: string, options?: CallOptions): Promise<components['schemas']['ConsumerDelivery']> =>
        perform((init) => http.GET('/api/v1/consumers/{consumer}/deliveries/{deliveryRunId}', { ...init, params: { path: { consumer, deliveryRunId } } }), options),
      /** Open the portal of a consumer. Gives a link to the page in which the consumer manages its channels and sees its deliveries. It works once. The session ends at `expires_at`, or when the consumer, token, operator or console session behind it ends. At most 100 sessions of a consumer are open at once. */
      portalSessions: (consumer: string, body: BodyOf<'createPortalSession'> = {}, options?: CallOptions): Promise<components['schemas']['PortalSession']> =>
        perform((init) => http.POST('/api/v1/consumers/{consumer}/portal-sessions', { ...init, params: { path: { consumer } }, body }), once(options)),
    },
    templates: {
      /** Add a version of a template. Templates are Liquid, without `include` and `raw`. They see `event_key`, `recipient`, `payload`, `message_id`, `delivery_run_id`, `timestamp`, `locale`, `dir` and `sequence`, and keep the layouts, partials and translations that are active when they are created. A missing variable makes the delivery fail, so write `{{ payload.note | default: "" }}` for an optional one. A version never changes: add a new version to change the text. Issues of a template have the code `invalid_template`, with `line` and `column` where they are known. */
      create: (body: BodyOf<'createTemplate'>, options?: CallOptions): Promise<components['schemas']['ChangedTemplate']> =>
        perform((init) => http.POST('/api/v1/templates', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listTemplates'>, components['schemas']['TemplateSummary']>((query, options) =>
        perform((init) => http.GET('/api/v1/templates', { ...init, params: { query } }), options),
      ),
      /** Preview a template that is not stored. Checks a template as creating it would, and renders it as the preview of a version does. Nothing is stored or sent. */
      previewDraft: (body: BodyOf<'previewTemplateDraft'>, options?: CallOptions): Promise<components['schemas']['TemplatePreview']> =>
        perform((init) => http.POST('/api/v1/templates/preview-draft', { ...init, body }), options),
      /** Read a version of a template. With its content. */
      get: (templateId: string, options?: CallOptions): Promise<components['schemas']['Template']> =>
        perform((init) => http.GET('/api/v1/templates/{templateId}', { ...init, params: { path: { templateId } } }), options),
      /** Activate a version of a template. Events accepted from now on (within 5 seconds) use this version instead of the active one. To roll back, activate an older version. Existing runs keep their version. */
      activate: (templateId: string, options?: CallOptions): Promise<components['schemas']['ChangedTemplate']> =>
        perform((init) => http.POST('/api/v1/templates/{templateId}/activate', { ...init, params: { path: { templateId } } }), options),
      /** Deactivate a version of a template. If this version was active, none is active afterwards. Webhooks then send the default body; events that an email channel takes are refused (422 `template_not_found`); a warning says so. */
      deactivate: (templateId: string, options?: CallOptions): Promise<components['schemas']['ChangedTemplate']> =>
        perform((init) => http.POST('/api/v1/templates/{templateId}/deactivate', { ...init, params: { path: { templateId } } }), options),
      /** Preview a version of a template. Renders what a delivery would send, within the same limits, and stores and sends nothing. Lists missing variables, and warns of problems that receivers would see. The body is optional. */
      preview: (templateId: string, body: BodyOf<'previewTemplate'> = {}, options?: CallOptions): Promise<components['schemas']['TemplatePreview']> =>
        perform((init) => http.POST('/api/v1/templates/{templateId}/preview', { ...init, params: { path: { templateId } }, body }), options),
    },
    layouts: {
      /** Add a version of a layout. A template that begins with `{% layout "main" %}` fills `{% block %}{% endblock %}` of the layout, and can fill its named blocks. A version never changes. Issues of its content have the code `invalid_template`. Activating it creates new active versions of all active templates that use it; 409 `conflict` if one of them could not be rendered. */
      create: (body: BodyOf<'createLayout'>, options?: CallOptions): Promise<components['schemas']['ChangedLayout']> =>
        perform((init) => http.POST('/api/v1/layouts', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listLayouts'>, components['schemas']['LayoutSummary']>((query, options) =>
        perform((init) => http.GET('/api/v1/layouts', { ...init, params: { query } }), options),
      ),
      /** Read a version of a layout. With its content. */
      get: (layoutId: string, options?: CallOptions): Promise<components['schemas']['Layout']> =>
        perform((init) => http.GET('/api/v1/layouts/{layoutId}', { ...init, params: { path: { layoutId } } }), options),
      /** Activate a version of a layout. All active templates that use it get a new active version, or none does; events accepted from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. Warns of messages that are missing in a language; 409 `conflict` if a template could not be rendered. */
      activate: (layoutId: string, options?: CallOptions): Promise<components['schemas']['ChangedLayout']> =>
        perform((init) => http.POST('/api/v1/layouts/{layoutId}/activate', { ...init, params: { path: { layoutId } } }), options),
      /** Deactivate a version of a layout. New versions of templates can no longer use it; 409 `conflict` if an active template does. */
      deactivate: (layoutId: string, options?: CallOptions): Promise<components['schemas']['ChangedLayout']> =>
        perform((init) => http.POST('/api/v1/layouts/{layoutId}/deactivate', { ...init, params: { path: { layoutId } } }), once(options)),
    },
    partials: {
      /** Add a version of a partial. Templates, layouts and partials include it with `{% render "footer", key: value %}`. It sees the event and its arguments. A version never changes. Issues of its content have the code `invalid_template`. Activating it creates new active versions of all active templates that use it; 409 `conflict` if one of them could not be rendered. */
      create: (body: BodyOf<'createPartial'>, options?: CallOptions): Promise<components['schemas']['ChangedPartial']> =>
        perform((init) => http.POST('/api/v1/partials', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listPartials'>, components['schemas']['PartialSummary']>((query, options) =>
        perform((init) => http.GET('/api/v1/partials', { ...init, params: { query } }), options),
      ),
      /** Read a version of a partial. With its content. */
      get: (partialId: string, options?: CallOptions): Promise<components['schemas']['Partial']> =>
        perform((init) => http.GET('/api/v1/partials/{partialId}', { ...init, params: { path: { partialId } } }), options),
      /** Activate a version of a partial. All active templates that use it get a new active version, or none does; events accepted from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. Warns of messages that are missing in a language; 409 `conflict` if a template could not be rendered. */
      activate: (partialId: string, options?: CallOptions): Promise<components['schemas']['ChangedPartial']> =>
        perform((init) => http.POST('/api/v1/partials/{partialId}/activate', { ...init, params: { path: { partialId } } }), options),
      /** Deactivate a version of a partial. New versions of templates can no longer use it; 409 `conflict` if an active template does. */
      deactivate: (partialId: string, options?: CallOptions): Promise<components['schemas']['ChangedPartial']> =>
        perform((init) => http.POST('/api/v1/partials/{partialId}/deactivate', { ...init, params: { path: { partialId } } }), once(options)),
    },
    translations: {
      /** Add a version of a translation. All messages of one language. Templates use them with `{{ "footer.thanks" | t: name: recipient.name }}`, in the `locale` of the recipient: `fr-CA` falls back to `fr`, and then to the default of the environment. A version never changes. Issues of its content have the code `invalid_template`. Activating it creates new active versions of all active templates that use it; 409 `conflict` if one of them could not be rendered. */
      create: (body: BodyOf<'createTranslation'>, options?: CallOptions): Promise<components['schemas']['ChangedTranslation']> =>
        perform((init) => http.POST('/api/v1/translations', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listTranslations'>, components['schemas']['TranslationSummary']>((query, options) =>
        perform((init) => http.GET('/api/v1/translations', { ...init, params: { query } }), options),
      ),
      /** Read a version of a translation. With its content. */
      get: (translationId: string, options?: CallOptions): Promise<components['schemas']['Translation']> =>
        perform((init) => http.GET('/api/v1/translations/{translationId}', { ...init, params: { path: { translationId } } }), options),
      /** Activate a version of a translation. All active templates that use it get a new active version, or none does; events accepted from now on (within 5 seconds) use it. To roll back, activate an older version. Earlier messages keep their version. Warns of messages that are missing in a language; 409 `conflict` if a template could not be rendered. */
      activate: (translationId: string, options?: CallOptions): Promise<components['schemas']['ChangedTranslation']> =>
        perform((init) => http.POST('/api/v1/translations/{translationId}/activate', { ...init, params: { path: { translationId } } }), options),
      /** Deactivate a version of a translation. All active templates that use it get a new active version without the language. */
      deactivate: (translationId: string, options?: CallOptions): Promise<components['schemas']['ChangedTranslation']> =>
        perform((init) => http.POST('/api/v1/translations/{translationId}/deactivate', { ...init, params: { path: { translationId } } }), once(options)),
    },
    eventTypes: {
      /** Create or replace an event type. Creates the event type or replaces it: fields that are left out are removed. Payloads are validated against the schema within 5 seconds. Issues of the schema have the code `invalid_schema`. External and circular references, patterns that cannot be matched in linear time, and unknown formats are refused. The schemas of an environment can have 2 MiB in total (409 `conflict`). */
      put: (eventKey: string, body: BodyOf<'putEventType'>, options?: CallOptions): Promise<components['schemas']['EventType']> =>
        perform((init) => http.PUT('/api/v1/event-types/{eventKey}', { ...init, params: { path: { eventKey } }, body }), options),
      /** Read an event type. With its schema. */
      get: (eventKey: string, options?: CallOptions): Promise<components['schemas']['EventType']> =>
        perform((init) => http.GET('/api/v1/event-types/{eventKey}', { ...init, params: { path: { eventKey } } }), options),
      /** Delete an event type. Events with its key are still accepted, but their payloads are no longer validated. */
      delete: (eventKey: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/api/v1/event-types/{eventKey}', { ...init, params: { path: { eventKey } } }), options),
      ...pagedList<QueryOf<'listEventTypes'>, components['schemas']['EventTypeSummary']>((query, options) =>
        perform((init) => http.GET('/api/v1/event-types', { ...init, params: { query } }), options),
      ),
    },
    attention: {
      /** Read what needs attention in an environment. Failing and paused channels, paused streams, the backlog, the quota, secrets that expire soon, and failed templates. */
      get: (options?: CallOptions): Promise<components['schemas']['EnvironmentAttention']> =>
        perform((init) => http.GET('/api/v1/attention', init), options),
    },
    lookup: {
      /** Look up an id, an address or a name in an environment. Finds messages by a message, delivery run, attempt, request or trace id, by the Message-ID of a mail, the id that its provider or mail server gave it, a business id (`search_keys` of the event type; also its beginning; with `messages:content`), or the email address of a recipient (with `messages:content`); and channels, templates and consumers by the beginning of their names, as far as the scopes of the caller allow. Also messages by the last six or more characters of their id, among the newest 100,000: `searched_back_to` is the time of the oldest of these if nothing was found. */
      search: (query: QueryOf<'searchEnvironment'>, options?: CallOptions): Promise<components['schemas']['Lookup']> =>
        perform((init) => http.GET('/api/v1/lookup', { ...init, params: { query } }), options),
    },
    replays: {
      /** Replay the messages that match. Creates new delivery runs for the messages that exist now and match, newest first, in the background at a given pace. The rules are those of a single replay: the channels and templates of that moment apply, and each message counts 1 against the quota. Messages that cannot be replayed are counted by reason. If the filter has conditions on runs, only the channels of the matching runs are used. An environment has one bulk replay at a time, and each consumer one of its own, with at most 10 messages a second, which count against its `events_per_month`. With `dry_run` it only counts the matching messages (200). */
      create: (body: BodyOf<'createReplayBatch'>, options?: CallOptions): Promise<components['schemas']['ReplayPreview'] | components['schemas']['ReplayBatch']> =>
        perform((init) => http.POST('/api/v1/replays', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listReplayBatches'>, components['schemas']['ReplayBatch']>((query, options) =>
        perform((init) => http.GET('/api/v1/replays', { ...init, params: { query } }), options),
      ),
      /** Read a bulk replay. The bulk replay and its progress. */
      get: (replayId: string, options?: CallOptions): Promise<components['schemas']['ReplayBatch']> =>
        perform((init) => http.GET('/api/v1/replays/{replayId}', { ...init, params: { path: { replayId } } }), options),
      /** Cancel a bulk replay. Waits for the few messages that are being replayed; no others follow. Existing runs continue. Cancelling it again changes nothing. */
      cancel: (replayId: string, options?: CallOptions): Promise<components['schemas']['ReplayBatch']> =>
        perform((init) => http.POST('/api/v1/replays/{replayId}/cancel', { ...init, params: { path: { replayId } } }), options),
    },
    suppressions: {
      /** Suppress an address. Adds an address to the environment’s suppression list. Email runs to it that are claimed from then on end as `failed` with `recipient_suppressed`: new events, retries, schedules and replays. If the address is already on the list in this scope, the existing entry is returned unchanged (without its text if that was erased), unless it ends earlier: then the new one replaces it. */
      create: (body: BodyOf<'createSuppression'>, options?: CallOptions): Promise<components['schemas']['Suppression']> =>
        perform((init) => http.POST('/api/v1/suppressions', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listSuppressions'>, components['schemas']['Suppression']>((query, options) =>
        perform((init) => http.GET('/api/v1/suppressions', { ...init, params: { query } }), options),
      ),
      /** Suppress many addresses. Adds up to 500 addresses in one transaction, all or none. Sending the same entries again changes nothing. */
      import: (body: BodyOf<'importSuppressions'>, options?: CallOptions): Promise<components['schemas']['ImportedSuppressions']> =>
        perform((init) => http.POST('/api/v1/suppressions/import', { ...init, body }), once(options)),
      /** Remove a suppression. Email to the address is sent again, unless another entry suppresses it. Runs that have failed meanwhile stay failed; replay them. A token cannot remove an entry of a recipient who complained or unsubscribed (403). */
      delete: (suppressionId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/api/v1/suppressions/{suppressionId}', { ...init, params: { path: { suppressionId } } }), options),
    },
    pausedStreams: {
      ...pagedList<QueryOf<'listPausedStreams'>, components['schemas']['PausedStream']>((query, options) =>
        perform((init) => http.GET('/api/v1/paused-streams', { ...init, params: { query } }), options),
      ),
    },
  };
}
