import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { restoreDatabase } from "@xworkmate/contracts";
import { CHECK_PROGRAM } from "@xworkmate/platform/sqlite";
import type { Logger } from "pino";
import type { ProcessLedger } from "./ports/agents/process-ledger.ts";
import { ProcessGroup } from "./processes/group/process-group.ts";
import { noteDamage } from "./store/sqlite/index.ts";
import { StoreError } from "./store/store-error.ts";

/**
 * Checks the whole database while it is in use, for a bridge whose predecessor did not close it. At startup, the check would take longer
 * with every run ever made. Settles when the check is over or `stop` is aborted.
 * @throws StoreError STORE_CORRUPT: the next start checks the file before using it, and refuses it; another error if the check can't be
 * started or does not finish
 */
export async function checkDatabase(path: string, ledger: ProcessLedger, stop: AbortSignal): Promise<void> {
	if (stop.aborted) return;
	const command = { command: process.execPath, args: [CHECK_PROGRAM, path], workingDirectory: dirname(path), environment: {} };
	const checker = await ProcessGroup.start({ ...command, label: "database check", isBackground: true }, ledger);
	const kill = () => void checker.kill();
	stop.addEventListener("abort", kill, { once: true });
	if (stop.aborted) kill();
	const [result, errors] = await Promise.all([text(checker.output), text(checker.errors)]);
	stop.removeEventListener("abort", kill);
	await checker.end({ inputClosedMs: 0, terminatedMs: 0 });
	if (stop.aborted || result === "ok") return;
	if (result === "") throw new Error(`the check of ${path} did not finish: ${errors.slice(-1_000)}`);
	noteDamage(path);
	throw new StoreError("STORE_CORRUPT", `${path} is damaged (${result.replaceAll("\n", " ")}), so the bridge has stopped.`, {
		file: path,
		fix: restoreDatabase("without its runs"),
	});
}

/** Checks the database in the background. `onFatal` is called if it is damaged. Disposing of this ends the check. */
export function checkInBackground(
	path: string,
	ledger: ProcessLedger,
	logger: Pick<Logger, "warn">,
	onFatal: (error: unknown) => void,
): AsyncDisposable {
	const stop = new AbortController();
	const checked = checkDatabase(path, ledger, stop.signal).catch((error: unknown) => {
		if (error instanceof StoreError && error.code === "STORE_CORRUPT") onFatal(error);
		else logger.warn({ err: error }, "the database could not be checked");
	});
	return {
		[Symbol.asyncDispose]: () => {
			stop.abort();
			return checked;
		},
	};
}
