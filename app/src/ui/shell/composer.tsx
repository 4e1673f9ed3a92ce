import { ArrowUp, FileCheck, Paperclip } from "lucide-react";
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import type { Draft, ThreadDetail } from "../../core/ui-api.ts";
import { formatBytes } from "../model/format.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";
import { AgentPicker, usableRouting } from "./agent-picker.tsx";
import { useApp, useProviders } from "./app-context.tsx";
import { AttachmentChips } from "./attachment-chips.tsx";
import { contractBounds, useAttachments } from "./attachments.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { preferences, setPreferences } from "./preferences.ts";
import { RequiredGlobs } from "./required-globs.tsx";
import { type Composed, type ComposerOptions, sendComposed, useDraftKeeper } from "./send-composed.ts";
import { attempt } from "./thread-acts.ts";

/** What other parts of the page may ask of the composer. */
export interface ComposerHandle {
	/** Puts words into the field for the person to change and send. */
	write(prompt: string): void;
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
	const last = thread?.turns.at(-1)?.request;
	const field = useRef<HTMLTextAreaElement>(null);
	const picker = useRef<HTMLInputElement>(null);
	const [prompt, setPrompt] = useState(draft?.prompt ?? "");
	const [options, setOptions] = useState<ComposerOptions>(() => ({
		...(draft?.routing && { routing: draft.routing }),
		...(!draft?.routing && last && { routing: last.routing }),
		...(draft?.workingDirectory !== undefined && { workingDirectory: draft.workingDirectory }),
		...(last?.workingDirectory !== undefined && draft === undefined && { workingDirectory: last.workingDirectory }),
		...(draft?.require && { require: draft.require }),
	}));
	const [isRequiring, setRequiring] = useState((options.require?.length ?? 0) > 0 || thread === undefined);
	const [isChoosing, setChoosing] = useState(false);
	const [isSending, setSending] = useState(false);
	const files = useAttachments(limits ? { fileBytes: limits.attachmentBytes, messageBytes: limits.attachmentsBytes } : contractBounds);
	const routing = options.routing ?? usableRouting(providers, preferences.value.providerId);
	const composed: Composed = { prompt, options: { ...options, ...(routing && { routing }) }, files: files.sent };
	const keeper = useDraftKeeper(thread?.thread.threadId, composed, onDraft);
	useImperativeHandle(ref, () => ({
		write: (text) => {
			setPrompt(text);
			requestAnimationFrame(() => field.current?.focus());
		},
		choose: () => setChoosing(true),
		focus: () => field.current?.focus(),
	}));
	const history = useHistory(thread, prompt, setPrompt);
	const isReady =
		prompt.trim() !== "" &&
		routing !== undefined &&
		!isSending &&
		!files.isOver &&
		state === "live" &&
		files.sent.every((one) => one.state === "ready");
	const send = async () => {
		if (!isReady) return;
		setSending(true);
		const isSent = await attempt(() => sendComposed(composed, thread?.thread.threadId, busy));
		setSending(false);
		if (!isSent) return;
		keeper.forget();
		setPrompt("");
		files.clear();
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
	return (
		<form
			className="box"
			aria-label={words.composer.message}
			onSubmit={(event) => {
				event.preventDefault();
				void send();
			}}
			onDragOver={(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()}
			onDrop={(event) => {
				if (event.dataTransfer.files.length === 0) return;
				event.preventDefault();
				files.add(event.dataTransfer.files);
			}}
		>
			<AttachmentChips attached={files.attached} bound={limits?.attachmentBytes ?? contractBounds.fileBytes} drop={files.drop} />
			<textarea
				ref={field}
				rows={Math.min(12, Math.max(thread === undefined ? 3 : 1, prompt.split("\n").length))}
				aria-label={words.composer.message}
				placeholder={placeholderOf(thread !== undefined, busy, state === "live")}
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
			{isRequiring && <RequiredGlobs globs={options.require ?? []} change={(require) => setOptions({ ...options, require })} />}
			<div className="tools">
				<button type="button" className="ib" aria-label={words.composer.attach} onClick={() => picker.current?.click()}>
					<Icon of={Paperclip} />
				</button>
				<input
					ref={picker}
					type="file"
					multiple
					hidden
					onChange={(event) => {
						files.add(event.target.files ?? []);
						event.target.value = "";
					}}
				/>
				<AgentPicker
					{...(routing && { routing })}
					isOpen={isChoosing}
					setOpen={setChoosing}
					choose={(chosen) => setOptions({ ...options, routing: chosen })}
				/>
				<FolderPicker
					{...(options.workingDirectory !== undefined && { folder: options.workingDirectory })}
					choose={(folder) => {
						const { workingDirectory: _, ...rest } = options;
						setOptions(folder === undefined ? rest : { ...rest, workingDirectory: folder });
					}}
				/>
				{!isRequiring && (
					<button type="button" className="btn quiet cut" onClick={() => setRequiring(true)}>
						<Icon of={FileCheck} />
						<span className="cut vh-n">{words.composer.require}</span>
					</button>
				)}
				<span className="muted num hide-n nowrap small tools-say">
					{files.attached.length > 0
						? fill(words.composer.attached, {
								bytes: formatBytes(files.totalBytes),
								bound: formatBytes(limits?.attachmentsBytes ?? contractBounds.messageBytes),
							})
						: thread === undefined && words.composer.keys}
				</span>
				<button type="submit" className="send" aria-label={busy ? words.composer.sendQueue : words.composer.send} disabled={!isReady}>
					<Icon of={ArrowUp} />
				</button>
			</div>
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

/** Up in an empty field: what was asked before, newest first; Down comes back. */
function useHistory(thread: ThreadDetail | undefined, prompt: string, setPrompt: (prompt: string) => void): (event: KeyboardEvent) => void {
	const at = useRef(-1);
	useEffect(() => {
		if (prompt === "") at.current = -1;
	}, [prompt]);
	const prompts = (thread?.turns ?? []).map(({ request }) => request.prompt).reverse();
	return (event) => {
		const isShown = at.current >= 0 && prompts[at.current] === prompt;
		if (prompt !== "" && !isShown) return;
		if (event.key === "ArrowUp" && at.current + 1 < prompts.length) at.current += 1;
		else if (event.key === "ArrowDown" && at.current >= 0) at.current -= 1;
		else return;
		event.preventDefault();
		setPrompt(prompts[at.current] ?? "");
	};
}
