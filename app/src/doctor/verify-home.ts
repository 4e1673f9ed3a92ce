import type { Verification } from "@xworkmate/contracts";
import type { HomeLine, VerificationLine } from "../api/app-api.ts";
import type { Finding } from "../api/ui-api.ts";
import { toFailure } from "../errors/failure.ts";
import { count } from "../strings/interface.ts";
import { commandLine } from "../text/command-line.ts";
import { namedFindings } from "./named-findings.ts";
import { type DiskToVerify, verifyDisk } from "./verify-disk.ts";
import { type ThreadsToVerify, verifyThreads } from "./verify-threads.ts";

export interface HomeToVerify extends Omit<DiskToVerify, "stop"> {
	readonly threads: () => ThreadsToVerify;
	readonly receipts: () => AsyncIterable<VerificationLine>;
}

/**
 * Reads everything that is stored and compares it with its records. Changes nothing. A reader that leaves early ends the verification
 * and the programs that were started for it.
 */
export async function* verifyHome(home: HomeToVerify, only?: "disk" | "asked"): AsyncGenerator<HomeLine> {
	const left = new AbortController();
	try {
		if (only !== "asked") yield* verifyDisk({ ...home, stop: left.signal });
		if (only !== "disk") {
			yield* verifyThreads(home.threads());
			yield* verifyReceipts(home.receipts());
		}
		yield { type: "ended" };
	} finally {
		left.abort();
	}
}

const about = "receipts";

async function* verifyReceipts(lines: AsyncIterable<VerificationLine>): AsyncGenerator<HomeLine> {
	try {
		for await (const line of lines) {
			if (line.type === "progress") yield { type: "progress", part: "receipts", done: line.receipts, of: Math.max(line.receipts, line.of) };
			else for (const finding of receiptFindings(line.result)) yield { type: "finding", finding };
		}
	} catch (error) {
		const { code, message, fix = `Find out what is wrong: ${commandLine("doctor")}` } = toFailure(error);
		const words = `The receipts were not verified: ${message} (${code})`;
		yield { type: "finding", finding: { about, state: "problem", message: words, fix } };
	}
}

function receiptFindings({ ok, runs, plans = 0, receipts, problems }: Verification): readonly Finding[] {
	const ofPlans = plans === 0 ? "" : ` and ${count(plans, "plan")}`;
	const words = `${count(receipts, "receipt")} of ${count(runs, "run")}${ofPlans} ${receipts === 1 ? "is" : "are"} intact, checked against this bridge's own ledger.`;
	if (ok && problems.length === 0) return [{ about, state: "ok", message: words }];
	const messages = problems.map(({ code, runId, planId, message }) => `${runId ?? planId ?? "The ledger"}: ${message} (${code})`);
	return namedFindings(about, messages, `See the full result: ${commandLine("receipts verify")}`);
}
