import { Dialog } from "@base-ui/react/dialog";
import { useId, useState } from "react";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { menuWords } from "../../strings/menu-words.ts";
import { tagProblem } from "../../threads/domain/tag-problem.ts";
import { setTags } from "../state/thread-actions.ts";

interface TagsFormProps {
	readonly thread: ThreadSummary;
	close(): void;
}

/** The tags of a thread as one line of text. A mistake is shown at once, and cannot be saved. */
export function TagsForm({ thread, close }: TagsFormProps) {
	const [text, setText] = useState(() => (thread.tags ?? []).join(", "));
	const hint = useId();
	const tags = text
		.split(",")
		.map((tag) => tag.trim())
		.filter((tag) => tag !== "");
	const problem = tagProblem(tags);
	const save = async () => {
		if (problem === undefined && (await setTags(thread.threadId, tags))) close();
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
					onChange={(event) => setText(event.target.value)}
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
