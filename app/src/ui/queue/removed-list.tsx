import { X } from "lucide-react";
import { Fragment, useEffect, useRef } from "react";
import type { QueuedMessage, ThreadDetail } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { queueWords } from "../../strings/threads/queue-words.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { attempt } from "../state/thread-actions.ts";
import { oneLine, visibleProse } from "../text/visible-text.ts";
import { QueuedNotes } from "./queued-notes.tsx";

interface RemovedListProps {
	readonly detail: ThreadDetail;
	/** The message that was just removed. Its Undo button takes the focus that the row had. */
	readonly fresh: string | undefined;
	/** Called after a message has been put back or deleted. */
	done(queuedId: string | undefined): void;
}

/**
 * Messages that were removed from the queue: by the user, or by a restore from a backup, after which each may have been sent already. The
 * app keeps each until it is put back or deleted here.
 */
export function RemovedList({ detail: { removed = [], sendsNext = false, thread }, fresh, done }: RemovedListProps) {
	if (removed.length === 0) return null;
	const isSent = ({ isNext, typed }: QueuedMessage) => sendsNext && isNext === true && typed === undefined;
	const restored = removed.filter(({ removedFor }) => removedFor !== undefined);
	const groups = [
		{ title: queueWords.restored, messages: restored },
		{ title: words.composer.removed, messages: removed.filter((message) => !restored.includes(message)) },
	];
	return groups.map(
		({ title, messages }) =>
			messages.length > 0 && (
				<Fragment key={title}>
					<p className="muted small">{title}</p>
					<ul aria-label={title}>
						{messages.map((message) => (
							<RemovedRow
								key={message.queuedId}
								threadId={thread.threadId}
								message={message}
								undo={isSent(message) ? words.composer.removedSend : words.composer.removedUndo}
								isFresh={message.queuedId === fresh}
								done={done}
							/>
						))}
					</ul>
				</Fragment>
			),
	);
}

interface RemovedRowProps extends Pick<RemovedListProps, "done"> {
	readonly threadId: ThreadDetail["thread"]["threadId"];
	readonly message: QueuedMessage;
	/** The label of the button that puts a message back. It says so if putting the message back sends it. */
	readonly undo: string;
	readonly isFresh: boolean;
}

function RemovedRow({ threadId, message, undo, isFresh, done }: RemovedRowProps) {
	const button = useRef<HTMLButtonElement>(null);
	const { queuedId, prompt } = message;
	useEffect(() => {
		if (isFresh) button.current?.focus();
	}, [isFresh]);
	const restore = async () => {
		if (await attempt(() => callApp("restoreQueued", { threadId, queuedId }))) done(queuedId);
	};
	const discard = async () => {
		if (await attempt(() => callApp("discardQueued", { threadId, queuedId }))) done(undefined);
	};
	return (
		<li>
			<span className="cut grow muted" dir="auto" title={visibleProse(prompt.slice(0, 1000))}>
				{oneLine(prompt.slice(0, 300))}
			</span>
			<QueuedNotes message={message} />
			<button ref={button} type="button" className="btn" onClick={() => void restore()}>
				{undo}
			</button>
			<button
				type="button"
				className="ib"
				aria-label={words.composer.removedDelete}
				title={words.composer.removedDelete}
				onClick={() => void discard()}
			>
				<Icon of={X} small />
			</button>
		</li>
	);
}
