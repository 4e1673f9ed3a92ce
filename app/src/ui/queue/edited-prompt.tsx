import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { QueuedMessage, ThreadDetail } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { callApp } from "../connection/call-app.ts";
import { forgetEdit, keepEdit, noteEdit, settleEdits, takeUpEdit } from "../drafts/queued-edits.ts";
import { attempt } from "../state/thread-actions.ts";

const PAUSE_MS = 400;

interface EditedPromptProps {
	readonly threadId: ThreadDetail["thread"]["threadId"];
	readonly message: QueuedMessage;
	/** The text that the editor starts with. */
	readonly begin: string;
	/** True if the user has just pressed Edit here. */
	readonly isFresh: boolean;
	close(isSaved: boolean): void;
	/** Called when the edit could not be saved or cancelled, possibly because the message is no longer queued. */
	refused(): void;
}

/** Enter saves the text; Escape restores the old one. The app saves what is typed shortly after the last keystroke. */
export function EditedPrompt({ threadId, message: { queuedId, prompt }, begin, isFresh, close, refused }: EditedPromptProps) {
	const [typed, setTyped] = useState(begin);
	const [isEnding, setEnding] = useState(false);
	const hint = useId();
	const field = useRef<HTMLTextAreaElement>(null);
	// Puts the cursor after the text. By default, browsers put it before the text.
	// biome-ignore lint/correctness/useExhaustiveDependencies: only once; later, the cursor is where the user put it
	useEffect(() => field.current?.setSelectionRange(begin.length, begin.length), []);
	const isEmpty = typed.trim() === "";
	useEffect(() => {
		if (begin !== prompt) takeUpEdit({ threadId, queuedId, typed: begin });
	}, [threadId, queuedId, begin, prompt]);
	useEffect(() => {
		const timer = setTimeout(() => keepEdit(queuedId), typed === begin ? 0 : PAUSE_MS);
		return () => clearTimeout(timer);
	}, [queuedId, typed, begin]);
	useEffect(() => {
		const onHide = () => keepEdit(queuedId);
		addEventListener("pagehide", onHide);
		return () => {
			removeEventListener("pagehide", onHide);
			onHide();
		};
	}, [queuedId]);
	const end = async (change: { readonly prompt: string } | { readonly isEdited: false }) => {
		if (isEnding) return;
		setEnding(true);
		forgetEdit(queuedId);
		await settleEdits();
		const isDone = await attempt(() => callApp("editQueued", { threadId, queuedId, change }));
		setEnding(false);
		if (isDone) close("prompt" in change);
		else {
			noteEdit({ threadId, queuedId, typed });
			refused();
		}
	};
	const save = () => {
		if (!isEmpty) void end({ prompt: typed });
	};
	const cancel = () => void end({ isEdited: false });
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing) return;
		if (event.key === "Escape") {
			event.preventDefault();
			cancel();
		} else if (event.key === "Enter" && !event.shiftKey) {
			event.preventDefault();
			save();
		}
	};
	return (
		<>
			<textarea
				className="grow"
				rows={Math.min(6, Math.max(2, typed.split("\n").length))}
				aria-label={words.composer.edit}
				aria-describedby={hint}
				// biome-ignore lint/a11y/noAutofocus: the user pressed Edit to write here
				autoFocus={isFresh}
				ref={field}
				readOnly={isEnding}
				value={typed}
				onChange={({ target: { value } }) => {
					setTyped(value);
					noteEdit({ threadId, queuedId, typed: value });
				}}
				onKeyDown={onKeyDown}
			/>
			<span className="muted small grow" id={hint}>
				{words.composer.edited}
			</span>
			<button type="button" className="btn" disabled={isEmpty} onClick={save}>
				{words.composer.save}
			</button>
			<button type="button" className="btn quiet" onClick={cancel}>
				{words.rename.cancel}
			</button>
		</>
	);
}
