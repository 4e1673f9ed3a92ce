import type { ThreadId } from "@xworkmate/contracts";
import { X } from "lucide-react";
import { useState } from "react";
import type { Draft } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { hasWords } from "../../threads/domain/replace-draft.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { oneLine, visibleProse } from "../text/visible-text.ts";

interface EarlierWordsProps {
	readonly threadId: ThreadId | undefined;
	/** The draft that the app had when the message field was opened. */
	readonly draft: Draft | undefined;
	/** The text that the field was opened with, which may be one of the draft's texts. */
	readonly own: string;
	/** Inserts a text above what is typed. The app removes the text from the draft's earlier ones once the combined text is saved. */
	add(text: string): void;
}

/** Unsent text from other windows, which may have been closed. Each text can be added to the message or deleted. */
export function EarlierWords({ threadId, draft, own, add }: EarlierWordsProps) {
	const [left, setLeft] = useState(() => wordsOf(draft).filter((text) => !hasWords(own, text)));
	if (left.length === 0) return null;
	const take = (text: string) => {
		setLeft(left.filter((each) => each !== text));
		add(text);
	};
	const drop = (text: string) =>
		void attempt(async () => {
			await callApp("saveDraft", { ...(threadId !== undefined && { threadId }), draft: { prompt: "" }, over: text });
			setLeft((now) => now.filter((each) => each !== text));
			say(words.composer.earlierDropped, { word: words.menu.undo, undo: () => add(text) });
		});
	return (
		<section className="queued" aria-label={words.composer.earlier}>
			<p className="muted small">{words.composer.earlier}</p>
			<ul>
				{left.map((text) => (
					<li key={text}>
						<span className="cut grow" dir="auto" title={visibleProse(text.slice(0, 1000))}>
							{oneLine(text.slice(0, 300))}
						</span>
						<button type="button" className="btn" onClick={() => take(text)}>
							{words.composer.earlierAdd}
						</button>
						<button type="button" className="ib" aria-label={words.composer.earlierDrop} onClick={() => drop(text)}>
							<Icon of={X} small />
						</button>
					</li>
				))}
			</ul>
		</section>
	);
}

/** All texts of a draft. The main text is included, because it comes from another window too if this tab has its own text. */
function wordsOf(draft: Draft | undefined): readonly string[] {
	return draft === undefined ? [] : [draft.prompt, ...(draft.earlier ?? [])].filter((text) => text.trim() !== "");
}
