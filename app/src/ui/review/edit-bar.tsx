import { reviewWords as words } from "../../strings/plans/review-words.ts";

interface EditBarProps {
	/** False if the message was decided on in the meantime, so that the text can only be discarded. */
	readonly canDecide: boolean;
	/** True if there is a preview of the text. */
	readonly isBuilt: boolean;
	/** Why the text can't be sent now. */
	readonly problem: string | undefined;
	readonly isBusy: boolean;
	keep(): void;
	discard(): void;
}

/** What the user can do with a text of their own. */
export function EditBar({ canDecide, isBuilt, problem, isBusy, keep, discard }: EditBarProps) {
	return (
		<footer className="decide">
			{canDecide && (
				<button type="button" className="btn lg pri" disabled={!isBuilt || problem !== undefined} aria-disabled={isBusy} onClick={keep}>
					{words.keep}
				</button>
			)}
			<button type="button" className="btn lg" onClick={discard}>
				{words.discardEdit}
			</button>
			{canDecide && problem !== undefined && <span className="muted small">{problem}</span>}
		</footer>
	);
}
