import { limits, ProviderId, Routing, ThreadId, TurnId } from "@xworkmate/contracts";
import { z } from "zod";
import type { UiApi } from "../api/ui-api.ts";
import { DraftFileId } from "../threads/index.ts";
import { type AppMethod, AttachAgain, Attachments, given, method, Require, SentDraft, toAttachments } from "./app-methods.ts";

const thread = z.strictObject({ threadId: ThreadId });
const turn = z.strictObject({ threadId: ThreadId, turnId: TurnId });
const queued = z.strictObject({ threadId: ThreadId, queuedId: TurnId });
const nothing = z.strictObject({});

const options = {
	routing: Routing.optional(),
	workingDirectory: z.string().max(4096).optional(),
	require: Require,
	requiresExport: z.boolean().optional(),
};
/** What is typed goes to every page with the state: no more of it than may be sent. */
const Typed = z.string().max(limits.promptBytes);
const Draft = z.strictObject({ prompt: Typed, ...options });
const Queue = z.strictObject({
	threadId: ThreadId,
	prompt: z.string(),
	...options,
	routing: Routing,
	attachments: Attachments,
	attachAgain: AttachAgain,
	draft: SentDraft,
});
const fileOfDraft = { threadId: ThreadId.optional(), fileId: DraftFileId };
const KeptFile = z.union([
	z.strictObject({ ...fileOfDraft, name: z.string(), mediaType: z.string(), base64: z.base64() }),
	z.strictObject({ ...fileOfDraft, name: z.string(), again: TurnId }),
]);

const QueuedChange = z.union([
	z.strictObject({ prompt: z.string() }),
	z.strictObject({ typed: Typed }),
	z.strictObject({ isEdited: z.boolean() }),
]);

/** Methods of the local API that a window asks besides the app's own. */
export const uiMethods: Readonly<Record<string, AppMethod<UiApi>>> = {
	readThread: method(thread, (api, { threadId }) => api.readThread(threadId)),
	readUpdates: method(turn.extend({ afterSeq: z.int().min(0), limit: z.int().min(1).max(1000) }), (api, query) => api.readUpdates(query)),
	searchThreads: method(z.strictObject({ text: z.string().max(200) }), (api, { text }) => api.searchThreads(text)),
	recentPrompts: method(nothing, (api) => api.recentPrompts()),
	renameThread: method(thread.extend({ title: z.string() }), (api, { threadId, title }) => api.renameThread(threadId, title)),
	saveDraft: method(
		z.strictObject({ threadId: ThreadId.optional(), draft: Draft, over: Typed.optional() }),
		(api, { threadId, draft, over }) => api.saveDraft(threadId, given(draft), over),
	),
	keepDraftFile: method(KeptFile, (api, { threadId, fileId, ...given }) => {
		if ("again" in given) return api.keepDraftFile(threadId, fileId, given);
		const { base64, ...note } = given;
		return api.keepDraftFile(threadId, fileId, { ...note, bytes: Buffer.from(base64, "base64") });
	}),
	dropDraftFile: method(z.strictObject(fileOfDraft), (api, { threadId, fileId }) => api.dropDraftFile(threadId, fileId)),
	queueMessage: method(Queue, (api, { attachments, ...rest }) => api.queueMessage({ ...given(rest), ...toAttachments(attachments) })),
	editQueued: method(queued.extend({ change: QueuedChange }), (api, { threadId, queuedId, change }) =>
		api.editQueued(threadId, queuedId, change),
	),
	moveQueued: method(queued.extend({ position: z.int().min(0) }), (api, { threadId, queuedId, position }) =>
		api.moveQueued(threadId, queuedId, position),
	),
	dropQueued: method(queued.extend({ toDraft: z.boolean().optional() }), (api, { threadId, queuedId, toDraft = false }) =>
		api.dropQueued(threadId, queuedId, toDraft),
	),
	restoreQueued: method(queued, (api, { threadId, queuedId }) => api.restoreQueued(threadId, queuedId)),
	discardQueued: method(queued, (api, { threadId, queuedId }) => api.discardQueued(threadId, queuedId)),
	sendQueued: method(thread, (api, { threadId }) => api.sendQueued(threadId)),
	listFiles: method(thread, (api, { threadId }) => api.listFiles(threadId)),
	watchFiles: method(thread, (api, { threadId }) => api.watchFiles(threadId)),
	openFolder: method(thread, (api, { threadId }) => api.openFolder(threadId)),
	openDataFolder: method(nothing, (api) => api.openDataFolder()),
	runLog: method(turn, (api, { threadId, turnId }) => api.runLog(threadId, turnId)),
	doctor: method(nothing, (api) => api.doctor()),
	testBridge: method(nothing, (api) => api.testBridge()),
	testProvider: method(z.strictObject({ providerId: ProviderId }), (api, { providerId }) => api.testProvider(providerId)),
	restartBridge: method(nothing, (api) => api.restartBridge()),
	settings: method(nothing, (api) => api.settings()),
	bridgeLog: method(nothing, (api) => api.bridgeLog()),
	listFolders: method(z.strictObject({ path: z.string().max(4096).optional() }), (api, { path }) => api.listFolders(path)),
};
