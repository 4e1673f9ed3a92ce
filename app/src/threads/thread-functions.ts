import { failedCommandsIn, lackingIn, omitUndefined, unpermittedIn } from "@xworkmate/contracts";
import { LISTED_THREADS, type QueueOfThread, type ShownThread } from "../api/app-api.ts";
import type { ThreadFunctions } from "../api/thread-rows.ts";
import type { ThreadQueue } from "../composer/thread-queue.ts";
import type { SqliteThreadStore } from "../store/sqlite-thread-store.ts";
import { FOUND_THREADS } from "../store/thread-search.ts";
import { contradictedCalls } from "../text/calls/contradicted-calls.ts";
import { leftOpenLines } from "../text/calls/left-open.ts";
import { isContradicted, swappedLines } from "../text/runs/actions-title.ts";
import type { BackgroundTurns } from "../turns/background-turns.ts";
import type { TurnFeed } from "../turns/turn-feed.ts";
import { threadFolder } from "../workspace/index.ts";
import { answerSoFar } from "./answer-so-far.ts";
import type { AppEvents } from "./app-events.ts";
import { earlierConversation } from "./domain/earlier-conversation.ts";
import type { ThreadStore } from "./domain/thread-store.ts";
import type { TurnRecord } from "./domain/turn-record.ts";
import { excerpt } from "./excerpt.ts";
import type { Thread } from "./index.ts";
import { storedDetail } from "./stored-detail.ts";
import { storedSince } from "./stored-since.ts";
import type { ThreadDeletion } from "./thread-deletion.ts";
import { type ThreadRepository, timestamp } from "./thread-repository.ts";
import { isAtBridge } from "./thread-summaries.ts";
import { TurnChanges } from "./turn-changes.ts";

export interface ThreadParts {
	readonly home: string;
	readonly store: SqliteThreadStore;
	readonly repository: ThreadRepository;
	readonly events: AppEvents;
	readonly deletion: ThreadDeletion;
	readonly background: BackgroundTurns;
	readonly feed: TurnFeed;
	readonly threadQueue: ThreadQueue;
}

export function threadFunctions(parts: ThreadParts): Omit<ThreadFunctions, "exportThread"> {
	const { home, store, repository, events, deletion, background, feed, threadQueue } = parts;
	const changes = new TurnChanges(events);
	const placeOf = ({ threadId, lifecycleStatus }: Thread) =>
		lifecycleStatus === "queued" ? background.gatewayQueue.places.get(threadId) : undefined;
	const contact = { active: background.active, feed };
	const queueOf = (thread: Thread): QueueOfThread => {
		const { queued, queueHeld, removed = [] } = threadQueue.detail(thread);
		const restored = removed.filter(({ removedFor }) => removedFor !== undefined);
		return { ...(queued.length > 0 && { queued, queueHeld }), ...(restored.length > 0 && { removed: restored }) };
	};
	return {
		listThreads: async ({ archived }) =>
			store.listThreads({ archived, limit: LISTED_THREADS }).map((thread) => {
				const origin = store.originOf(thread.threadId);
				const more = { ...store.surface.marks(thread.threadId), ...queueOf(thread), ...storedSince(contact, thread) };
				return { ...thread, ...more, ...(origin && { origin }), ...store.listedOf(thread.threadId) };
			}),
		knownRuns: (of) => store.runs.newest(of),
		async showThread({ threadId }) {
			const thread = repository.get(threadId);
			const records = store.turnRecords(threadId);
			events.emit("threadOpened", threadId);
			const gatewayQueue = placeOf(thread);
			return {
				thread,
				prompts: Object.fromEntries(records.map(({ turn, request }) => [turn.turnId, request.prompt])),
				answers: Object.fromEntries(records.flatMap(({ turn, snapshot }) => (snapshot?.output ? [[turn.turnId, snapshot.output]] : []))),
				...soFarOf(records, store),
				groundings: Object.fromEntries(
					records.flatMap(({ turn, snapshot }) => (snapshot?.grounding ? [[turn.turnId, snapshot.grounding]] : [])),
				),
				lacking: Object.fromEntries(
					records.flatMap(({ turn, snapshot }) => {
						const lacking = snapshot && lackingIn(snapshot);
						return lacking === undefined ? [] : [[turn.turnId, lacking]];
					}),
				),
				failedCommands: Object.fromEntries(
					records.flatMap(({ turn, snapshot }) => {
						const failed = failedCommandsIn(snapshot?.activity);
						return failed.length === 0 ? [] : [[turn.turnId, failed]];
					}),
				),
				unpermitted: Object.fromEntries(
					records.flatMap(({ turn, snapshot }) => {
						const unpermitted = snapshot?.activity && unpermittedIn(snapshot.activity);
						return unpermitted === undefined ? [] : [[turn.turnId, unpermitted]];
					}),
				),
				swapped: Object.fromEntries(
					records.flatMap(({ turn, snapshot }) => {
						const swapped = swappedLines(snapshot?.activity);
						return swapped.length === 0 ? [] : [[turn.turnId, swapped]];
					}),
				),
				leftOpen: Object.fromEntries(
					records.flatMap(({ turn, snapshot }) => {
						const open = leftOpenLines(snapshot?.activity);
						return open.length === 0 ? [] : [[turn.turnId, open]];
					}),
				),
				contradicted: Object.fromEntries(
					records.flatMap(({ turn, snapshot }) => {
						return isContradicted(snapshot?.activity) ? [[turn.turnId, true as const]] : [];
					}),
				),
				contradictedCalls: Object.fromEntries(
					records.flatMap(({ turn, snapshot }) => {
						const calls = contradictedCalls(snapshot?.activity);
						return calls.length === 0 ? [] : [[turn.turnId, calls]];
					}),
				),
				edits: Object.fromEntries(records.flatMap(({ turn, snapshot }) => (snapshot?.edits ? [[turn.turnId, snapshot.edits]] : []))),
				origins: Object.fromEntries(records.flatMap(({ turn, request }) => (request.origin ? [[turn.turnId, request.origin]] : []))),
				collected: Object.fromEntries(
					records.flatMap(({ turn, snapshot }) => (snapshot?.artifacts.count ? [[turn.turnId, snapshot.artifacts.count]] : [])),
				),
				...lastSent(records),
				folder: threadFolder(home, threadId),
				...(gatewayQueue && { gatewayQueue }),
				...queueOf(thread),
				...storedSince(contact, thread),
			};
		},
		async readThread({ threadId, since: given }) {
			const thread = repository.get(threadId);
			const changed = changes.since(threadId, given);
			const since = changed && given;
			const gatewayQueue = placeOf(thread);
			events.emit("threadOpened", threadId);
			const stored = storedDetail(store, home, thread, changed);
			return { ...stored, ...threadQueue.detail(thread), mark: changes.mark, ...omitUndefined({ since, gatewayQueue }) };
		},
		async searchThreads({ text, tag }) {
			const found = await store.surface.search.find(text, tag);
			const threads = found.map(({ threadId, text: foundText }) => ({ threadId, excerpt: excerpt(foundText, text) }));
			return { threads, isFull: found.length === FOUND_THREADS };
		},
		recentPrompts: async () => store.surface.recentPrompts(),
		renameThread: async ({ threadId, title }) => repository.execute(threadId, [{ type: "rename", title, at: timestamp() }]),
		async archiveThread({ threadId }) {
			await background.partials.leave(threadId);
			return repository.execute(threadId, [{ type: "archive", at: timestamp() }]);
		},
		restoreThread: async ({ threadId }) => repository.execute(threadId, [{ type: "restore", at: timestamp() }]),
		async continuation({ threadId, turnId }) {
			const { title } = repository.get(threadId);
			const { given, leftOut } = earlierConversation(threadId, turnId, store.turnRecords(threadId));
			return { threadId, turnId, title, given, leftOut };
		},
		async markThread({ threadId, pinned, tags }) {
			repository.get(threadId);
			const { pinnedAt, tags: before = [] } = store.surface.marks(threadId);
			const isPinned = pinned ?? pinnedAt !== undefined;
			store.surface.putMarks(threadId, { pinnedAt: isPinned ? (pinnedAt ?? timestamp()) : null, tags: tags ?? before });
			events.emit("summaryChanged", threadId);
			return store.surface.marks(threadId);
		},
		threadDeletion: ({ threadId }) => deletion.describe(threadId),
		async deleteThread({ threadId }) {
			await background.partials.leave(threadId);
			return await deletion.delete(threadId);
		},
	};
}

/** The answer so far of a turn that has not ended, from the updates that the app has stored. */
function soFarOf(records: readonly TurnRecord[], store: Pick<ThreadStore, "readUpdates">): Pick<ShownThread, "soFar"> {
	const active = records.find(({ turn, snapshot }) => isAtBridge(turn.status) && snapshot?.output === undefined);
	if (active === undefined) return {};
	const {
		threadId,
		turn: { turnId },
	} = active;
	const output = answerSoFar((afterSeq, limit) => store.readUpdates({ threadId, turnId }, afterSeq, limit));
	return output === undefined ? {} : { soFar: { [turnId]: output } };
}

/**
 * What the thread's last message that was not refused was sent with: its project folder, and its agent and model. The folder may be why a
 * message was refused. If the message named no agent, the agent is the one that the bridge chose.
 */
function lastSent(records: readonly TurnRecord[]): Pick<ShownThread, "place" | "agent"> {
	const last = records.findLast(({ turn }) => turn.status !== "refused");
	if (last === undefined) return {};
	const { request, snapshot } = last;
	const { workingDirectory, worktree, routing } = request;
	const chosen = snapshot && { executionTarget: snapshot.provider.target, providerId: snapshot.provider.providerId };
	return {
		...(workingDirectory !== undefined && { place: { workingDirectory, ...(worktree && { worktree }) } }),
		agent: { ...routing, ...chosen },
	};
}
