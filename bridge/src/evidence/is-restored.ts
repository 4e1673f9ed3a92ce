import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type ChainOwner, LedgerLine } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { LedgerEndStore, ReceiptStore } from "../ports/tools/receipt-store.ts";
import { LEDGER_FILE } from "./ledger-file.ts";

const TAIL_BYTES = 64 * 1024;

/**
 * True if the ledger vouches for receipts that the database does not have, which means that a backup of the database was restored. After a
 * power cut the ledger may be ahead of the end that the database recorded for it, but not of the receipts, which are durable before a line
 * vouches for them. Must be called before the ledger is opened, because opening it records its end in the database.
 */
export async function isRestored(folder: string, ends: LedgerEndStore, receipts: ReceiptStore): Promise<boolean> {
	const known = (await ends.read())?.n ?? 0;
	const lines = (await tailOf(join(folder, LEDGER_FILE), known)).filter(({ n }) => n > known);
	const removed = new Set(lines.flatMap(({ kind, runId }) => (kind === "removed" && runId !== undefined ? [runId] : [])));
	for (const { runId, planId, kind, count, head } of lines.toReversed()) {
		if ((kind !== "head" && kind !== "final") || count === undefined || count === 0) continue;
		const owner: ChainOwner | undefined = planId !== undefined ? { planId } : runId !== undefined ? { runId } : undefined;
		if (owner === undefined || (runId !== undefined && removed.has(runId))) continue;
		if ((await receipts.findReceipt(owner, count))?.hash === head) continue;
		// The receipts of a run whose thread is being deleted are hidden, so their absence proves nothing.
		if (runId === undefined || (await receipts.findRun(runId))?.isDeleting !== true) return true;
	}
	return false;
}

/**
 * The last lines of the ledger, which include all lines after the known one. Text that is not a valid line is left out; a verifier reports
 * it.
 */
async function tailOf(path: string, known: number): Promise<readonly LedgerLine[]> {
	let file: FileHandle;
	try {
		file = await open(path);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return [];
		throw error;
	}
	try {
		const { size } = await file.stat();
		const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
		await file.read(buffer, 0, buffer.length, size - buffer.length);
		const texts = buffer.toString("utf8").split("\n");
		// The first piece may be a partial line.
		const lines = texts.slice(size > buffer.length ? 1 : 0).flatMap(linesOf);
		const [first] = lines;
		if (size === buffer.length || (first !== undefined && first.n <= known + 1)) return lines;
	} finally {
		await file.close();
	}
	const lines: LedgerLine[] = [];
	for await (const text of createInterface({ input: createReadStream(path) })) {
		const number = Number(/"n":(\d+)/.exec(text)?.[1]);
		if (number > known) lines.push(...linesOf(text));
	}
	return lines;
}

function linesOf(text: string): readonly LedgerLine[] {
	try {
		const line = LedgerLine.safeParse(JSON.parse(text));
		return line.success ? [line.data] : [];
	} catch {
		// The line is not JSON.
		return [];
	}
}
