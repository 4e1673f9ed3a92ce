import { ArrowDown, ArrowUp, Pencil, X } from "lucide-react";
import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { QueuedMessage, ThreadDetail } from "../../api/ui-api.ts";
import { staysHeld } from "../../composer/stays-held.ts";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import type { ComposerHandle } from "../composer/composer-handle.ts";
import { callApp } from "../connection/call-app.ts";
import { takeEnded, typedFor } from "../drafts/queued-edits.ts";
import { useApp } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { oneLine, visibleProse } from "../text/visible-text.ts";
import { DropButton } from "./drop-button.tsx";
import { EditedPrompt } from "./edited-prompt.tsx";
import { QueuedNotes } from "./queued-notes.tsx";
import { RemovedList } from "./removed-list.tsx";
import { whyHeld } from "./why-held.ts";
import { whyRefused } from "./why-refused.ts";

interface QueuedListProps {
	readonly detail: ThreadDetail;
	readonly composer: RefObject<ComposerHandle | null>;
	/** Reads the thread again, because lists of threads do not contain removed messages. */
	reread(): void;
}

/** The queued messages, which can be edited, reordered and removed, and below them the removed ones. */
export function QueuedList({ detail, composer, reread }: QueuedListProps) {
	const { queued, queueHeld, removed = [], thread } = detail;
	const { announce } = useApp();
	const [fresh, setFresh] = useState<string>();
	// Stays until the user closes it: the user may be looking at the other window, where the message was sent or its edit was ended.
	const [note, setNote] = useState<string>();
	const { threadId } = thread;
	const known = useRef<typeof queued>(undefined);
	const { list, head, onFocus, onBlur } = useKeptFocus(() => composer.current?.focus());
	/** Moves typed text into the message field if its message was sent or its edit was ended elsewhere, so that no text is lost. */
	const takeTyped = (before: typeof known.current, now: typeof queued) => {
		const ended = takeEnded(threadId, before, now);
		for (const { typed } of ended) composer.current?.putAbove(typed);
		const [last] = ended.slice(-1);
		if (last === undefined) return;
		const said = last.isQueued ? words.composer.editChanged : words.composer.editEnded;
		setNote(said);
		announce(said);
	};
	useEffect(() => {
		takeTyped(known.current, queued);
		known.current = queued;
	});
	if (queued.length + removed.length === 0 && note === undefined) return null;
	const drop = async (queuedId: string) => {
		const toDraft = (await composer.current?.isFree()) ?? false;
		return attempt(async () => {
			const { draft } = await callApp("dropQueued", { threadId, queuedId, toDraft });
			if (draft !== undefined) composer.current?.takeUp(draft);
			else setFresh(queuedId);
			announce(draft === undefined ? words.composer.removed : words.composer.takenBack);
		});
	};
	const resume = async () => {
		if (await attempt(() => callApp("sendQueued", { threadId }))) announce(words.composer.resumed);
	};
	const isOnHold = staysHeld(queued);
	const isEdited = queued[0]?.typed !== undefined;
	const held = isEdited ? words.composer.waitingEdited : (whyRefused(queued[0]) ?? whyHeld(thread.turns.at(-1), isOnHold));
	return (
		<section className="queued" aria-label={words.composer.waiting} ref={list} onFocus={onFocus} onBlur={onBlur}>
			{note !== undefined && (
				<p className="flex">
					<span className="grow">{note}</span>
					<button
						type="button"
						className="ib"
						aria-label={words.composer.noteClose}
						onClick={() => {
							setNote(undefined);
							composer.current?.focus();
						}}
					>
						<Icon of={X} small />
					</button>
				</p>
			)}
			{queued.length > 0 && (
				<p className="muted small" tabIndex={-1} ref={head}>
					{queueHeld || isOnHold ? held : words.composer.waiting}{" "}
					{queueHeld && !isEdited && (
						<button type="button" className="btn" onClick={() => void resume()}>
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
						drop={() => drop(message.queuedId)}
						changed={reread}
						refused={() => takeTyped(known.current, known.current ?? [])}
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
	/** True if the message was just put back, so that it takes the focus. */
	readonly isFresh: boolean;
	/** Resolves with false if the message could not be removed. */
	drop(): Promise<boolean>;
	/** Called when an edit begins or ends here. */
	changed(): void;
	refused(): void;
}

function QueuedRow({ threadId, message, index, last, isFresh, drop, changed, refused }: QueuedRowProps) {
	const { announce } = useApp();
	const { queuedId, prompt } = message;
	const isHeld = message.typed !== undefined;
	// Undefined if no editor is open here. An editor that was open before a reload, or before another page was shown, opens again.
	const [open, setOpen] = useState(() => openWith(typedFor(message)));
	const row = useRef<HTMLLIElement>(null);
	const named = (act: string) => fill(words.composer.actOn, { act, message: beginningOf(prompt) });
	const wasHeld = useRef(isHeld);
	useEffect(() => {
		if (wasHeld.current && !isHeld) setOpen(undefined);
		wasHeld.current = isHeld;
	}, [isHeld]);
	useEffect(() => {
		if (isFresh) row.current?.querySelector<HTMLElement>("[data-edit]")?.focus();
	}, [isFresh]);
	const move = async (by: "up" | "down") => {
		const position = by === "up" ? index - 1 : index + 1;
		if (position < 0 || (by === "down" && last)) return;
		if (!(await attempt(() => callApp("moveQueued", { threadId, queuedId, position })))) return;
		announce(fill(words.composer.movedTo, { place: position + 1 }));
		// Restores the focus: in some browsers, a row loses it when it moves.
		requestAnimationFrame(() => row.current?.querySelector<HTMLElement>(`[data-move=${by}]`)?.focus());
	};
	const edit = () =>
		void attempt(async () => {
			const now = await callApp("editQueued", { threadId, queuedId, change: { isEdited: true } });
			setOpen({ begin: now.find((one) => one.queuedId === queuedId)?.typed ?? prompt, isFresh: true });
			changed();
		});
	const isClosing = useRef(false);
	// Runs before the page is painted, so that the focus is not lost between the editor and the button.
	useLayoutEffect(() => {
		if (open !== undefined || !isClosing.current) return;
		isClosing.current = false;
		row.current?.querySelector<HTMLElement>("[data-edit]")?.focus();
	});
	const close = (isSaved: boolean) => {
		isClosing.current = true;
		setOpen(undefined);
		changed();
		if (isSaved) announce(words.composer.editSaved);
	};
	const discard = () =>
		void attempt(async () => {
			await callApp("editQueued", { threadId, queuedId, change: { isEdited: false } });
			close(false);
		});
	if (open !== undefined)
		return (
			<li ref={row}>
				<EditedPrompt threadId={threadId} message={message} {...open} close={close} refused={refused} />
			</li>
		);
	return (
		<li ref={row}>
			<span className="cut grow" dir="auto" title={visibleProse(prompt.slice(0, 1000))}>
				{oneLine(prompt.slice(0, 300))}
			</span>
			<QueuedNotes message={message} />
			{isHeld && <span className="muted small">{words.composer.edited}</span>}
			{/* One button in both states, so that it keeps the focus when the state changes. */}
			<button
				type="button"
				className={isHeld ? "btn" : "ib"}
				aria-label={named(isHeld ? words.composer.editOn : words.composer.edit)}
				data-edit=""
				onClick={edit}
			>
				{isHeld ? words.composer.editOn : <Icon of={Pencil} small />}
			</button>
			{isHeld ? (
				<button type="button" className="btn quiet" aria-label={named(words.composer.editDiscard)} onClick={discard}>
					{words.composer.editDiscard}
				</button>
			) : (
				<>
					{/* Not disabled at an end of the list: a disabled button loses the focus, and the next press would act on another button. */}
					<button
						type="button"
						className="ib"
						aria-label={named(words.composer.up)}
						data-move="up"
						aria-disabled={index === 0}
						onClick={() => void move("up")}
					>
						<Icon of={ArrowUp} small />
					</button>
					<button
						type="button"
						className="ib"
						aria-label={named(words.composer.down)}
						data-move="down"
						aria-disabled={last}
						onClick={() => void move("down")}
					>
						<Icon of={ArrowDown} small />
					</button>
					<DropButton name={named(words.composer.drop)} drop={drop} />
				</>
			)}
		</li>
	);
}

/** How much of a message a screen reader says in a button's name: enough to tell the messages of a queue apart. */
const NAME_CHARACTERS = 40;

function beginningOf(prompt: string): string {
	const shown = [...oneLine(prompt.slice(0, 10 * NAME_CHARACTERS))];
	return shown.length <= NAME_CHARACTERS ? shown.join("") : `${shown.slice(0, NAME_CHARACTERS).join("").trimEnd()}…`;
}

/**
 * Keeps the focus in the queue when the focused element disappears: on the queue's heading or, if the queue is empty, in the message field.
 * If the user moved the focus elsewhere, it stays there.
 */
function useKeptFocus(focusComposer: () => void) {
	const list = useRef<HTMLElement>(null);
	const head = useRef<HTMLParagraphElement>(null);
	const isHere = useRef(false);
	useLayoutEffect(() => {
		const { activeElement } = document;
		if (!isHere.current || (activeElement !== null && activeElement !== document.body)) return;
		if (head.current !== null) head.current.focus();
		else focusComposer();
		isHere.current = list.current?.contains(document.activeElement) ?? false;
	});
	const onFocus = () => {
		isHere.current = true;
	};
	const onBlur = ({ target, relatedTarget }: FocusEvent) => {
		// If the focus is lost because its element was removed, it still counts as being in the queue.
		queueMicrotask(() => {
			const isLeft = relatedTarget === null ? target.isConnected : list.current?.contains(relatedTarget) !== true;
			if (isLeft) isHere.current = false;
		});
	};
	return { list, head, onFocus, onBlur };
}

/** An open editor: the text that it starts with, and whether the user has just opened it. */
interface OpenEdit {
	readonly begin: string;
	readonly isFresh: boolean;
}

function openWith(begin: string | undefined): OpenEdit | undefined {
	return begin === undefined ? undefined : { begin, isFresh: false };
}
