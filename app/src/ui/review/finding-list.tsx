import type { DeliveryAction, LintFinding } from "@xworkmate/contracts";
import { CircleCheck, Hand } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { lintWords } from "../../strings/plans/plan-code-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { restoredWords } from "../../strings/plans/restored-words.ts";
import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { codeTitle } from "../../text/plans/code-title.ts";
import { heldReasons } from "../../text/plans/held-reasons.ts";
import { mayHaveBeenSent } from "../../text/plans/may-have-been-sent.ts";
import { Icon } from "../components/icon.tsx";
import { visibleExcerpt } from "../text/visible-text.ts";

interface FindingListProps {
	readonly action: DeliveryAction;
	/** What the rules of the channel found in the text that is shown. */
	readonly lint: readonly LintFinding[];
	/** False while no text was checked, so that nothing can be said to have been found. */
	readonly isChecked: boolean;
	/** True while the user is writing a text to replace the held one. The findings of the held text are then called those before the edit. */
	readonly isEdited?: boolean;
}

/** Why a message is or was held, and everything that the checks found in it. */
export function FindingList({ action, lint, isChecked, isEdited = false }: FindingListProps) {
	const { code, channel } = action;
	const isLint = code?.startsWith("LINT_") === true;
	const title = isLint ? undefined : codeTitle(action);
	const reason = isEdited && title !== undefined ? fill(words.beforeEdit, { reason: title }) : title;
	const before = heldReasons(action, isEdited);
	const isSentPerhaps = mayHaveBeenSent(action);
	return (
		<ul className="finds">
			{before.map((line) => (
				<li key={line}>
					<Icon of={Hand} className="no" />
					<span>{line}</span>
				</li>
			))}
			{reason !== undefined && (
				<li>
					<Icon of={Hand} className="no" />
					<span>{reason}</span>
				</li>
			)}
			{isSentPerhaps && (
				<li>
					<Icon of={Hand} className="no" />
					<span>{restoredWords.title}</span>
				</li>
			)}
			{lint.map(({ rule, excerpt, at }) => (
				<li key={`${rule} ${at ?? ""}`}>
					<Icon of={Hand} className="no" />
					<span>{fill(lintWords[rule], { channel: channelWords[channel] })}</span>
					{excerpt !== undefined && <small>{visibleExcerpt(excerpt)}</small>}
				</li>
			))}
			{isChecked && reason === undefined && !isSentPerhaps && before.length + lint.length === 0 && (
				<li>
					<Icon of={CircleCheck} className="ok" />
					<span>{words.nothingFound}</span>
				</li>
			)}
		</ul>
	);
}
