import {
	ContractError,
	canonicalJson,
	contradictionBy,
	limits,
	type NotedHash,
	type Preview,
	type Receipt,
	type ReceiptId,
	type ReceiptProblem,
	type RunId,
	renderActivity,
	type ToolCallId,
	type Verification,
} from "@xworkmate/contracts";
import { isUnnamedCall } from "@xworkmate/contracts/asked-name";
import { nameAfter } from "@xworkmate/contracts/call-name";
import type { AppApi } from "../../api/app-api.ts";
import { AppError } from "../../errors/app-error.ts";
import { hasCode } from "../../errors/has-code.ts";
import { contradictionLines } from "../../strings/calls/call-words.ts";
import { anywayWord, decisionLine, endLine, unpermittedLine } from "../../text/calls/decision-line.ts";
import { commandLine } from "../../text/command-line.ts";
import { localTime } from "../../text/local-time.ts";
import { oneLine, printable } from "../../text/printable.ts";
import { areAllNamed } from "../../text/receipts/problems-named.ts";
import { eventLine } from "../../text/receipts/receipt-line.ts";
import { failedCommands } from "../../text/runs/failed-commands.ts";
import { isUnderWay } from "../parts/asked-runs.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { lowerFirst } from "../words/lower-first.ts";

/** Outside a terminal, progress is shown only for a verification that takes longer than this. */
const SAID_AFTER_MS = 1_000;

export interface ReceiptFilter {
	readonly run?: RunId;
	readonly plan?: Parameters<AppApi["listReceipts"]>[0]["planId"];
	readonly tool?: Parameters<AppApi["listReceipts"]>[0]["toolId"];
	readonly thread?: Parameters<AppApi["listReceipts"]>[0]["threadId"];
	readonly type?: Receipt["type"];
	readonly origin?: Receipt["origin"];
	readonly since?: string;
	readonly until?: string;
	readonly limit?: number;
}

/** One run or one plan; without either, all receipts. */
export type ChainFilter = Parameters<AppApi["exportReceipts"]>[0];

export async function listReceipts(output: Output, { run, plan, tool, thread, ...filter }: ReceiptFilter): Promise<void> {
	const ids = {
		...(run && { runId: run }),
		...(plan && { planId: plan }),
		...(tool && { toolId: tool }),
		...(thread && { threadId: thread }),
	};
	const { items, nextCursor } = await output.api.listReceipts({ ...filter, ...ids });
	// Reading the activity throws if the run does not exist, so that it is not reported as a run without receipts.
	if (run !== undefined && items.length === 0) await output.api.activity({ runId: run });
	const titles = await titlesOf(output.api, items);
	const more = nextCursor === undefined ? [] : ["There are more. Use --limit, or narrow the list."];
	print(output, items, items.length === 0 ? ["No receipts."] : [...items.map((item) => receiptLine(item, titles)), ...more]);
}

export async function showReceipt(output: Output, receiptId: ReceiptId): Promise<void> {
	const shown = await output.api.receipt({ receiptId });
	const { receipt, trail } = shown;
	const { toolHash, inputHash, input, outcome, hash, prevHash, planId } = receipt;
	const titles = await titlesOf(output.api, [receipt]);
	const parts: readonly (readonly [string, string | undefined])[] = [
		["plan", planId && commandLine(`plans show ${planId}`)],
		["hash of the tool's code", toolHash],
		["input", input && previewLine(input)],
		["hash of the input", inputHash],
		["output", outcome?.preview && previewLine(outcome.preview)],
		["hash of the output", outcome?.outputHash],
		["previous receipt", prevHash],
		["hash", hash],
	];
	print(output, shown, [
		// The exact time is shown because it is part of what is hashed.
		receiptLine(receipt, titles, (at) => at),
		...parts.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name}: ${value}`])),
		planId === undefined ? "All receipts of the call:" : "All receipts of the message:",
		...trail.map((one) => `  ${receiptLine(one, titles)}`),
	]);
}

function previewLine({ text, truncated }: Preview): string {
	return `${oneLine(text, 2_048)}${truncated ? " (truncated)" : ""}`;
}

/** The titles of the plans that these receipts belong to. A plan that the bridge does not know has no title. */
async function titlesOf(api: AppApi, receipts: readonly Receipt[]): Promise<ReadonlyMap<string, string>> {
	const planIds = new Set(receipts.flatMap(({ planId }) => planId ?? []));
	const titles = new Map<string, string>();
	for (const planId of planIds) {
		try {
			titles.set(planId, (await api.plan({ planId })).title);
		} catch (error) {
			if (!hasCode(error, "NOT_FOUND")) throw error;
		}
	}
	return titles;
}

/** A receipt on one line. Text that an agent, a tool or the user wrote is in quotation marks. */
function receiptLine(receipt: Receipt, titles: ReadonlyMap<string, string>, time = (at: string) => localTime(at, Date.now())): string {
	const { receiptId, planId, at, type, origin, toolId, words, decision, outcome, detail } = receipt;
	const contradiction = contradictionBy(receipt);
	const against = [unpermittedLine(receipt), contradiction && contradictionLines[contradiction]].filter((one) => one !== undefined);
	const title = planId === undefined ? undefined : titles.get(planId);
	const event = eventLine({ type, ...(detail && { detail }) });
	const parts = [
		receiptId,
		time(at),
		lowerFirst(anywayWord(receipt) ?? type.replace("tool.call.", "")),
		toolId ?? "",
		...(title === undefined ? [] : [`for plan ${JSON.stringify(oneLine(title, 200))}`]),
		event === undefined ? "" : oneLine(event, 400),
		...(words === undefined ? [] : nameParts(receipt, words)),
		...(decision === undefined ? [] : [lowerFirst(oneLine(decisionLine(decision), 200))]),
		outcome?.code === undefined ? "" : lowerFirst(oneLine(endLine(outcome.code, undefined, origin), 200)),
		...(outcome?.message === undefined ? [] : [JSON.stringify(oneLine(outcome.message, 200))]),
		...(origin === "reported" ? [`(${["reported by the agent", ...against.map((one) => oneLine(one, 700))].join(", ")})`] : []),
	];
	return parts.filter((part) => part !== "").join("  ");
}

/** What a receipt's call does: for a reported call its name on the page, and the agent's own title if that is a different one. */
function nameParts(receipt: Receipt, said: string): readonly string[] {
	const { origin, toolCallId, type } = receipt;
	if (origin !== "reported" || toolCallId === undefined) return [JSON.stringify(oneLine(said, 200))];
	const { words, title = "" } = nameAfter(undefined, receipt);
	// A request for approval may be named by its command, so the agent's title is only known from the first receipt.
	const isTitled = type === "tool.call.requested" && title !== "" && !isUnnamedCall(title);
	return [JSON.stringify(oneLine(words, 200)), ...(isTitled ? [`the agent calls it ${JSON.stringify(oneLine(title, 200))}`] : [])];
}

export async function verifyReceipts(output: Output, of: ChainFilter, head: NotedHash | undefined): Promise<ExitCode> {
	const found = await verified(output, { ...of, ...(head && { head }) });
	const { ok, runs, plans = 0, receipts, independence, problems } = found;
	const counted = `${receipts} ${receipts === 1 ? "receipt" : "receipts"} of ${runs} ${runs === 1 ? "run" : "runs"}${plans === 0 ? "" : ` and ${plans} ${plans === 1 ? "plan" : "plans"}`}`;
	// That a saved hash wasn't found is said at the end: it doesn't mean that any of these receipts were changed.
	const listed = problems.filter((problem) => !isUnmatched(problem));
	const isChanged = listed.some(({ code }) => code !== "UNSEALED" && code !== "LEDGER_UNREADABLE");
	const isConsistent = listed.length === 0;
	const isLedgerRead = problems.every(({ code }) => code !== "LEDGER_UNREADABLE");
	const compared =
		independence === "head_matched"
			? "The receipts include the hash that you saved."
			: isLedgerRead
				? notFoundWords(of)
				: "None of these receipts has the hash that you saved, and the ledger couldn't be searched for it.";
	const sure =
		head !== undefined
			? compared
			: `Checked against this bridge's own ledger only. To check against something that it can't change, save a hash elsewhere: ${commandLine("receipts head")}`;
	print(output, found, [
		...listed.map(({ code, runId: run, planId, n, message }) =>
			[code, run ?? planId ?? "ledger", ...(n === undefined ? [] : [String(n)]), printable(message)].join("  "),
		),
		...(areAllNamed(listed) ? [] : [`At least ${listed.length} problems were found, and only these are listed.`]),
		`${ok ? "Intact" : isChanged ? "Not intact" : isConsistent ? CONSISTENT : "Couldn't be fully verified"}: ${counted}.`,
		...(ok || head !== undefined ? [sure] : []),
	]);
	return ok ? exitCode.success : exitCode.beforeRun;
}

/** Said of receipts without "Intact", because all of them may have been rewritten together with the ledger. */
const CONSISTENT = "Consistent with the bridge's own ledger";

/** True if the problem is that a saved hash was not found. Every other problem with this code names a receipt. */
function isUnmatched({ code, n }: ReceiptProblem): boolean {
	return code === "FORGED" && n === undefined;
}

/** What it may mean that a saved hash was not found, in the page's words. */
function notFoundWords({ runId, planId }: ChainFilter): string {
	const none = "The hash that you saved wasn't found";
	if (runId === undefined && planId === undefined)
		return `${none}: the whole store may have been rewritten, or the run or plan may have been deleted.`;
	const of = planId === undefined ? "run" : "plan";
	return `${none} for this ${of}: its receipts may have been rewritten, or the hash may be that of another run or plan.`;
}

/** Shows the progress of the verification: on a terminal in a line that changes, elsewhere in one line if the verification takes long. */
async function verified({ api, console }: Output, query: Parameters<AppApi["verifyReceipts"]>[0]): Promise<Verification> {
	const begun = performance.now();
	let isSaid = console.interactive;
	try {
		for await (const line of api.verifyReceipts(query)) {
			if (line.type === "ended") return line.result;
			const words = `Verifying: ${line.receipts} of ${line.of} receipts`;
			console.status(words);
			if (!isSaid && performance.now() - begun > SAID_AFTER_MS) {
				isSaid = true;
				console.note(words);
			}
		}
	} finally {
		console.status("");
	}
	throw new AppError("BRIDGE_NOT_RUNNING", "The verification ended without a result.", `Find out what is wrong: ${commandLine("doctor")}`);
}

export async function exportReceipts({ api, console }: Output, of: ChainFilter): Promise<void> {
	for await (const line of api.exportReceipts(of)) if (line.type === "line") console.line(line.text);
}

export async function showHead(output: Output, runId: RunId | undefined): Promise<void> {
	if (runId !== undefined) {
		const last = (await output.api.listReceipts({ runId, limit: 1 })).items.at(0);
		if (last === undefined) throw new ContractError("NOT_FOUND", { detail: `The run ${runId} has no receipts.` });
		return print(output, { runId, count: last.n, head: last.hash }, [`${last.n}  ${last.hash}`]);
	}
	for await (const line of output.api.exportReceipts({})) {
		if (line.type !== "line") return;
		const { publicKey, ledger } = JSON.parse(line.text) as { publicKey?: string; ledger?: { n: number; hash: string } };
		const key = publicKey === undefined ? ["The ledger has no readable line, so its key is unknown."] : [`key  ${oneLine(publicKey)}`];
		return print(output, { publicKey, ledger }, [...key, ...(ledger === undefined ? [] : [`line ${ledger.n}  ${oneLine(ledger.hash)}`])]);
	}
}

/** With `--json`, prints canonical JSON: the bytes that the bridge serves at `GET /runs/{runId}/activity`. */
export async function showActivity({ api, console, json }: Output, runId: RunId): Promise<void> {
	if (json) return console.line(canonicalJson(await api.activity({ runId })));
	// The state is read first, so that a run that ends in the meantime is not shown as one that had ended before.
	const at = new Date().toISOString();
	const active = await isActive(api, runId);
	const activity = await api.activity({ runId });
	const asked = active ? await askedCalls(api, runId) : undefined;
	if (active) console.line(`The run is still active. As of ${localTime(at, Date.now())}:`);
	for (const line of [...failedCommands(activity), ...renderActivity(activity, asked)]) console.line(printable(line));
}

/** The run's calls that wait for the user's answer. */
async function askedCalls(api: AppApi, runId: RunId): Promise<ReadonlySet<ToolCallId>> {
	const asked = await api.listApprovals({ state: "pending" });
	return new Set(asked.flatMap((one) => (one.runId === runId && one.toolCallId !== undefined ? [one.toolCallId] : [])));
}

/** True if the run has not ended. Only the newest runs are looked at, because an older one is hardly ever still active. */
async function isActive(api: AppApi, runId: RunId): Promise<boolean> {
	const { items } = await api.tasks({ limit: limits.listMax });
	return items.some((run) => run.runId === runId && isUnderWay(run.status));
}
