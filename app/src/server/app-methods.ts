import {
	ApprovalDecision,
	ApprovalId,
	ApprovalState,
	limits,
	RequiredArtifact,
	Routing,
	RunId,
	ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import { z } from "zod";
import type { AppApi, AttachmentInput, SendRequest } from "../api/app-api.ts";
import { DraftFileId } from "../threads/index.ts";

const threadId = z.strictObject({ threadId: ThreadId });

export const Attachments = z.array(z.strictObject({ name: z.string(), mediaType: z.string(), base64: z.base64() })).optional();

export const Require = z
	.array(z.union([z.string().max(1024), RequiredArtifact]))
	.max(100)
	.optional();
export const AttachAgain = z.strictObject({ turnId: TurnId, names: z.array(z.string().max(255)).max(100) }).optional();
/** As many files as one message takes. */
export const SentDraft = z.strictObject({ files: z.array(DraftFileId).max(50) }).optional();

const SendParams = z.strictObject({
	threadId: ThreadId.optional(),
	continues: z.literal(true).optional(),
	prompt: z.string(),
	routing: Routing,
	workingDirectory: z.string().optional(),
	workingDirectoryRequired: z.literal(true).optional(),
	remoteWorkingDirectoryHint: z.string().optional(),
	require: Require,
	requiresExport: z.boolean().optional(),
	expectedArtifactDirs: z.array(z.string()).optional(),
	attachments: Attachments,
	attachAgain: AttachAgain,
	draft: SentDraft,
});

/** One method of the local API: what it takes, and the core's function behind it. */
export interface AppMethod<Api> {
	readonly params: z.ZodType;
	call(api: Api, params: unknown): Promise<unknown>;
}

export function method<Api, P extends z.ZodType>(params: P, call: (api: Api, params: z.output<P>) => Promise<unknown>): AppMethod<Api> {
	return { params, call: (api, given) => call(api, params.parse(given)) };
}

/** The local API: every function of AppApi but `watch`, which is a stream. */
export const appMethods: Readonly<Record<string, AppMethod<AppApi>>> = {
	send: method(SendParams, (api, params) => api.send(toSendRequest(params))),
	cancel: method(z.strictObject({ runId: RunId }), (api, { runId }) => api.cancel(runId)),
	cancelTurn: method(z.strictObject({ threadId: ThreadId, turnId: TurnId }), (api, turn) => api.cancelTurn(turn.threadId, turn.turnId)),
	listThreads: method(z.strictObject({ archived: z.boolean() }), (api, params) => api.listThreads(params)),
	showThread: method(threadId, (api, params) => api.showThread(params.threadId)),
	gatewayQueue: method(z.strictObject({}), (api) => api.gatewayQueue()),
	archiveThread: method(threadId, (api, params) => api.archiveThread(params.threadId)),
	restoreThread: method(threadId, (api, params) => api.restoreThread(params.threadId)),
	deleteThread: method(threadId, (api, params) => api.deleteThread(params.threadId)),
	tasks: method(
		z.strictObject({ threadId: ThreadId.optional(), limit: z.int().min(1).max(limits.listMax).optional(), cursor: z.string().optional() }),
		(api, params) => api.tasks(given(params)),
	),
	listApprovals: method(
		z.strictObject({ state: ApprovalState.optional(), limit: z.int().min(1).max(limits.listMax).optional() }),
		(api, params) => api.listApprovals(given(params)),
	),
	decideApproval: method(z.strictObject({ approvalId: ApprovalId, decision: ApprovalDecision }), (api, params) =>
		api.decideApproval(params.approvalId, params.decision),
	),
	listGrants: method(z.strictObject({}), (api) => api.listGrants()),
	revokeGrant: method(z.strictObject({ approvalId: ApprovalId }), (api, { approvalId }) => api.revokeGrant(approvalId)),
	sync: method(threadId, (api, params) => api.sync(params.threadId)),
	capabilities: method(z.strictObject({}), (api) => api.capabilities()),
};

function toSendRequest({ attachments, ...rest }: z.output<typeof SendParams>): SendRequest {
	return { ...given(rest), ...toAttachments(attachments) };
}

export function toAttachments(attachments: z.output<typeof Attachments>): { attachments?: AttachmentInput[] } {
	const files = attachments?.map(({ base64, ...file }) => ({ ...file, bytes: Buffer.from(base64, "base64") }));
	return files === undefined ? {} : { attachments: files };
}

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The same object without keys whose value is undefined. */
export function given<T extends object>(params: T): Given<T> {
	return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Given<T>;
}
