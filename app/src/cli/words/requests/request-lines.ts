import type { ListedApproval } from "../../../api/app-api.ts";
import { namedCall, requestSubject } from "../../../text/calls/asked-view.ts";
import { localTime } from "../../../text/local-time.ts";
import { revealedLine } from "../../../text/printable.ts";
import { askedLines } from "./asked-lines.ts";
import { callLine, callLines } from "./call-lines.ts";
import { askerLine, limitLines, offerWords } from "./grant-words.ts";

/** Longer than the name of a call, so that the end of a command is not cut off. In characters. */
const SUBJECT = 300;

/** A request as a list shows it: what is asked, who asks, and exactly what would be done. */
export function requestLines(approval: ListedApproval): readonly string[] {
	const offer = offerWords(approval);
	const call = callLine(approval);
	const subject = requestSubject(approval);
	const what = call ?? `${namedCall(approval).toolKind}  ${revealedLine(subject, SUBJECT)}`;
	return [
		`${approval.approvalId}  until ${localTime(approval.expiresAt, Date.now())}  ${what}`,
		askerLine(approval),
		...(call === undefined ? askedLines(approval, subject) : callLines(approval)),
		...(offer === undefined ? [] : [`  allow-window: ${offer}`]),
		...limitLines(approval),
	];
}
