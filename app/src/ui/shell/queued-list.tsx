import { ArrowDown, ArrowUp, Pencil, X } from "lucide-react";
import { useState } from "react";
import type { QueuedMessage, ThreadDetail } from "../../core/ui-api.ts";
import { callApp } from "../client/call-app.ts";
import { Icon } from "../parts/icon.tsx";
import { words } from "../words/interface.ts";
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
					<QueuedRow key={message.queuedId} detail={thread.threadId} message={message} index={index} last={index === queued.length - 1} />
				))}
			</ol>
		</section>
	);
}

interface QueuedRowProps {
	readonly detail: ThreadDetail["thread"]["threadId"];
	readonly message: QueuedMessage;
	readonly index: number;
	readonly last: boolean;
}

function QueuedRow({ detail: threadId, message, index, last }: QueuedRowProps) {
	const [edited, setEdited] = useState<string>();
	const { queuedId, prompt } = message;
	const move = (position: number) => void attempt(() => callApp("moveQueued", { threadId, queuedId, position }));
	const save = async () => {
		if (await attempt(() => callApp("editQueued", { threadId, queuedId, change: { prompt: edited ?? prompt } }))) setEdited(undefined);
	};
	if (edited !== undefined)
		return (
			<li>
				<textarea
					className="grow"
					rows={2}
					aria-label={words.composer.edit}
					value={edited}
					onChange={(event) => setEdited(event.target.value)}
				/>
				<button type="button" className="btn" disabled={edited.trim() === ""} onClick={() => void save()}>
					{words.composer.save}
				</button>
			</li>
		);
	return (
		<li>
			<span className="cut grow" dir="auto">
				{prompt}
			</span>
			<button type="button" className="ib" aria-label={words.composer.edit} onClick={() => setEdited(prompt)}>
				<Icon of={Pencil} small />
			</button>
			<button type="button" className="ib" aria-label={words.composer.up} disabled={index === 0} onClick={() => move(index - 1)}>
				<Icon of={ArrowUp} small />
			</button>
			<button type="button" className="ib" aria-label={words.composer.down} disabled={last} onClick={() => move(index + 1)}>
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
