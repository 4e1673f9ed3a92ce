import { ThreadId, TurnId } from "@xworkmate/contracts";
import { z } from "zod";
import type { KnownRuns } from "../threads/domain/known-run.ts";
import type { Thread } from "../threads/domain/thread.ts";
import { type ThreadMarks, ThreadTags } from "../threads/domain/thread-marks.ts";
import type { Continued } from "../threads/domain/turn-record.ts";
import { type DeletedThread, LISTED_RUNS, type ShownThread, type StoredThread, type ThreadDeletionView } from "./app-api.ts";
import { ExportFormat, type ExportPiece } from "./export-piece.ts";
import type { FoundThreads } from "./found-thread.ts";
import { action, type Functions, nothing, query, repeatable, stream } from "./method.ts";
import type { ThreadDetail } from "./ui-api.ts";
import { exportLinesRoute } from "./ui-routes.ts";

export const ofThread = z.strictObject({ threadId: ThreadId });
/** `since`: the mark of what the caller already has. If the app no longer knows the mark, it returns everything. */
export const ofThreadSince = ofThread.extend({ since: z.string().max(100).exactOptional() });

/** Listing, reading, searching, marking and exporting threads. */
export const threadRows = {
	/**
	 * Unless archived threads are listed, pinned threads come first; within each group, the most recently changed. At most LISTED_THREADS.
	 * Each thread has only its newest turn.
	 */
	listThreads: query(z.strictObject({ archived: z.boolean() })).returns<readonly StoredThread[]>(),
	/** The newest runs of all threads, or of one thread, newest first, in the state that the app last learned. An unknown thread has none. */
	knownRuns: query(z.strictObject({ threadId: ThreadId.exactOptional(), limit: z.int().min(1).max(LISTED_RUNS) })).returns<KnownRuns>(),
	/** @throws AppError THREAD_NOT_FOUND */
	showThread: query(ofThread).returns<ShownThread>(),
	/** @throws AppError THREAD_NOT_FOUND */
	readThread: query(ofThreadSince).returns<ThreadDetail>(),
	/**
	 * Searches the titles, prompts, final answers and file names of all threads, or of those that have a tag, ignoring case and accents. Returns at
	 * most 100 threads, the most recently changed first.
	 */
	searchThreads: query(z.strictObject({ text: z.string().max(200), tag: z.string().max(200).exactOptional() })).returns<FoundThreads>(),
	/** The latest prompts of all threads, newest first, without duplicates; at most 50, each at most 8,000 characters. */
	recentPrompts: query(nothing).returns<readonly string[]>(),
	/**
	 * What an agent would receive from a thread, up to and including a turn, if the thread were continued in a new one.
	 * @throws AppError THREAD_NOT_FOUND, TURN_NOT_FOUND
	 */
	continuation: query(ofThread.extend({ turnId: TurnId })).returns<Continued>(),
	/**
	 * A title is one line of 1 to 200 characters.
	 * @throws AppError INVALID_INPUT
	 */
	renameThread: repeatable(action(ofThread.extend({ title: z.string() })).returns<Thread>()),
	archiveThread: repeatable(action(ofThread).returns<Thread>()),
	restoreThread: repeatable(action(ofThread).returns<Thread>()),
	/**
	 * Pins a thread to the top of the list or unpins it, and sets its tags. An absent field is left unchanged.
	 * @throws AppError THREAD_NOT_FOUND
	 */
	markThread: repeatable(
		action(ofThread.extend({ pinned: z.boolean().exactOptional(), tags: ThreadTags.exactOptional() })).returns<ThreadMarks>(),
	),
	/**
	 * The thread as Markdown, or as a zip with its files and their hashes.
	 * @throws AppError THREAD_NOT_FOUND
	 */
	exportThread: stream(ofThread.extend({ format: ExportFormat }), ({ threadId, format }) =>
		exportLinesRoute(threadId, format),
	).of<ExportPiece>(),
	/** What deleting the thread deletes with it. */
	threadDeletion: query(ofThread).returns<ThreadDeletionView>(),
	/** @throws AppError THREAD_NOT_FOUND, THREAD_BUSY */
	deleteThread: action(ofThread).returns<DeletedThread>(),
};

export type ThreadFunctions = Functions<typeof threadRows>;
