import type { Receipt, ReceiptId, ReceiptType } from "@xworkmate/contracts";
import { contradictionBy, deniedCommandBy, unpermittedBy } from "@xworkmate/contracts/unpermitted";
import { useState } from "react";
import { contradictionLines, receiptWords, trailWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { decisionLine, endLine, unpermittedLine } from "../../text/calls/decision-line.ts";
import { callApp } from "../connection/call-app.ts";
import { useAnswer } from "../state/use-answer.ts";
import { digitsOf } from "../text/digits.ts";
import { formatSecond, formatShort } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { statusWord } from "../turn/activity-view.ts";

/** All receipts of one call, in order. Only what the bridge itself saw succeed is green. */
export function Trail({ receipts }: { readonly receipts: readonly Receipt[] }) {
	return (
		<ol>
			{receipts.map((receipt) => (
				<Step key={receipt.receiptId} receipt={receipt} />
			))}
		</ol>
	);
}

const looks: Readonly<Partial<Record<ReceiptType, string>>> = {
	"tool.call.succeeded": "ok",
	"tool.call.failed": "bad",
	"tool.call.unknown": "unk",
};

function Step({ receipt }: { readonly receipt: Receipt }) {
	const { type, at, n, origin } = receipt;
	const { time, rest } = formatSecond(at);
	const isReportedSuccess = origin === "reported" && type === "tool.call.succeeded";
	const detail = detailOf(receipt);
	return (
		<li className={isReportedSuccess ? "" : (looks[type] ?? "")}>
			<b className="wrap">{visibleName(stepWord(receipt))}</b>
			<time dateTime={at}>
				{time}
				<span className="hide-n">{rest}</span>
			</time>
			<span className="n">{n}</span>
			{detail !== "" && <span className="d">{detail}</span>}
		</li>
	);
}

/** The words for a step. The end of an agent's own call is described as reported, because only the agent saw it. */
function stepWord(receipt: Receipt): string {
	const { type, decision, origin } = receipt;
	if (decision !== undefined) return decisionLine(decision);
	const code = receipt.outcome?.code;
	if (origin === "reported" && type === "tool.call.failed") return statusWord({ origin, status: "failed", ...(code && { code }) });
	if (origin !== "reported" || type !== "tool.call.succeeded") return receiptWords[type];
	const [unpermitted, deniedCommand, contradiction] = [unpermittedBy(receipt), deniedCommandBy(receipt), contradictionBy(receipt)];
	const against = { ...(unpermitted && { unpermitted }), ...(deniedCommand && { deniedCommand }), ...(contradiction && { contradiction }) };
	return statusWord({ origin, status: "succeeded", ...against });
}

/** Details of an agent's own call that are expressed in words, so they are not listed by name and value. */
const worded: ReadonlySet<string> = new Set(["unpermitted", "allowed", "reported", "deniedCommand", "contradiction", "onlyChanged"]);

function toldOf(receipt: Receipt): readonly string[] {
	const contradiction = contradictionBy(receipt);
	const said = [unpermittedLine(receipt), contradiction && contradictionLines[contradiction]].filter((line) => line !== undefined);
	const others = Object.entries(receipt.detail ?? {}).filter(([name]) => receipt.origin !== "reported" || !worded.has(name));
	return [...said, ...others.map(([name, value]) => `${name}: ${value}`)];
}

function detailOf(receipt: Receipt): string {
	const { type, inputHash, outcome, origin } = receipt;
	if (type === "tool.call.requested") return inputHash === undefined ? "" : fill(trailWords.input, { digits: digitsOf(inputHash) });
	const told = toldOf(receipt);
	if (outcome === undefined) return visibleName(told.join(", "));
	const { attempt, durationMs, outputHash, preview, code, message } = outcome;
	const tries = attempt === 1 ? trailWords.first : fill(trailWords.attempt, { count: attempt });
	// How long an agent's own call took is not known.
	const took = attempt === 0 || origin === "reported" ? [] : [`${fill(trailWords.took, { time: formatShort(durationMs) })}, ${tries}`];
	const output = outputHash === undefined ? [] : [fill(trailWords.output, { digits: digitsOf(outputHash) })];
	const shown = preview === undefined || preview.text === "" ? [] : [preview.text];
	const end = endLine(code, message, origin);
	return visibleName([...took, ...(end === "" ? [] : [end]), ...output, ...shown, ...told].join(" · "));
}

/** The trail of the call that a receipt belongs to. It is read when it is shown. */
export function CallTrail({ receiptId }: { readonly receiptId: ReceiptId }) {
	const [tried, setTried] = useState(0);
	const { answer, problem } = useAnswer(() => callApp("receipt", { receiptId }), `${receiptId} ${tried}`);
	return (
		<section className="trail" aria-label={trailWords.label} aria-busy={answer === undefined && problem === undefined}>
			{answer === undefined || problem !== undefined ? (
				<p className="flex d">
					<span className="wrap">{problem ?? trailWords.loading}</span>
					{problem !== undefined && (
						<button type="button" className="btn" onClick={() => setTried(tried + 1)}>
							{trailWords.again}
						</button>
					)}
				</p>
			) : (
				<Trail receipts={answer.trail} />
			)}
		</section>
	);
}
