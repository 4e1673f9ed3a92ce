import type { ProviderCapability, ThreadId } from "@xworkmate/contracts";
import { useEffect, useMemo, useRef } from "react";
import type { AttachAgain } from "../../core/app-api.ts";
import type { Draft } from "../../core/ui-api.ts";
import { callApp } from "../client/call-app.ts";
import { type LeftDraft, noteTyped } from "../client/left-drafts.ts";
import { routingOf } from "../model/routing.ts";
import { type Attached, encodeFile } from "./attached.ts";
import { setPreferences } from "./preferences.ts";
import { go } from "./route.ts";
import { attempt } from "./thread-acts.ts";

/** What is asked for besides the words. */
export type ComposerOptions = Omit<Draft, "prompt" | "updatedAt" | "files">;

export interface Composed {
	readonly prompt: string;
	readonly options: ComposerOptions;
	readonly files: readonly Attached[];
}

/** Sends what was composed; in a busy thread it waits behind the run. A new thread is opened. */
export async function sendComposed({ prompt, options, files }: Composed, threadId: ThreadId | undefined, busy: boolean): Promise<void> {
	// What the app keeps goes by its id; only what it could not keep goes with its bytes.
	const draft = { files: files.filter(({ kept }) => kept === "kept").map(({ key }) => key) };
	const rest = files.filter(({ kept }) => kept !== "kept");
	const attachments = await Promise.all(
		rest.flatMap((one) => (one.source !== undefined && "file" in one.source ? [encodeFile(one, one.source.file)] : [])),
	);
	const attachAgain = againOf(rest);
	const request = { ...options, prompt, draft, ...(attachments.length > 0 && { attachments }), ...(attachAgain && { attachAgain }) };
	if (threadId !== undefined && busy) {
		await callApp("queueMessage", { ...request, threadId });
		return;
	}
	const sent = await callApp("send", { ...request, ...(threadId !== undefined && { threadId }) });
	if (threadId !== undefined) return;
	begun = sent.threadId;
	go({ page: "thread", threadId: sent.threadId });
}

let begun: ThreadId | undefined;

/** True once for the thread that this page just began: who wrote its first message writes on. */
export function isJustBegun(threadId: ThreadId): boolean {
	const is = begun === threadId;
	if (is) begun = undefined;
	return is;
}

/** Files of one earlier message; a composer takes them of no more than one. */
function againOf(files: readonly Attached[]): AttachAgain | undefined {
	const again = files.flatMap(({ name, source }) => (source !== undefined && "again" in source ? [{ name, turnId: source.again }] : []));
	const [first] = again;
	return first && { turnId: first.turnId, names: again.filter(({ turnId }) => turnId === first.turnId).map(({ name }) => name) };
}

const PAUSE_MS = 400;

/** What this page typed last for a new thread: newer than what the app's state said when the page came. */
let typedNew: { readonly draft: Draft | undefined } | undefined;

/** The draft to begin a new thread with. */
export function newestDraft(told: Draft | undefined): Draft | undefined {
	return typedNew === undefined ? told : typedNew.draft;
}

/** Opens a new thread's composer with an agent chosen; what is typed there stays. */
export function startWith(provider: ProviderCapability, told: Draft | undefined): void {
	setPreferences({ providerId: provider.providerId });
	const draft = newestDraft(told);
	if (draft !== undefined) {
		const { prompt, updatedAt: _at, files = [], ...options } = draft;
		const chosen = { ...options, routing: routingOf(provider) };
		typedNew = { draft: { ...draft, routing: chosen.routing } };
		void attempt(() => keepDraft(undefined, JSON.stringify({ prompt, options: chosen, hasFiles: files.length > 0 })));
	}
	go({ page: "new" });
}

/** Opens a new thread's composer with a message that has no thread any more; what is typed there stays below it. */
export async function startFrom({ prompt, options }: LeftDraft, told: Draft | undefined): Promise<boolean> {
	const there = newestDraft(told);
	const { prompt: typed, updatedAt: _at, files = [], ...chosen } = there ?? { prompt: "", updatedAt: "" };
	const draft = { prompt: typed === "" ? prompt : `${prompt}\n\n${typed}`, options: { ...chosen, ...options }, hasFiles: files.length > 0 };
	const isKept = attempt(() => keepDraft(undefined, JSON.stringify(draft)));
	go({ page: "new" });
	return isKept;
}

interface DraftKeeper {
	forget(): void;
	/** Keeps what is typed now, and waits until the app has it. */
	settle(): Promise<void>;
}

/** Keeps what is typed in the app a little after the last letter, and when the composer goes away. */
export function useDraftKeeper(threadId: ThreadId | undefined, composed: Composed, onDraft?: (isKept: boolean) => void): DraftKeeper {
	const { prompt, options, files } = composed;
	const text = JSON.stringify({ prompt, options, hasFiles: files.some(({ kept }) => kept === "kept") });
	const saved = useRef(text);
	const latest = useRef(text);
	latest.current = text;
	useEffect(() => {
		if (threadId !== undefined) noteTyped(threadId, { prompt, options, files: files.map(({ name }) => name) });
	});
	const keeper = useMemo(() => {
		let work: Promise<void> = Promise.resolve();
		const save = (draft: string) => {
			if (draft === saved.current) return;
			saved.current = draft;
			// A draft that cannot be kept now is tried again with the next letter; what is typed stays on the page.
			work = keepDraft(threadId, draft).then(
				() => onDraft?.(!isEmptyDraft(draft)),
				() => {
					saved.current = "";
				},
			);
		};
		const settle = () => {
			save(latest.current);
			return work;
		};
		return { save, settle, forget: () => save(JSON.stringify({ prompt: "", options: {} })) };
	}, [threadId, onDraft]);
	useEffect(() => {
		const timer = setTimeout(() => keeper.save(text), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [keeper, text]);
	useEffect(() => {
		const onHide = () => keeper.save(latest.current);
		addEventListener("pagehide", onHide);
		return () => {
			removeEventListener("pagehide", onHide);
			onHide();
		};
	}, [keeper]);
	return keeper;
}

/** As it is compared and sent. */
interface TypedDraft {
	readonly prompt: string;
	readonly options: ComposerOptions;
	readonly hasFiles?: boolean;
}

function isEmptyDraft(draft: string): boolean {
	const { prompt, hasFiles = false } = JSON.parse(draft) as TypedDraft;
	return prompt.trim() === "" && !hasFiles;
}

async function keepDraft(threadId: ThreadId | undefined, draft: string): Promise<void> {
	const { prompt, options } = JSON.parse(draft) as TypedDraft;
	const isEmpty = isEmptyDraft(draft);
	if (threadId === undefined) typedNew = { draft: isEmpty ? undefined : { prompt, ...options, updatedAt: new Date().toISOString() } };
	await callApp("saveDraft", { ...(threadId !== undefined && { threadId }), draft: isEmpty ? { prompt: "" } : { prompt, ...options } });
}
