import { ArrowDown, ArrowUp, FileCheck, Paperclip, Pencil, X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { QueuedMessage, ThreadDetail } from "../../core/ui-api.ts";
import { callApp } from "../client/call-app.ts";
import { oneLine, visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { count, fill, words } from "../words/interface.ts";
import { useApp } from "./app-context.tsx";
import { attempt } from "./thread-acts.ts";

/** Messages that wait for their turn: edited, put in another order, taken back. */
export function QueuedList({ detail: { queued, queueHeld, thread } }: { readonly detail: ThreadDetail }) {
	if (queued.length === 0) return null;
	const { threadId } = thread;
	return (
		<section className="queued" aria-label={words.composer.waiting}>
			<p className="muted small">
				{queueHeld ? words.composer.waitingHeld : words.composer.waiting}{" "}
				{queueHeld && (
					<button type="button" className="btn" onClick={() => void attempt(() => callApp("sendQueued", { threadId }))}>
						{words.composer.sendNow}
					</button>
				)}
			</p>
			<ol>
				{queued.map((message, index) => (
					<QueuedRow key={message.queuedId} threadId={threadId} message={message} index={index} last={index === queued.length - 1} />
				))}
			</ol>
		</section>
	);
}

interface QueuedRowProps {
	readonly threadId: ThreadDetail["thread"]["threadId"];
	readonly message: QueuedMessage;
	readonly index: number;
	readonly last: boolean;
}

function QueuedRow({ threadId, message, index, last }: QueuedRowProps) {
	const { announce } = useApp();
	const [isEdited, setEdited] = useState(false);
	const row = useRef<HTMLLIElement>(null);
	const { queuedId, prompt } = message;
	const move = async (position: number) => {
		if (!(await attempt(() => callApp("moveQueued", { threadId, queuedId, position })))) return;
		announce(fill(words.composer.movedTo, { place: position + 1 }), "polite");
		// A row that moves loses the focus in some browsers, and a button at the end of its way is shut.
		requestAnimationFrame(() => row.current?.querySelector<HTMLElement>("button:not(:disabled)[data-move]")?.focus());
	};
	const close = () => {
		setEdited(false);
		requestAnimationFrame(() => row.current?.querySelector<HTMLElement>("[data-edit]")?.focus());
	};
	if (isEdited)
		return (
			<li ref={row}>
				<EditedPrompt threadId={threadId} message={message} close={close} />
			</li>
		);
	return (
		<li ref={row}>
			<span className="cut grow" dir="auto" title={prompt.slice(0, 1000)}>
				{oneLine(prompt.slice(0, 300))}
			</span>
			<QueuedNotes message={message} />
			<button type="button" className="ib" aria-label={words.composer.edit} data-edit="" onClick={() => setEdited(true)}>
				<Icon of={Pencil} small />
			</button>
			<button
				type="button"
				className="ib"
				aria-label={words.composer.up}
				data-move="up"
				disabled={index === 0}
				onClick={() => void move(index - 1)}
			>
				<Icon of={ArrowUp} small />
			</button>
			<button
				type="button"
				className="ib"
				aria-label={words.composer.down}
				data-move="down"
				disabled={last}
				onClick={() => void move(index + 1)}
			>
				<Icon of={ArrowDown} small />
			</button>
			<button
				type="button"
				className="ib"
				aria-label={words.composer.drop}
				onClick={() => void attempt(() => callApp("dropQueued", { threadId, queuedId }))}
			>
				<Icon of={X} small />
			</button>
		</li>
	);
}

/** What goes along besides the words. */
function QueuedNotes({ message: { attachments, require = [] } }: Pick<QueuedRowProps, "message">) {
	const globs = require.map((demand) => visibleName(typeof demand === "string" ? demand : demand.glob)).join(", ");
	return (
		<>
			{attachments.length > 0 && (
				<span className="muted small num nowrap" title={attachments.map(({ name }) => visibleName(name)).join(", ")}>
					<Icon of={Paperclip} small /> {count(attachments.length, "file")}
				</span>
			)}
			{globs !== "" && (
				<span className="muted small" title={globs}>
					<Icon of={FileCheck} small />
					<span className="vh">{globs}</span>
				</span>
			)}
		</>
	);
}

interface EditedPromptProps extends Pick<QueuedRowProps, "threadId" | "message"> {
	close(): void;
}

/** Enter keeps it, Escape leaves it as it was. */
function EditedPrompt({ threadId, message: { queuedId, prompt }, close }: EditedPromptProps) {
	const [text, setText] = useState(prompt);
	const isEmpty = text.trim() === "";
	const save = async () => {
		if (isEmpty) return;
		if (text === prompt || (await attempt(() => callApp("editQueued", { threadId, queuedId, change: { prompt: text } })))) close();
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing) return;
		if (event.key === "Escape") {
			event.preventDefault();
			close();
		} else if (event.key === "Enter" && !event.shiftKey) {
			event.preventDefault();
			void save();
		}
	};
	return (
		<>
			<textarea
				className="grow"
				rows={Math.min(6, Math.max(2, text.split("\n").length))}
				aria-label={words.composer.edit}
				// biome-ignore lint/a11y/noAutofocus: the person pressed Edit to write here
				autoFocus
				value={text}
				onChange={(event) => setText(event.target.value)}
				onKeyDown={onKeyDown}
			/>
			<button type="button" className="btn" disabled={isEmpty} onClick={() => void save()}>
				{words.composer.save}
			</button>
			<button type="button" className="btn quiet" onClick={close}>
				{words.rename.cancel}
			</button>
		</>
	);
}
