import type { ProviderCapability, Routing, ThreadId } from "@xworkmate/contracts";
import { useEffect, useMemo, useRef } from "react";
import type { AttachAgain, SentTurn } from "../../api/app-api.ts";
import type { Draft, DraftFile } from "../../api/ui-api.ts";
import { routingOf } from "../agents/routing.ts";
import { APP_GONE, AppRefusal } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { noteTyped } from "../drafts/left-drafts.ts";
import { draftFor, noteOwn } from "../drafts/own-drafts.ts";
import type { TabDraft } from "../drafts/tab-drafts.ts";
import { queueMessage, sendMessage } from "../follow/sent-message.ts";
import { useApp } from "../state/app-context.tsx";
import { setPreferences } from "../state/preferences.ts";
import { go } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { type Attached, encodeFile } from "./attached.ts";
import { demanding } from "./composer-options.ts";
import { forgetPress, pressedIds, refusePress } from "./pressed-ids.ts";

/** The message's options, apart from its text. */
export type ComposerOptions = Omit<Draft, "prompt" | "updatedAt" | "files" | "earlier">;

export interface Composed {
	readonly prompt: string;
	readonly options: ComposerOptions;
	readonly files: readonly Attached[];
}

interface SentMessage extends Composed {
	readonly routing: Routing;
	readonly continuesFrom?: SentTurn;
	/** Called with the thread that the message began. */
	begin(threadId: ThreadId): void;
	/** Called if the message was queued. A message is sent instead if the run has just ended. */
	queued(): void;
}

/** Sends the composed message. In a busy thread, the message is queued behind the run. */
export async function sendComposed(
	{ prompt, options, routing, files, continuesFrom, begin, queued }: SentMessage,
	threadId: ThreadId | undefined,
	busy: boolean,
): Promise<void> {
	// Files that the app has saved are sent by their id; only unsaved files are sent with their bytes.
	const draft = { files: files.filter(({ kept }) => kept === "kept").map(({ key }) => key) };
	const rest = files.filter(({ kept }) => kept !== "kept");
	const attachments = await Promise.all(
		rest.flatMap((one) => (one.source !== undefined && "file" in one.source ? [encodeFile(one, one.source.file)] : [])),
	);
	const attachAgain = againOf(rest);
	const request = {
		...options,
		routing,
		prompt,
		draft,
		...(attachments.length > 0 && { attachments }),
		...(attachAgain.length > 0 && { attachAgain }),
		...(continuesFrom && threadId === undefined && { continuesFrom }),
	};
	const place = threadId ?? "new";
	const { turnId, begins } = pressedIds(place, pressedMessage({ prompt, options, files, continuesFrom }));
	const queue = async (threadId: ThreadId) => {
		const { queuedId } = await queueMessage({ ...request, turnId, threadId });
		if (queuedId !== undefined) queued();
	};
	try {
		if (threadId === undefined) begin((await sendMessage({ ...request, turnId, begins })).threadId);
		else if (busy) await queue(threadId);
		else {
			await sendMessage({ ...request, turnId, threadId }).catch((error: unknown) => {
				// Another page or a command has just started a run in this thread.
				if (error instanceof AppRefusal && error.code === "THREAD_BUSY") return queue(threadId);
				throw error;
			});
		}
	} catch (error) {
		if (!(error instanceof AppRefusal && error.code === APP_GONE)) refusePress(place);
		throw error;
	}
	forgetPress(place);
}

/**
 * Everything that makes one message different from another for the user. Whether the app has already saved an attached file is left out,
 * because that changes without any action by the user.
 */
export function pressedMessage({ prompt, options, files, continuesFrom }: Composed & { readonly continuesFrom?: SentTurn | undefined }) {
	const { routing, workingDirectory, worktree, require, requiresExport } = options;
	return { prompt, routing, workingDirectory, worktree, require, requiresExport, continuesFrom, files: files.map(({ key }) => key) };
}

/** Opens a thread that this page has created. */
export function enter(threadId: ThreadId): void {
	begun = threadId;
	go({ page: "thread", threadId });
}

/**
 * Makes the text that was typed while a new thread's first message was being sent the draft of that thread. The draft keeps the agent and
 * the folder, but not what that message required.
 */
export function leaveDraft(threadId: ThreadId, prompt: string, options: ComposerOptions): void {
	noteOwn(threadId, { prompt, options: demanding(options, {}), files: [] });
}

let begun: ThreadId | undefined;

/** True once for a thread that this page has just created, because the user will want to continue writing in it. */
export function isJustBegun(threadId: ThreadId): boolean {
	const is = begun === threadId;
	if (is) begun = undefined;
	return is;
}

/** The attachments that come from earlier messages, grouped by message. */
function againOf(files: readonly Attached[]): AttachAgain {
	const again = files.flatMap(({ name, source }) => (source !== undefined && "again" in source ? [{ name, turnId: source.again }] : []));
	const turnIds = [...new Set(again.map(({ turnId }) => turnId))];
	return turnIds.map((turnId) => ({ turnId, names: again.filter((one) => one.turnId === turnId).map(({ name }) => name) }));
}

const PAUSE_MS = 400;

/** Opens the composer of a new thread with an agent chosen. Text that is already typed there is kept. */
export function startWith(provider: ProviderCapability, told: Draft | undefined): void {
	setPreferences({ providerId: provider.providerId });
	const draft = draftFor(undefined, told);
	if (draft !== undefined) {
		const { prompt, updatedAt: _at, earlier: _others, files = [], ...options } = draft;
		const chosen = { ...options, routing: routingOf(provider) };
		void attempt(() => keepDraft(undefined, { prompt, options: chosen, ...filesOf(files) }, prompt));
	}
	go({ page: "new" });
}

/**
 * Opens the composer of a new thread with a message whose thread no longer exists. Text that is already typed there is kept below the
 * message.
 */
export async function startFrom({ prompt, options }: TabDraft, told: Draft | undefined): Promise<boolean> {
	const there = draftFor(undefined, told);
	const { prompt: typed, updatedAt: _at, earlier: _others, files = [], ...chosen } = there ?? { prompt: "", updatedAt: "" };
	const together = typed === "" ? prompt : `${prompt}\n\n${typed}`;
	const isKept = attempt(() => keepDraft(undefined, { prompt: together, options: { ...chosen, ...options }, ...filesOf(files) }, typed));
	go({ page: "new" });
	return isKept;
}

interface DraftKeeper {
	forget(): void;
	/** Saves the typed text now, and resolves once the app has it or cannot save it. */
	settle(): Promise<void>;
}

interface KeptComposer {
	readonly threadId: ThreadId | undefined;
	readonly composed: Composed;
	/** False if the app does not have the text that the composer was opened with. */
	readonly isTold: boolean;
	/** Called with true if there is a draft and the app has its current state, with all files that can be sent. */
	readonly onDraft: ((isKept: boolean) => void) | undefined;
}

/**
 * Saves the typed text in the app after a pause in typing and when the composer is closed. In a thread, this page also keeps its own copy,
 * without waiting for a pause, because the thread may be deleted in another window.
 */
export function useDraftKeeper({ threadId, composed, isTold, onDraft }: KeptComposer): DraftKeeper {
	const { prompt, options, files } = composed;
	const names = files.map(({ name }) => name);
	const typed = { prompt, options, files: names, hasFiles: files.some(({ kept }) => kept === "kept") };
	const text = JSON.stringify(typed);
	const isEmpty = isEmptyDraft(typed);
	const isFileUnsaved = files.some(({ kept }) => kept !== "kept");
	const isUnsaved = useRef(isFileUnsaved);
	isUnsaved.current = isFileUnsaved;
	const { state } = useApp();
	const saved = useRef(isTold ? text : "");
	const confirmed = useRef(saved.current);
	const over = useRef(prompt);
	const latest = useRef(text);
	latest.current = text;
	useEffect(() => {
		if (threadId !== undefined) noteTyped(threadId, { prompt, options, files: names });
	});
	const keeper = useMemo(() => {
		let work: Promise<void> | undefined;
		// Drafts are saved one after another, because the older text would remain if two arrived in the wrong order. A page that is being
		// closed can't wait.
		const save = (next: string, isLeaving = false) => {
			if (next === saved.current) return;
			const draft = JSON.parse(next) as TypedDraft;
			const before = over.current;
			saved.current = next;
			over.current = draft.prompt;
			// A draft that cannot be saved now is saved with the next keystroke. Until then, this tab keeps the text.
			const mine = keepDraft(threadId, draft, before, isLeaving ? undefined : work)
				.then(
					() => {
						confirmed.current = next;
						onDraft?.(next === latest.current && !isEmptyDraft(draft) && !isUnsaved.current);
					},
					() => {
						saved.current = "";
						over.current = before;
					},
				)
				.finally(() => {
					if (work === mine) work = undefined;
				});
			work = mine;
		};
		const settle = async () => {
			save(latest.current);
			await work;
		};
		// The text is forgotten immediately: if the composer is closed before it is rendered without the text, it must not save the text again.
		const forget = () => {
			latest.current = JSON.stringify({ prompt: "", options: {}, files: [] });
			save(latest.current);
		};
		return { save, settle, forget };
	}, [threadId, onDraft]);
	useEffect(() => {
		const timer = setTimeout(() => keeper.save(text), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [keeper, text]);
	useEffect(() => onDraft?.(!isEmpty && !isFileUnsaved && text === confirmed.current), [onDraft, isEmpty, isFileUnsaved, text]);
	// While the app is unreachable, only this tab has the text, so the browser asks before it closes the tab.
	useEffect(() => {
		if (isEmpty || state === "live") return;
		const guard = (event: BeforeUnloadEvent) => {
			if (latest.current !== confirmed.current) event.preventDefault();
		};
		addEventListener("beforeunload", guard);
		return () => removeEventListener("beforeunload", guard);
	}, [isEmpty, state]);
	useEffect(() => {
		const onHide = () => keeper.save(latest.current, true);
		addEventListener("pagehide", onHide);
		return () => {
			removeEventListener("pagehide", onHide);
			keeper.save(latest.current);
		};
	}, [keeper]);
	return keeper;
}

/** A draft in the form that is compared with the last saved one, and then saved in the app. */
interface TypedDraft extends TabDraft {
	/** True if the app has saved files with the draft. */
	readonly hasFiles?: boolean;
}

function filesOf(files: readonly DraftFile[]): Pick<TypedDraft, "files" | "hasFiles"> {
	return { files: files.map(({ name }) => name), hasFiles: files.length > 0 };
}

function isEmptyDraft({ prompt, hasFiles = false }: TypedDraft): boolean {
	return prompt.trim() === "" && !hasFiles;
}

/** `over` is the text of this tab that the app has; text from other windows is kept. The draft is sent to the app once `after` resolves. */
async function keepDraft(threadId: ThreadId | undefined, draft: TypedDraft, over: string, after?: Promise<void>): Promise<void> {
	const { prompt, options, files } = draft;
	const isEmpty = isEmptyDraft(draft);
	noteOwn(threadId, isEmpty ? undefined : { prompt, options, files });
	if (after !== undefined) await after;
	await callApp("saveDraft", {
		...(threadId !== undefined && { threadId }),
		over,
		draft: isEmpty ? { prompt: "" } : { prompt, ...options },
	});
}
