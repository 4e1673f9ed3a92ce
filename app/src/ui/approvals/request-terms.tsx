import type { Approval } from "@xworkmate/contracts";
import { fill, words } from "../../strings/interface.ts";
import { wholeMinutes } from "../../text/format-measure.ts";
import { formatTime } from "../text/format.ts";
import { grantCovers, grantOffer } from "./grant-hint.ts";

interface RequestTermsProps {
	readonly approval: Approval;
	readonly provider: string;
	/** The bridge is out of reach, so nothing can be answered, and nothing is said of when it ends. */
	readonly isLost: boolean;
}

/** What a permission for a time would cover, and when the request ends without an answer: rows of a request's list of facts. */
export function RequestTerms({ approval, provider, isLost }: RequestTermsProps) {
	const { grantScope, windowSeconds = 0, expiresAt } = approval;
	return (
		<>
			{grantScope !== undefined && grantOffer(approval) !== undefined && (
				<>
					<dt>{fill(words.ask.coversFor, { minutes: wholeMinutes(windowSeconds) })}</dt>
					<dd className="wrap">{grantCovers(grantScope, provider)}</dd>
				</>
			)}
			{!isLost && (
				<>
					<dt>{words.ask.noAnswer}</dt>
					<dd>{fill(words.ask.noAnswerSay, { time: formatTime(expiresAt) })}</dd>
				</>
			)}
		</>
	);
}
