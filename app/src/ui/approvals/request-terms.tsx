import type { Approval } from "@xworkmate/contracts";
import { fill, words } from "../../strings/interface.ts";
import { wholeMinutes } from "../../text/format-measure.ts";
import { formatTime } from "../text/format.ts";
import { grantCovers, grantOffer } from "./grant-hint.ts";

interface RequestTermsProps {
	readonly approval: Approval;
	readonly provider: string;
	/** False if the card already says when the request ends, or if nothing can be answered because the bridge is unreachable. */
	readonly saysEnd: boolean;
}

/** Rows of a request's list of facts: what a permission for a limited time would cover, and when the request ends without an answer. */
export function RequestTerms({ approval, provider, saysEnd }: RequestTermsProps) {
	const { grantScope, windowSeconds = 0, expiresAt } = approval;
	return (
		<>
			{grantScope !== undefined && grantOffer(approval) !== undefined && (
				<>
					<dt>{fill(words.ask.coversFor, { minutes: wholeMinutes(windowSeconds) })}</dt>
					<dd className="wrap">{grantCovers(grantScope, provider)}</dd>
				</>
			)}
			{saysEnd && (
				<>
					<dt>{words.ask.noAnswer}</dt>
					<dd>{fill(words.ask.noAnswerSay, { time: formatTime(expiresAt) })}</dd>
				</>
			)}
		</>
	);
}
