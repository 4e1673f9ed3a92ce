import { ArrowDown, ArrowUp, Pencil, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { QueuedMessage, ThreadDetail } from "../../core/ui-api.ts";
import { callApp } from "../client/call-app.ts";
import { oneLine } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";
import { useApp } from "./app-context.tsx";
import type { ComposerHandle } from "./composer.tsx";
import { QueuedNotes } from "./queued-notes.tsx";
import { RemovedList } from "./removed-list.tsx";
import { attempt } from "./thread-acts.ts";

interface QueuedListProps {
	readonly detail: ThreadDetail;
	readonly composer: RefObject<ComposerHandle | null>;
	/** Reads the thread again: what is removed is in no list of threads. */
	reread(): void;
}

/** Messages that wait for their turn: edited, put in another order, removed; below them, those that were removed. */
export function QueuedList({ detail, composer, reread }: QueuedListProps) {
	const { queued, queueHeld, removed = [], thread } = detail;
	const { announce } = useApp();
	const [fresh, setFresh] = useState<string>();
	if (queued.length + removed.length === 0) return null;
	const { threadId } = thread;
	const drop = async (queuedId: string) => {
		const toDraft = (await composer.current?.isFree()) ?? false;
		await attempt(async () => {
			const { draft } = await callApp("dropQueued", { threadId, queuedId, toDraft });
			if (draft !== undefined) composer.current?.takeUp(draft);
			else setFresh(queuedId);
			announce(draft === undefined ? words.composer.removed : words.composer.takenBack, "polite");
		});
	};
	const isStopped = thread.turns.at(-1)?.status === "cancelled";
	const held = isStopped ? words.composer.waitingStopped : words.composer.waitingHeld;
	return (
		<section className="queued" aria-label={words.composer.waiting}>
			{queued.length > 0 && (
				<p className="muted small">
					{queueHeld ? held : words.composer.waiting}{" "}
					{queueHeld && (
						<button type="button" className="btn" onClick={() => void attempt(() => callApp("sendQueued", { threadId }))}>
							{words.composer.sendNow}
						</button>
					)}
				</p>
			)}
			<ol>
				{queued.map((message, index) => (
					<QueuedRow
						key={message.queuedId}
						threadId={threadId}
						message={message}
						index={index}
						last={index === queued.length - 1}
						isFresh={message.queuedId === fresh}
						drop={() => void drop(message.queuedId)}
					/>
				))}
			</ol>
			<RemovedList
				detail={detail}
				fresh={fresh}
				done={(queuedId) => {
					setFresh(queuedId);
					reread();
					if (queuedId === undefined || queued.length === 0) composer.current?.focus();
				}}
			/>
		</section>
	);
}

interface QueuedRowProps {
	readonly threadId: ThreadDetail["thread"]["threadId"];
	readonly message: QueuedMessage;
	readonly index: number;
	readonly last: boolean;
	/** It was put back just now: it takes the focus. */
	readonly isFresh: boolean;
	drop(): void;
}

function QueuedRow({ threadId, message, index, last, isFresh, drop }: QueuedRowProps) {
	const { announce } = useApp();
	const [isEdited, setEdited] = useState(false);
	const row = useRef<HTMLLIElement>(null);
	const { queuedId, prompt } = message;
	useEffect(() => {
		if (isFresh) row.current?.querySelector<HTMLElement>("[data-edit]")?.focus();
	}, [isFresh]);
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
			<button type="button" className="ib" aria-label={words.composer.drop} title={words.composer.drop} onClick={drop}>
				<Icon of={X} small />
			</button>
		</li>
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
