import { words } from "../../strings/interface.ts";

interface ComposerNotesProps {
	/** What to say about a message if the app refused it, or has not confirmed that it arrived. */
	readonly note: string | undefined;
	/** True if the message can't be sent because the app does not respond, unless it may have been sent before that. */
	readonly isAway: boolean;
	readonly isScript: boolean;
	/** True if the message goes to Script and looks like plain language rather than a program. */
	readonly isForAgent: boolean;
	/** The ids of the notes that describe the field. */
	readonly awayId: string;
	readonly hint: string;
}

/** The notes below the message field. */
export function ComposerNotes({ note, isAway, isScript, isForAgent, awayId, hint }: ComposerNotesProps) {
	return (
		<>
			{note !== undefined && (
				<p className="box-say small" id={awayId}>
					{note}
				</p>
			)}
			{/* The placeholder says so too, but only until something is typed. */}
			{isAway && (
				<p className="box-say small" id={awayId}>
					{words.composer.away}
				</p>
			)}
			{isScript && (
				<p className="box-say muted small" id={hint}>
					{isForAgent ? words.composer.scriptWords : words.composer.scriptRuns}
				</p>
			)}
		</>
	);
}
