import type { Approval } from "@xworkmate/contracts";
import { callWords, riskWords } from "../../../strings/calls/call-words.ts";
import { approvalOutcome } from "../../../text/calls/approval-outcome.ts";
import { askedView, isCalledOtherwise, namedCall, requestSubject } from "../../../text/calls/asked-view.ts";
import { codeNotes, codeOf } from "../../../text/calls/tool-code.ts";
import { formatBytes } from "../../../text/format-measure.ts";
import { localTime } from "../../../text/local-time.ts";
import { revealed, revealedLine } from "../../../text/printable.ts";
import { calledLine, changeName, saysName } from "./asked-lines.ts";
import { askerLine, limitLines } from "./grant-words.ts";

/** How many digits of a hash are shown: enough to tell two inputs apart. */
const DIGITS = 12;
const WORDS = 1_000;

/** A typed call on one line: its tool, its risk, and the tool's own description. Undefined for a request from an agent. */
export function callLine(approval: Approval): string | undefined {
	const { toolId, risk } = approval;
	if (toolId === undefined || risk === undefined) return undefined;
	return `${toolId} (${riskWords[risk].word.toLowerCase()}): ${toolWords(approval)}`;
}

/** What the user should know before allowing a call, apart from its input. */
export function callLines(approval: Approval): readonly string[] {
	const { secrets = [], inputHash, state } = approval;
	const note = state === "pending" ? codeNotes[codeOf(approval)] : undefined;
	const code = note === undefined ? [] : [`  ${note.is} ${note.say}`];
	const given = secrets.length === 0 ? [] : [`  secrets: ${secrets.map((name) => revealedLine(name, 200)).join(", ")}`];
	return [...code, ...given, `  input hash: ${inputHash.slice(0, DIGITS)}`];
}

/** A request with its whole input, or the part that is known, and its outcome. */
export function wholeRequestLines(record: Approval, input: string | undefined): readonly string[] {
	const { approvalId, state, inputHash, toolHash, requestedAt, expiresAt } = record;
	const view = askedView(record);
	const until = state === "pending" ? `${state} until ${time(expiresAt)}` : `${state}, requested at ${time(requestedAt)}`;
	const shown = input === undefined ? previewLines(record) : [`  ${callWords.whole.toLowerCase()}:`, ...indented(pretty(input))];
	return [
		`${approvalId}  ${until}`,
		`  ${callLine(record) ?? `${namedCall(record).toolKind}: ${revealedLine(requestSubject(record), WORDS)}`}`,
		...(record.toolId === undefined && isCalledOtherwise(view) ? [`  ${calledLine(view)}`] : []),
		askerLine(record),
		...(record.directory === undefined ? [] : [`  folder: ${revealedLine(record.directory, WORDS)}`]),
		...(record.alsoNamed === undefined ? [] : record.alsoNamed.map((file) => `  also mentions: ${revealedLine(file, WORDS)}`)),
		...(record.proposed === undefined ? [] : previewed(changeName, record.proposed, "only the agent has the whole change")),
		...(record.says === undefined ? [] : previewed(saysName, record.says, "only the agent has the whole text")),
		...outcomeLines(record),
		...(state === "pending" ? limitLines(record) : []),
		...callLines(record),
		`  full hash: ${inputHash}`,
		...(toolHash === undefined ? [] : [`  ${callWords.version.toLowerCase()}: ${toolHash}`]),
		...shown,
	];
}

function time(timestamp: string): string {
	return localTime(timestamp, Date.now());
}

function toolWords(approval: Approval): string {
	const { words = "" } = approval;
	const said = words === "" ? callWords.noWords : revealedLine(words, WORDS);
	return codeOf(approval) !== "accepted" && words !== "" ? `${callWords.toolSays} ${said}` : said;
}

function outcomeLines(approval: Approval): readonly string[] {
	const outcome = approvalOutcome(approval);
	const revoked = approval.revokedAt === undefined ? [] : [`  Revoked at ${time(approval.revokedAt)}`];
	return outcome === undefined
		? []
		: [`  ${revealedLine(outcome, WORDS)}, at ${approval.decidedAt === undefined ? "?" : time(approval.decidedAt)}`, ...revoked];
}

function previewLines({ input, toolId }: Approval): readonly string[] {
	const why = toolId === undefined ? "only the agent has the whole input" : "the whole input is no longer stored";
	if (input === undefined) return [toolId === undefined ? "  input: not provided by the agent" : "  input: no longer stored"];
	return previewed("input", input, why);
}

/** A preview under its name, which says whether the preview is complete. `why`: why the rest can't be shown. */
function previewed(name: string, { text, truncated }: NonNullable<Approval["input"]>, why: string): readonly string[] {
	const part = truncated ? `${formatBytes(Buffer.byteLength(text))} of it; ${why}` : "complete";
	return [`  ${name} (${part}):`, ...indented(text)];
}

/** Formats JSON with one field per line. Other text stays as it is. */
function pretty(json: string): string {
	try {
		return JSON.stringify(JSON.parse(json), undefined, "  ");
	} catch {
		// Not JSON, so it is shown unchanged.
		return json;
	}
}

function indented(text: string): readonly string[] {
	return revealed(text)
		.split("\n")
		.map((line) => `    ${line}`);
}
