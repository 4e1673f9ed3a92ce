import { Dialog } from "@base-ui/react/dialog";
import { useId, useState } from "react";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { menuWords } from "../../strings/threads/menu-words.ts";
import { foldText } from "../../threads/domain/folded-text.ts";
import { tagProblem } from "../../threads/domain/tag-problem.ts";
import { setTags } from "../state/thread-actions.ts";

interface TagsFormProps {
	readonly thread: ThreadSummary;
	close(): void;
}

/**
 * The tags of a thread as one line of text. A mistake is shown at once, and cannot be saved. Tags that another window adds or removes in
 * the meantime appear in a field that was not edited, and are added or removed in what is saved of an edited one.
 */
export function TagsForm({ thread, close }: TagsFormProps) {
	const stored = thread.tags ?? [];
	/** The edited text, and the tags that it began with; undefined until the user edits it. */
	const [edited, setEdited] = useState<{ readonly text: string; readonly over: readonly string[] }>();
	const text = edited?.text ?? stored.join(", ");
	const hint = useId();
	const tags = text
		.split(",")
		.map((tag) => tag.trim())
		.filter((tag) => tag !== "");
	const problem = tagProblem(tags);
	const save = async () => {
		if (problem === undefined && (await setTags(thread.threadId, withOthers(tags, edited?.over ?? stored, stored)))) close();
	};
	return (
		<form
			className="dialog-form"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<Dialog.Title className="dialog-title">{menuWords.tagsTitle}</Dialog.Title>
			<label className="field">
				<span>{menuWords.tagsLabel}</span>
				<input
					type="text"
					value={text}
					aria-invalid={problem !== undefined}
					aria-describedby={hint}
					onChange={(event) => setEdited({ text: event.target.value, over: edited?.over ?? stored })}
				/>
			</label>
			<p id={hint} className={problem === undefined ? "muted small" : "st st-bad wrap small"}>
				{problem ?? menuWords.tagsHint}
			</p>
			<div className="flex end">
				<Dialog.Close className="btn lg">{menuWords.cancel}</Dialog.Close>
				<button type="submit" className="btn lg pri" disabled={problem !== undefined}>
					{menuWords.save}
				</button>
			</div>
		</form>
	);
}

/**
 * The typed tags, with those that another window has added since the typing began, and without those that it has removed.
 * @param over the stored tags when the typing began
 */
function withOthers(typed: readonly string[], over: readonly string[], stored: readonly string[]): readonly string[] {
	const namesOf = (tags: readonly string[]) => new Set(tags.map(foldText));
	const [known, before, now] = [namesOf(typed), namesOf(over), namesOf(stored)];
	const left = typed.filter((tag) => now.has(foldText(tag)) || !before.has(foldText(tag)));
	return [...left, ...stored.filter((tag) => !before.has(foldText(tag)) && !known.has(foldText(tag)))];
}
