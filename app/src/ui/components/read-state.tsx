interface ReadStateProps {
	/** Something is shown, of this read or of one before. */
	readonly isRead: boolean;
	readonly problem: string | undefined;
	readonly words: { readonly loading: string; readonly failed: string; readonly again: string };
	read(): void;
}

/** Above what a page reads: that it is being read for the first time, or why it could not be. */
export function ReadState({ isRead, problem, words, read }: ReadStateProps) {
	if (problem === undefined) return isRead ? null : <p className="muted read-state">{words.loading}</p>;
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
