import type { DeliveryAction, LintFinding } from "@xworkmate/contracts";
import { CircleCheck, Hand } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { lintWords } from "../../strings/plan-code-words.ts";
import { channelWords } from "../../strings/plan-words.ts";
import { reviewWords as words } from "../../strings/review-words.ts";
import { codeTitle } from "../../text/code-title.ts";
import { Icon } from "../components/icon.tsx";
import { visibleExcerpt } from "../text/visible-text.ts";

interface FindingListProps {
	readonly action: DeliveryAction;
	/** What the rules of the channel found in the text that is shown. */
	readonly lint: readonly LintFinding[];
	/** False while no text was checked, so that nothing can be said to have been found. */
	readonly isChecked: boolean;
}

/** Why a message is held, and everything that the checks found in it. */
export function FindingList({ action, lint, isChecked }: FindingListProps) {
	const { code, channel } = action;
	const isLint = code?.startsWith("LINT_") === true;
	const reason = isLint ? undefined : codeTitle(action);
	return (
		<ul className="finds">
			{reason !== undefined && (
				<li>
					<Icon of={Hand} className="no" />
					<span>{reason}</span>
				</li>
			)}
			{lint.map(({ rule, excerpt, at }) => (
				<li key={`${rule} ${at ?? ""}`}>
					<Icon of={Hand} className="no" />
					<span>{fill(lintWords[rule], { channel: channelWords[channel] })}</span>
					{excerpt !== undefined && <small>{visibleExcerpt(excerpt)}</small>}
				</li>
			))}
			{isChecked && reason === undefined && lint.length === 0 && (
				<li>
					<Icon of={CircleCheck} className="ok" />
					<span>{words.nothingFound}</span>
				</li>
			)}
		</ul>
	);
}
