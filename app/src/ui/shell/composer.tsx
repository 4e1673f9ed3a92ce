import type { RequiredArtifact } from "@xworkmate/contracts";
import { type DragEvent, type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import type { Draft, ThreadDetail, TurnDetail } from "../../core/ui-api.ts";
import { formatBinary } from "../model/format.ts";
import { usableRouting } from "../model/routing.ts";
import { fill, words } from "../words/interface.ts";
import { useApp, useProviders } from "./app-context.tsx";
import { AttachmentChips } from "./attachment-chips.tsx";
import { type Attachments, contractBounds, useAttachments } from "./attachments.ts";
import { isComposerWished } from "./composer-focus.ts";
import { ComposerTools } from "./composer-tools.tsx";
import { preferences, setPreferences } from "./preferences.ts";
import { useHistory } from "./prompt-history.ts";
import { RequiredGlobs } from "./required-globs.tsx";
import { type Composed, type ComposerOptions, isJustBegun, sendComposed, useDraftKeeper } from "./send-composed.ts";
import { attempt } from "./thread-acts.ts";
import { say } from "./toasts.tsx";

/** What other parts of the page may ask of the composer. */
export interface ComposerHandle {
	/** Puts words into the field for the person to change and send. */
	write(prompt: string, require?: readonly RequiredArtifact[]): void;
	/** Puts a whole earlier message there: its words, files, folder, agent and what it required. */
	writeAgain(turn: TurnDetail): void;
	/** Opens the choice of agents. */
	choose(): void;
	focus(): void;
}

interface ComposerProps {
	/** Absent = a new thread. */
	readonly thread?: ThreadDetail;
	readonly draft?: Draft;
	readonly busy: boolean;
	readonly ref?: Ref<ComposerHandle>;
	onSent?(): void;
	onDraft?(isKept: boolean): void;
}

export function Composer({ thread, draft = thread?.draft, busy, ref, onSent, onDraft }: ComposerProps) {
	const { app, state } = useApp();
	const providers = useProviders();
	const limits = app.bridge.capabilities?.limits;
	const bounds = limits ? { fileBytes: limits.attachmentBytes, messageBytes: limits.attachmentsBytes } : contractBounds;
	const threadId = thread?.thread.threadId;
	const field = useRef<HTMLTextAreaElement>(null);
	const [prompt, setPrompt] = useState(draft?.prompt ?? "");
	const [options, setOptions] = useState<ComposerOptions>(() => firstOptions(draft, thread?.turns.at(-1)));
	const [isRequiring, setRequiring] = useState((options.require?.length ?? 0) > 0 || thread === undefined);
	const [isChoosing, setChoosing] = useState(false);
	const [isSending, setSending] = useState(false);
	const files = useAttachments(threadId ?? "new", bounds, draft?.files);
	const dropping = useDropping(files);
	const routing = options.routing ?? usableRouting(providers, preferences.value.providerId);
	const composed: Composed = { prompt, options: { ...options, ...(routing && { routing }) }, files: files.sent };
	const keeper = useDraftKeeper(threadId, composed, onDraft);
	const write = (text: string, require: readonly RequiredArtifact[] = []) => {
		setPrompt(text);
		if (require.length > 0) {
			setOptions((before) => ({ ...before, require }));
			setRequiring(true);
		}
		requestAnimationFrame(() => field.current?.focus());
	};
	useImperativeHandle(ref, () => ({
		write,
		writeAgain: (turn) => {
			setOptions(optionsOf(turn));
			setRequiring(isRequiring || turn.request.contract.required.length > 0);
			attachAgain(files, turn);
			write(turn.request.prompt);
		},
		choose: () => setChoosing(true),
		focus: () => field.current?.focus(),
	}));
	useEffect(() => {
		// Whoever asks for a new thread wants to write; on a touch screen the keyboard would cover it unasked.
		const wantsToWrite = threadId === undefined ? matchMedia("(pointer: fine)").matches : isJustBegun(threadId);
		const isWished = isComposerWished(threadId);
		if (wantsToWrite || isWished) field.current?.focus();
	}, [threadId]);
	const history = useHistory(thread, prompt, setPrompt);
	const isReady = prompt.trim() !== "" && routing !== undefined && !isSending && !files.isOver && state === "live" && files.isReady;
	const send = async () => {
		if (!isReady) return;
		setSending(true);
		const went = await files.settle();
		const isSent = await attempt(() => sendComposed({ ...composed, files: went }, threadId, busy));
		setSending(false);
		if (!isSent) return;
		keeper.forget();
		setPrompt("");
		files.clear(went);
		if (routing.providerId !== undefined) setPreferences({ providerId: routing.providerId });
		onSent?.();
		field.current?.focus();
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing || event.keyCode === IME_KEY) return;
		if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
			event.preventDefault();
			void send();
		} else history(event);
	};
	const attachedSay = fill(words.composer.attached, { bytes: formatBinary(files.totalBytes), bound: formatBinary(bounds.messageBytes) });
	return (
		<form
			className={`box ${dropping.isOver ? "drops" : ""}`}
			aria-label={words.composer.message}
			onSubmit={(event) => {
				event.preventDefault();
				void send();
			}}
			{...dropping.on}
		>
			<AttachmentChips files={files} bounds={bounds} />
			<textarea
				ref={field}
				rows={Math.min(12, Math.max(thread === undefined ? 3 : 1, prompt.split("\n").length))}
				aria-label={words.composer.message}
				placeholder={dropping.isOver ? words.composer.dropHere : placeholderOf(thread !== undefined, busy, state === "live")}
				dir="auto"
				value={prompt}
				onChange={(event) => setPrompt(event.target.value)}
				onKeyDown={onKeyDown}
				onPaste={(event) => {
					if (event.clipboardData.files.length === 0) return;
					event.preventDefault();
					files.add(event.clipboardData.files);
				}}
			/>
			{isRequiring && <RequiredGlobs globs={demandsOf(options.require)} change={(require) => setOptions({ ...options, require })} />}
			<ComposerTools
				routing={routing}
				options={options}
				setOptions={setOptions}
				say={files.attached.length > 0 ? attachedSay : thread === undefined ? words.composer.keys : ""}
				isChoosing={isChoosing}
				setChoosing={setChoosing}
				isRequiring={isRequiring}
				require={() => setRequiring(true)}
				attach={files.add}
				isReady={isReady}
				busy={busy}
			/>
		</form>
	);
}

/** What browsers report for a key that an IME takes, where `isComposing` is late. */
const IME_KEY = 229;

function placeholderOf(isThread: boolean, busy: boolean, isLive: boolean): string {
	if (!isLive) return words.composer.placeholderAway;
	if (busy) return words.composer.placeholderBusy;
	return isThread ? words.composer.placeholder : words.composer.placeholderNew;
}

/** The draft's own; in a thread without one, who was asked last and where. */
function firstOptions(draft: Draft | undefined, last: TurnDetail | undefined): ComposerOptions {
	// Files alone say nothing of it.
	const isChosen = draft !== undefined && (draft.prompt !== "" || draft.routing !== undefined);
	const routing = draft?.routing ?? last?.request.routing;
	const workingDirectory = isChosen ? draft.workingDirectory : last?.request.workingDirectory;
	return {
		...(routing && { routing }),
		...(workingDirectory !== undefined && { workingDirectory }),
		...(draft?.require && { require: draft.require }),
	};
}

function optionsOf({ request: { routing, workingDirectory, contract } }: TurnDetail): ComposerOptions {
	return {
		routing,
		...(workingDirectory !== undefined && { workingDirectory }),
		...(contract.required.length > 0 && { require: contract.required }),
		...(contract.requiresExport && { requiresExport: true }),
	};
}

function demandsOf(require: ComposerOptions["require"] = []): readonly RequiredArtifact[] {
	return require.map((demand) => (typeof demand === "string" ? { glob: demand, minCount: 1 } : demand));
}

/** The files of an earlier message, as far as they are kept; the others are named. */
function attachAgain(files: Attachments, { turn, request, keptAttachments = [] }: TurnDetail): void {
	const kept = new Set(keptAttachments);
	const gone = request.attachments.filter(({ name }) => !kept.has(name));
	files.addAgain(
		turn.turnId,
		request.attachments.filter(({ name }) => kept.has(name)),
	);
	if (gone.length > 0) say(fill(words.composer.attachmentsGone, { names: gone.map(({ name }) => name).join(", ") }));
}

/** Files that are dragged over the composer and let go. */
function useDropping({ add }: Attachments) {
	const [isOver, setOver] = useState(false);
	const on = {
		onDragOver: (event: DragEvent) => {
			if (!event.dataTransfer.types.includes("Files")) return;
			event.preventDefault();
			setOver(true);
		},
		onDragLeave: (event: DragEvent) => {
			if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false);
		},
		onDrop: (event: DragEvent) => {
			setOver(false);
			if (event.dataTransfer.files.length === 0) return;
			event.preventDefault();
			add(event.dataTransfer.files);
		},
	};
	return { isOver, on };
}
