import { words as pageWords } from "../../strings/interface.ts";
import { useApp } from "../state/app-context.tsx";

interface ReadStateProps {
	/** True if something is shown, from this read or an earlier one. */
	readonly isRead: boolean;
	readonly problem: string | undefined;
	readonly words: { readonly loading: string; readonly failed: string; readonly again: string };
	read(): void;
}

/** Shown above what a page reads. Says that it is being read for the first time, or why it could not be read. */
export function ReadState({ isRead, problem, words, read }: ReadStateProps) {
	const { state } = useApp();
	if (problem === undefined) {
		if (isRead) return null;
		// Nothing is being loaded from an app that isn't responding.
		return <p className="muted read-state">{state === "gone" ? pageWords.page.appSilent : words.loading}</p>;
	}
	return (
		<div className="note bad read-state" role="alert">
			<p className="grow">
				<b>{words.failed}</b> {problem}
			</p>
			<button type="button" className="btn" onClick={read}>
				{words.again}
			</button>
		</div>
	);
}
