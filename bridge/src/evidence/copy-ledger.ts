import { createReadStream, existsSync } from "node:fs";
import { copyFile, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { LedgerEnd } from "@xworkmate/contracts";
import { KEY_FILE, LEDGER_FILE } from "./ledger-file.ts";

/**
 * Copies a ledger, which may be in use, up to the last line that a copy of the database records. A later line would vouch for receipts that
 * the copy does not have. Copies nothing if the database records no line.
 */
export async function copyLedger(folder: string, into: string, known: LedgerEnd | undefined): Promise<void> {
	const ledger = join(folder, LEDGER_FILE);
	if (known === undefined || !existsSync(ledger)) return;
	await mkdir(into, { recursive: true, mode: 0o700 });
	if (existsSync(join(folder, KEY_FILE))) await copyFile(join(folder, KEY_FILE), join(into, KEY_FILE));
	const copy = await open(join(into, LEDGER_FILE), "wx", 0o600);
	try {
		for await (const line of createInterface({ input: createReadStream(ledger) })) {
			if (numberOf(line) > known.n) break;
			await copy.write(`${line}\n`);
		}
		await copy.sync();
	} finally {
		await copy.close();
	}
}

/** The number that a line names; 0 if it names none. Damaged lines are copied too, so that a verifier sees them. */
function numberOf(text: string): number {
	return Number(/"n":(\d+)/.exec(text)?.[1] ?? 0);
}
